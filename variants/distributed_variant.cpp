// SPDX-License-Identifier: BSD-3-Clause
// Names of the GSVD on several GPUs: those of the single-GPU variants with the outermost level in front.
#include <pivotlab/distributed_variant.hpp>
#include <variants/gsvd_rows.hpp>
#include <variants/names.hpp>

#include <fmt/format.h>

#include <array>

namespace pivotlab {
namespace {

std::vector<VariantRow<DistributedVariant>> distributed_rows() {
  std::vector<VariantRow<DistributedVariant>> outermost{
      {choice(&DistributedVariant::outermost, strategies),
       {.name = "outermost", .description = "Strategy of the stripes over ranks"}},
      {choice(&DistributedVariant::stripes, blockings),
       {.name = "stripes", .description = "FB: a pair of stripes is swept until convergence; BO: one sweep"}}};
  return joined<DistributedVariant>(
      joined<DistributedVariant>(std::move(outermost), within(&DistributedVariant::inner, gsvd_rows())),
      {{flag(&DistributedVariant::pairs_once),
        {.name = "pairs_once",
         .key = "pairs=once",
         .help = "No pair of block columns twice in a sweep over all ranks: less work, not the paper's",
         .written = Written::never,
         .applies = {{"stripes", "BO",
                      "a pair of stripes that is swept until it has converged has all its pairs in every sweep"}}}}});
}

std::string_view how_long(Blocking blocking) {
  return blocking == Blocking::FB ? "until it has converged" : "for one sweep";
}

}  // namespace

const Grammar<NamedDistributedVariant>& distributed_names() {
  using Named = NamedDistributedVariant;
  static const Grammar<Named> grammar = [] {
    std::vector<Grammar<Named>::NamedPreset> presets;
    for (const auto& [letter, named] : distributed_presets()) presets.push_back({std::string(letter), named});
    return Grammar<Named>(
        "{type}HZ{id}-({outermost}-{stripes}, {outer}-{blocking}-{inner})",
        joined<Named>({type_row<Named>()}, within(&Named::variant, distributed_rows())),
        [](const Named& named) {
          return fmt::format("over ranks; a pair of stripes {}, a tile {}.", how_long(named.variant.stripes),
                             how_long(named.variant.inner.blocking));
        },
        presets);
  }();
  return grammar;
}

const std::array<DistributedPreset, 4>& distributed_presets() {
  const auto preset = [](std::string_view letter, Blocking stripes, Blocking blocking) {
    const DistributedVariant variant{.stripes = stripes, .inner = {.blocking = blocking}};
    return DistributedPreset{letter, {ScalarType::z, variant}};
  };
  static const std::array presets{preset("A", Blocking::FB, Blocking::FB), preset("B", Blocking::BO, Blocking::FB),
                                  preset("C", Blocking::FB, Blocking::BO), preset("D", Blocking::BO, Blocking::BO)};
  return presets;
}

std::string to_string(const DistributedVariant& variant, ScalarType type) {
  return distributed_names().print({type, variant});
}

NamedDistributedVariant parse_distributed_variant(std::string_view name) {
  return distributed_names().parse(name);
}

}  // namespace pivotlab
