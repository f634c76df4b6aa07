// SPDX-License-Identifier: BSD-3-Clause
// Variants of the one-sided hyperbolic Jacobi methods, and their names.
//
//   HSVD-ME-BO                      hyperbolic SVD of a given (G, J): blocked, one inner sweep (block-oriented)
//   HSVD-ME-FB;w=16;factor=qr       inner sweeps until none is needed (full block), factors of tiles by QR
//   HSVD-RR-PT;qrp                  pair by pair on whole columns, preconditioned by a pivoted QR factorization
//   HSVD-ME-BO;exact                preconditioned by singular vectors in exact products, for dense matrices
//   HSVD-ME-BO;exact;spectral       by eigenvectors of G*G, exact products and Newton steps; the iteration if they fail
//   HSVD-ME-BO;refine               singular values to their last digit by Newton steps in two limbs
//   HSVD-ME-BO;sort=off             columns keep their places
//   HEV-RK-ME-BO;w=16;spectral      eigensolver: rook pivoting for A = G·J·G*, preconditioner from LAPACK's xSYEVD
//   HEV-CP-MM-FB;fix                complete pivoting; a Newton step makes each tile's transformation J-unitary
//   HEV-2STAGE                      eigensolver on a GPU by a band and a tridiagonal matrix: fast, normwise accurate
//   GHSVD-TR-ME-BO;w=16             generalized hyperbolic SVD by tangent reduction and the iteration on (G, J)
//   GHSVD-HZ-ME-PT                  the same by the implicit Hari–Zimmermann method, pair by pair on whole columns
//
// An option that has its default value is not printed, so that print and parse are inverses.
// Source: Novaković & Singer, "A GPU-based hyperbolic SVD algorithm", BIT 51 (2011); Singer, Di Napoli, Novaković &
// Čaklović, "The LAPW method with eigendecomposition based on the Hari–Zimmermann generalized hyperbolic SVD", SIAM J.
// Sci. Comput. 42 (2020).
#pragma once

#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/variant.hpp>

#include <string>
#include <string_view>

namespace pivotlab {

/// Order of the transformations: PT (pointwise) transforms pairs of whole columns; FB and BO transform tiles of 2w
/// columns, with inner sweeps until one has no big transformation (FB), or with one inner sweep (BO).
enum class JacobiForm { PT, FB, BO };

/// A variant of the iteration on (G, J): a value with a name.
struct HsvdVariant {
  Strategy strategy = Strategy::ME;  ///< order of the pairs, of block columns and inside a tile
  JacobiForm form = JacobiForm::BO;
  int width = 32;  ///< w, the number of columns of a block column; even, 2 ≤ w ≤ 128; no effect with PT
  /// Exchange columns of equal signs where that makes J·‖g_j‖² descend, which saves sweeps. No effect with RR, where it
  /// would add some.
  bool sorting = true;
  /// Factor of a tile: Cholesky of the Gram matrix, or QR; `pivoted` is not a choice. No effect with PT.
  TileFactor factor = TileFactor::cholesky;
  /// Correct the transformation V of a tile by one Newton step towards V*JV = J. No effect with PT.
  bool fix = false;
  /// For J = ±I: factor G by QR with column pivoting, its R by LQ, and iterate on L.
  bool qrp = false;
  /// For J = ±I and double: multiply G by approximate singular vectors in exact products, so that small σ of any dense
  /// matrix have their digits.
  bool exact = false;
  /// With exact: the first singular vectors are LAPACK's or cuSOLVER's eigenvectors of G*G, and rotations of all pairs
  /// at once follow in place of sweeps. The bits are then those of the library and its version.
  bool spectral = false;
  /// For J = I and double: refine values and vectors at the end (refine.hpp), so that every σ that G determines has all
  /// its digits.
  bool refine = false;

  friend bool operator==(const HsvdVariant&, const HsvdVariant&) = default;
};

/// A variant of the eigensolver: a value with a name.
struct EighVariant {
  /// Selects complete or rook pivoting for A = G·J·G*, or, as none, the eigensolver in two stages, which has no G.
  Pivoting pivoting = Pivoting::rook;
  HsvdVariant sweeps = {};  ///< the iteration on (G, J)
  /// Multiply G by a J-unitary matrix from LAPACK's eigenvectors first. The bits are then those of the library and its
  /// version.
  bool spectral = false;
  /// For double: refine values and vectors at the end (refine.hpp), so that every eigenvalue that A determines has all
  /// its digits.
  bool refine = false;

  friend bool operator==(const EighVariant&, const EighVariant&) = default;
};

/// Returns whether a variant is HEV-2STAGE, with or without `refine`.
constexpr bool is_two_stage(const EighVariant& variant) {
  return variant.pivoting == Pivoting::none;
}

/// Method of the generalized hyperbolic SVD: tangent reduction, or the implicit Hari–Zimmermann method on both
/// matrices.
enum class GhsvdMethod { tangent, hari_zimmermann };

/// Arithmetic of T = B*JB and of its factorization in the tangent reduction: double-double for double, Quad for Quad,
/// or that of the scalar.
enum class TangentPrecision { extended, working };

/// A variant of the generalized hyperbolic SVD: a value with a name.
struct GhsvdVariant {
  GhsvdMethod method = GhsvdMethod::tangent;
  HsvdVariant sweeps = {};  ///< the iteration; hari_zimmermann has the form PT only, and does not sort
  TangentPrecision precision = TangentPrecision::extended;  ///< no effect with hari_zimmermann

  friend bool operator==(const GhsvdVariant&, const GhsvdVariant&) = default;
};

/// Returns "PT", "FB" or "BO".
std::string_view to_string(JacobiForm form);

/// Returns the canonical name, e.g. "HSVD-ME-BO;w=16" or "HEV-RK-ME-BO".
std::string to_string(const HsvdVariant& variant);
std::string to_string(const EighVariant& variant);
std::string to_string(const GhsvdVariant& variant);

/// Parse a name, ignoring case. Throw InputError with the nearest valid names if there is no such variant.
HsvdVariant parse_hsvd_variant(std::string_view name);
EighVariant parse_eigh_variant(std::string_view name);
GhsvdVariant parse_ghsvd_variant(std::string_view name);

/// Throw InputError for a width out of range, and for a factor, a pivoting or a form that is not a choice.
void require_valid(const HsvdVariant& variant);
void require_valid(const EighVariant& variant);
void require_valid(const GhsvdVariant& variant);

}  // namespace pivotlab
