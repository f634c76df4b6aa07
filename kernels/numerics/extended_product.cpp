#include <kernels/numerics/eigen.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/threads.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace pivotlab {
namespace {

using Eigen::MatrixXd;

// β, the width of a slice in bits, and p, the precision promised. Wide slices mean few products, but then short ones,
// for the sums of a level are exact only as long as they fit in 53 bits: DoubleDouble takes 5 slices of 22 bits and
// sums of about 400 terms; Quad must take 6 slices anyway and has sums as long as the inner dimension.
template <class R>
constexpr int slice_bits = 22;
template <>
constexpr int slice_bits<Quad> = 20;
template <class R>
constexpr int precision_bits = 104;
template <>
constexpr int precision_bits<Quad> = 113;

// Exponents below this are those of zeros; sums of two still fit in 16 bits.
constexpr std::int16_t exponent_of_zero = -16000;

/// e with 2^(e−1) ≤ |x| < 2^e. A zero, NaN or Inf does not count in the scaling.
template <class R>
int exponent(const R& x) {
  using std::frexp, std::isfinite;
  if (x == 0 || !isfinite(x)) return exponent_of_zero;
  int e;
  frexp(x, &e);
  return e;
}
int exponent(double x) {
  constexpr int bias = 1022;
  const int biased = static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52) & 0x7ff;
  if (biased == 0x7ff || x == 0) return exponent_of_zero;
  return biased != 0 ? biased - bias : std::ilogb(x) + 1;
}
int exponent(const DoubleDouble& x) {
  return exponent(x.hi());
}

template <class R>
int exponent(const std::complex<R>& x) {
  return std::max(exponent(x.real()), exponent(x.imag()));
}

// 2^e·x as an exact sum of doubles, largest first.
std::array<double, 1> expansion(double x, int e) {
  return {std::ldexp(x, e)};
}
std::array<double, 2> expansion(const DoubleDouble& x, int e) {
  return {std::ldexp(x.hi(), e), std::ldexp(x.lo(), e)};
}
std::array<double, 3> expansion(const Quad& x, int e) {
  const Quad scaled = ldexp(x, e);
  const double first = static_cast<double>(scaled);
  const Quad rest = scaled - first;
  const double second = static_cast<double>(rest);
  return {first, second, static_cast<double>(rest - second)};
}

/// Cuts |x| < 2^e into slices: x = 2^e Σ_i 2^(−βi − β + 1) take(i, d_i), integers |d_i| ≤ 2^(β−1).
template <int beta, class R, class Take>
void cut(const R& x, int e, int slices, Take&& take) {
  auto parts = expansion(x, beta - 1 - e);
  for (int i = 0; i < slices; ++i) {
    const double digit = std::rint(parts[0]);
    take(i, digit);
    parts[0] -= digit;
    for (std::size_t p = 0; p + 1 < parts.size(); ++p) {  // the leading part again the sum to working precision
      const DoubleDouble s = DoubleDouble::sum(parts[p], parts[p + 1]);
      parts[p] = s.hi(), parts[p + 1] = s.lo();
    }
    for (double& part : parts) part *= double(1 << beta);
  }
}

/// The slices of some inner indices of an operand, and whether each has anything in it.
struct Slices {
  std::vector<MatrixXd> parts;
  std::vector<char> used;
  Slices(int count, Index rows, Index cols) : parts(count, MatrixXd(rows, cols)), used(count) {}

  void find_used() {
    for (std::size_t i = 0; i < parts.size(); ++i) used[i] = (parts[i].array() != 0).any();
  }
};

/// One factor, seen as vectors (the rows of A, the columns of B) of inner length k.
template <class T>
class Factor {
 public:
  Factor(MatrixView<const T> view, Op op, bool left)
      : view_(view), along_rows_(left == (op == Op::none)), conjugated_(op == Op::adjoint) {
    relative_ = Matrix<std::int16_t>(vectors(), inner());
    scale_.assign(static_cast<std::size_t>(vectors()), exponent_of_zero);
    for (Index k = 0; k < inner(); ++k)
      for (Index i = 0; i < vectors(); ++i) {
        const int e = exponent(at(i, k));
        relative_(i, k) = static_cast<std::int16_t>(e);
        scale_[i] = std::max(scale_[i], e);
      }
    for (int& e : scale_)
      if (e == exponent_of_zero) e = 0;
    for (Index k = 0; k < inner(); ++k)
      for (Index i = 0; i < vectors(); ++i)
        relative_(i, k) = static_cast<std::int16_t>(std::max(relative_(i, k) - scale_[i], int(exponent_of_zero)));
  }

