// SPDX-License-Identifier: BSD-3-Clause
// Matrices of any shape with m ≥ n, for singular value decompositions.
#include <generators/algebra.hpp>
#include <generators/name.hpp>
#include <generators/rounded.hpp>
#include <generators/spectrum.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

enum Ingredient { entries, order_of_columns, order_of_rows, left_vectors, right_vectors };

struct RectangularProblem {
  Index m, n;  // m ≥ n ≥ 1
  std::uint64_t seed;
  int threads;
  OptionValues options;
};

template <class T>
Matrix<T> normal_matrix(const RectangularProblem& problem, Index rows, Index cols) {
  RandomStream stream(problem.seed, entries);
  return random_matrix<T>(rows, cols, Distribution::normal, stream, problem.threads);
}

/// Multiplies the columns by the powers of two nearest to 10^−g … 10^g.
template <class T>
void scale_columns(const RectangularProblem& problem, Matrix<T>& G) {
  const auto d = grades(problem.n, problem.options.number("g"), problem.options.text("order"),
                        RandomStream(problem.seed, order_of_columns));
  for (Index j = 0; j < problem.n; ++j)
    for (T& x : G.col(j)) x *= d[j];
}

template <class T>
Matrix<T> make_normal_matrix(const RectangularProblem& problem) {
  return normal_matrix<T>(problem, problem.m, problem.n);
}

template <class T>
Matrix<T> make_graded_columns(const RectangularProblem& problem) {
  Matrix<T> G = make_normal_matrix<T>(problem);
  scale_columns(problem, G);
  return G;
}

template <class T>
Matrix<T> make_graded_rows_and_columns(const RectangularProblem& problem) {
  Matrix<T> G = make_graded_columns<T>(problem);
  const auto d = grades(problem.m, problem.options.number("g"), problem.options.text("order"),
                        RandomStream(problem.seed, order_of_rows));
  for (Index j = 0; j < problem.n; ++j)
    for (Index i = 0; i < problem.m; ++i) G(i, j) *= d[i];
  return G;
}

template <class T>
Matrix<T> make_with_singular_values(const RectangularProblem& problem) {
  using Q = Rebind<T, Quad>;
  const HostAlgebra<Q> algebra(problem.seed, problem.threads);
  const Matrix<Q> right = algebra.orthonormal(problem.n, problem.n, right_vectors);
  Matrix<T> G = rounded<T>(
      algebra.product(algebra.orthonormal(problem.m, problem.n, left_vectors),
                      spectrum(problem.options.text("of"), Quad(problem.options.number("kappa")), problem.n), right));
  scale_columns(problem, G);
  return G;
}

template <class T>
Matrix<T> make_nearly_parallel(const RectangularProblem& problem) {
  const double gap = problem.options.number("gap");
  Matrix<T> G = make_normal_matrix<T>(problem);
  const Index half = problem.n / 2;
  for (Index j = half; j < 2 * half; ++j)
    for (Index i = 0; i < problem.m; ++i) G(i, j) = G(i, j - half) + gap * G(i, j);
  return G;
}

template <class T>
Matrix<T> make_of_low_rank(const RectangularProblem& problem) {
  const auto rank = static_cast<Index>(std::lround(problem.options.number("rank") * static_cast<double>(problem.n)));
  RandomStream stream(problem.seed, entries);
  const auto unit_lower = [&](Index rows) {
    Matrix<double> A(rows, rank);
    for (Index j = 0; j < rank; ++j) {
      A(j, j) = 1;
      for (Index i = j + 1; i < rows; ++i) A(i, j) = std::floor(5 * stream.uniform()) - 2;
    }
    return A;
  };
  const Matrix<double> left = unit_lower(problem.m), right = unit_lower(problem.n);
  Matrix<T> G(problem.m, problem.n);
  for (Index j = 0; j < problem.n; ++j)
    for (Index k = 0; k < rank; ++k)
      for (Index i = 0; i < problem.m; ++i) G(i, j) += T(left(i, k) * right(j, k));
  return G;
}

template <class T>
Matrix<T> make_hilbert_columns(const RectangularProblem& problem) {
  Matrix<T> G(problem.m, problem.n);
  for (Index j = 0; j < problem.n; ++j)
    for (Index i = 0; i < problem.m; ++i) G(i, j) = T(1 / static_cast<double>(i + j + 1));
  return G;
}

using RectangularKinds = std::vector<Kind<Matrix, RectangularProblem>>;

const RectangularKinds& kinds() {
  static const GeneratorOption order{"order", "random", "of the columns' grades", {"rising", "falling", "random"}};
  static const RectangularKinds all{
      {"random", "independent normal entries", {}, make_normal_matrix<double>, make_normal_matrix<Complex>},
      {"graded",
       "R*D with a normal R and D from 1e-g to 1e+g",
       {{"g", "4", "grade", {}, 0, 70}, order},
       make_graded_columns<double>,
       make_graded_columns<Complex>},
      {"two-sided",
       "C*R*D with a normal R, C and D from 1e-g to 1e+g",
       {{"g", "4", "grade", {}, 0, 35}, order},
       make_graded_rows_and_columns<double>,
       make_graded_rows_and_columns<Complex>},
      {"spectrum",
       "U*Sigma*V'*D with random U and V, singular values Sigma from 1 to 1/kappa, D from 1e-g to 1e+g",
       {{"of", "geometric", "distribution", {"geometric", "arithmetic", "cluster0", "cluster1"}},
        {"kappa", "1000", "largest over smallest singular value", {}, 1, 1e30},
        {"g", "0", "grade", {}, 0, 70},
        order},
       make_with_singular_values<double>,
       make_with_singular_values<Complex>},
      {"parallel",
       "column j + n/2 differs from the normal column j by gap times a normal column",
       {{"gap", "1e-06", "distance", {}, 0, 1}},
       make_nearly_parallel<double>,
       make_nearly_parallel<Complex>},
      {"lowrank",
       "a product of small integers, of exactly this rank",
       {{"rank", "0.75", "rank as a fraction of n", {}, 0, 1}},
       make_of_low_rank<double>,
       make_of_low_rank<Complex>},
      {"hilbert", "1/(i+j-1)", {}, make_hilbert_columns<double>, make_hilbert_columns<Complex>}};
  return all;
}

const GeneratorCatalog& rectangular_catalog() {
  static const GeneratorCatalog catalog = catalog_of(kinds());
  return catalog;
}

}  // namespace

AnyMatrix generate_rectangular(const RectangularRequest& request) {
  const GeneratorName name = parse_generator(request.generator, rectangular_catalog());
  if (request.n < 0) throw InputError(fmt::format("n = {}: a number of columns is not negative", request.n));
  const Index m = request.m == 0 ? request.n : request.m;
  if (m < request.n) throw InputError(fmt::format("m = {}: must be at least n = {} (or 0 for n)", m, request.n));
  const RectangularProblem problem{m, request.n, request.seed, thread_count(request.threads), name.options};
  const auto& kind = find_kind(kinds(), name.kind);
  if (request.type == ScalarType::z) return request.n > 0 ? kind.make_complex(problem) : Matrix<Complex>(m, 0);
  return request.n > 0 ? kind.make_real(problem) : Matrix<double>(m, 0);
}

std::vector<GeneratorInfo> list_rectangular_generators() {
  return describe_kinds(kinds());
}

std::string canonical_rectangular_generator(std::string_view name) {
  return parse_generator(name, rectangular_catalog()).canonical;
}

}  // namespace pivotlab
