// SPDX-License-Identifier: BSD-3-Clause
#include <generators/spectrum.hpp>
#include <generators/symmetric_kinds.hpp>
#include <kernels/numerics/lower_tiles.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

enum Ingredient { entries, order_of_grades };

/// Makes a matrix from a function of row and column (from 0), for i ≥ j.
template <class T, class Element>
Matrix<T> symmetric_matrix(Index n, Element&& element) {
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) A(i, j) = A(j, i) = T(element(i, j));
  return A;
}

template <class T>
SymmetricMatrix<T> known(Matrix<T> A, Inertia inertia) {
  return {.A = std::move(A), .inertia = inertia};
}
template <class T>
SymmetricMatrix<T> known(Matrix<T> A, std::vector<Quad> eigenvalues) {
  return {.A = std::move(A), .eigenvalues = std::move(eigenvalues)};
}

/// Makes a symmetric matrix of random numbers in the lower triangle.
template <class T>
Matrix<T> random_triangle(const SymmetricProblem& problem, Distribution distribution) {
  RandomStream stream(problem.seed, entries);
  Matrix<T> A = random_matrix<T>(problem.n, problem.n, distribution, stream, problem.threads);
  const bool hermitian = problem.symmetry == Symmetry::hermitian;
  for (Index j = 0; hermitian && j < problem.n; ++j) A(j, j) = T(real_part(A(j, j)));
  reflect_lower(A.view(), problem.threads, [hermitian](const T& x) { return hermitian ? conjugate(x) : x; });
  return A;
}

template <class T>
SymmetricMatrix<T> make_random_symmetric(const SymmetricProblem& problem) {
  const std::string& name = problem.options.text("entries");
  const Distribution distribution = name == "normal"    ? Distribution::normal
                                    : name == "uniform" ? Distribution::uniform
                                                        : Distribution::symmetric;
  return {.A = random_triangle<T>(problem, distribution)};
}

/// Makes D·R·D with a normal R, or one of condition 10, and D from 10^−g to 10^g.
template <class T>
SymmetricMatrix<T> make_graded_symmetric(const SymmetricProblem& problem) {
  const bool is_conditioned = problem.options.text("core") == "conditioned";
  SymmetricMatrix<T> matrix = is_conditioned
                                  ? make_conditioned_core<T>(problem)
                                  : SymmetricMatrix<T>{.A = random_triangle<T>(problem, Distribution::normal)};
  scale_rows_and_columns(matrix.A, grades(problem.n, problem.options.number("g"), problem.options.text("order"),
                                          RandomStream(problem.seed, order_of_grades)));
  return matrix;
}

/// Makes B·diag(±1)·Bᴴ with integers, so that the rank is exact; B is unit lower trapezoidal.
template <class T>
SymmetricMatrix<T> make_low_rank(const SymmetricProblem& problem) {
  const Index n = problem.n;
  const auto part = [](double fraction, Index of) {
    return static_cast<Index>(std::lround(fraction * static_cast<double>(of)));
  };
  const Index rank = part(problem.options.number("rank"), n), negative = part(problem.options.number("negative"), rank);
  RandomStream stream(problem.seed, entries);
  Matrix<double> B(n, rank);
  for (Index j = 0; j < rank; ++j) {
    B(j, j) = 1;
    for (Index i = j + 1; i < n; ++i) B(i, j) = std::floor(stream.uniform() * 5) - 2;
  }
  Matrix<T> A = symmetric_matrix<T>(n, [&](Index i, Index j) {
    double sum = 0;
    for (Index k = 0; k < std::min(rank, j + 1); ++k) sum += (k < negative ? -1 : 1) * B(i, k) * B(j, k);
    return sum;
  });
  return known(std::move(A), Inertia{rank - negative, negative, n - rank});
}

/// Makes Sylvester's Hadamard matrix of order 2^k: H² = n·I.
template <class T>
SymmetricMatrix<T> make_hadamard(const SymmetricProblem& problem) {
  const Index n = problem.n;
  if (!std::has_single_bit(static_cast<std::uint64_t>(n)))
    throw InputError(fmt::format("generator: hadamard: n = {} is not a power of two; use {} or {}", n,
                                 std::bit_floor(static_cast<std::uint64_t>(n)),
                                 std::bit_ceil(static_cast<std::uint64_t>(n))));
  Matrix<T> H = symmetric_matrix<T>(
      n, [](Index i, Index j) { return std::popcount(static_cast<std::uint64_t>(i & j)) % 2 == 0 ? 1.0 : -1.0; });
  std::vector<Quad> eigenvalues(n, sqrt(Quad(n)));
  std::for_each_n(eigenvalues.begin(), n / 2, [](Quad& x) { x = -x; });
  return known(std::move(H), std::move(eigenvalues));
}

