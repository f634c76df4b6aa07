// Names of the pivotings of the symmetric indefinite factorization: a head such as LDLT-BP, perhaps ";alpha=NUMBER".
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt_variant.hpp>

#include <kernels/text/nearest.hpp>
#include <variants/option_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace pivotlab {
namespace {

constexpr std::array pivotings{Pivoting::complete, Pivoting::partial, Pivoting::rook};
constexpr std::string_view alpha_key = "alpha=";

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

double parse_alpha(std::string_view option, std::string_view name) {
  const std::string place = fmt::format("option '{}'", option);
  if (!lower_case(option).starts_with(alpha_key))
    reject_variant(name, place, "no such option; the only one is alpha=NUMBER, as in alpha=0.5");
  const std::optional<double> alpha = parse_number(option.substr(alpha_key.size()));
  if (!alpha || !in_range(*alpha))
    reject_variant(name, place, "alpha is no number in (0, 1); choose one, as in alpha=0.5");
  return *alpha;
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
  return name;
}

LdltVariant parse_ldlt_variant(std::string_view name) {
  const std::size_t end = std::min(name.find(';'), name.size());
  LdltVariant variant{.pivoting = parse_head(name.substr(0, end), name)};
  if (end == name.size()) return variant;
  const std::string_view options = name.substr(end + 1);
  const std::size_t another = options.find(';');
  variant.alpha = parse_alpha(options.substr(0, another), name);
  if (another != std::string_view::npos)
    reject_variant(name, fmt::format("option '{}'", options.substr(another + 1)),
                   "there is only one option; keep one alpha");
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