  Index vectors() const { return along_rows_ ? view_.rows : view_.cols; }
  Index inner() const { return along_rows_ ? view_.cols : view_.rows; }
  /// 2^scale(i) bounds the elements of vector i.
  int scale(Index i) const { return scale_[i]; }
  /// vectors × inner: exponents of the scaled elements, ≤ 0.
  const Matrix<std::int16_t>& relative() const { return relative_; }

  /// Slices of inner indices [first, first + count) as the left factor, vectors × count; complex ones are [Re Im].
  template <int beta>
  Slices cut_left(Index first, Index count, int slices, int threads) const {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    Slices out(slices, vectors(), parts * count);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < vectors(); ++i) {
        const T x = at(i, first + k);
        if constexpr (is_complex<T>) {
          cut<beta>(x.real(), scale_[i], slices, [&](int s, double d) { out.parts[s](i, 2 * k) = d; });
          cut<beta>(x.imag(), scale_[i], slices, [&](int s, double d) { out.parts[s](i, 2 * k + 1) = d; });
        } else {
          cut<beta>(x, scale_[i], slices, [&](int s, double d) { out.parts[s](i, k) = d; });
        }
      }
    out.find_used();
    return out;
  }

  /// The same as the right factor, count × vectors; complex elements become [Re Im; −Im Re], which makes of a complex
  /// product a real one of twice the inner dimension and columns.
  template <int beta>
  Slices cut_right(Index first, Index count, int slices, int threads) const {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    Slices out(slices, parts * count, parts * vectors());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index j = 0; j < vectors(); ++j)
      for (Index k = 0; k < count; ++k) {
        const T x = at(j, first + k);
        if constexpr (is_complex<T>) {
          cut<beta>(x.real(), scale_[j], slices,
                    [&](int s, double d) { out.parts[s](2 * k, 2 * j) = d, out.parts[s](2 * k + 1, 2 * j + 1) = d; });
          cut<beta>(x.imag(), scale_[j], slices,
                    [&](int s, double d) { out.parts[s](2 * k, 2 * j + 1) = d, out.parts[s](2 * k + 1, 2 * j) = -d; });
        } else {
          cut<beta>(x, scale_[j], slices, [&](int s, double d) { out.parts[s](k, j) = d; });
        }
      }
    out.find_used();
    return out;
  }

 private:
  T at(Index i, Index k) const {
    const T& x = along_rows_ ? view_(i, k) : view_(k, i);
    return conjugated_ ? conjugate(x) : x;
  }

  MatrixView<const T> view_;
  bool along_rows_, conjugated_;
  Matrix<std::int16_t> relative_;
  std::vector<int> scale_;
};

/// The least e ≥ enough such that max_k |a_ik|·|b_kj| ≥ 2^(−e), scaled, in every entry of the product that is not zero,
/// or `most` if that is less: how many bits more than p this product needs.
int spread(const Matrix<std::int16_t>& A, const Matrix<std::int16_t>& B, int enough, int most, int threads) {
  const Index m = A.rows(), inner = A.cols();
  // |x| ≥ 2^(exponent − 1), so a sum of two exponents is by 2 larger than that of the bound.
  int result = enough;
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8) reduction(max : result)
  for (Index j = 0; j < B.rows(); ++j) {
    std::vector<std::int16_t> largest(static_cast<std::size_t>(m), 2 * exponent_of_zero);
    bool done = false;
    for (Index k = 0; k < inner && !done; ++k) {
      const std::int16_t b = B(j, k);
      const std::int16_t* a = A.col(k).data();
      for (Index i = 0; i < m; ++i) largest[i] = std::max<std::int16_t>(largest[i], a[i] + b);
      // Dense well-scaled operands end here, after a few dozen terms.
      if (k % 16 == 15) done = std::ranges::min(largest) >= 2 - enough;
    }
    for (const int e : largest)
      if (e > exponent_of_zero) result = std::max(result, std::min(2 - e, most));
  }
  return result;
}

/// tile = Σ_{i+j=level} A_i·B_j, exactly.
void multiply_level(const Slices& A, const Slices& B, int level, Index row, Index col, MatrixXd& tile) {
  tile.setZero();
  for (int i = 0; i <= level; ++i)
    if (A.used[i] && B.used[level - i])
      tile.noalias() += A.parts[i].middleRows(row, tile.rows()) * B.parts[level - i].middleCols(col, tile.cols());
}

