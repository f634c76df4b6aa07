// Every name is one of 288 heads, such as DHZ0-(ME-FB-ME), and options out of a few dozen, such as w=32. So a name is
// parsed by looking it up, and the tables that say what is valid also say what is nearest to something that is not.
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <support/text/nearest.hpp>
#include <variants/option_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>

namespace pivotlab {
namespace {

constexpr int ids = 8;
constexpr int min_width = 2, max_width = 128;
constexpr std::array strategies{Strategy::ME, Strategy::MM, Strategy::RR};
constexpr std::array blockings{Blocking::FB, Blocking::BO};
constexpr std::array backends{Backend::host, Backend::emulation, Backend::cuda};
constexpr std::array factors{TileFactor::cholesky, TileFactor::pivoted, TileFactor::qr};

std::string head_name(const GsvdVariant& variant, ScalarType type) {
  return fmt::format("{}HZ{}-({}-{}-{})", type == ScalarType::z ? 'Z' : 'D', variant.id, to_string(variant.outer),
                     to_string(variant.blocking), to_string(variant.inner));
}

struct Head {
  std::string name;
  NamedGsvdVariant value;
};

std::vector<Head> all_heads() {
  std::vector<Head> heads;
  for (const ScalarType type : {ScalarType::d, ScalarType::z})
    for (int id = 0; id < ids; ++id)
      for (const Strategy outer : strategies)
        for (const Blocking blocking : blockings)
          for (const Strategy inner : strategies) {
            const GsvdVariant variant{.id = id, .outer = outer, .blocking = blocking, .inner = inner};
            heads.push_back({head_name(variant, type), {type, variant}});
          }
  return heads;
}

std::string width_option(int width) {
  return fmt::format("w={}", width);
}
std::string sorting_option(bool sorting) {
  return sorting ? "sort=on" : "sort=off";
}
std::string factor_option(TileFactor factor) {
  return fmt::format("factor={}", to_string(factor));
}

struct Option {
  std::string name;
  std::function<void(GsvdVariant&)> set;
};

std::vector<Option> all_options() {
  std::vector<Option> options;
  for (int width = min_width; width <= max_width; width += 2)
    options.push_back({width_option(width), [=](GsvdVariant& variant) { variant.width = width; }});
  for (const bool sorting : {true, false})
    options.push_back({sorting_option(sorting), [=](GsvdVariant& variant) { variant.sorting = sorting; }});
  for (const TileFactor factor : factors)
    options.push_back({factor_option(factor), [=](GsvdVariant& variant) { variant.factor = factor; }});
  return options;
}

/// The entry of that name, or none.
template <class Entry>
const Entry* find(const std::vector<Entry>& entries, std::string_view name) {
  const auto has_name = [wanted = lower_case(name)](const Entry& entry) { return lower_case(entry.name) == wanted; };
  const auto found = std::ranges::find_if(entries, has_name);
  return found == entries.end() ? nullptr : &*found;
}

template <class Entry>
std::vector<std::string_view> names_of(const std::vector<Entry>& entries) {
  std::vector<std::string_view> names;
  for (const Entry& entry : entries) names.push_back(entry.name);
  return names;
}

// How far the text agrees with the beginning of some head.
std::size_t agreement(std::string_view text, const std::vector<Head>& heads) {
  const std::string wanted = lower_case(text);
  std::size_t longest = 0;
  for (const Head& head : heads) {
    const std::string name = lower_case(head.name);
    const auto [end, unused] = std::ranges::mismatch(wanted, name);
    longest = std::max(longest, static_cast<std::size_t>(end - wanted.begin()));
  }
  return longest;
}

NamedGsvdVariant parse_head(std::string_view head, std::string_view name) {
  static const std::vector<Head> heads = all_heads();
  if (const Head* found = find(heads, head)) return found->value;
  const std::string_view rest = head.substr(agreement(head, heads));
  reject_variant(name, rest.empty() ? "at its end" : fmt::format("at '{}'", rest),
                 fmt::format("no such variant; {}", nearest_text(head, names_of(heads))));
}

void parse_option(std::string_view option, std::string_view name, GsvdVariant& variant) {
  static const std::vector<Option> options = all_options();
  if (const Option* found = find(options, option)) return found->set(variant);
  reject_variant(
      name, fmt::format("option '{}'", option),
      fmt::format("no such option; there are w={}, {}, …, {}, sort=on|off and factor=cholesky|pivoted|qr; {}",
                  min_width, min_width + 2, max_width, nearest_text(option, names_of(options))));
}

}  // namespace

std::string_view to_string(Strategy strategy) {
  switch (strategy) {
    case Strategy::ME:
      return "ME";
    case Strategy::MM:
      return "MM";
    case Strategy::RR:
      return "RR";
  }
  return "?";
}

std::string_view to_string(Blocking blocking) {
  return blocking == Blocking::FB ? "FB" : "BO";
}

std::string_view to_string(TileFactor factor) {
  switch (factor) {
    case TileFactor::cholesky:
      return "cholesky";
    case TileFactor::pivoted:
      return "pivoted";
    case TileFactor::qr:
      return "qr";
  }
  return "?";
}

std::string_view to_string(Backend backend) {
  switch (backend) {
    case Backend::host:
      return "host";
    case Backend::emulation:
      return "emulation";
    case Backend::cuda:
      return "cuda";
  }
  return "?";
}

Backend parse_backend(std::string_view name) {
  for (const Backend backend : backends)
    if (lower_case(to_string(backend)) == lower_case(name)) return backend;
  throw InputError(fmt::format("unknown backend '{}'; take host, emulation or cuda", name));
}

std::string to_string(const GsvdVariant& variant, ScalarType type) {
  constexpr GsvdVariant usual;
  std::string name = head_name(variant, type);
  const auto append = [&name](const std::string& option) { name.append(";").append(option); };
  if (variant.width != usual.width) append(width_option(variant.width));
  if (variant.sorting != usual.sorting) append(sorting_option(variant.sorting));
  if (variant.factor != usual.factor) append(factor_option(variant.factor));
  return name;
}

NamedGsvdVariant parse_gsvd_variant(std::string_view name) {
  std::size_t end = std::min(name.find(';'), name.size());
  NamedGsvdVariant result = parse_head(name.substr(0, end), name);
  std::set<std::string> keys;
  while (end < name.size()) {
    const std::size_t begin = end + 1;
    end = std::min(name.find(';', begin), name.size());
    const std::string_view option = name.substr(begin, end - begin);
    parse_option(option, name, result.variant);
    const std::string key = lower_case(option.substr(0, option.find('=')));
    if (!keys.insert(key).second)
      reject_variant(name, fmt::format("option '{}'", option), fmt::format("{} is given twice; keep one of them", key));
  }
  return result;
}

std::string describe(int id, ScalarType type) {
  if (id < 0 || id >= ids) throw InputError(fmt::format("variant: ID {}: not in Table 1; use 0 to {}", id, ids - 1));
  const GsvdVariant variant{.id = id};
  const std::string_view enhanced =
      type == ScalarType::z ? "enhanced norms and ordinary dot products" : "enhanced dot products";
  return fmt::format("Convergence by {}, columns of G {}, {}.",
                     variant.criterion() == Criterion::C1 ? "C1 (cos φ/t = cos ψ/t = 1)" : "C2 (cos φ = cos ψ = 1)",
                     variant.prescaled() ? "prescaled to unit norm" : "not scaled",
                     variant.enhanced_dots() ? enhanced : "ordinary dot products");
}

}  // namespace pivotlab
