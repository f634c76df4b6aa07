// A name is that of a single-GPU variant with the outermost level, such as "ME-BO, ", after its opening parenthesis,
// and the outermost level's option among the others.
#include <pivotlab/distributed_variant.hpp>

#include <support/text/nearest.hpp>
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

constexpr std::string_view once_option = ";pairs=once";

/// Takes the option out of the name if it is there.
bool take_once(std::string& name) {
  const std::size_t at = lower_case(name).find(once_option), end = at + once_option.size();
  if (at == std::string::npos || (end < name.size() && name[end] != ';')) return false;
  name.erase(at, once_option.size());
  return true;
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
  name.insert(name.find('(') + 1, outermost_name(variant.outermost, variant.stripes) + ", ");
  return variant.pairs_once ? name.append(once_option) : name;
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
  std::string inner_name = std::string(name.substr(0, open + 1)).append(rest);
  const bool once = take_once(inner_name);
  if (once && outermost.blocking == Blocking::FB)
    reject_variant(name, "option 'pairs=once'",
                   fmt::format("a pair of stripes that is swept until it has converged has all its pairs in every "
                               "sweep; take {}",
                               outermost_name(outermost.strategy, Blocking::BO)));
  const NamedGsvdVariant inner = parse_gsvd_variant(inner_name);
  return {inner.type, {outermost.strategy, outermost.blocking, inner.variant, once}};
}

}  // namespace pivotlab
