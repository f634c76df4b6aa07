// SPDX-License-Identifier: BSD-3-Clause
#include <generators/kinds.hpp>
#include <generators/random.hpp>
#include <kernels/numerics/elementary.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

enum Ingredient { entries_f, entries_g, order, order_rows_f, order_columns_f, order_rows_g, order_columns_g };

/// Makes a matrix of normally distributed numbers plus 3 on the diagonal.
template <class T>
Matrix<T> well_conditioned(const Problem& problem, Index m, Ingredient which) {
  RandomStream stream(problem.seed, which);
  Matrix<T> A = random_matrix<T>(m, problem.n, Distribution::normal, stream, problem.threads);
  for (Index i = 0; i < problem.n; ++i) A(i, i) += T(3);
  return A;
}

/// Returns scales from 10⁻ᵍ to 10ᵍ with equidistant exponents, ascending, rounded to double.
std::vector<double> grades(const Problem& problem, Index count) {
  const double g = problem.options.number("g");
  std::vector<double> d(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i)
    d[i] = static_cast<double>(pow(Quad(10), Quad(-g) + 2 * Quad(g) * Quad(i) / Quad(std::max<Index>(count - 1, 1))));
  return d;
}

void shuffle(std::vector<double>& d, std::uint64_t seed, Ingredient which) {
  RandomStream stream(seed, which);
  for (std::size_t i = d.size(); i > 1; --i)
    std::swap(d[i - 1], d[static_cast<std::size_t>(stream.uniform() * static_cast<double>(i))]);
}

template <class T>
void scale_rows(Matrix<T>& A, const std::vector<double>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) *= d[i];
}
template <class T>
void scale_columns(Matrix<T>& A, const std::vector<double>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (T& x : A.col(j)) x *= d[j];
}

template <class T>
void grade(const Problem& problem, Matrix<T>& A, const char* which) {
  const std::string &on = problem.options.text("on"), &permute = problem.options.text("permute");
  if (on != "both" && on != which) return;
  const bool left = problem.options.text("side") == "left";
  std::vector<double> d = grades(problem, left ? A.rows() : A.cols());
  if (permute == which) shuffle(d, problem.seed, order);
  if (left)
    scale_rows(A, d);
  else
    scale_columns(A, d);
}

/// Sets elements outside the pattern to zero: an arrow has its first row, first column and diagonal, a band elements up
/// to two places from the diagonal.
template <class T>
void keep_pattern(Matrix<T>& A, const std::string& pattern) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      const bool in_arrow = i == 0 || j == 0 || i == j, in_band = i - j <= 2 && j - i <= 2;
      if ((pattern == "arrow" && !in_arrow) || (pattern == "band" && !in_band)) A(i, j) = T(0);
    }
}

template <class T>
Matrix<T> two_sided(const Problem& problem, Index m, const std::string& matrix, Ingredient entries,
                    Ingredient order_rows, Ingredient order_columns) {
  Matrix<T> A = well_conditioned<T>(problem, m, entries);
  keep_pattern(A, problem.options.text("pattern"));
  const auto scales = [&](const std::string& side, Index count, Ingredient which) {
    const std::string& how = problem.options.text(side + "_" + matrix);
    std::vector<double> d =
        how == "none" ? std::vector<double>(static_cast<std::size_t>(count), 1) : grades(problem, count);
    if (how == "random") shuffle(d, problem.seed, which);
    return d;
  };
  scale_rows(A, scales("rows", m, order_rows));
  scale_columns(A, scales("columns", problem.n, order_columns));
  return A;
}

/// Makes well-conditioned B and C with rows or columns scaled from 1e-g to 1e+g, without sigma. T is double or complex.
template <class T>
Pair<T> make_graded_pair(const Problem& problem) {
  Pair<T> pair{well_conditioned<T>(problem, problem.m_f, entries_f),
               well_conditioned<T>(problem, problem.m_g, entries_g),
               {},
               ""};
  grade(problem, pair.F, "f");
  grade(problem, pair.G, "g");
  return pair;
}

/// Makes the same B and C, or their elements in a sparse pattern, with rows and columns scaled independently of each
/// other, without sigma.
template <class T>
Pair<T> make_two_sided_pair(const Problem& problem) {
  return {two_sided<T>(problem, problem.m_f, "f", entries_f, order_rows_f, order_columns_f),
          two_sided<T>(problem, problem.m_g, "g", entries_g, order_rows_g, order_columns_g),
          {},
          ""};
}

}  // namespace

std::vector<PairKind> graded_pair_kinds() {
  const GeneratorOption& truth = sigma_option();
  return {
      {"graded",
       "well-conditioned B, C (normal + 3*I) with columns or rows times D from 1e-g to 1e+g: (B*D, C), (D*B, C), ...",
       Truth::of_the_doubles,
       {{"side", "right", "right: columns, left: rows", {"right", "left"}},
        {"on", "f", "which matrix is scaled", {"f", "g", "both"}},
        {"permute", "none", "which matrix has its D in random order", {"none", "f", "g"}},
        {"g", "8", "grade", {}, 0, 20},
        truth},
       make_graded_pair<double>,
       make_graded_pair<Complex>},
      {"two-sided",
       "well-conditioned B, C (normal + 3*I) with rows and columns times D of their own from 1e-g to 1e+g",
       Truth::of_the_doubles,
       {{"rows_f", "none", "D of the rows of F: ascending or in random order", {"none", "ascending", "random"}},
        {"columns_f", "none", "of the columns of F", {"none", "ascending", "random"}},
        {"rows_g", "none", "of the rows of G", {"none", "ascending", "random"}},
        {"columns_g", "none", "of the columns of G", {"none", "ascending", "random"}},
        {"pattern", "dense", "elements of B and C that are not zero", {"dense", "arrow", "band"}},
        {"g", "8", "grade", {}, 0, 20},
        truth},
       make_two_sided_pair<double>,
       make_two_sided_pair<Complex>}};
}

}  // namespace pivotlab
