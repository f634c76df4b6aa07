#include <generators/kinds.hpp>
#include <generators/random.hpp>
#include <kernels/numerics/elementary.hpp>

#include <algorithm>

namespace pivotlab {
namespace {

enum Ingredient { entries_f, entries_g, order };

/// Makes a matrix of normally distributed numbers plus 3 on the diagonal.
template <class T>
Matrix<T> well_conditioned(const Problem& problem, Index m, Ingredient which) {
  RandomStream stream(problem.seed, which);
  Matrix<T> A = random_matrix<T>(m, problem.n, Distribution::normal, stream, problem.threads);
  for (Index i = 0; i < problem.n; ++i) A(i, i) += T(3);
  return A;
}

/// Returns scales from 10⁻ᵍ to 10ᵍ with equidistant exponents, ascending or in random order, rounded to double.
std::vector<double> grades(const Problem& problem, Index count, bool permuted) {
  const double g = problem.options.number("g");
  std::vector<double> d(static_cast<std::size_t>(count));
  for (Index i = 0; i < count; ++i)
    d[i] = static_cast<double>(pow(Quad(10), Quad(-g) + 2 * Quad(g) * Quad(i) / Quad(std::max<Index>(count - 1, 1))));
  RandomStream stream(problem.seed, order);
  if (permuted)
    for (std::size_t i = d.size(); i > 1; --i)
      std::swap(d[i - 1], d[static_cast<std::size_t>(stream.uniform() * static_cast<double>(i))]);
  return d;
}

template <class T>
void grade(const Problem& problem, Matrix<T>& A, const char* which) {
  const std::string &on = problem.options.text("on"), &permute = problem.options.text("permute");
  if (on != "both" && on != which) return;
  const bool left = problem.options.text("side") == "left";
  const std::vector<double> d = grades(problem, left ? A.rows() : A.cols(), permute == which);
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) *= d[left ? i : j];
}

}  // namespace

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

template Pair<double> make_graded_pair(const Problem&);
template Pair<std::complex<double>> make_graded_pair(const Problem&);

}  // namespace pivotlab
