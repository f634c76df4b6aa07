// SPDX-License-Identifier: BSD-3-Clause
// Pairs for the generalized hyperbolic SVD: overlapping waves, and neutral columns.
#include <generators/algebra.hpp>
#include <generators/kinds.hpp>
#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/extension.hpp>

#include <algorithm>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

enum SignedPairStream { of_f, of_g, of_rotation, of_factors };

/// Returns a real wave that is one of an orthogonal family for integer k, or the complex one.
template <class E>
E wave(const Quad& k, const Quad& x) {
  if constexpr (is_complex<E>)
    return E(cos(2 * pi() * k * x), sin(2 * pi() * k * x));
  else
    return cos(pi() * k * x);
}

/// Makes waves with close frequencies, an overcomplete basis, as G, and a random combination of its rows as F.
template <class T>
Pair<T> make_wave_pair(const Problem& problem) {
  using E = Rebind<T, Quad>;
  const Index m = problem.m_g;
  const Quad spacing = 1 - Quad(problem.options.number("overlap")), scale = 1 / sqrt(Quad(m));
  Matrix<E> G(m, problem.n);
  for (Index j = 0; j < problem.n; ++j)
    for (Index i = 0; i < m; ++i) G(i, j) = wave<E>(spacing * j, Quad(i) / Quad(std::max<Index>(m - 1, 1))) * scale;
  RandomStream stream(problem.seed, of_f);
  const Matrix<T> R = random_matrix<T>(problem.m_f, m, Distribution::normal, stream, problem.threads);
  return {rounded<T>(product<E>(R, G, problem.threads)), rounded<T>(G), {}, ""};
}

/// Makes columns of F that are nearly neutral for J with the second half of its signs negative: f*Jf is about gap·‖f‖².
template <class T>
Pair<T> make_neutral_pair(const Problem& problem) {
  using E = Rebind<T, Quad>;
  const Index upper = problem.m_f / 2, lower = problem.m_f - upper;
  RandomStream f(problem.seed, of_f), g(problem.seed, of_g), d(problem.seed, of_factors);
  const Matrix<T> X = random_matrix<T>(upper, problem.n, Distribution::normal, f, problem.threads);
  const HostAlgebra<E> algebra(problem.seed, problem.threads);
  const Matrix<E> QX = product<E>(algebra.orthonormal(lower, upper, of_rotation), X, problem.threads);
  Matrix<T> F(problem.m_f, problem.n);
  for (Index j = 0; j < problem.n; ++j) {
    const Quad factor = 1 + Quad(problem.options.number("gap")) * Quad(d.draw<double>(Distribution::normal));
    for (Index i = 0; i < upper; ++i) F(i, j) = X(i, j);
    for (Index i = 0; i < lower; ++i) F(upper + i, j) = round_to_double<T>(E(QX(i, j) * factor));
  }
  return {std::move(F), random_matrix<T>(problem.m_g, problem.n, Distribution::normal, g, problem.threads), {}, ""};
}

}  // namespace

std::vector<PairKind> signed_pair_kinds() {
  const GeneratorOption& truth = sigma_option();
  return {
      {"waves",
       "waves with wave numbers (1 - overlap)*j, an overcomplete basis, as G; random combinations of the rows of G as "
       "F",
       Truth::of_the_doubles,
       {{"overlap",
         "0.2",
         "0: orthogonal; the condition of G grows with n and overlap: 3e8 for 0.2, real n = 32",
         {},
         0,
         1},
        truth},
       make_wave_pair<double>,
       make_wave_pair<Complex>},
      {"neutral",
       "F = [X; Q*X*(I + gap*D)], Q unitary: f*Jf is about gap*|f|^2 for signs J whose second half is negative; G "
       "random",
       Truth::of_the_doubles,
       {{"gap", "1e-06", "distance of columns of F from neutral ones", {}, 0, 1}, truth},
       make_neutral_pair<double>,
       make_neutral_pair<Complex>}};
}

}  // namespace pivotlab
