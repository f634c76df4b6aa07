// SPDX-License-Identifier: BSD-3-Clause
#include <generators/general_kinds.hpp>
#include <generators/spectrum.hpp>
#include <kernels/numerics/elementary.hpp>

#include <cmath>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

enum Ingredient { entries, order_of_grades };

template <class T>
Matrix<T> random_square(const GeneralProblem& problem, Distribution distribution = Distribution::normal) {
  RandomStream stream(problem.seed, entries);
  return random_matrix<T>(problem.n, problem.n, distribution, stream, problem.threads);
}

template <class T>
GeneralMatrix<T> make_random_general(const GeneralProblem& problem) {
  const std::string& name = problem.options.text("entries");
  return {.A = random_square<T>(problem, name == "normal"    ? Distribution::normal
                                         : name == "uniform" ? Distribution::uniform
                                                             : Distribution::symmetric)};
}

/// Makes the companion matrix of a polynomial with random coefficients, which are in the first row.
template <class T>
GeneralMatrix<T> make_companion(const GeneralProblem& problem) {
  RandomStream stream(problem.seed, entries);
  Matrix<T> A(problem.n, problem.n);
  for (Index j = 0; j < problem.n; ++j) A(0, j) = -stream.draw<T>(Distribution::normal);
  for (Index i = 1; i < problem.n; ++i) A(i, i - 1) = T(1);
  return {.A = std::move(A)};
}

/// Makes Grcar's matrix: −1 below the diagonal, 1 on it and on k superdiagonals; its eigenvalues are very
/// ill-conditioned (Grcar 1989).
template <class T>
GeneralMatrix<T> make_grcar(const GeneralProblem& problem) {
  const auto k = static_cast<Index>(problem.options.number("k"));
  Matrix<T> A(problem.n, problem.n);
  for (Index j = 0; j < problem.n; ++j) {
    for (Index i = std::max<Index>(0, j - k); i <= j; ++i) A(i, j) = T(1);
    if (j + 1 < problem.n) A(j + 1, j) = T(-1);
  }
  return {.A = std::move(A)};
}

/// Makes one Jordan block of the eigenvalue 1 plus random noise.
template <class T>
GeneralMatrix<T> make_noisy_jordan(const GeneralProblem& problem) {
  const double noise = problem.options.number("noise");
  Matrix<T> A = random_square<T>(problem);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] *= noise;
  for (Index i = 0; i < problem.n; ++i) {
    A(i, i) += 1.0;
    if (i + 1 < problem.n) A(i, i + 1) += 1.0;
  }
  return {.A = std::move(A)};
}

/// Makes the cyclic shift: 1 above the diagonal and in the corner; its eigenvalues are the roots of unity.
template <class T>
GeneralMatrix<T> make_cyclic_shift(const GeneralProblem& problem) {
  GeneralMatrix<T> matrix{.A = Matrix<T>(problem.n, problem.n)};
  for (Index i = 0; i < problem.n; ++i) {
    matrix.A(i, (i + 1) % problem.n) = T(1);
    const Quad angle = 2 * pi() * Quad(i) / Quad(problem.n);
    matrix.eigenvalues.emplace_back(Quad(cos(angle)), Quad(sin(angle)));
  }
  return matrix;
}

/// Makes D⁻¹·R·D with a random R and D from 1 to 10^decades.
template <class T>
GeneralMatrix<T> make_badly_scaled(const GeneralProblem& problem) {
  const double decades = problem.options.number("decades");
  Matrix<T> A = random_square<T>(problem);
  // Powers of two make the eigenvalues those of R to the last bit.
  const auto exponent = [&](Index i) {
    return problem.n == 1
               ? 0.0
               : std::round(decades * std::log2(10.0) * static_cast<double>(i) / static_cast<double>(problem.n - 1));
  };
  for (Index j = 0; j < problem.n; ++j)
    for (Index i = 0; i < problem.n; ++i) A(i, j) *= std::exp2(exponent(j) - exponent(i));
  return {.A = std::move(A)};
}

/// Makes D·R·D with a random R and D from 10^−g to 10^g.
template <class T>
GeneralMatrix<T> make_graded_general(const GeneralProblem& problem) {
  Matrix<T> A = random_square<T>(problem);
  const std::vector<double> d = grades(problem.n, problem.options.number("g"), problem.options.text("order"),
                                       RandomStream(problem.seed, order_of_grades));
  for (Index j = 0; j < problem.n; ++j)
    for (Index i = 0; i < problem.n; ++i) A(i, j) *= d[i] * d[j];
  return {.A = std::move(A)};
}

}  // namespace

GeneralKinds classic_general_kinds() {
  const GeneratorOption& truth = eigenvalues_option();
  return {{"random",
           "independent random entries",
           {{"entries",
             "normal",
             "distribution: normal (0,1), uniform (0,1), symmetric (-1,1)",
             {"normal", "uniform", "symmetric"}},
            truth},
           make_random_general<double>,
           make_random_general<Complex>},
          {"companion",
           "of a polynomial with random coefficients",
           {truth},
           make_companion<double>,
           make_companion<Complex>},
          {"grcar",
           "-1 below the diagonal, 1 on it and on k diagonals above",
           {{"k", "3", "superdiagonals", {}, 0, 1e9}, truth},
           make_grcar<double>,
           make_grcar<Complex>},
          {"jordan",
           "a Jordan block of the eigenvalue 1 and random noise",
           {{"noise", "1e-08", "standard deviation of its elements", {}, 0, 1}, truth},
           make_noisy_jordan<double>,
           make_noisy_jordan<Complex>},
          {"cyclic",
           "the cyclic shift: 1 above the diagonal and in the corner",
           {truth},
           make_cyclic_shift<double>,
           make_cyclic_shift<Complex>},
          {"scaled",
           "inv(D)*R*D with a random R and D from 1 to 1e+decades",
           {{"decades", "8", "of D", {}, 0, 140}, truth},
           make_badly_scaled<double>,
           make_badly_scaled<Complex>},
          {"graded",
           "D*R*D with a random R and D from 1e-g to 1e+g",
           {{"g", "4", "grade", {}, 0, 70},
            {"order", "falling", "of D's elements", {"rising", "falling", "random"}},
            truth},
           make_graded_general<double>,
           make_graded_general<Complex>}};
}

}  // namespace pivotlab
