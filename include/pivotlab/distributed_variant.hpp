// What can be chosen of the Hari–Zimmermann GSVD on several GPUs or processes, and the names of the choices.
//
//   ZHZ0-(ME-BO, ME-FB-ME)         stripes by Mantharam–Eberlein, one sweep of ZHZ0-(ME-FB-ME) on each pair of stripes
//   DHZ0-(MM-FB, ME-BO-ME);w=32    stripes by modified modulus, each pair of stripes until it has converged
//   ZHZ0-(ME-BO, ME-FB-ME);pairs=once   as the first, but no pair of block columns twice in an outermost sweep
//   B                              a preset: ZHZ0-(ME-BO, ME-FB-ME)
//
// Source: Novaković & Singer, sections 4.1.4 and 5.3.2.
#pragma once

#include <pivotlab/variant.hpp>

#include <array>
#include <string>
#include <string_view>

namespace pivotlab {

/// The outermost level and what runs inside of it.
struct DistributedVariant {
  Strategy outermost = Strategy::ME;  ///< of the stripes, two for each rank
  Blocking stripes = Blocking::BO;    ///< FB: a pair of stripes until it has converged; BO: one sweep (section 4.1.4)
  GsvdVariant inner;                  ///< the single-GPU algorithm on a pair of stripes
  /// Pairs of block columns of one stripe are transformed in the first step of an outermost sweep alone: every pair
  /// once a sweep, as on a single GPU. Otherwise, as in the paper, in each of the 2s − 1 steps. Not with FB stripes.
  bool pairs_once = false;

  friend bool operator==(const DistributedVariant&, const DistributedVariant&) = default;
};

struct NamedDistributedVariant {
  ScalarType type;
  DistributedVariant variant;
  friend bool operator==(const NamedDistributedVariant&, const NamedDistributedVariant&) = default;
};

/// The paper's multi-GPU variants by their letters.
struct DistributedPreset {
  std::string_view letter;  ///< A, B, C, D
  NamedDistributedVariant named;
};
const std::array<DistributedPreset, 4>& distributed_presets();

/// The canonical name, e.g. "ZHZ0-(ME-BO, ME-FB-ME);w=32".
std::string to_string(const DistributedVariant& variant, ScalarType type);

/// Parses a name or a preset's letter, the space after the comma being optional; throws InputError, naming the nearest
/// valid names, if there is no such variant.
NamedDistributedVariant parse_distributed_variant(std::string_view name);

}  // namespace pivotlab
