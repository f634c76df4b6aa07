// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/numerics/balanced_product.hpp>
#include <kernels/numerics/eigen.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/slicing.hpp>
#include <kernels/numerics/threads.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <pivotlab/interrupt.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pivotlab {
namespace {

using Eigen::MatrixXd;

using slicing::exponent, slicing::exponent_of_zero, slicing::expansion;

// Quad needs 6 slices for any width, so its sums are as long as the inner dimension.
template <class R>
constexpr slicing::Scheme scheme = slicing::double_double_scheme;
template <>
constexpr slicing::Scheme scheme<Quad>{20, 113};

int exponent(const Quad& x) {
  if (x == 0 || !isfinite(x)) return exponent_of_zero;
  int e;
  frexp(x, &e);
  return e;
}
template <class R>
int exponent(const std::complex<R>& x) {
  return std::max(exponent(x.real()), exponent(x.imag()));
}

/// Returns 2^e for |e| ≤ 1022; 0 below. This range suffices: operands are scaled to 1, and smaller numbers are below
/// every error bound.
double power_of_two(int e) {
  return e < -1022 ? 0 : std::bit_cast<double>(static_cast<std::uint64_t>(e + 1023) << 52);
}

std::array<double, 3> expansion(const Quad& x, int e) {
  if (x == 0 || !isfinite(x)) return {static_cast<double>(x), 0, 0};
  // This splits the significand, 113 bits with the leading one set, into pieces of 53, 53 and 7 bits.
  const auto [low, high] = std::bit_cast<std::array<std::uint64_t, 2>>(x.native());
  const int last = static_cast<int>(high >> 48 & 0x7fff) - 16383 - 112 + e;
  const double sign = signbit(x) ? -1 : 1;
  const auto piece = [&](std::uint64_t bits, int width, int shift) {
    const std::uint64_t integer = bits & ((std::uint64_t(1) << width) - 1);
    return sign * power_of_two(last + shift) * static_cast<double>(static_cast<std::int64_t>(integer));
  };
  return {piece((high << 4 | low >> 60) | std::uint64_t(1) << 52, 53, 60), piece(low >> 7, 53, 7), piece(low, 7, 0)};
}

/// The slices of some inner indices of an operand, and whether each is nonzero.
struct Slices {
  std::vector<MatrixXd> parts;
  std::vector<char> used;
  Slices(int count, Index rows, Index cols) : parts(count, MatrixXd(rows, cols)), used(count) {}

  void find_used() {
    for (std::size_t i = 0; i < parts.size(); ++i) used[i] = (parts[i].array() != 0).any();
  }
};

/// A factor of a product over T as vectors (the rows of A, the columns of B) of inner length k.
template <class T>
class ScaledVectors {
 public:
  static constexpr int beta = scheme<RealOf<T>>.beta;

  ScaledVectors(const Operand<T>& operand, bool left)
      : view_(operand.view), along_rows_(left == (operand.op == Op::none)), conjugated_(operand.op == Op::adjoint) {
    const auto [rows, cols] = std::visit([](const auto& view) { return std::pair(view.rows, view.cols); }, view_);
    relative_ = along_rows_ ? Matrix<std::int16_t>(rows, cols) : Matrix<std::int16_t>(cols, rows);
    scale_.assign(vectors(), exponent_of_zero);
    for (Index k = 0; k < inner(); ++k)
      for (Index i = 0; i < vectors(); ++i) {
        const int e = with_element(i, k, [](const auto& x) { return int(exponent(x)); });
        relative_(i, k) = static_cast<std::int16_t>(e);
        scale_[i] = std::max(scale_[i], e);
      }
    for (int& e : scale_)
      if (e == exponent_of_zero) e = 0;
    for (Index k = 0; k < inner(); ++k)
      for (Index i = 0; i < vectors(); ++i)
        relative_(i, k) = static_cast<std::int16_t>(std::max(relative_(i, k) - scale_[i], int(exponent_of_zero)));
  }

