// SPDX-License-Identifier: BSD-3-Clause
// Variants of the Hari–Zimmermann GSVD, and their names.
//
//   DHZ3-(MM-FB-ME)                       real, ID 3, modified modulus outside, full block, Mantharam–Eberlein inside
//   ZHZ0-(ME-BO-ME);w=32;sort=off         complex, block width 32, no column sorting
//   DHZ0-(RR-FB-RR);factor=qr             factors of tiles by QR instead of Gram matrix and Cholesky
//   DHZ0-(ME-FB-ME);w=32;mixed            first sweeps in single precision, corrections for the last, on GPUs and in
//                                         emulation
//   DHZ0-(ME-FB-ME);refine                σ to their last digit by Newton steps in two limbs
//
// An option that has its default value is not printed, so that print and parse are inverses.
// Source: Novaković & Singer, section 2.6, Table 1.
#pragma once

#include <pivotlab/scalar.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

/// Criterion for a small transformation (section 2.5): C1 cos φ/t = cos ψ/t = 1, C2 cos φ = cos ψ = 1. A transformation
/// that is not small is a big transformation.
enum class Criterion { C1, C2 };
/// FB (full block) diagonalizes a tile (at most 30 inner sweeps), BO (block-oriented) does one inner sweep (section
/// 2.3).
enum class Blocking { FB, BO };
/// Parallel pivot strategies: generalized Mantharam–Eberlein, modified modulus, round robin.
enum class Strategy { ME, MM, RR };
/// Computation of a tile's square factors (section 2.3): Gram matrix and Cholesky, the same with diagonal pivoting, or
/// column-pivoted QR of the block columns. `cholesky` and `pivoted` use QR for a tile that is numerically not positive
/// definite.
enum class TileFactor { cholesky, pivoted, qr };

/// The device that runs a variant: the processor's own code (host), the GPU's kernels on the processor (emulation:
/// slow, with the same bits as on the GPU), the GPU (cuda).
enum class Backend { host, emulation, cuda };

/// A variant of the algorithm: a value with a name.
struct GsvdVariant {
  bool enhanced_dots = false;  ///< enhanced dot products (Appendix A); for complex columns only norms are enhanced
  bool prescaled = true;       ///< columns of G are scaled to unit norm first
  Criterion criterion = Criterion::C1;
  Strategy outer = Strategy::ME;
  Blocking blocking = Blocking::FB;
  Strategy inner = Strategy::ME;
  int width = 16;  ///< w, the number of columns of a block column; even, 2 ≤ w ≤ 128
  bool sorting = true;
  TileFactor factor = TileFactor::cholesky;
  /// On a GPU and in emulation the first sweeps store F, G and Z in single precision; not over several ranks.
  bool mixed = false;
  bool refine = false;  ///< for double: refine values and vectors at the end (refine.hpp); not over several ranks

  /// Returns the ID of Table 1: bit 0 enhanced dot products, bit 1 unscaled columns, bit 2 criterion C2.
  int id() const;
  /// Returns this variant with the three options of an ID of Table 1: GsvdVariant{.width = 32}.with_id(3). Throws
  /// InputError unless the ID is 0 to 7.
  GsvdVariant with_id(int id) const;

  friend bool operator==(const GsvdVariant&, const GsvdVariant&) = default;
};

std::string_view to_string(Strategy strategy);
std::string_view to_string(Blocking blocking);
std::string_view to_string(TileFactor factor);
std::string_view to_string(Backend backend);

/// Parses "host", "emulation" or "cuda". Throws InputError with the valid names for an unknown name.
Backend parse_backend(std::string_view name);

/// Returns the canonical name, e.g. "DHZ0-(ME-FB-ME);w=32".
std::string to_string(const GsvdVariant& variant, ScalarType type);

struct NamedGsvdVariant {
  ScalarType type;
  GsvdVariant variant;
  friend bool operator==(const NamedGsvdVariant&, const NamedGsvdVariant&) = default;
};

/// Parses a name. Throws InputError with the nearest valid names if there is no such variant.
NamedGsvdVariant parse_gsvd_variant(std::string_view name);

/// Throws InputError for a width out of range.
void require_valid(const GsvdVariant& variant);

/// Returns one sentence about an ID of Table 1 for a scalar type (odd complex IDs enhance only the norms).
std::string describe(int id, ScalarType type);

/// Expands alternatives and ranges: "DHZ{0..7}-({ME,MM}-FB-ME);w={16,32}" gives 32 names in the written order; the
/// leftmost group varies slowest. A text without braces gives itself. Throws InputError for unbalanced or empty groups.
std::vector<std::string> expand_pattern(std::string_view pattern);

/// Expands an item of a list: a range "first:last:step" of exact decimals, which rises or falls, whose last number is
/// included when hit, and whose step is 1 when left out between integers; else a pattern. The ranges of patterns,
/// {0..7} or {0.1..0.9..0.2}, follow the same rules. Throws InputError for ranges without or with more than a million
/// values.
std::vector<std::string> expand_item(std::string_view item);

/// Splits "a,b{c,d},e(f, g)" at the commas outside braces and parentheses. Throws InputError for an empty item.
std::vector<std::string> split_list(std::string_view list);

/// Expands all items of a list: "0:7", "64,16:32:8", "0.01:0.99:0.14,a0".
std::vector<std::string> expand_list(std::string_view list);

}  // namespace pivotlab
