// SPDX-License-Identifier: BSD-3-Clause
// Pairs of any shapes and ranks: the types of LAPACK's tests, integer pairs of known ranks, integral equations of the
// first kind with difference operators.
#include <generators/algebra.hpp>
#include <generators/kinds.hpp>
#include <generators/spectrum.hpp>
#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/householder.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

// ---- LAPACK's types ----

template <class E>
Matrix<E> adjoint(const Matrix<E>& A) {
  Matrix<E> result(A.cols(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) result(j, i) = conjugate(A(i, j));
  return result;
}

/// Returns an upper trapezoidal matrix with the singular values of A.
template <class E>
Matrix<E> upper(const Matrix<E>& A, int threads) {
  const Index count = std::min(A.rows(), A.cols());
  const Matrix<E> Q = unitary_factor(householder_qr(Matrix<E>(A.view().cols_range(0, count)), threads), threads);
  const Matrix<E> R = product<E>({Q, Op::adjoint}, A, threads);
  Matrix<E> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i <= std::min(j, count - 1); ++i) result(i, j) = R(i, j);
  return result;
}

enum class Form { dense, upper, lower, diagonal };

template <class E>
Matrix<E> with_singular_values(const Problem& problem, Index m, const std::vector<Quad>& values, Form form, int first) {
  const Index n = problem.n, count = std::ssize(values);
  if (form == Form::diagonal) {
    Matrix<E> D(m, n);
    for (Index j = 0; j < count; ++j) D(j, j) = E(values[j]);
    return D;
  }
  const HostAlgebra<E> algebra(problem.seed, problem.threads);
  const Matrix<E> A =
      algebra.product(algebra.orthonormal(m, count, first), values, adjoint(algebra.orthonormal(n, count, first + 1)));
  if (form == Form::upper) return upper(A, problem.threads);
  if (form == Form::lower) return adjoint(upper(adjoint(A), problem.threads));
  return A;
}

std::vector<Quad> singular_values(const std::string& distribution, double norm, const Quad& condition, Index count) {
  std::vector<Quad> values = spectrum(distribution, condition, count);
  for (Quad& value : values) value *= norm;
  return values;
}

// ---- Integer pairs ----

/// Returns an integer in [−1, 1], or two of them.
template <class T>
T small_integer(RandomStream& stream) {
  const auto draw = [&] { return std::floor(3 * stream.uniform()) - 1; };
  if constexpr (is_complex<T>) {
    const double re = draw();
    return T(re, draw());
  } else {
    return draw();
  }
}

template <class T>
Matrix<T> small_integers(Index rows, Index cols, RandomStream& stream) {
  Matrix<T> A(rows, cols);
  for (Index k = 0; k < A.size(); ++k) A.data()[k] = small_integer<T>(stream);
  return A;
}

/// Makes the leading block strictly diagonally dominant by columns, so that the rank is full.
template <class T>
Matrix<T> dominant(Matrix<T> A) {
  const Index count = std::min(A.rows(), A.cols());
  for (Index j = 0; j < count; ++j) A(j, j) += T(2.0 * static_cast<double>(count) + 1);
  return A;
}

/// A·B of small integers, exact.
template <class T>
Matrix<T> integer_product(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index i = 0; i < A.rows(); ++i) C(i, j) += detail::times(A(i, k), B(k, j));
  return C;
}

/// Returns the columns of both.
template <class T>
Matrix<T> beside(const Matrix<T>& left, const Matrix<T>& right) {
  Matrix<T> result(left.rows(), left.cols() + right.cols());
  std::copy_n(left.data(), left.size(), result.data());
  std::copy_n(right.data(), right.size(), result.data() + left.size());
  return result;
}

Index count_option(const Problem& problem, const char* name) {
  const double value = problem.options.number(name);
  if (value != std::floor(value)) throw InputError(fmt::format("{} = {}: must be an integer", name, value));
  return static_cast<Index>(value);
}

// ---- Integral equations of the first kind ----

/// Returns eˣ.
Quad exponential(const Quad& x) {
  Quad e = 1, term = 1;
  for (int i = 1; i < 40; ++i) term /= i, e += term;
  return pow(e, x);
}

/// Returns sin(x)/x.
Quad sinc(const Quad& x) {
  return x == 0 ? Quad(1) : Quad(sin(x) / x);
}

/// The kernel at the points s and t of [0, 1], which are scaled to its intervals, times the length of t's. `half` is
/// half the distance of neighbouring points t, by which the heat equation's s − t is shifted as in the source. Source:
/// Hansen, "Regularization Tools", Numer. Algorithms 6 (1994).
Quad kernel(const std::string& name, const Quad& s, const Quad& t, const Quad& half) {
  if (name == "baart") return pi() * exponential(pi() / 2 * s * cos(pi() * t));
  if (name == "wing") return t * exponential(-s * t * t);
  if (name == "shaw") {
    const Quad x = pi() * (s - Quad(0.5)), y = pi() * (t - Quad(0.5)), sum = cos(x) + cos(y);
    const Quad ratio = sinc(pi() * (sin(x) + sin(y)));
    return pi() * sum * sum * ratio * ratio;
  }
  if (name == "heat") {
    const Quad time = s - t + half;
    return time <= 0 ? Quad(0) : Quad(exponential(-1 / (4 * time)) / (2 * sqrt(pi() * time) * time));
  }
  return s < t ? s * (t - 1) : t * (s - 1);  // deriv2
}

