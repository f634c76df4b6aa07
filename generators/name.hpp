// SPDX-License-Identifier: BSD-3-Clause
// Names of generators, "kind;option=value;…", and the values of their options.
#pragma once

#include <algorithm>
#include <complex>
#include <limits>
#include <map>
#include <pivotlab/generate.hpp>
#include <string>
#include <string_view>
#include <support/text/number.hpp>
#include <vector>

namespace pivotlab {

/// An option has one of its choices or, if there are none, a number within its bounds.
struct GeneratorOption {
  std::string name, default_value, summary;
  std::vector<std::string> choices = {};
  double min = 0, max = std::numeric_limits<double>::infinity();
};

/// The valid options of one generator: the given ones and the defaults of the others.
class OptionValues {
 public:
  using Map = std::map<std::string, std::string, std::less<>>;
  OptionValues(Map changed, Map defaults) : changed_(std::move(changed)), defaults_(std::move(defaults)) {}

  bool changed(std::string_view option) const { return changed_.contains(option); }
  const std::string& text(std::string_view option) const {
    return (changed(option) ? changed_ : defaults_).find(option)->second;
  }
  double number(std::string_view option) const { return leading_number(text(option)).value; }

 private:
  Map changed_, defaults_;
};

struct GeneratorName {
  std::string kind;
  OptionValues options;
  std::string canonical;  ///< options sorted, defaults omitted, numbers as short as possible
};

/// The options of every kind of a family, by the kind's name.
using GeneratorCatalog = std::map<std::string, std::vector<GeneratorOption>, std::less<>>;

const GeneratorCatalog& pair_catalog();
const GeneratorCatalog& symmetric_catalog();
const GeneratorCatalog& general_catalog();

/// Parses a name. Throws InputError for an unknown kind, option or value (with the nearest), and for an option given
/// twice.
GeneratorName parse_generator(std::string_view name, const GeneratorCatalog& catalog = pair_catalog());

/// A kind of matrices: a generator's name, its options, and what makes it.
template <template <class> class Made, class Problem>
struct Kind {
  std::string name, summary;
  std::vector<GeneratorOption> options;
  Made<double> (*make_real)(const Problem&);
  Made<std::complex<double>> (*make_complex)(const Problem&);
};

template <class Kind>
std::vector<Kind> joined_kinds(std::vector<Kind> all, const auto&... others) {
  (all.insert(all.end(), others.begin(), others.end()), ...);
  return all;
}

/// Returns the kind of a parsed name.
template <class Kind>
const Kind& find_kind(const std::vector<Kind>& kinds, std::string_view name) {
  return *std::ranges::find(kinds, name, &Kind::name);
}

/// Returns the information of list_pair_generators() and similar functions for a kind.
template <class Kind>
std::vector<GeneratorInfo> describe_kinds(const std::vector<Kind>& kinds) {
  std::vector<GeneratorInfo> list;
  for (const Kind& kind : kinds) {
    GeneratorInfo info{kind.name, kind.summary, {}};
    if constexpr (requires { kind.any_shape; }) info.any_shape = kind.any_shape;
    for (const GeneratorOption& option : kind.options)
      info.options.push_back({option.name, option.default_value, option.summary});
    list.push_back(std::move(info));
  }
  return list;
}

template <class Kind>
GeneratorCatalog catalog_of(const std::vector<Kind>& kinds) {
  GeneratorCatalog catalog;
  for (const Kind& kind : kinds) catalog.emplace(kind.name, kind.options);
  return catalog;
}

}  // namespace pivotlab
