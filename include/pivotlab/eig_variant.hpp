// SPDX-License-Identifier: BSD-3-Clause
// Variants of the Jacobi-like eigendecomposition, and their names.
//
//   ZEIG-(RR)                        pair by pair: a shear, then a unitary transformation; a diagonal one ends a sweep
//   ZEIG-(ME);fused                  shear and unitary as one transformation, applied tile by tile
//   ZEIG-(RR);b=16                   by blocks of 16 rows and columns, so that matrix products do the work
//   ZEIG-(RR);b=16;balance=off;damping=0.5;exponent=0.25;refine
//   ZEIG-(RR);b=16;refine;extended   refinement with residuals in double-double
//   ZEIG-(RR);fused;shear=off        without one of the three transformations: shear, unitary, diagonal
//   ZEIG-(RR);b=16;finish            a Schur form by unitary transformations where sweeps do not suffice
//   ZEIG-(RR);b=16;mixed             on a GPU, too, the first sweeps in single precision
//
// An option that has its default value is not printed, so that print and parse are inverses. expand_pattern() expands
// ZEIG-({RR,ME,MM});b={8,16,32} and ZEIG-(RR){,;fused,;b=16}. Source: a poster on a parallel Jacobi method for general
// complex matrices on a GPU, after G. M. Shroff, Numer. Math. 58 (1990).
#pragma once

#include <pivotlab/variant.hpp>

#include <string>
#include <string_view>

namespace pivotlab {

/// Order of the transformations of a round. The three forms have the same fixed points, but not the same bits.
enum class EigForm {
  steps,   ///< all shears of a round on the whole matrix, then all its unitary transformations
  fused,   ///< shear·unitary as one transformation of each 2×2 tile of two pairs, in place
  blocked  ///< a whole inner sweep on 2b × 2b data, then matrix products
};

/// A variant of the iteration: a value with a name.
struct EigVariant {
  Strategy strategy = Strategy::RR;  ///< order of the pairs; for the blocked form outside and inside
  EigForm form = EigForm::blocked;
  int block = 16;       ///< b: 8, 16 or 32; blocked form only
  bool balance = true;  ///< diagonal transformations before the first sweep
  double damping = 1;   ///< in (0, 1], factor of the shears' parameter τ
  /// In (0, ½]: exponent of the diagonal transformations t_j = (h_j/g_j)^(exponent/2), four times per sweep.
  double exponent = 0.5;
  bool shear = true;  ///< shear, unitary, diagonal: false omits these transformations (ablation)
  bool unitary = true;
  bool diagonal = true;
  bool refine = false;    ///< Newton steps on eigenvalues and vectors at the end
  bool extended = false;  ///< residuals of these steps in double-double, rounded once; for matrices of double only
  /// If sweeps stagnate, or residuals exceed 10·n·ε·‖A‖_F, the iterate is replaced by the Schur form of QᴴAQ by the QR
  /// algorithm, where Q is the orthonormal factor of E.
  bool finish = false;
  /// On emulation and cuda, too, the first sweeps are in single precision, unless left vectors are requested or E is
  /// too ill-conditioned; blocked form only. On the host it changes nothing: the blocked form always begins so there.
  bool mixed = false;

  friend bool operator==(const EigVariant&, const EigVariant&) = default;
};

/// Returns the canonical name, e.g. "ZEIG-(RR);b=16".
std::string to_string(const EigVariant& variant);

/// Parses a name, ignoring case. Throws InputError with the nearest valid names if there is no such variant.
EigVariant parse_eig_variant(std::string_view name);

/// Throws InputError for a block, damping or exponent out of range.
void require_valid(const EigVariant& variant);

/// Returns one sentence about a form.
std::string_view describe(EigForm form);

}  // namespace pivotlab
