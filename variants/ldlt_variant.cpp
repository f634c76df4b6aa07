// Names of the symmetric indefinite factorization: a head such as LDLT-BP, and the options alpha=NUMBER and
// equilibrate=on, each at most once.
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt_variant.hpp>

#include <support/text/nearest.hpp>
#include <variants/option_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <string>

namespace pivotlab {
namespace {

constexpr std::array pivotings{Pivoting::complete, Pivoting::partial, Pivoting::rook};
constexpr std::string_view alpha_key = "alpha=", equilibrate_key = "equilibrate=";

std::string head_name(Pivoting pivoting) {
  return fmt::format("LDLT-{}", to_string(pivoting));
}

bool in_range(double alpha) {
  return 0 < alpha && alpha < 1;  // false for NaN
}

Pivoting parse_head(std::string_view head, std::string_view name) {
  std::array<std::string, pivotings.size()> names;
  std::ranges::transform(pivotings, names.begin(), head_name);
  for (std::size_t k = 0; k < names.size(); ++k)
    if (lower_case(names[k]) == lower_case(head)) return pivotings[k];
  reject_variant(name, head.empty() ? "at its beginning" : fmt::format("at '{}'", head),
                 fmt::format("no such variant; {}", nearest_text(head, names)));
}

/// Sets what one option says; returns its key, so that two with the same are refused.
std::string_view parse_option(std::string_view option, std::string_view name, LdltVariant& variant) {
  const std::string place = fmt::format("option '{}'", option), text = lower_case(option);
  if (text.starts_with(alpha_key)) {
    const std::optional<double> alpha = parse_number(option.substr(alpha_key.size()));
    if (!alpha || !in_range(*alpha))
      reject_variant(name, place, "alpha is no number in (0, 1); choose one, as in alpha=0.5");
    variant.alpha = *alpha;
    return alpha_key;
  }
  if (!text.starts_with(equilibrate_key))
    reject_variant(name, place, "no such option; there are alpha=NUMBER, as in alpha=0.5, and equilibrate=on|off");
  const std::string value = text.substr(equilibrate_key.size());
  if (value != "on" && value != "off") reject_variant(name, place, "it is neither on nor off; write equilibrate=on");
  variant.equilibrate = value == "on";
  return equilibrate_key;
}

}  // namespace

std::string_view to_string(Pivoting pivoting) {
  switch (pivoting) {
    case Pivoting::complete:
      return "BP";
    case Pivoting::partial:
      return "BK";
    case Pivoting::rook:
      return "RK";
  }
  return "?";
}

std::string to_string(const LdltVariant& variant) {
  std::string name = head_name(variant.pivoting);
  if (variant.alpha != usual_alpha) name += fmt::format(";{}{}", alpha_key, variant.alpha);
  if (variant.equilibrate) name += fmt::format(";{}on", equilibrate_key);
  return name;
}

LdltVariant parse_ldlt_variant(std::string_view name) {
  std::size_t end = std::min(name.find(';'), name.size());
  LdltVariant variant{.pivoting = parse_head(name.substr(0, end), name)};
  std::set<std::string_view> given;
  while (end < name.size()) {
    const std::size_t begin = end + 1;
    end = std::min(name.find(';', begin), name.size());
    const std::string_view option = name.substr(begin, end - begin), key = parse_option(option, name, variant);
    if (!given.insert(key).second)
      reject_variant(name, fmt::format("option '{}'", option), fmt::format("{} is given twice; keep one", key));
  }
  return variant;
}

void require_valid(const LdltVariant& variant) {
  if (!in_range(variant.alpha))
    throw InputError(
        fmt::format("variant: alpha = {} is not in (0, 1); choose such a one, by default (1+√17)/8 = {:.4f}",
                    variant.alpha, usual_alpha));
}

std::string_view describe(Pivoting pivoting) {
  switch (pivoting) {
    case Pivoting::complete:
      return "Complete (Bunch–Parlett) pivoting: searches the whole reduced matrix; M bounded, D well conditioned.";
    case Pivoting::partial:
      return "Partial (Bunch–Kaufman) pivoting: searches at most two columns; M not bounded.";
    case Pivoting::rook:
      return "Rook (bounded Bunch–Kaufman) pivoting: searches for a local maximum; M bounded, D well conditioned.";
  }
  return "?";
}

}  // namespace pivotlab
