// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues in extended precision: Hessenberg form by Householder reflections, then the explicit QR algorithm with
// Wilkinson's shift (Golub & Van Loan, Matrix Computations, chapter 7). It shares no code with the solvers that it
// judges. Their last resort is a QR algorithm, too; so the eigenvalues are tested without one: det(A − z·I) by Gaussian
// elimination against Π(λ_j − z) at two points z. Two polynomials that agree at points chosen at random are equal
// (Schwartz & Zippel).
#include <generators/reflector.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/interrupt.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <stdexcept>

namespace pivotlab {
namespace {

using Long = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<100, boost::multiprecision::digit_base_10, void, std::int32_t>,
    boost::multiprecision::et_off>;

constexpr Index long_order = 32;  // up to this order 100 digits are affordable

/// Returns |Re| + |Im|.
template <class R>
R size_of(const std::complex<R>& x) {
  return R(abs(x.real()) + abs(x.imag()));
}

template <class R>
std::complex<R> square_root(const std::complex<R>& x) {
  const R modulus = sqrt(squared_length(x));
  if (modulus == R(0)) return x;
  const R larger = sqrt(R((modulus + R(abs(x.real()))) / R(2))), smaller = x.imag() / (R(2) * larger);
  if (x.real() >= R(0)) return {larger, smaller};
  return x.imag() < R(0) ? std::complex<R>(-smaller, -larger) : std::complex<R>(smaller, larger);
}

template <class R>
class QRAlgorithm {
 public:
  using C = std::complex<R>;

  QRAlgorithm(Matrix<C> A, int threads) : H_(std::move(A)), n_(H_.cols()), threads_(n_ < 64 ? 1 : threads) {}

  std::vector<C> eigenvalues() {
    for (Index k = 0; k + 2 < n_; ++k) reduce_column(k);
    for (Index last = n_ - 1; last > 0;) last = deflate(last);
    std::vector<C> values;
    for (Index k = 0; k < n_; ++k) values.push_back(H_(k, k));
    return values;
  }

 private:
  /// Annihilates column k below the subdiagonal.
  void reduce_column(Index k) {
    throw_if_interrupted();
    R squares(0);
    for (Index i = k + 1; i < n_; ++i) squares += squared_length(H_(i, k));
    if (squares == R(0)) return;
    const Reflector<C> reflector = make_reflector(H_(k + 1, k), squares);
    std::vector<C> v(H_.col(k).begin() + k + 1, H_.col(k).end());
    v.front() = reflector.head;
    for (C& x : v) x *= reflector.scale;
    H_(k + 1, k) = reflector.phase * R(sqrt(squares));
    std::fill(H_.col(k).begin() + k + 2, H_.col(k).end(), C(R(0)));
    reflect_rows(k + 1, v);
    reflect_columns(k + 1, v);
  }

  void reflect_rows(Index first, const std::vector<C>& v) {
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index j = first; j < n_; ++j) {
      C* a = &H_(first, j);
      C dot(R(0));
      for (std::size_t i = 0; i < v.size(); ++i) dot += conjugate(v[i]) * a[i];
      for (std::size_t i = 0; i < v.size(); ++i) a[i] -= v[i] * dot;
    }
  }

  void reflect_columns(Index first, const std::vector<C>& v) {
    constexpr Index strip = 16;
#pragma omp parallel for num_threads(threads_) schedule(static)
    for (Index top = 0; top < n_; top += strip) {
      const Index rows = std::min(strip, n_ - top);
      std::array<C, strip> dot{};
      for (std::size_t j = 0; j < v.size(); ++j)
        for (Index i = 0; i < rows; ++i) dot[i] += H_(top + i, first + static_cast<Index>(j)) * v[j];
      for (std::size_t j = 0; j < v.size(); ++j)
        for (Index i = 0; i < rows; ++i) H_(top + i, first + static_cast<Index>(j)) -= dot[i] * conjugate(v[j]);
    }
  }

