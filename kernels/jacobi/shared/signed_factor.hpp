// SPDX-License-Identifier: BSD-3-Clause
// A = G·J·G* as the iteration takes it, and what is common to the methods that factor a Hermitian matrix first.
#pragma once

#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/products.hpp"
#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <numeric>
#include <pivotlab/eigh.hpp>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// G and J without the columns with J = 0; rows in the order of A.
template <class T>
struct SignedFactor {
  Matrix<T> G;
  std::vector<int> J;
  std::vector<Index> rows;  ///< row of A in the place of each column: G(rows, :) is block lower triangular
  std::vector<bool> pairs;  ///< whether this column and the next one are those of a 2×2 pivot
};

inline LdltOptions factorization_options(const EighOptions& options) {
  return {.variant = {.pivoting = options.variant.pivoting}, .backend = options.backend, .threads = options.threads};
}

template <class T>
SignedFactor<T> signed_factor(const LdltFactorization<T>& f) {
  const GjgFactorization<T> gjg = f.gjg();
  const Index n = f.order();
  SignedFactor<T> result;
  for (const int sign : gjg.J)
    if (sign != 0) result.J.push_back(sign);
  result.G = Matrix<T>(n, std::ssize(result.J));
  for (Index from = 0; from < n; ++from) {
    if (gjg.J[from] == 0) continue;
    const Index to = std::ssize(result.rows);
    for (Index i = 0; i < n; ++i) result.G(f.permutation[i], to) = gjg.G(i, from);
    result.rows.push_back(f.permutation[from]);
    result.pairs.push_back(f.subdiagonal[from] != T(0));
  }
  return result;
}

/// The columns of U are orthogonal up to negligible cosines only, so that the component of u_j along a u_i of larger
/// σ_i is unknown up to this cosine, and up to |u_i|ᵀ·|u_j|. It matters where |G|* is so much larger for u_i than for
/// u_j that this may exceed 1/16 of the norm p_j = ‖|G|*·|u_j|‖, for eigenvalues that differ by some 26 decades.
template <class R>
bool lacks_components(const std::vector<R>& p, Index rows) {
  const R all = negligible_cosine<R>(rows) * std::accumulate(p.begin(), p.end(), R(0));
  return std::ranges::any_of(p, [&](const R& norm) { return norm > R(0) && R(16) * all > norm; });
}

/// Adds these components to p.
template <class T>
void add_components(const Matrix<T>& U, const std::vector<RealOf<T>>& sigma, int threads, std::vector<RealOf<T>>& p) {
  using R = RealOf<T>;
  const Matrix<R> sizes = moduli(U), cosines = product(true, sizes, sizes, threads);
  const R negligible = negligible_cosine<R>(U.rows());
  const std::vector<Index> order = descending_indices(sigma);
  for (auto j = order.begin(); j != order.end(); ++j)
    for (auto i = order.begin(); i != j; ++i) p[*j] += std::min<R>(negligible, cosines(*i, *j)) * p[*i];
}

/// Returns ε·‖|G|·|u_j|‖²/σ_j² for every column of U, with |G|* in place of |G| if `adjoint`: the effect of errors of
/// size ε·|G|*·|G|, or ε·|G|·|G|*, in a Hermitian matrix on its eigenvalues ±σ_j².
template <class T>
std::vector<RealOf<T>> factorization_errors(const RealOf<T>& eps, const Matrix<T>& G, bool adjoint,
                                            const HsvdResult<T>& hsvd, int threads) {
  using R = RealOf<T>;
  const Matrix<R> products = product(adjoint, moduli(G), moduli(hsvd.U), threads);
  auto norms = column_norms<R>(products.view(), threads);
  if (lacks_components(norms, hsvd.U.rows())) add_components(hsvd.U, hsvd.sigma, threads, norms);
  std::vector<R> errors;
  for (std::size_t j = 0; j < hsvd.sigma.size(); ++j) {
    const R ratio = hsvd.sigma[j] > R(0) ? R(norms[j] / hsvd.sigma[j]) : R(0);
    errors.push_back(eps * ratio * ratio);
  }
  return errors;
}

/// Makes eigenvalues undetermined that are smaller than an undetermined one, whose sign may be wrong, or not zero and
/// smaller than `zeros`, the size of eigenvalues that count as zero: the place of theirs in the order is not known.
template <class Result>
void judge_places(Result& result, typename decltype(result.eigenvalues)::value_type zeros = {}) {
  decltype(zeros) most(0);
  for (std::size_t j = 0; j < result.noise.size(); ++j)
    if (result.noise[j]) most = std::max(most, absolute(result.eigenvalues[j]));
  for (std::size_t j = 0; j < result.noise.size(); ++j)
    if (const auto size = absolute(result.eigenvalues[j]); size < most || (size > 0 && size < zeros))
      result.estimate[j] = 1, result.noise[j] = true;
}

/// Returns the columns of the hyperbolic SVD of an n × r matrix in descending order of the n eigenvalues J'·σ²; zeros
/// come between both signs, and −1 stands for those without a column.
template <class Hsvd>
std::vector<Index> descending_order(const Hsvd& hsvd, Index n) {
  const typename decltype(hsvd.sigma)::value_type zero(0);
  const Index r = std::ssize(hsvd.sigma);
  std::vector<Index> order;
  const auto add = [&](int sign) {
    for (Index j = 0; j < r; ++j)
      if ((hsvd.sigma[j] > zero ? hsvd.J[j] : 0) == sign) order.push_back(j);
  };
  add(1), add(0);
  order.insert(order.end(), static_cast<std::size_t>(n - r), Index(-1));
  add(-1);
  return order;
}

}  // namespace pivotlab::jacobi
