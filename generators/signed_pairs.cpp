// SPDX-License-Identifier: BSD-3-Clause
// Pairs for the generalized hyperbolic SVD: overlapping waves, and neutral columns.
#include <generators/algebra.hpp>
#include <generators/kinds.hpp>
#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/extension.hpp>

#include <algorithm>

namespace pivotlab {
namespace {

enum SignedPairStream { of_f, of_g, of_rotation, of_factors };

/// Returns a real wave that is one of an orthogonal family for integer k, or the complex one.
template <class E>
E wave(const Quad& k, const Quad& x) {
  if constexpr (is_complex<E>)
    return E(cos(2 * pi() * k * x), sin(2 * pi() * k * x));
  else
    return cos(pi() * k * x);
}

}  // namespace

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

template Pair<double> make_wave_pair(const Problem&);
template Pair<std::complex<double>> make_wave_pair(const Problem&);
template Pair<double> make_neutral_pair(const Problem&);
template Pair<std::complex<double>> make_neutral_pair(const Problem&);

}  // namespace pivotlab
