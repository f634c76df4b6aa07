#include <generators/truth.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <functional>

// 200 digits are far more than needed, so no analysis is required: forming GᴴG squares the condition of G, which is at
// most about 1e30 for pairs of practical interest, and the SVD of F·R⁻¹ loses its condition, at most about 1e120.
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

/// Turns x into v so that (I − s·v·vᴴ)·x = −phase·‖x‖·e₁ with the returned s, and sets `norm` to ‖x‖; 0 for x = 0.
template <class T>
Long make_reflector(std::vector<T>& x, Long& norm) {
  Long squares(0);
  for (const T& element : x) squares += square(element);
  norm = sqrt(squares);
  if (norm == 0) return Long(0);
  const Long first = sqrt(square(x.front()));
  x.front() += first == 0 ? T(norm) : T(x.front() * Long(norm / first));
  return 1 / (norm * (norm + first));
}

/// Returns d₁, e₁, d₂, …, e_(n−1), d_n ≥ 0 of an upper bidiagonal matrix with the singular values of B, m ≥ n.
template <class T>
std::vector<Long> bidiagonal(Matrix<T> B, int threads) {
  const Index m = B.rows(), n = B.cols();
  std::vector<Long> elements;
  for (Index k = 0; k < n; ++k) {
    std::vector<T> v(B.col(k).begin() + k, B.col(k).end());
    Long scale = make_reflector(v, elements.emplace_back());
#pragma omp parallel for num_threads(threads)
    for (Index j = k + 1; j < n; ++j) {
      const std::span<T> column = B.col(j).subspan(static_cast<std::size_t>(k));
      const T factor = dot<T>(v, column) * scale;
      for (std::size_t i = 0; i < v.size(); ++i) column[i] -= v[i] * factor;
    }
    if (k + 1 == n) break;
    v.clear();
    for (Index j = k + 1; j < n; ++j) v.push_back(conjugate(B(k, j)));
    scale = make_reflector(v, elements.emplace_back());
#pragma omp parallel for num_threads(threads)
    for (Index i = k + 1; i < m; ++i) {
      T sum(0);
      for (Index j = k + 1; j < n; ++j) sum += B(i, j) * v[static_cast<std::size_t>(j - k - 1)];
      sum *= scale;
      for (Index j = k + 1; j < n; ++j) B(i, j) -= sum * conjugate(v[static_cast<std::size_t>(j - k - 1)]);
    }
  }
  return elements;
}

/// Computes the eigenvalues of a symmetric tridiagonal matrix with a zero diagonal, descending, by the implicit QL
/// method (EISPACK tql1), to 190 digits of the largest one.
std::vector<Long> eigenvalues(std::vector<Long> e) {
  const std::size_t n = e.size() + 1;
  std::vector<Long> d(n, Long(0));
  const Long negligible = *std::ranges::max_element(e) * pow(Long(10), -195);
  e.emplace_back(0);
  for (std::size_t l = 0; l < n; ++l)
    for (;;) {
      std::size_t end = l;
      while (end + 1 < n && abs(e[end]) > negligible) ++end;
      if (end == l) break;
      const Long shift = (d[l + 1] - d[l]) / (2 * e[l]);
      Long root = sqrt(Long(shift * shift + 1));
      Long g = d[end] - d[l] + e[l] / (shift + (shift < 0 ? Long(-root) : root));
      Long sine(1), cosine(1), p(0);
      for (std::size_t i = end; i-- > l;) {
        const Long f = sine * e[i], b = cosine * e[i];
        root = sqrt(Long(f * f + g * g));
        e[i + 1] = root;
        if (root == 0) {  // the matrix splits
          d[i + 1] -= p;
          e[end] = 0;
          break;
        }
        sine = f / root, cosine = g / root;
        g = d[i + 1] - p;
        root = (d[i] - g) * sine + 2 * cosine * b;
        p = sine * root;
        d[i + 1] = g + p;
        g = cosine * root - b;
        if (i == l) {
          d[l] -= p;
          e[l] = g;
          e[end] = 0;
        }
      }
    }
  std::ranges::sort(d, std::greater());
  return d;
}

/// Computes singular values as the positive eigenvalues of the Golub–Kahan matrix of the bidiagonal form.
template <class T>
std::vector<Long> singular_values(Matrix<T> B, int threads) {
  const auto n = static_cast<std::size_t>(B.cols());
  std::vector<Long> elements = bidiagonal(std::move(B), threads);
  if (std::ranges::all_of(elements, [](const Long& x) { return x == 0; })) return std::vector<Long>(n, Long(0));
  std::vector<Long> sigma = eigenvalues(std::move(elements));
  sigma.resize(n);
  for (Long& x : sigma) x = std::max(x, Long(0));
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
