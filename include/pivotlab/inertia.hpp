// SPDX-License-Identifier: BSD-3-Clause
// The inertia of a Hermitian matrix with a certificate: statements about the signs of its eigenvalues that are certain,
// by bounds that include all rounding errors, or by exact arithmetic.
//
// Factors P·A·Pᵀ = M·D·Mᴴ + E with ‖E‖₂ ≤ η have the inertia of D, which is known exactly. Eigenvalues of A farther
// from zero than η keep their signs (Weyl). D certifies the inertia of A if no eigenvalue of M·D·Mᴴ is within η of
// zero; otherwise A − τI and A + τI are factored, which enclose it (Sylvester, Weyl). What they leave open is decided
// by arithmetic modulo primes or, where that takes too long, enclosed in double-double. docs/reference/inertia.md has
// the details.
#pragma once

#include <pivotlab/ldlt.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pivotlab {

enum class InertiaStatus {
  certified,            ///< positive, negative and zero are the inertia of A
  certified_near_zero,  ///< some eigenvalues are within a tiny interval around zero, all others far away
  undetermined,         ///< some eigenvalues are within an interval around zero, and others may be near
};

/// The source of a bound of ‖P·A·Pᵀ − M·D·Mᴴ‖₂.
enum class ErrorBound {
  a_priori,  ///< rounding error analysis, O(n²) operations
  residual,  ///< the residual in double-double, about n³/3 products in extended precision
};

/// The arithmetic of a certificate.
enum class InertiaLevel { in_double, in_double_double, exact };

struct InertiaOptions {
  InputTriangle triangle = InputTriangle::whole;  ///< the part of A that is read
  /// Whether the bounds belong to S·A·S, S = diag(2^s), which decides more, or to A. Both are scaled exactly.
  bool equilibrate = true;
  /// Levels of a random butterfly U: factors of Uᵀ·A·U without a search (ldlt.hpp) are tried first. They take less
  /// time, and certify less. Without a value they are not tried.
  std::optional<int> unsearched_depth = {};
  InertiaLevel highest = InertiaLevel::exact;  ///< the last arithmetic to be tried
  /// Order from which on the residual is not computed; the largest Index means always, 0 never.
  Index residual_limit = 4096;
  Index double_double_limit = 512;     ///< largest order that is factored in double-double
  double most_exact_operations = 8e9;  ///< products modulo a prime; a core does about 1e9 a second
  Backend backend = Backend::host;     ///< runs factorizations in double and the bound of ‖M⁻¹‖₂
  int threads = 0;                     ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// The numbers from which an InertiaReport follows. All bounds include the rounding errors of their own evaluation.
struct InertiaEvidence {
  InertiaLevel level = InertiaLevel::in_double;
  double eta = 0;  ///< bound of ‖P·A·Pᵀ − M·D·Mᴴ‖₂ of the first factors
  ErrorBound eta_from = ErrorBound::a_priori;
  /// min|λ(W⁻¹·D·W⁻¹)| and a bound of ‖(M·W)⁻¹‖₂, where W is diagonal with powers of two near √|λ(D)|. D certifies A if
  /// smallest_pivot > η·inverse_norm². inverse_norm is empty if it was not computed because D cannot certify A.
  double smallest_pivot = 0;
  std::optional<double> inverse_norm;
  std::optional<double> tau, tau_gap;  ///< shifts of the enclosure and of the gap beyond it; empty if not needed
  int factorizations = 0;              ///< in double and double-double
  bool equilibrated = false;           ///< all numbers except the counts belong to S·A·S
  bool without_search = false;         ///< factors without a search certify A
};

struct InertiaReport {
  InertiaStatus status = InertiaStatus::undetermined;
  /// positive and negative: at least so many eigenvalues of A; zero: number of all others. They are zero only if the
  /// inertia is certified.
  Inertia inertia;
  Index near_zero = 0;          ///< so many eigenvalues are in [−below, above]; inertia.zero if it is not certified
  double below = 0, above = 0;  ///< 0 without such eigenvalues
  double clear = 0;             ///< lower bound of the moduli of all other eigenvalues
  std::string reason = {};      ///< reason for undetermined, one line
  InertiaEvidence evidence = {};

  /// Returns a bound of the moduli of the eigenvalues near zero.
  double within() const { return below < above ? above : below; }
};

/// Certifies the inertia of A (n × n, real symmetric or Hermitian). T is double or std::complex<double>. Takes one
/// factorization by rook pivoting, or without a search, if D certifies A, otherwise up to 9 in double and 4 in
/// double-double, and elimination modulo primes. Memory: three n × n matrices. The result has the same bits for any
/// number of threads. Throws InputError for what ldlt() refuses: matrices that are not square, finite and Hermitian.
template <class T>
InertiaReport certify_inertia(MatrixView<const T> A, const InertiaOptions& options = {});

/// The smallest shift found that gives a matrix an inertia.
struct InertiaShift {
  std::optional<double> shift;  ///< certified to give it; empty if there is none
  double too_small = 0;         ///< the largest shift, in modulus, that was tried and is not certified to give it
  int certificates = 0;         ///< number of shifts tried
  std::string reason = {};      ///< why there is none, one line
  InertiaReport report = {};    ///< of the shifted matrix
};

/// Finds the smallest δ for which A + δ·diag(I, 0), I of order `rows`, has the inertia (positive, negative, 0), by
/// bisection over certificates to a relative 2⁻²⁰. Of a KKT matrix [H, Aᵀ; A, −C] with H n × n, rows = n regularizes H,
/// and δ ≥ 0; with rows = the order of A the shift may be negative. δ is added in double, and the certificate is that
/// of the rounded matrix. Throws InputError unless 0 ≤ rows ≤ order and positive + negative is the order, and for what
/// certify_inertia() refuses.
template <class T>
InertiaShift shift_for_inertia(MatrixView<const T> A, Index positive, Index negative, Index rows,
                               const InertiaOptions& options = {});

std::string_view to_string(InertiaStatus status);
std::string_view to_string(ErrorBound bound);
std::string_view to_string(InertiaLevel level);

/// Returns one line, e.g. "72 137 0 (certified: no eigenvalue within 1e-5 of zero)" or "positive >= 40, negative >= 57,
/// within 3e-13 of zero: 3 (none other below 2e-3)". Bounds are rounded so that the statement remains true.
std::string to_string(const InertiaReport& report);

}  // namespace pivotlab
