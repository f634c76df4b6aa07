// SPDX-License-Identifier: BSD-3-Clause
// What a solver of the user's may give back for each method, as results of the library. docs/guide/own-solvers.md has
// the same table. The first array is required; members of results that need others stay empty and are not judged.
#pragma once

#include <experiments/own/answer.hpp>
#include <optional>
#include <pivotlab/baselines.hpp>
#include <pivotlab/gsvd_any.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// The names of the arrays in the order of a tuple.
const std::vector<std::string>& result_names(std::string_view method);

// All functions throw SolverFault for arrays that are missing or cannot be used. T is double or std::complex<double>.

/// σ, or α and β, of a pair of n columns; U (m_f × n), V (m_g × n), Z (n × n) with F·Z = U·Σ_F and G·Z = V·Σ_G,
/// or X = Z⁻¹.
template <class T>
AnyGsvdResult<T> own_gsvd(const OwnAnswer& answer, Index m_f, Index m_g, Index n);

/// The eigenvalues in any order; U, V, Z with columns in the same order, J' (the signs, if they are not given).
template <class T>
GhsvdResult<T> own_ghsvd(const OwnAnswer& answer, Index m_f, Index m_g, Index n);

/// σ in any order; U (m × n), V (n × n) or its adjoint Vh, J' (J, if that is the identity).
template <class T>
HsvdResult<T> own_hsvd(const OwnAnswer& answer, Index m, const std::vector<int>& J);

/// The eigenvalues in any order, U and estimates of relative errors in the same order.
template <class T>
EighResult<T> own_eigh(const OwnAnswer& answer, Index n);

/// The eigenvalues, V and W.
EigResult<double> own_eig(const OwnAnswer& answer, Index n);

/// L or M, D as a matrix or its diagonal d and subdiagonal e, the permutation from 0 or 1; the inertia.
template <class T>
struct OwnLdlt {
  LdltBaselineResult<T> factors;
  std::optional<Inertia> inertia = {};
};
template <class T>
OwnLdlt<T> own_ldlt(const OwnAnswer& answer, Index n, Symmetry symmetry);

/// Sets the interchanges, which tell the orders of the pivots only, unless two blocks of D overlap: then it is
/// tridiagonal.
template <class T>
void find_pivots(LdltBaselineResult<T>& f);

}  // namespace pivotlab::experiments
