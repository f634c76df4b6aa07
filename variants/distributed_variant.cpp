// A name is that of a single-GPU variant with the outermost level, such as "ME-BO, ", after its opening parenthesis.
#include <pivotlab/distributed_variant.hpp>

#include <kernels/text/nearest.hpp>
#include <variants/option_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pivotlab {
namespace {

struct Outermost {
  std::string name;
  Strategy strategy;
  Blocking blocking;
};

std::string outermost_name(Strategy strategy, Blocking blocking) {
  return fmt::format("{}-{}", to_string(strategy), to_string(blocking));
}

std::vector<Outermost> all_outermost() {
  std::vector<Outermost> all;
  for (const Strategy strategy : {Strategy::ME, Strategy::MM, Strategy::RR})
    for (const Blocking blocking : {Blocking::FB, Blocking::BO})
      all.push_back({outermost_name(strategy, blocking), strategy, blocking});
  return all;
}

const Outermost& parse_outermost(std::string_view text, std::string_view name) {
  static const std::vector<Outermost> all = all_outermost();
  const auto found = std::ranges::find(all, lower_case(text), [](const auto& o) { return lower_case(o.name); });
  if (found != all.end()) return *found;
  std::vector<std::string_view> names;
  for (const Outermost& outermost : all) names.push_back(outermost.name);
  reject_variant(name, fmt::format("outermost level '{}'", text),
                 fmt::format("no such strategy and blocking; {}", nearest_text(text, names)));
}

}  // namespace

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
  std::string name = to_string(variant.inner, type);
  return name.insert(name.find('(') + 1, outermost_name(variant.outermost, variant.stripes) + ", ");
}

NamedDistributedVariant parse_distributed_variant(std::string_view name) {
  for (const DistributedPreset& preset : distributed_presets())
    if (lower_case(preset.letter) == lower_case(name)) return preset.named;
  const std::size_t open = name.find('('), comma = name.find(',');
  if (open == std::string_view::npos || comma == std::string_view::npos || comma < open)
    reject_variant(name, "no outermost level",
                   "write it before the others, as in ZHZ0-(ME-BO, ME-FB-ME), or one of A, B, C, D");
  const Outermost& outermost = parse_outermost(name.substr(open + 1, comma - open - 1), name);
  std::string_view rest = name.substr(comma + 1);
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const NamedGsvdVariant inner = parse_gsvd_variant(std::string(name.substr(0, open + 1)).append(rest));
  return {inner.type, {outermost.strategy, outermost.blocking, inner.variant}};
}

}  // namespace pivotlab