template <class R>
void accumulate(double weight, const MatrixXd& tile, MatrixView<R> C) {
  for (Index j = 0; j < C.cols; ++j)
    for (Index i = 0; i < C.rows; ++i) C(i, j) += R(weight * tile(i, j));
}
void accumulate(double weight, const MatrixXd& tile, MatrixView<DoubleDouble> C) {
  for (Index j = 0; j < C.cols; ++j) {
    DoubleDouble* c = C.col(j).data();
    const double* t = &tile(0, j);
    for (Index i = 0; i < C.rows; ++i) c[i] = c[i] + weight * t[i];
  }
}

/// C += A·B for the slices of some inner indices; tiles of C are independent.
template <class R>
void accumulate_product(const Slices& A, const Slices& B, MatrixView<R> C, int threads) {
  constexpr Index tile_rows = 512, tile_cols = 64;
  const Index row_tiles = (C.rows + tile_rows - 1) / tile_rows, col_tiles = (C.cols + tile_cols - 1) / tile_cols;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (Index t = 0; t < row_tiles * col_tiles; ++t) {
    const Index row = t % row_tiles * tile_rows, col = t / row_tiles * tile_cols;
    MatrixXd tile(std::min(tile_rows, C.rows - row), std::min(tile_cols, C.cols - col));
    for (int level = static_cast<int>(A.parts.size()) - 1; level >= 0; --level) {
      multiply_level(A, B, level, row, col, tile);
      accumulate(std::ldexp(1.0, -slice_bits<R> * level), tile, C.block(row, col, tile.rows(), tile.cols()));
    }
  }
}

/// C(i, j)·2^e, where the columns of `parts` are those of C, or of its real and imaginary parts alternately.
template <class T, class R>
T unscaled(const Matrix<R>& parts, Index i, Index j, int e) {
  if constexpr (is_complex<T>)
    return T(ldexp(parts(i, 2 * j), e), ldexp(parts(i, 2 * j + 1), e));
  else
    return ldexp(parts(i, j), e);
}

template <class T, class A, class B>
Matrix<T> multiply(const Factor<A>& left, const Factor<B>& right, int threads) {
  using R = RealOf<T>;
  constexpr int beta = slice_bits<R>, p = precision_bits<R>;
  constexpr Index parts = is_complex<T> ? 2 : 1;
  constexpr Index longest = 2048;  // bounds the memory that slices take
  if (left.inner() != right.inner()) throw std::invalid_argument("product: the inner dimensions differ");

  // s slices leave out (s + 1)·k·2^(−βs); that must be k·2⁻ᵖ of any |A|·|B|_ij, itself at least 2^(−spread).
  const auto bits = [](int s) { return beta * s - static_cast<int>(std::bit_width(static_cast<unsigned>(s))); };
  int s = 1;
  while (bits(s) < p) ++s;
  const int needed = spread(left.relative(), right.relative(), bits(s) - p, 2 * p, threads);
  while (bits(s) < p + needed) ++s;
  const Index depth = std::min<Index>(longest, (Index(1) << (55 - 2 * beta)) / s) / parts;

  Matrix<R> sum(left.vectors(), parts * right.vectors());
  for (Index first = 0; first < left.inner(); first += depth) {
    const Index count = std::min(depth, left.inner() - first);
    accumulate_product<R>(left.template cut_left<beta>(first, count, s, threads),
                          right.template cut_right<beta>(first, count, s, threads), sum, threads);
  }

  Matrix<T> C(left.vectors(), right.vectors());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < C.rows(); ++i)
      C(i, j) = unscaled<T>(sum, i, j, left.scale(i) + right.scale(j) - 2 * (beta - 1));
  return C;
}

}  // namespace

template <class T>
Matrix<T> product(const Operand<T>& A, const Operand<T>& B, int threads) {
  return std::visit(
      [&](auto a, auto b) { return multiply<T>(Factor(a, A.op, true), Factor(b, B.op, false), thread_count(threads)); },
      A.view, B.view);
}

template Matrix<Quad> product(const Operand<Quad>&, const Operand<Quad>&, int);
template Matrix<DoubleDouble> product(const Operand<DoubleDouble>&, const Operand<DoubleDouble>&, int);
template Matrix<std::complex<Quad>> product(const Operand<std::complex<Quad>>&, const Operand<std::complex<Quad>>&,
                                            int);
template Matrix<std::complex<DoubleDouble>> product(const Operand<std::complex<DoubleDouble>>&,
                                                    const Operand<std::complex<DoubleDouble>>&, int);

}  // namespace pivotlab