  /// Iterates until an eigenvalue is isolated at `last`. Returns the next position.
  Index deflate(Index last) {
    constexpr int most = 300;
    for (int step = 1; step <= most; ++step) {
      throw_if_interrupted();
      const Index first = beginning_of_block(last);
      if (first == last) return last - 1;
      sweep(first, last, step % 10 == 0 ? exceptional_shift(last) : wilkinson_shift(last));
    }
    throw std::runtime_error("extended_eigenvalues: the QR algorithm does not converge");
  }

  /// Returns the first row of the unreduced block that ends in row `last`; sets negligible subdiagonal elements to
  /// zero.
  Index beginning_of_block(Index last) {
    for (Index k = last; k > 0; --k) {
      const R beside = size_of(H_(k, k)) + size_of(H_(k - 1, k - 1));
      if (size_of(H_(k, k - 1)) <= std::numeric_limits<R>::epsilon() * beside) {
        H_(k, k - 1) = C(R(0));
        return k;
      }
    }
    return 0;
  }

  /// Returns the eigenvalue of the trailing 2 × 2 block that is nearer to its last element.
  C wilkinson_shift(Index last) const {
    const C a = H_(last - 1, last - 1), b = H_(last - 1, last), c = H_(last, last - 1), d = H_(last, last);
    const C half = (a - d) / R(2), root = square_root(C(half * half + b * c));
    const C sum = half + root, difference = half - root;
    const C larger = squared_length(sum) >= squared_length(difference) ? sum : difference;
    return size_of(larger) == R(0) ? d : C(d - b * c / larger);
  }

  C exceptional_shift(Index last) const {
    return H_(last, last) + C(size_of(H_(last, last - 1)));
  }

  struct Rotation {
    C c = C(R(1)), s = C(R(0));  ///< [c̄ s̄; −s c]
  };

  static Rotation rotation_for(const C& x, const C& y) {
    const R norm = sqrt(R(squared_length(x) + squared_length(y)));
    if (norm == R(0)) return {};
    return {x / norm, y / norm};
  }

  /// Computes H := R·Q + shift with Q·R = H − shift, in rows and columns first … last.
  void sweep(Index first, Index last, const C& shift) {
    for (Index k = first; k <= last; ++k) H_(k, k) -= shift;
    std::vector<Rotation> rotations(last - first);
    for (Index j = first; j <= last; ++j) {
      const auto apply = [&](Index k) {
        const Rotation& r = rotations[k - first];
        const C x = H_(k, j), y = H_(k + 1, j);
        H_(k, j) = conjugate(r.c) * x + conjugate(r.s) * y;
        H_(k + 1, j) = r.c * y - r.s * x;
      };
      for (Index k = first; k < j; ++k) apply(k);
      if (j == last) break;
      rotations[j - first] = rotation_for(H_(j, j), H_(j + 1, j));
      apply(j);
    }
    for (Index k = first; k < last; ++k) {
      const Rotation& r = rotations[k - first];
      for (Index i = first; i <= std::min(k + 1, last); ++i) {
        const C x = H_(i, k), y = H_(i, k + 1);
        H_(i, k) = x * r.c + y * r.s;
        H_(i, k + 1) = y * conjugate(r.c) - x * conjugate(r.s);
      }
    }
    for (Index k = first; k <= last; ++k) H_(k, k) += shift;
  }