  Index vectors() const { return relative_.rows(); }
  Index inner() const { return relative_.cols(); }
  /// Returns element k of vector i.
  T at(Index i, Index k) const {
    return with_element(i, k, [](const auto& x) { return extend<T>(x); });
  }
  /// Returns the exponent with which 2^scale(i) bounds the elements of vector i.
  int scale(Index i) const { return scale_[i]; }
  /// Returns the exponents of the scaled elements, vectors × inner, ≤ 0.
  const Matrix<std::int16_t>& relative() const { return relative_; }

  /// Returns slices of inner indices [first, first + count) as the left factor, vectors × count; complex ones are [Re
  /// Im].
  Slices cut_left(Index first, Index count, int slices, int threads) const {
    Slices out(slices, vectors(), parts * count);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index k = 0; k < count; ++k)
      for (Index i = 0; i < vectors(); ++i)
        cut(i, first + k, slices, [&](int s, Index part, double d) { out.parts[s](i, parts * k + part) = d; });
    out.find_used();
    return out;
  }

  /// Returns the same slices as the right factor, count × vectors; complex elements become [Re Im; −Im Re], which turns
  /// a complex product into a real one of twice the inner dimension and columns.
  Slices cut_right(Index first, Index count, int slices, int threads) const {
    Slices out(slices, parts * count, parts * vectors());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index j = 0; j < vectors(); ++j)
      for (Index k = 0; k < count; ++k)
        cut(j, first + k, slices, [&](int s, Index part, double d) {
          out.parts[s](parts * k, parts * j + part) = d;
          if constexpr (is_complex<T>) out.parts[s](2 * k + 1, 2 * j + 1 - part) = part == 0 ? d : -d;
        });
    out.find_used();
    return out;
  }

 private:
  static constexpr Index parts = is_complex<T> ? 2 : 1;

  template <class Use>
  auto with_element(Index i, Index k, const Use& use) const {
    return std::visit(
        [&](const auto& view) {
          const auto& x = along_rows_ ? view(i, k) : view(k, i);
          return use(conjugated_ ? conjugate(x) : x);
        },
        view_);
  }

  /// Calls take(s, part, d) with slice s of part 0, and 1 of complex numbers, of element k of vector i.
  template <class Take>
  void cut(Index i, Index k, int slices, const Take& take) const {
    const auto cut_part = [&](Index part, const auto& x) {
      slicing::cut(beta, expansion(x, beta - 1 - scale_[i]), slices, [&](int s, double d) { take(s, part, d); });
    };
    with_element(i, k, [&](const auto& x) {
      if constexpr (is_complex<T>)
        cut_part(0, x.real()), cut_part(1, x.imag());
      else
        cut_part(0, x);
    });
  }

  typename Operand<T>::View view_;
  bool along_rows_, conjugated_;
  Matrix<std::int16_t> relative_;
  std::vector<int> scale_;
};

/// What slices do for the entries of a product.
struct Spread {
  int bits;  ///< beyond p
  /// The rows of nonzero entries, for each column, that need more than the largest number of bits.
  std::vector<std::vector<Index>> small;
};

