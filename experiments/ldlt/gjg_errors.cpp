// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/gjg_errors.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/long_numbers.hpp>

#include <algorithm>
#include <limits>
#include <vector>

namespace pivotlab::experiments {
namespace {

/// A type that holds products of two R without rounding.
template <class R>
struct Twice {
  using type = boost::multiprecision::cpp_bin_float_oct;
};
template <>
struct Twice<double> {
  using type = Quad;
};

template <class W, class R>
W widened(const R& x) {
  if constexpr (std::is_same_v<R, Quad>)
    return to_long<W>(x);
  else
    return W(x);
}

/// a − Σ ±x·conj(y)
template <class E>
class Difference {
 public:
  using W = typename Twice<RealOf<E>>::type;

  template <class T>
  explicit Difference(const T& a) : real_(real_part(a)) {
    if constexpr (is_complex<E>) imaginary_ = a.imag();
  }

  void subtract(int sign, const E& x, const E& y) {
    if constexpr (is_complex<E>) {
      add(real_, -sign, x.real(), y.real());
      add(real_, -sign, x.imag(), y.imag());
      add(imaginary_, -sign, x.imag(), y.real());
      add(imaginary_, sign, x.real(), y.imag());
    } else {
      add(real_, -sign, x, y);
    }
  }

  /// Returns the modulus in units of 2^exponent.
  double modulus(int exponent) const {
    const auto part = [&](const W& x) { return static_cast<double>(W(ldexp(x, -exponent))); };
    return is_complex<E> ? std::hypot(part(real_), part(imaginary_)) : std::abs(part(real_));
  }

 private:
  static void add(W& sum, int sign, const RealOf<E>& x, const RealOf<E>& y) {
    const W product = widened<W>(x) * widened<W>(y);
    if (sign > 0)
      sum += product;
    else
      sum -= product;
  }

  W real_, imaginary_{};
};

/// ‖P·A·Pᵀ − G·J·G*‖∞ in units of 2^exponent. Takes the rows of Gᵀ, so that sums run over contiguous memory.
template <class E, class T>
double error_norm(const Matrix<T>& A, int exponent, const std::vector<Index>& permutation, const Matrix<E>& G,
                  const std::vector<int>& J, int threads) {
  const Index n = A.rows();
  Matrix<E> by_rows(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) by_rows(j, i) = G(i, j);
  Matrix<double> errors(n, n);
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 1)
  for (Index i = n - 1; i >= 0; --i)  // the longest rows first
    for (Index j = 0; j <= i; ++j) {
      Difference<E> difference(A(permutation[i], permutation[j]));
      const Index last = std::min(j + 1, n - 1);  // G is lower block triangular
      for (Index k = 0; k <= last; ++k)
        if (J[k] != 0) difference.subtract(J[k], by_rows(k, i), by_rows(k, j));
      errors(i, j) = errors(j, i) = difference.modulus(exponent);
    }
  return norm_1(errors);
}

template <class E, class T>
Matrix<E> converted(const Matrix<T>& A, E (*convert)(const T&)) {
  Matrix<E> result(A.rows(), A.cols());
  std::transform(A.data(), A.data() + A.size(), result.data(), convert);
  return result;
}

template <class T>
LdltOptions in_quad(const LdltFactorization<T>& f, double rank_tolerance, int threads) {
  LdltOptions options{.variant = f.variant, .symmetry = f.symmetry, .threads = threads};
  const Quad ulps = Quad(rank_tolerance) / std::numeric_limits<double>::epsilon();
  options.rank_tolerance = static_cast<double>(Quad(ulps * std::numeric_limits<Quad>::epsilon()));
  return options;
}

std::vector<int> in_order(std::vector<int> J) {
  std::ranges::sort(J);
  return J;
}

}  // namespace

template <class T>
GjgErrors compare_gjg(const SymmetricMatrix<T>& matrix, const LdltFactorization<T>& f, double rank_tolerance,
                      int threads) {
  using E = Rebind<T, Quad>;
  const Matrix<T>& A = matrix.A;
  const int exponent = exponent_of(A, threads);
  const double norm = norm_1(A, exponent, threads);

  const auto [G, J] = f.gjg();
  const auto q = ldlt<E>(converted<E>(A, extend<E, T>), in_quad(f, rank_tolerance, threads));
  const auto exact = q.gjg();
  const Matrix<T> rounded = converted<T>(exact.G, round_to_double<T, E>);
  return {.residual = relative(error_norm(A, exponent, f.permutation, G, J, threads), norm),
          .residual_rounded = relative(error_norm(A, exponent, q.permutation, rounded, exact.J, threads), norm),
          .residual_quad = relative(error_norm(A, exponent, q.permutation, exact.G, exact.J, threads), norm),
          .inertia_agrees = in_order(J) == in_order(exact.J)};
}

template GjgErrors compare_gjg(const SymmetricMatrix<double>&, const LdltFactorization<double>&, double, int);
template GjgErrors compare_gjg(const SymmetricMatrix<std::complex<double>>&,
                               const LdltFactorization<std::complex<double>>&, double, int);

}  // namespace pivotlab::experiments
