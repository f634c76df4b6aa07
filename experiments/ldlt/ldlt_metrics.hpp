// How good a computed symmetric indefinite factorization is, judged in extended precision, and whether that is enough.
#pragma once

#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/status.hpp>
#include <pivotlab/symmetric.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// P·S·A·S·Pᵀ = M·D·M*, S = diag(2^scaling) or the identity, by whomever. D is tridiagonal, as every D with blocks of
/// order 1 and 2 is.
template <class T>
struct LdltFactors {
  const Matrix<T>& M;
  const std::vector<T>&diagonal, &subdiagonal;  ///< of D, both of length n
  const std::vector<Index>& permutation;        ///< row i of P·A·Pᵀ is row permutation[i] of A
  std::vector<int> pivots = {};                 ///< orders of D's blocks in order, zeros at its end left out
  bool tridiagonal = false;                     ///< D has no such blocks: Aasen's algorithm
  double zero = 0;                              ///< singular values of D up to this count as zero
  std::vector<int> scaling = {};                ///< by the rows of A; empty for the identity
};

/// B = A·X_true to the last bit but one, and what a solver made of it.
template <class T>
struct LdltSystem {
  const Matrix<T>&B, &X_true;
  const Matrix<T>* X = nullptr;  ///< none where the solver gave up
};

/// What is promised of the factors, or said of them by the solver.
struct LdltClaims {
  double multiplier_bound = std::numeric_limits<double>::infinity();  ///< of max|M|
  double condition_bound = std::numeric_limits<double>::infinity();   ///< of κ₂ of a 2×2 pivot
  std::optional<Index> rank = {};
  std::optional<Inertia> inertia = {};
};

/// What a metric of the same name may be in a passed result. Infinity: it is not judged.
struct LdltBounds {
  double dsyt01 = 30;  ///< LAPACK's threshold for its tests of xSYTRF
  /// ‖b − A·x‖₁ ≤ ‖E‖₁·‖x‖₁ for factors of A + E, so that 30 in the first ratio lets 30·n through in this one.
  double dpot02 = 0;
  double max_multiplier = 0, max_condition = 0;  ///< the solver's, but for rounding
};

/// Norms of matrices are ‖·‖₁ = ‖·‖∞. A number that does not exist is NaN.
struct LdltMetrics {
  /// ‖A − S⁻¹·Pᵀ·M·D·M*·P·S⁻¹‖∞/‖A‖∞, the relative error of the source; 0 for the zero matrix.
  double residual = not_a_number;
  /// The same over n·2⁻⁵³: the ratio of LAPACK's xSYT01.
  double dsyt01 = not_a_number;
  /// max_j ‖b_j − A·x_j‖₁/(‖A‖₁·‖x_j‖₁·2⁻⁵³), the ratio of LAPACK's xPOT02, without refinement.
  std::optional<double> dpot02;
  /// max_j ‖x_j − x_true,j‖∞/‖x_true,j‖∞ of the same system; nothing where D is singular.
  std::optional<double> solve_error;
  double max_multiplier = not_a_number;  ///< max|M| off the diagonal
  double max_condition = not_a_number;   ///< largest κ₂ of a 2×2 pivot, 1 without one; NaN if D is tridiagonal
  // The rest not if D is tridiagonal.
  std::optional<Index> pivots_1x1, pivots_2x2;
  std::optional<Index> rank;
  std::optional<Inertia> inertia;  ///< not of complex symmetric matrices, which have none
  /// Whether it is the known one; nothing where that is unknown.
  std::optional<bool> inertia_agrees;

  JudgePrecision precision = JudgePrecision::quad;
  JudgeDevice device = JudgeDevice::host;
  LdltBounds bounds;
  Status verdict = Status::incorrect;  ///< passed or incorrect
  std::string message;                 ///< why not passed, one line
};

/// Judges factors of a matrix and, if there is one, the solution of a system. Rank and inertia are read off D. They are
/// wrong if they contradict the eigenvalues: D's inertia is that of A + E, E known from the residual, and by Weyl's
/// theorem eigenvalues beyond ‖E‖₂ keep their signs. Nearer to zero than that no factorization can tell, so that a
/// known inertia alone does not make a result incorrect. T is double or std::complex<double>.
/// Throws std::invalid_argument if shapes do not fit.
template <class T>
LdltMetrics judge_ldlt(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& factors, const LdltClaims& claims = {},
                       const LdltSystem<T>* system = nullptr, const JudgeOptions& options = {});

/// X_true of small integers and B = A·X_true, rounded once.
template <class T>
struct KnownSystem {
  Matrix<T> B, X_true;
};
template <class T>
KnownSystem<T> make_system(const Matrix<T>& A, Index columns);

}  // namespace pivotlab::experiments