  Matrix<C> H_;
  Index n_;
  int threads_;
};

/// Computes det(A − z·I)/Π(λ_j − z).
template <class R>
std::complex<R> determinant_ratio(Matrix<std::complex<R>> A, const std::vector<std::complex<R>>& values,
                                  const std::complex<R>& z) {
  using C = std::complex<R>;
  const Index n = A.cols();
  for (Index k = 0; k < n; ++k) A(k, k) -= z;
  C ratio(R(1));
  for (Index k = 0; k < n; ++k) {
    throw_if_interrupted();
    Index pivot = k;
    for (Index i = k + 1; i < n; ++i)
      if (size_of(A(i, k)) > size_of(A(pivot, k))) pivot = i;
    if (pivot != k) {
      for (Index j = k; j < n; ++j) std::swap(A(k, j), A(pivot, j));
      ratio = -ratio;
    }
    const C shifted = values[k] - z;
    ratio *= A(k, k) * conjugate(shifted) / squared_length(shifted);
    if (size_of(A(k, k)) == R(0)) return C(R(0));
    const C inverse = conjugate(A(k, k)) / squared_length(A(k, k));
    for (Index j = k + 1; j < n; ++j) {
      const C factor = A(k, j) * inverse;
      for (Index i = k + 1; i < n; ++i) A(i, j) -= A(i, k) * factor;
    }
  }
  return ratio;
}

/// Throws if these are not the eigenvalues of A, whose largest part is in [1, 2).
template <class R>
void require_eigenvalues(const Matrix<std::complex<R>>& A, const std::vector<std::complex<R>>& values) {
  const auto n = static_cast<double>(A.cols());
  // |z| ≥ 2·‖A‖, so that A − z·I is well conditioned; the directions are arbitrary.
  for (const auto& [re, im] : {std::pair(4.8, 3.7), {-3.9, 4.4}}) {
    const std::complex<R> ratio = determinant_ratio(A, values, std::complex<R>(R(re * n), R(im * n)));
    const R limit = R(1e4 * n * n) * std::numeric_limits<R>::epsilon();
    if (!(size_of(std::complex<R>(ratio - std::complex<R>(R(1)))) <= limit))
      throw std::runtime_error("extended_eigenvalues: the eigenvalues do not fit the characteristic polynomial");
  }
}

template <class R, class T>
std::vector<std::complex<Quad>> eigenvalues_in(MatrixView<const T> A, int threads) {
  double largest = 0;
  for (Index j = 0; j < A.cols; ++j)
    for (const T& x : A.col(j)) largest = std::max({largest, std::abs(std::real(x)), std::abs(std::imag(x))});
  const int exponent = largest > 0 ? std::ilogb(largest) : 0;
  Matrix<std::complex<R>> extended(A.rows, A.cols);
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i)
      extended(i, j) =
          std::complex<R>(R(std::ldexp(std::real(A(i, j)), -exponent)), R(std::ldexp(std::imag(A(i, j)), -exponent)));
  const auto wide = [&](const R& x) {
    if constexpr (std::is_same_v<R, DoubleDouble>)
      return ldexp(Quad(x.hi()) + x.lo(), exponent);
    else
      return ldexp(to_quad(x), exponent);
  };
  std::vector<std::complex<Quad>> result;
  const std::vector<std::complex<R>> values = QRAlgorithm<R>(extended, threads).eigenvalues();
  require_eigenvalues(extended, values);
  for (const auto& z : values) result.emplace_back(wide(z.real()), wide(z.imag()));
  const auto squared = [](const std::complex<Quad>& z) { return squared_length(z); };
  std::ranges::stable_sort(result, std::greater(), squared);
  return result;
}

}  // namespace

template <class T>
std::vector<std::complex<Quad>> extended_eigenvalues(MatrixView<const T> A, int threads) {
  if (A.rows != A.cols) throw std::invalid_argument("extended_eigenvalues: the matrix is not square");
  if (A.rows == 0) return {};
  const int team = thread_count(threads);
  return A.rows <= long_order ? eigenvalues_in<Long>(A, team) : eigenvalues_in<DoubleDouble>(A, team);
}

template std::vector<std::complex<Quad>> extended_eigenvalues(MatrixView<const double>, int);
template std::vector<std::complex<Quad>> extended_eigenvalues(MatrixView<const std::complex<double>>, int);

}  // namespace pivotlab
