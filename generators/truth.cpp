#include <generators/truth.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <functional>

// 200 digits are far more than needed, so no analysis is required: forming GᴴG squares the condition of G, which is at
// most about 1e30 for pairs of practical interest, and the SVD of F·R⁻¹ loses at most its condition.
namespace pivotlab {
namespace {

using Long = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<200, boost::multiprecision::digit_base_10, void, std::int32_t>,
    boost::multiprecision::et_off>;

Long square(const Long& x) {
  return x * x;
}
Long square(const std::complex<Long>& x) {
  return x.real() * x.real() + x.imag() * x.imag();
}

template <class T, class S>
Matrix<T> widened(const Matrix<S>& A) {
  Matrix<T> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      if constexpr (is_complex<T>)
        result(i, j) = T(to_long<Long>(A(i, j).real()), to_long<Long>(A(i, j).imag()));
      else
        result(i, j) = to_long<Long>(A(i, j));
  return result;
}

/// Returns xᴴ·y.
template <class T>
T dot(std::span<const T> x, std::span<const T> y) {
  T sum(0);
  for (std::size_t i = 0; i < x.size(); ++i) sum += conjugate(x[i]) * y[i];
  return sum;
}

/// Computes the upper triangular R with RᴴR = GᴴG.
template <class T>
Matrix<T> gram_cholesky(const Matrix<T>& G) {
  const Index n = G.cols();
  Matrix<T> R(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      T x = dot(G.col(i), G.col(j));
      for (Index k = 0; k < i; ++k) x -= conjugate(R(k, i)) * R(k, j);
      if (i < j) {
        R(i, j) = x / real_part(R(i, i));
      } else {
        // Remainders of exact zeros after rounding in 200 digits count as zero.
        if (real_part(x) <= pow(Long(10), -190) * real_part(dot(G.col(j), G.col(j))))
          throw InputError("truth: G: is not of full column rank; use a G that is, or truth=none");
        R(j, j) = T(sqrt(real_part(x)));
      }
    }
  return R;
}

/// Computes B := B·R⁻¹.
template <class T>
void divide_right(Matrix<T>& B, const Matrix<T>& R) {
  for (Index j = 0; j < B.cols(); ++j) {
    for (Index k = 0; k < j; ++k)
      for (Index i = 0; i < B.rows(); ++i) B(i, j) -= B(i, k) * R(k, j);
    const Long scale = 1 / real_part(R(j, j));
    for (T& x : B.col(j)) x *= scale;
  }
}

/// Makes two columns orthogonal. Returns false if they already were.
template <class T>
bool rotate(std::span<T> x, std::span<T> y) {
  static const Long tolerance2 = pow(Long(10), -100);  // columns orthogonal to 1e-50, σ exact to more than 1e-50
  Long a(0), b(0);
  for (std::size_t i = 0; i < x.size(); ++i) a += square(x[i]), b += square(y[i]);
  const T c = dot(std::span<const T>(x), std::span<const T>(y));
  const Long c2 = square(c);
  if (c2 <= tolerance2 * a * b) return false;
  const Long size = sqrt(c2);
  const T phase = c / size;
  const Long zeta = (b - a) / (2 * size);
  const Long t = (zeta < 0 ? -1 : 1) / (abs(zeta) + sqrt(Long(1 + zeta * zeta)));
  const Long cosine = 1 / sqrt(Long(1 + t * t)), sine = cosine * t;
  const T s = phase * sine;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const T xi = x[i];
    x[i] = xi * cosine - y[i] * conjugate(s);
    y[i] = xi * s + y[i] * cosine;
  }
  return true;
}

/// Computes singular values by one-sided Jacobi in round robin order, so that a step's pairs are independent.
template <class T>
std::vector<Long> singular_values(Matrix<T> B, int threads) {
  const Index n = B.cols(), players = n + n % 2;
  for (bool rotated = true; rotated;) {
    rotated = false;
    for (Index step = 0; step + 1 < players; ++step) {
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(|| : rotated)
      for (Index r = 0; r < players / 2; ++r) {
        const Index others = players - 1;  // the last player keeps its position, the others rotate
        const Index p = (step + r) % others, q = r == 0 ? others : (step + others - r) % others;
        if (std::max(p, q) < n) rotated = rotate(B.col(std::min(p, q)), B.col(std::max(p, q))) || rotated;
      }
    }
  }
  std::vector<Long> sigma(static_cast<std::size_t>(n));
  for (Index j = 0; j < n; ++j) sigma[j] = sqrt(real_part(dot(std::as_const(B).col(j), std::as_const(B).col(j))));
  std::ranges::sort(sigma, std::greater());
  return sigma;
}

}  // namespace

template <class T>
std::vector<Quad> exact_generalized_singular_values(const Matrix<T>& F, const Matrix<T>& G, int threads) {
  if (F.cols() > max_truth_order)
    throw InputError(
        fmt::format("truth: n = {}: the exact generalized singular values are computed up to n = {}; "
                    "use a smaller n or truth=none",
                    F.cols(), max_truth_order));
  using W = Rebind<T, Long>;
  Matrix<W> B = widened<W>(F);
  divide_right(B, gram_cholesky(widened<W>(G)));
  std::vector<Quad> sigma;
  for (const Long& x : singular_values(std::move(B), thread_count(threads))) sigma.push_back(to_quad(x));
  return sigma;
}

using Complex = std::complex<double>;
using ComplexQuad = std::complex<Quad>;
template std::vector<Quad> exact_generalized_singular_values(const Matrix<double>&, const Matrix<double>&, int);
template std::vector<Quad> exact_generalized_singular_values(const Matrix<Complex>&, const Matrix<Complex>&, int);
template std::vector<Quad> exact_generalized_singular_values(const Matrix<Quad>&, const Matrix<Quad>&, int);
template std::vector<Quad> exact_generalized_singular_values(const Matrix<ComplexQuad>&, const Matrix<ComplexQuad>&,
                                                             int);

}  // namespace pivotlab
