// How good a computed eigendecomposition is, judged in extended precision, and whether that is enough.
#pragma once

#include <complex>
#include <experiments/metrics/judging.hpp>
#include <optional>
#include <pivotlab/general.hpp>
#include <pivotlab/status.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// A·V = V·Λ, Wᴴ·A = Λ·Wᴴ, A·E = E·T, by whomever.
struct EigFactors {
  using Complex = std::complex<double>;
  const std::vector<Complex>& eigenvalues;          ///< length n
  const Matrix<Complex>& V;                         ///< n × n, unit columns
  const Matrix<Complex>* W = nullptr;               ///< n × n, unit columns; none where there are no left eigenvectors
  const Matrix<Complex>*T = nullptr, *E = nullptr;  ///< n × n, both or none
};

/// What a metric of the same name may be in a passed result. Infinity: it is not judged.
struct EigBounds {
  /// Of ‖A·V − V·Λ‖/(n·ulp·‖A‖). LAPACK's tests of xGEEV allow 20 of ‖A·V − V·Λ‖₁/(‖V‖₁·ulp·‖A‖₁).
  double get22 = 30, left_get22 = 30, similarity = 30;
  /// Of |‖v‖ − 1| in units of ulp; LAPACK allows 20 (xDRVEV).
  double normalization = 30;
  /// Λ is the diagonal of a matrix similar to A + δA, and |tr δA| ≤ √n·‖δA‖_F, ‖δA‖_F ≤ 30·n·ulp·‖A‖_F. That does not
  /// hold of eigenpairs that were refined one by one: then |tr A − Σλ| = |tr V⁻¹·R| ≤ ‖V⁻¹‖_F·‖R‖_F, where κ(V) can be
  /// told. The larger of the two.
  double trace_error = 0;
  /// V⁻¹·A·V = Λ + V⁻¹·R, so that eigenvalues can be matched within (2n−1)·‖V⁻¹·R‖₂ (Bauer & Fike; Ostrowski), and
  /// those that the matrix was made from within (2n−1)·κ(V)·2⁻⁵³·‖A‖_F more. Not judged where κ(V) is beyond 1e14.
  double eigenvalue_error = 0;
};

/// Norms of matrices are ‖·‖_F where no other is named. A number that does not exist is NaN; ulp = 2⁻⁵².
struct EigMetrics {
  double residual = not_a_number;       ///< ‖A·V − V·Λ‖/‖A‖; 0 for the zero matrix, as all such ratios
  double get22 = not_a_number;          ///< the same over n·ulp
  std::optional<double> left_residual;  ///< ‖Wᴴ·A − Λ·Wᴴ‖/‖A‖
  std::optional<double> left_get22;     ///< the same over n·ulp
  std::optional<double> similarity;     ///< ‖A·E − E·T‖/(‖A‖·‖E‖·n·ulp)
  double normalization = not_a_number;  ///< max|‖v‖₂ − 1|/ulp of the columns of V and W
  double trace_error = not_a_number;    ///< |Σλ − tr A|/‖A‖
  double departure = not_a_number;  ///< from normality, √(‖A‖² − Σ|λ|²)/‖A‖ with the λ computed (Henrici)
  double vector_condition = not_a_number;   ///< κ(V) = ‖V‖·‖V⁻¹‖/n ≥ 1; NaN where V is singular
  double largest_condition = not_a_number;  ///< of an eigenvalue: ‖row of V⁻¹‖₂·‖v‖₂
  double norm_2 = not_a_number;             ///< ‖A‖₂, six digits
  // Against the true eigenvalues, if they are known. A computed one stands for the true one that the matching of least
  // Σ|Δλ|, or of least Σ|Δλ|/max(|λ|, |λ_true|) for the relative error, gives it (the Hungarian method at every n).
  std::optional<double> eigenvalue_error;      ///< max|Δλ|/‖A‖₂
  std::optional<double> relative_error;        ///< max|Δλ|/|λ_true|, 0/0 is 0
  std::optional<double> error_over_condition;  ///< max|Δλ|/(‖A‖₂·the eigenvalue's condition)

  JudgePrecision precision = JudgePrecision::quad;
  JudgeDevice device = JudgeDevice::host;
  EigBounds bounds;
  Status verdict = Status::incorrect;  ///< passed or incorrect
  std::string message;                 ///< why not passed, one line
};

/// Judges what a solver made of a matrix. Errors are computed in extended precision; κ(V) and conditions, of which two
/// digits are enough, from an inverse in double. T is double or std::complex<double>.
/// Throws std::invalid_argument if shapes do not fit.
template <class T>
EigMetrics judge_eig(const GeneralMatrix<T>& matrix, const EigFactors& factors, const JudgeOptions& options = {});

}  // namespace pivotlab::experiments
