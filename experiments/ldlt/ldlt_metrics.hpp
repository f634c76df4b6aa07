// SPDX-License-Identifier: BSD-3-Clause
// Metrics of a computed symmetric indefinite factorization in extended precision, and the verdict on it.
#pragma once

#include <experiments/engine/section.hpp>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/symmetric.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// P·S·A·S·Pᵀ = U·M·D·M*·Uᵀ, S = diag(2^scaling) or the identity, computed by any solver. D is tridiagonal; a D with
/// blocks of order 1 and 2 is a special case. U is the identity but for solvers of pivotlab without a search.
template <class T>
struct LdltFactors {
  const Matrix<T>& M;
  const std::vector<T>&diagonal, &subdiagonal;  ///< diagonals of D, both of length n
  const std::vector<Index>& permutation;        ///< row i of P·A·Pᵀ is row permutation[i] of A
  std::vector<int> pivots = {};                 ///< orders of D's blocks in order, zeros at its end left out
  bool tridiagonal = false;                     ///< D is not block diagonal: Aasen's algorithm
  double zero = 0;                              ///< singular values of D up to this count as zero
  std::vector<int> scaling = {};                ///< in the order of the rows of A; empty for the identity
  Matrix<double> butterfly = {};                ///< U as in LdltFactorization::butterfly; empty for the identity
};

/// A system with B = A·X_true, rounded once, and its computed solution.
template <class T>
struct LdltSystem {
  const Matrix<T>&B, &X_true;
  const Matrix<T>* X = nullptr;  ///< null if the solver failed
};

/// Bounds that the pivoting promises, and properties that the solver reports.
struct LdltClaims {
  double multiplier_bound = std::numeric_limits<double>::infinity();  ///< bound of max|M|
  double condition_bound = std::numeric_limits<double>::infinity();   ///< bound of κ₂ of a 2×2 pivot
  std::optional<Index> rank = {};
  std::optional<Inertia> inertia = {};
};

/// Bounds of the metrics of the same names in a passed result. Infinity: the metric is not judged.
struct LdltBounds {
  double dsyt01 = 30;  ///< LAPACK's threshold for its tests of xSYTRF
  /// ‖b − A·x‖₁ ≤ ‖E‖₁·‖x‖₁ for factors of A + E, so that 30 for dsyt01 implies 30·n for this one.
  double dpot02 = 0;
  double max_multiplier = 0, max_condition = 0;  ///< bounds of the solver, with an allowance for rounding
};

/// Matrix norms are ‖·‖₁ = ‖·‖∞. A number that does not exist is NaN.
struct LdltMetrics : JudgeReport {
  /// ‖A − S⁻¹·Pᵀ·U·M·D·M*·Uᵀ·P·S⁻¹‖∞/‖A‖∞, the relative error of the source; 0 for the zero matrix.
  double residual = not_a_number;
  /// The same divided by n·2⁻⁵³: the ratio of LAPACK's xSYT01.
  double dsyt01 = not_a_number;
  /// max_j ‖b_j − A·x_j‖₁/(‖A‖₁·‖x_j‖₁·2⁻⁵³), the ratio of LAPACK's xPOT02, without refinement.
  std::optional<double> dpot02;
  /// max_j ‖x_j − x_true,j‖∞/‖x_true,j‖∞ of the same system; nothing where D is singular.
  std::optional<double> solve_error;
  double max_multiplier = not_a_number;  ///< max|M| off the diagonal
  double max_condition = not_a_number;   ///< largest κ₂ of a 2×2 pivot, 1 without one; NaN if D is tridiagonal
  // The following members are empty if D is tridiagonal.
  std::optional<Index> pivots_1x1, pivots_2x2;
  std::optional<Index> rank;
  std::optional<Inertia> inertia;  ///< none for complex symmetric matrices
  /// States whether the inertia is the known one; none if that is unknown.
  std::optional<bool> inertia_agrees;
  LdltBounds bounds;
};

/// The counts of an inertia; `whose` precedes their headings, and `where` follows their definitions.
Rows<Inertia> inertia_rows(const std::string& whose, const std::string& where);

/// The section `metrics` of a record; its bounded rows are the verdict.
const Rows<LdltMetrics>& ldlt_metric_rows();

/// Judges factors of a matrix and, if there is one, the solution of a system. Rank and inertia are read off D. They are
/// wrong if they contradict the eigenvalues: D's inertia is that of A + E, E known from the residual, and by Weyl's
/// theorem eigenvalues beyond ‖E‖₂ keep their signs. No factorization determines the signs of eigenvalues nearer to
/// zero, so that a difference from the known inertia alone does not make a result incorrect. T is double or
/// std::complex<double>. Throws std::invalid_argument if shapes do not fit.
template <class T>
LdltMetrics judge_ldlt(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& factors, const LdltClaims& claims = {},
                       const LdltSystem<T>* system = nullptr, const JudgeOptions& options = {});

/// Returns X_true of small integers and B = A·X_true, rounded once.
template <class T>
struct KnownSystem {
  Matrix<T> B, X_true;
};
template <class T>
KnownSystem<T> make_system(const Matrix<T>& A, Index columns);

}  // namespace pivotlab::experiments