/// Makes one of DLATB9's types for LAPACK's tests of the GSVD.
template <class T>
Pair<T> make_lapack_pair(const Problem& problem) {
  using E = Rebind<T, Quad>;
  const int type = static_cast<int>(problem.options.text("type")[0] - '0');
  const Quad large = Quad(0.1) / Quad(0x1p-52), medium = sqrt(large);
  Quad condition_f = type == 6 || type == 8 ? large : type == 5 || type == 7 ? medium : Quad(100);
  Quad condition_g = type == 6 || type == 7 ? large : type == 5 || type == 8 ? medium : Quad(10);
  if (problem.n == 1) condition_f = condition_g = 1;
  const Form form_f = type == 1 ? Form::diagonal : type == 2 ? Form::upper : type == 3 ? Form::lower : Form::dense;
  const Form form_g = type <= 3 ? Form::upper : Form::dense;
  Pair<E> pair;
  pair.F = with_singular_values<E>(
      problem, problem.m_f, singular_values("geometric", 10, condition_f, std::min(problem.m_f, problem.n)), form_f, 0);
  pair.G = with_singular_values<E>(problem, problem.m_g,
                                   singular_values("arithmetic", 1000, condition_g, std::min(problem.m_g, problem.n)),
                                   form_g, 2);
  return rounded<T>(pair);
}

/// Makes integer matrices of exactly known ranks: G of rank l, [F; G] of rank k + l.
template <class T>
Pair<T> make_ranks_pair(const Problem& problem) {
  const Index k = count_option(problem, "k"), l = count_option(problem, "l"), r = k + l;
  if (k > problem.m_f || l > problem.m_g || r > problem.n)
    throw InputError(
        fmt::format("k = {}, l = {}: must be at most the {} rows of F and the {} rows of G, and their sum at most "
                    "the {} columns",
                    k, l, problem.m_f, problem.m_g, problem.n));
  RandomStream of_f(problem.seed, 0), of_g(problem.seed, 1), of_w(problem.seed, 2), order(problem.seed, 3);
  std::vector<Index> places(problem.n);
  std::iota(places.begin(), places.end(), Index(0));
  shuffle(places, order);
  const Matrix<T> given = dominant(small_integers<T>(r, problem.n, of_w));
  Matrix<T> W(r, problem.n);
  for (Index j = 0; j < problem.n; ++j) std::ranges::copy(given.col(places[j]), W.col(j).begin());
  const Matrix<T> F =
      beside(dominant(small_integers<T>(problem.m_f, k, of_f)), small_integers<T>(problem.m_f, l, of_f));
  const Matrix<T> G = beside(Matrix<T>(problem.m_g, k), dominant(small_integers<T>(problem.m_g, l, of_g)));
  return {integer_product(F, W), integer_product(G, W), {}, ""};
}

/// Makes an integral equation of the first kind with a difference operator that is not bordered.
template <class T>
Pair<T> make_integral_pair(const Problem& problem) {
  const std::string& name = problem.options.text("kernel");
  const Index n = problem.n, order = count_option(problem, "l"), rows = n - order;
  if (rows < 1)
    throw InputError(fmt::format("n = {}: there are no differences of order {}; use n ≥ {}", n, order, order + 1));
  if (problem.m_g < rows)
    throw InputError(fmt::format("m_g = {}: the differences of order {} have {} rows; use m_g ≥ {}", problem.m_g, order,
                                 rows, rows));
  const auto midpoint = [](Index i, Index count) { return (Quad(i) + Quad(0.5)) / Quad(count); };
  Pair<T> pair{Matrix<T>(problem.m_f, n), Matrix<T>(problem.m_g, n), {}, ""};
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < problem.m_f; ++i)
      pair.F(i, j) =
          T(static_cast<double>(kernel(name, midpoint(i, problem.m_f), midpoint(j, n), Quad(0.5) / Quad(n)) / Quad(n)));
  constexpr std::array<std::array<double, 3>, 3> differences{{{1, 0, 0}, {-1, 1, 0}, {1, -2, 1}}};
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j <= order; ++j) pair.G(i, i + j) = T(differences[order][j]);
  return pair;
}

}  // namespace

std::vector<PairKind> any_pair_kinds() {
  const GeneratorOption& truth = sigma_option();
  return {
      {"lapack",
       "the types of LAPACK's tests of the GSVD (DLATB9), of any shape: norms 10 and 1000, singular values geometric "
       "and "
       "arithmetic",
       Truth::as_built,
       {{"type",
         "4",
         "1: diagonal, upper; 2: upper, upper; 3: lower, upper; 4: dense, conditions 100, 10; 5 to 8: conditions "
         "2e7 or 5e14",
         {"1", "2", "3", "4", "5", "6", "7", "8"}},
        truth},
       make_lapack_pair<double>,
       make_lapack_pair<Complex>,
       true},
      {"ranks",
       "integer matrices of any shape with G of rank l and [F; G] of rank k + l, exactly",
       Truth::as_built,
       {{"k", "1", "number of infinite sigma", {}, 0, 1e9}, {"l", "1", "number of finite sigma", {}, 0, 1e9}, truth},
       make_ranks_pair<double>,
       make_ranks_pair<Complex>,
       true},
      {"integral",
       "integral equation of the first kind, by midpoints, with the n - l differences of order l, and zero rows, as G",
       Truth::as_built,
       {{"kernel",
         "baart",
         "baart: exp(s*cos(t)), wing: t*exp(-s*t^2), deriv2: second antiderivative; shaw: image restoration, heat: "
         "inverse heat equation",
         {"baart", "wing", "deriv2", "shaw", "heat"}},
        {"l", "1", "order of the differences", {"0", "1", "2"}},
        truth},
       make_integral_pair<double>,
       make_integral_pair<Complex>,
       true}};
}

}  // namespace pivotlab