/// Finds the least e ≥ enough such that max_k |a_ik|·|b_kj| ≥ 2^(−e), scaled, in every nonzero entry of the product, or
/// `most` if that is smaller.
Spread spread(const Matrix<std::int16_t>& A, const Matrix<std::int16_t>& B, int enough, int most, int threads) {
  const Index m = A.rows(), inner = A.cols();
  // |x| ≥ 2^(exponent − 1), so a sum of two exponents exceeds that of the bound by 2.
  int bits = enough;
  std::vector<std::vector<Index>> small(B.rows());
#pragma omp parallel for num_threads(threads) schedule(dynamic, 8) reduction(max : bits)
  for (Index j = 0; j < B.rows(); ++j) {
    std::vector<std::int16_t> largest(m, 2 * exponent_of_zero);
    bool done = false;
    for (Index k = 0; k < inner && !done; ++k) {
      const std::int16_t b = B(j, k);
      const std::int16_t* a = A.col(k).data();
      for (Index i = 0; i < m; ++i) largest[i] = std::max<std::int16_t>(largest[i], a[i] + b);
      // Dense well-scaled operands stop here, after a few dozen terms.
      if (k % 16 == 15) done = std::ranges::min(largest) >= 2 - enough;
    }
    for (Index i = 0; i < m; ++i) {
      const int e = largest[i];
      if (e <= exponent_of_zero) continue;
      bits = std::max(bits, std::min(2 - e, most));
      if (2 - e > most) small[j].push_back(i);
    }
  }
  return {bits, std::move(small)};
}

/// Computes tile = Σ_{i+j=level} A_i·B_j, exactly.
void multiply_level(const Slices& A, const Slices& B, int level, Index row, Index col, MatrixXd& tile) {
  tile.setZero();
  for (int i = 0; i <= level; ++i)
    if (A.used[i] && B.used[level - i])
      tile.noalias() += A.parts[i].middleRows(row, tile.rows()) * B.parts[level - i].middleCols(col, tile.cols());
}

/// Sums of a few doubles each, with an error of about 2⁻¹⁵⁰, as three matrices of parts.
class SumTile {
 public:
  SumTile(Index rows, Index cols)
      : high_(MatrixXd::Zero(rows, cols)), middle_(MatrixXd::Zero(rows, cols)), low_(MatrixXd::Zero(rows, cols)) {}

  void add(double weight, const MatrixXd& x) {
    double *high = high_.data(), *middle = middle_.data(), *low = low_.data();
    for (Index i = 0; i < x.size(); ++i) slicing::add(weight * x.data()[i], high[i], middle[i], low[i]);
  }
  template <class R>
  void add_to(MatrixView<R> C) const {
    for (Index j = 0; j < C.cols; ++j)
      for (Index i = 0; i < C.rows; ++i) C(i, j) += sum<R>(high_(i, j), middle_(i, j), low_(i, j));
  }

 private:
  template <class R>
  static R sum(double high, double middle, double low) {
    if constexpr (std::is_same_v<R, DoubleDouble>)
      return slicing::rounded(high, middle, low);
    else
      return R(high) + (R(middle) + R(low));
  }

  MatrixXd high_, middle_, low_;
};

/// Adds A·B to C for the slices of some inner indices; tiles of C are independent.
template <class R>
void accumulate_product(const Slices& A, const Slices& B, MatrixView<R> C, int threads) {
  constexpr Index tile_rows = 256, tile_cols = 128;
  const Index row_tiles = (C.rows + tile_rows - 1) / tile_rows, col_tiles = (C.cols + tile_cols - 1) / tile_cols;
#pragma omp parallel for num_threads(threads) schedule(dynamic)
  for (Index t = 0; t < row_tiles * col_tiles; ++t) {
    const Index row = t % row_tiles * tile_rows, col = t / row_tiles * tile_cols;
    MatrixXd level_sum(std::min(tile_rows, C.rows - row), std::min(tile_cols, C.cols - col));
    SumTile sum(level_sum.rows(), level_sum.cols());
    for (int level = static_cast<int>(A.parts.size()) - 1; level >= 0; --level) {
      multiply_level(A, B, level, row, col, level_sum);
      sum.add(std::ldexp(1.0, -scheme<R>.beta * level), level_sum);
    }
    sum.add_to(C.block(row, col, level_sum.rows(), level_sum.cols()));
  }
}

/// Returns C(i, j)·2^e, where the columns of `parts` are those of C, or of its real and imaginary parts alternately.
template <class T, class R>
T unscaled(const Matrix<R>& parts, Index i, Index j, int e) {
  if constexpr (is_complex<T>)
    return T(ldexp(parts(i, 2 * j), e), ldexp(parts(i, 2 * j + 1), e));
  else
    return ldexp(parts(i, j), e);
}

