// SPDX-License-Identifier: BSD-3-Clause
// Variants of the Hari–Zimmermann GSVD on several GPUs or processes, and their names.
//
//   ZHZ0-(ME-BO, ME-FB-ME)         stripes by Mantharam–Eberlein, one sweep of ZHZ0-(ME-FB-ME) on each pair of stripes
//   DHZ0-(MM-FB, ME-BO-ME);w=32    stripes by modified modulus, each pair of stripes until it has converged
//   ZHZ0-(ME-BO, ME-FB-ME);pairs=once   the first, but each pair of block columns once per outermost sweep
//   B                              a preset: ZHZ0-(ME-BO, ME-FB-ME)
//
// Source: Novaković & Singer, sections 4.1.4 and 5.3.2.
#pragma once

#include <pivotlab/variant.hpp>

#include <array>
#include <string>
#include <string_view>

namespace pivotlab {

/// The options of the outermost level and of the single-GPU algorithm.
struct DistributedVariant {
  Strategy outermost = Strategy::ME;  ///< order of the stripes, two for each rank
  Blocking stripes = Blocking::BO;    ///< FB: a pair of stripes until it has converged; BO: one sweep (section 4.1.4)
  GsvdVariant inner;                  ///< the single-GPU algorithm on a pair of stripes
  /// true: pairs of block columns within one stripe are transformed only in the first step of an outermost sweep, so
  /// every pair is transformed once per sweep, as on a single GPU. false: they are transformed in each of the 2s − 1
  /// steps, as in the paper. FB stripes require false.
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

/// Returns the canonical name, e.g. "ZHZ0-(ME-BO, ME-FB-ME);w=32".
std::string to_string(const DistributedVariant& variant, ScalarType type);

/// Parses a name or a preset's letter; the space after the comma is optional. Throws InputError with the nearest valid
/// names if there is no such variant.
NamedDistributedVariant parse_distributed_variant(std::string_view name);

}  // namespace pivotlab
