// The inertia of a Hermitian matrix with a certificate: statements about the signs of its eigenvalues that are certain,
// by bounds that include all rounding errors.
//
// Factors P·A·Pᵀ = M·D·Mᴴ + E with ‖E‖₂ ≤ η have the inertia of D, which is known exactly. Eigenvalues of A farther
// from zero than η keep their signs (Weyl). D certifies the inertia of A if no eigenvalue of M·D·Mᴴ is within η of
// zero; otherwise A − τI and A + τI are factored, which enclose it (Sylvester, Weyl). docs/inertia.md has the details.
#pragma once

#include <pivotlab/ldlt.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pivotlab {

enum class InertiaStatus {
  certified,            ///< the inertia is the exact one of A; no eigenvalue is zero
  certified_near_zero,  ///< some eigenvalues are within a tiny interval around zero, all others far away
  undetermined,         ///< positive and negative are lower bounds, the other eigenvalues are within an interval around
                        ///< zero
};

/// The source of a bound of ‖P·A·Pᵀ − M·D·Mᴴ‖₂.
enum class ErrorBound {
  a_priori,  ///< rounding error analysis, O(n²) operations
  residual,  ///< the residual in double-double, about n³/3 products in extended precision
};

struct InertiaOptions {
  /// Order from which on the residual is not computed; the largest Index means always, 0 never.
  Index residual_limit = 4096;
  Backend backend = Backend::host;  ///< runs further factorizations and the bound of ‖M⁻¹‖₂
  int threads = 0;                  ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// The numbers from which an InertiaReport follows. All bounds include the rounding errors of their own evaluation.
struct InertiaEvidence {
  double eta = 0;  ///< bound of ‖P·A·Pᵀ − M·D·Mᴴ‖₂ of the given factors
  ErrorBound eta_from = ErrorBound::a_priori;
  /// min|λ(W⁻¹·D·W⁻¹)| and a bound of ‖(M·W)⁻¹‖₂, where W is diagonal with powers of two near √|λ(D)|. D certifies A if
  /// smallest_pivot > η·inverse_norm². inverse_norm is empty if it was not computed because D cannot certify A.
  double smallest_pivot = 0;
  std::optional<double> inverse_norm;
  std::optional<double> tau, tau_gap;  ///< shifts of the enclosure and of the gap beyond it; empty if not needed
  int factorizations = 1;              ///< the given one and those of shifted matrices
  bool equilibrated = false;           ///< the factors, and all numbers except the counts, belong to S·A·S
};

struct InertiaReport {
  InertiaStatus status = InertiaStatus::undetermined;
  /// positive and negative: lower bounds of the numbers of such eigenvalues of A. zero: number of all others, which are
  /// in [−below, above].
  Inertia inertia;
  double below = 0, above = 0;  ///< both 0 if there are no others
  double clear = 0;             ///< lower bound of the moduli of eigenvalues counted as positive or negative
  std::string reason = {};      ///< reason for undetermined, one line
  InertiaEvidence evidence = {};
};

/// Certifies the inertia of A (n × n, real symmetric or Hermitian) from its factors, computed with any pivoting and
/// backend. T is double or std::complex<double>. Further factorizations use rook pivoting; there are none if D
/// certifies A, otherwise 2 to 10, usually 2 or 4. Memory: three further n × n matrices. The result has the same bits
/// for any number of threads. Throws NotSupported for complex symmetric factors, InputError if the shapes do not fit.
template <class T>
InertiaReport certify_inertia(MatrixView<const T> A, const LdltFactorization<T>& factors,
                              const InertiaOptions& options = {});

std::string_view to_string(InertiaStatus status);
std::string_view to_string(ErrorBound bound);

/// Returns one line, e.g. "40 57 3 (certified: 3 eigenvalues within 3e-13 of zero, none other below 2e-3)" or "at least
/// 71 positive, 137 negative, 1 undetermined between -2e-15 and 1e-15". Bounds are rounded so that the statement
/// remains true.
std::string to_string(const InertiaReport& report);

}  // namespace pivotlab