/// Returns entry (i, j) of the product by plain sums.
template <class T>
T plain_entry(const ScaledVectors<T>& left, const ScaledVectors<T>& right, Index i, Index j) {
  T sum(0);
  for (Index k = 0; k < left.inner(); ++k) sum += left.at(i, k) * right.at(j, k);
  return sum;
}

/// Reference of an entry's error: its |A|·|B|, or the largest elements of its row and its column.
enum class Relative { to_entry, to_vectors };

template <class T>
Matrix<T> multiply(const ScaledVectors<T>& left, const ScaledVectors<T>& right, Relative relative, int threads) {
  using R = RealOf<T>;
  constexpr Index parts = is_complex<T> ? 2 : 1;
  constexpr Index longest = 2048;  // bounds the memory of slices
  if (left.inner() != right.inner()) throw std::invalid_argument("product: the inner dimensions differ");
  if (left.vectors() == 0 || left.inner() == 0 || right.vectors() == 0)
    return Matrix<T>(left.vectors(), right.vectors());

  // The omitted slices must be at most k·2⁻ᵖ of any |A|·|B|_ij, which is at least 2^(−spread).
  const Spread needed = relative == Relative::to_vectors ? Spread{scheme<R>.slack(), {}}
                                                         : spread(left.relative(), right.relative(), scheme<R>.slack(),
                                                                  2 * scheme<R>.precision, threads);
  const int s = scheme<R>.slices(needed.bits);
  const Index depth = std::min<Index>(longest, scheme<R>.depth(s)) / parts;

  Matrix<R> sum(left.vectors(), parts * right.vectors());
  for (Index first = 0; first < left.inner(); first += depth) {
    throw_if_interrupted();
    const Index count = std::min(depth, left.inner() - first);
    accumulate_product<R>(left.cut_left(first, count, s, threads), right.cut_right(first, count, s, threads), sum,
                          threads);
  }

  Matrix<T> C(left.vectors(), right.vectors());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < C.cols(); ++j) {
    for (Index i = 0; i < C.rows(); ++i)
      C(i, j) = unscaled<T>(sum, i, j, left.scale(i) + right.scale(j) - 2 * (scheme<R>.beta - 1));
    if (relative == Relative::to_entry)
      for (const Index i : needed.small[j]) C(i, j) = plain_entry(left, right, i, j);
  }
  return C;
}

}  // namespace

template <class T>
Matrix<T> product(const Operand<T>& A, const Operand<T>& B, int threads) {
  return multiply(ScaledVectors(A, true), ScaledVectors(B, false), Relative::to_entry, thread_count(threads));
}

template <class T>
Matrix<T> balanced_product(const Operand<T>& A, const Operand<T>& B, int threads) {
  return multiply(ScaledVectors(A, true), ScaledVectors(B, false), Relative::to_vectors, thread_count(threads));
}

template Matrix<Quad> product(const Operand<Quad>&, const Operand<Quad>&, int);
template Matrix<DoubleDouble> product(const Operand<DoubleDouble>&, const Operand<DoubleDouble>&, int);
template Matrix<std::complex<Quad>> product(const Operand<std::complex<Quad>>&, const Operand<std::complex<Quad>>&,
                                            int);
template Matrix<std::complex<DoubleDouble>> product(const Operand<std::complex<DoubleDouble>>&,
                                                    const Operand<std::complex<DoubleDouble>>&, int);
template Matrix<DoubleDouble> balanced_product(const Operand<DoubleDouble>&, const Operand<DoubleDouble>&, int);
template Matrix<std::complex<DoubleDouble>> balanced_product(const Operand<std::complex<DoubleDouble>>&,
                                                             const Operand<std::complex<DoubleDouble>>&, int);

}  // namespace pivotlab
