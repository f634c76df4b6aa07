// SPDX-License-Identifier: BSD-3-Clause
#include <generators/truth.hpp>
#include <kernels/numerics/long_numbers.hpp>
#include <kernels/numerics/parts.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

// 200 digits are far more than needed, so no analysis is required: forming GᴴG squares the condition of G, which is at
// most about 1e30 for pairs of practical interest, and the SVD of F·R⁻¹ loses its condition, at most about 1e120. Ranks
// are as clear: remainders of exact zeros after rounding are far smaller than any other numbers.
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

/// Returns whether x is the remainder of an exact zero after rounding: x ≤ 10^exponent·scale.
bool is_rounded_zero(const Long& x, int exponent, const Long& scale = 1) {
  return x <= pow(Long(10), exponent) * scale;
}

/// Divides the columns of both by the norms of those of G, which does not change σ. Zero columns of G stay.
template <class T>
void normalize_columns(Matrix<T>& F, Matrix<T>& G) {
  for (Index j = 0; j < G.cols(); ++j) {
    const Long norm = sqrt(real_part(dot<T>(G.col(j), G.col(j))));
    if (norm == 0) continue;
    for (T& x : G.col(j)) x /= norm;
    for (T& x : F.col(j)) x /= norm;
  }
}

/// RᴴR = Pᵀ·GᴴG·P with R of full row rank, upper trapezoidal.
template <class T>
struct PivotedCholesky {
  Matrix<T> R;
  std::vector<Index> order;  ///< the columns of G in the order that P gives them
};

/// Factors GᴴG for G with columns of norm 1 or 0.
template <class T>
PivotedCholesky<T> pivoted_cholesky(const Matrix<T>& G) {
  const Index n = G.cols();
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index(0));
  std::vector<Long> rest;  // of the squared norms
  for (Index j = 0; j < n; ++j) rest.push_back(real_part(dot<T>(G.col(j), G.col(j))));
  Matrix<T> R(n, n);
  Index rank = 0;
  for (; rank < n; ++rank) {
    const auto largest = std::ranges::max_element(rest.begin() + rank, rest.end());
    if (is_rounded_zero(*largest, -190)) break;
    const Index pivot = largest - rest.begin();
    std::swap(rest[rank], rest[pivot]);
    std::swap(order[rank], order[pivot]);
    std::swap_ranges(R.col(rank).begin(), R.col(rank).begin() + rank, R.col(pivot).begin());
    const Long root = sqrt(rest[rank]);
    R(rank, rank) = T(root);
    for (Index j = rank + 1; j < n; ++j) {
      T x = dot<T>(G.col(order[rank]), G.col(order[j]));
      for (Index i = 0; i < rank; ++i) x -= conjugate(R(i, rank)) * R(i, j);
      R(rank, j) = x / root;
      rest[j] -= square(R(rank, j));
    }
  }
  return {Matrix<T>(MatrixView<const T>(R).block(0, 0, rank, n)), std::move(order)};
}

/// Computes B := B·R⁻¹, R being the leading block of a trapezoidal matrix.
template <class T>
void divide_right(Matrix<T>& B, const Matrix<T>& R) {
  for (Index j = 0; j < B.cols(); ++j) {
    for (Index k = 0; k < j; ++k)
      for (Index i = 0; i < B.rows(); ++i) B(i, j) -= B(i, k) * R(k, j);
    const Long scale = 1 / real_part(R(j, j));
    for (T& x : B.col(j)) x *= scale;
  }
}

/// Computes y := y − q·(qᴴ·y).
template <class T>
void project_out(std::span<const T> q, std::span<T> y) {
  const T factor = dot<T>(q, y);
  for (std::size_t i = 0; i < q.size(); ++i) y[i] -= q[i] * factor;
}

/// Takes the span of the columns of C out of those of B by the Gram–Schmidt method with pivoting. Returns its
/// dimension. `sizes` are those of the terms that the columns of C are sums of.
template <class T>
Index project_out(Matrix<T> C, std::vector<Long> sizes, Matrix<T>& B, int threads) {
  for (Index rank = 0;; ++rank) {
    Long largest(0), norm(0);
    Index pivot = -1;
    for (Index j = 0; j < C.cols(); ++j) {
      if (sizes[j] == 0) continue;
      const Long rest = sqrt(real_part(dot<T>(C.col(j), C.col(j))));
      if (rest / sizes[j] > largest) largest = rest / sizes[j], norm = rest, pivot = j;
    }
    if (is_rounded_zero(largest, -80)) return rank;
    sizes[pivot] = 0;
    for (T& x : C.col(pivot)) x /= norm;
    const std::span<const T> q = std::as_const(C).col(pivot);
#pragma omp parallel for num_threads(threads)
    for (Index j = 0; j < C.cols() + B.cols(); ++j)
      if (j != pivot) project_out<T>(q, j < C.cols() ? C.col(j) : B.col(j - C.cols()));
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
      const std::span<T> column = B.col(j).subspan(k);
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
      for (Index j = k + 1; j < n; ++j) sum += B(i, j) * v[j - k - 1];
      sum *= scale;
      for (Index j = k + 1; j < n; ++j) B(i, j) -= sum * conjugate(v[j - k - 1]);
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

/// Computes singular values as the positive eigenvalues of the Golub–Kahan matrix of the bidiagonal form. `scale` is
/// the size of the terms that elements of A are sums of.
template <class T>
std::vector<Long> singular_values(const Matrix<T>& A, const Long& scale, int threads) {
  Matrix<T> B = padded<T>(A, A.cols());
  const auto n = static_cast<std::size_t>(B.cols());
  std::vector<Long> elements = bidiagonal(std::move(B), threads);
  if (std::ranges::all_of(elements, [](const Long& x) { return x == 0; })) return std::vector<Long>(n, Long(0));
  std::vector<Long> sigma = eigenvalues(std::move(elements));
  sigma.resize(n);
  for (Long& x : sigma)
    if (is_rounded_zero(x, -150, sigma.front()) || is_rounded_zero(x, -190, scale)) x = 0;
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
  Matrix<W> given = widened<W>(F), of_g = widened<W>(G);
  normalize_columns(given, of_g);
  const auto [R, order] = pivoted_cholesky(of_g);
  const Index m = F.rows(), n = F.cols(), l = R.rows();

  // F·W = [B C] with G·W = [V 0] and VᴴV = I: the columns of C are those of F on the null space of G.
  Matrix<W> B(m, l), C(m, n - l);
  for (Index j = 0; j < n; ++j) std::ranges::copy(given.col(order[j]), (j < l ? B.col(j) : C.col(j - l)).begin());
  divide_right(B, R);
  std::vector<Long> sizes;
  const auto norm = [](std::span<const W> x) { return Long(sqrt(real_part(dot<W>(x, x)))); };
  for (Index j = 0; j < n - l; ++j) {
    Long& size = sizes.emplace_back(norm(C.col(j)));
    for (Index k = 0; k < l; ++k) {
      size += norm(B.col(k)) * sqrt(square(R(k, l + j)));
      for (Index i = 0; i < m; ++i) C(i, j) -= B(i, k) * R(k, l + j);
    }
  }
  Long scale(0);
  for (Index j = 0; j < l; ++j) scale = std::max(scale, norm(B.col(j)));
  const Index k = project_out(std::move(C), std::move(sizes), B, thread_count(threads));
  std::vector<Quad> sigma(k, std::numeric_limits<Quad>::infinity());
  for (const Long& x : singular_values(B, scale, thread_count(threads))) sigma.push_back(to_quad(x));
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
