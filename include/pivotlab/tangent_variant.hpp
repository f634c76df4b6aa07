// SPDX-License-Identifier: BSD-3-Clause
// Variants of the GSVD by tangent reduction, and their names.
//
//   DGT-(auto)                     real; one QR of B = F·R⁻¹, or two where the diagonal of its factor spans 1e7
//   ZGT-(L);groups=on;ratio=1e6    complex, two QRs, first vectors by groups of columns whose norms differ by 1e6
//   DGT-(R1);tail=0.1              one QR; the last tenth of the columns has its Gram matrix diagonalized once more
//   DGT-(auto);qr=pivoted          QRs of G and of B with column pivoting
//   DGT-(auto);refine              σ to their last digit by Newton steps in two limbs
//
// An option that has its default value is not printed, so that print and parse are inverses. The parts that a library
// computes (QR, products, eigenvectors) have the bits of that library and its version.
// Source: Drmač, "A tangent algorithm for computing the generalized singular value decomposition" (1998), with the SVD
// by a preconditioner from the right and Newton steps.
#pragma once

#include <pivotlab/scalar_traits.hpp>

#include <string>
#include <string_view>

namespace pivotlab {

/// The matrix M whose SVD is computed: r1 is the factor of B·P = Q₁·R₁, l that of R₁ᴴ = Q₂·Lᴴ. automatic takes r1 where
/// max|r_ii|/min|r_ii| < 1e7, else l.
enum class TangentPath { automatic, r1, l };

/// How the first vectors arise: eigenvectors of the whole Gram matrix MᴴM, or of those of groups of columns of similar
/// norm. automatic takes groups where the norms of M's columns span 1e9 or more.
enum class TangentGroups { automatic, off, on };

/// The QR factorizations of G and of B = F·R⁻¹. sorted orders the columns once, by norm; pivoted chooses each column
/// among the remaining ones, after scaling the columns of the pair so that those of F have norms in [1, 2): more
/// accurate σ for row-graded and for sparse matrices, but slower. On the host by LAPACK's xGEQP3, on a GPU by the norms
/// of a random sketch (Duersch and Gu, SIAM J. Sci. Comput. 39 (2017)), up to 20480 rows.
enum class TangentQr { sorted, pivoted };

/// One way to run the algorithm, a value with a name.
struct TangentVariant {
  TangentPath path = TangentPath::automatic;
  TangentGroups groups = TangentGroups::automatic;
  double ratio = 1e4;  ///< in (1, 1e15]: largest ratio of the norms of a group's columns
  /// In [0, 1]: the fraction of the columns, those of smallest norm, whose Gram matrix is diagonalized once more after
  /// that of all columns. The option has no effect with groups.
  double tail = 0.4;
  TangentQr qr = TangentQr::sorted;
  bool refine = false;  ///< refine values and vectors at the end (refine.hpp)

  friend bool operator==(const TangentVariant&, const TangentVariant&) = default;
};

struct NamedTangentVariant {
  ScalarType type = ScalarType::d;
  TangentVariant variant;
  friend bool operator==(const NamedTangentVariant&, const NamedTangentVariant&) = default;
};

/// "auto", "R1", "L".
std::string_view to_string(TangentPath path);

/// The canonical name, e.g. "DGT-(auto);ratio=100000".
std::string to_string(const TangentVariant& variant, ScalarType type);

/// Parses a name, in any case; throws InputError, naming the nearest valid names, if there is no such variant.
NamedTangentVariant parse_tangent_variant(std::string_view name);

/// Throws InputError for a ratio or a tail out of range.
void require_valid(const TangentVariant& variant);

}  // namespace pivotlab
