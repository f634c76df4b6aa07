// What can be chosen of the Hari–Zimmermann GSVD, and the names of the choices.
//
//   DHZ3-(MM-FB-ME)                       real, ID 3, modified modulus outside, full block, Mantharam–Eberlein inside
//   ZHZ0-(ME-BO-ME);w=32;sort=off         complex, block width 32, no column sorting
//   DHZ0-(RR-FB-RR);factor=qr             tiles shortened by QR instead of Gram + Cholesky
//
// An option that has its default value is not printed, so that print and parse are inverses.
// Source: Novaković & Singer, section 2.6, Table 1.
#pragma once

#include <pivotlab/scalar.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pivotlab {

/// When a transformation counts as "small" (section 2.5): C1 cos φ/t = cos ψ/t = 1, C2 cos φ = cos ψ = 1.
enum class Criterion { C1, C2 };
/// FB diagonalizes a tile (at most 30 inner sweeps), BO makes one inner sweep (section 2.3).
enum class Blocking { FB, BO };
/// Parallel pivot orders: generalized Mantharam–Eberlein, modified modulus, round robin.
enum class Strategy { ME, MM, RR };
/// How a tile's square factors arise (section 2.3): Gram matrix and Cholesky, the same with diagonal pivoting,
/// or the column-pivoted QR factorization of the block columns. Cholesky and pivoted fall back on QR for a tile
/// that is numerically not positive definite.
enum class TileFactor { cholesky, pivoted, qr };

/// What runs a variant: the processor's own code, the GPU's kernels on the processor (slow, the same bits as on the
/// GPU), the GPU.
enum class Backend { host, emulation, cuda };

/// One way to run the algorithm, a value with a name.
struct GsvdVariant {
  bool enhanced_dots = false;  ///< enhanced dot products (Appendix A); of complex columns only norms are enhanced
  bool prescaled = true;       ///< columns of G are scaled to unit norm first
  Criterion criterion = Criterion::C1;
  Strategy outer = Strategy::ME;
  Blocking blocking = Blocking::FB;
  Strategy inner = Strategy::ME;
  int width = 16;  ///< block width w: columns of a block column, even, 2 ≤ w ≤ 128
  bool sorting = true;
  TileFactor factor = TileFactor::cholesky;

  /// Table 1: bit 0 enhanced dot products, bit 1 unscaled columns, bit 2 criterion C2.
  int id() const;
  /// This variant with the three choices of an ID of Table 1: GsvdVariant{.width = 32}.with_id(3). Throws InputError
  /// for an ID that is not 0 to 7.
  GsvdVariant with_id(int id) const;

  friend bool operator==(const GsvdVariant&, const GsvdVariant&) = default;
};

std::string_view to_string(Strategy strategy);
std::string_view to_string(Blocking blocking);
std::string_view to_string(TileFactor factor);
std::string_view to_string(Backend backend);

/// Throws InputError, naming the choices, for an unknown name.
Backend parse_backend(std::string_view name);

/// The canonical name, e.g. "DHZ0-(ME-FB-ME);w=32".
std::string to_string(const GsvdVariant& variant, ScalarType type);

struct NamedGsvdVariant {
  ScalarType type;
  GsvdVariant variant;
  friend bool operator==(const NamedGsvdVariant&, const NamedGsvdVariant&) = default;
};

/// Parses a name; throws InputError, naming the nearest valid names, if there is no such variant.
NamedGsvdVariant parse_gsvd_variant(std::string_view name);

/// Throws InputError for a width out of range.
void require_valid(const GsvdVariant& variant);

/// One sentence on an ID of Table 1 for a scalar type (odd complex IDs enhance only the norms).
std::string describe(int id, ScalarType type);

/// Expands alternatives and ranges: "DHZ{0..7}-({ME,MM}-FB-ME);w={16,32}" gives 32 names, in the order written,
/// leftmost group slowest. A text without braces gives itself. Throws InputError for unbalanced or empty groups.
std::vector<std::string> expand_pattern(std::string_view pattern);

/// Expands a list of values and ranges: "0:7", "64,16:32:8" or "0.01:0.99:0.14,a0", ranges of exact decimals that rise
/// or fall; an item that is no range is a pattern. Throws InputError for empty items and ranges without values.
std::vector<std::string> expand_list(std::string_view list);

}  // namespace pivotlab