/// Makes Clement's (Kac's) matrix, symmetrized: √(i(n−i)) beside a zero diagonal; eigenvalues ±(n−1), ±(n−3), …
template <class T>
SymmetricMatrix<T> make_clement(const SymmetricProblem& problem) {
  const Index n = problem.n;
  Matrix<T> A = symmetric_matrix<T>(n, [n](Index i, Index j) {
    return i == j + 1 ? std::sqrt(static_cast<double>(i) * static_cast<double>(n - i)) : 0.0;
  });
  std::vector<Quad> eigenvalues;
  for (Index i = 0; i < n; ++i) eigenvalues.emplace_back(2 * i - (n - 1));
  return known(std::move(A), std::move(eigenvalues));
}

template <class T>
SymmetricMatrix<T> make_hilbert(const SymmetricProblem& problem) {
  return known(symmetric_matrix<T>(problem.n, [](Index i, Index j) { return 1 / static_cast<double>(i + j + 1); }),
               Inertia{problem.n, 0, 0});
}

/// Makes |i − j|, which has one positive eigenvalue.
template <class T>
SymmetricMatrix<T> make_fiedler(const SymmetricProblem& problem) {
  const Index n = problem.n;
  return known(symmetric_matrix<T>(n, [](Index i, Index j) { return static_cast<double>(i - j); }),
               n == 1 ? Inertia{0, 0, 1} : Inertia{1, n - 1, 0});
}

/// Makes min(i, j), which is positive definite; its inverse is a second difference.
template <class T>
SymmetricMatrix<T> make_min_ij(const SymmetricProblem& problem) {
  return known(symmetric_matrix<T>(problem.n, [](Index, Index j) { return static_cast<double>(j + 1); }),
               Inertia{problem.n, 0, 0});
}

/// Makes blocks [0 ε 0; ε 0 1; 0 1 1], whose M has an element 1/ε under partial pivoting (Higham, SIAM J. Matrix Anal.
/// Appl. 18 (1997)).
template <class T>
SymmetricMatrix<T> make_unbounded(const SymmetricProblem& problem) {
  const double eps = problem.options.number("eps");
  const Index n = problem.n, blocks = n / 3;
  Matrix<T> A = symmetric_matrix<T>(n, [&](Index i, Index j) {
    const Index row = i % 3, column = j % 3;
    if (i / 3 != j / 3) return 0.0;
    if (i / 3 == blocks) return i == j ? 1.0 : 0.0;  // the remainder of the order
    if (row == 1 && column == 0) return eps;
    return row == 2 && column > 0 ? 1.0 : 0.0;
  });
  return known(std::move(A), Inertia{n - blocks, blocks, 0});
}

}  // namespace

SymmetricKinds classic_symmetric_kinds() {
  return {{"random",
           "independent random entries",
           {{"entries",
             "normal",
             "distribution: normal (0,1), uniform (0,1), symmetric (-1,1)",
             {"normal", "uniform", "symmetric"}}},
           make_random_symmetric<double>,
           make_random_symmetric<Complex>},
          {"graded",
           "D*R*D with D from 1e-g to 1e+g",
           {{"g", "8", "grade", {}, 0, 70},
            {"order", "rising", "of D's elements", {"rising", "falling", "random"}},
            {"core",
             "normal",
             "R: normal, or conditioned = with random eigenvectors and eigenvalues of magnitude 0.1 to 1",
             {"normal", "conditioned"}}},
           make_graded_symmetric<double>,
           make_graded_symmetric<Complex>},
          {"lowrank",
           "of small integers and of exactly known rank and inertia",
           {{"rank", "0.5", "fraction of n", {}, 0, 1}, {"negative", "0.5", "fraction of the rank", {}, 0, 1}},
           make_low_rank<double>,
           make_low_rank<Complex>},
          {"hadamard", "Sylvester's Hadamard matrix, n = 2^k", {}, make_hadamard<double>, make_hadamard<Complex>},
          {"clement",
           "Clement's (Kac's) tridiagonal matrix with zero diagonal",
           {},
           make_clement<double>,
           make_clement<Complex>},
          {"hilbert", "1/(i+j-1)", {}, make_hilbert<double>, make_hilbert<Complex>},
          {"fiedler", "|i-j|", {}, make_fiedler<double>, make_fiedler<Complex>},
          {"minij", "min(i,j)", {}, make_min_ij<double>, make_min_ij<Complex>},
          {"unbounded",
           "blocks [0 eps 0; eps 0 1; 0 1 1], for which partial pivoting gives M an element 1/eps",
           {{"eps", "1e-08", "the small element", {}, 1e-300, 0.5}},
           make_unbounded<double>,
           make_unbounded<Complex>}};
}

}  // namespace pivotlab
