// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <experiments/common/variant_section.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

JsonType type_of(const OptionValue& value) {
  if (std::holds_alternative<bool>(value)) return JsonType::boolean;
  if (std::holds_alternative<std::int64_t>(value)) return JsonType::integer;
  return std::holds_alternative<double>(value) ? JsonType::number : JsonType::text;
}

Domain domain_of(const OptionRow& row) {
  Domain domain{.type = type_of(written(row, row.default_value)),
                .nullable = row.applies.has_value(),
                .optional = row.optional()};
  for (const OptionValue& choice : written_choices(row)) {
    domain.type = type_of(choice);
    if (const auto* text = std::get_if<std::string>(&choice)) domain.choices.push_back(*text);
  }
  if (row.domain.own != nullptr) {  // texts in brackets are values, too
    domain.pattern = fmt::format(R"(^({}|\[.*\])$)", fmt::join(domain.choices, "|"));
    domain.choices.clear();
  }
  if (row.domain.kind == pivotlab::Domain::Kind::integer) {
    domain.minimum = static_cast<double>(row.domain.first);
    domain.maximum = static_cast<double>(row.domain.last);
  }
  if (row.domain.kind == pivotlab::Domain::Kind::number) {
    domain.minimum = row.domain.lower, domain.open_minimum = row.domain.lower_open;
    domain.maximum = row.domain.upper, domain.open_maximum = row.domain.upper_open;
  }
  return domain;
}

Quantity quantity_of(const OptionRow& row) {
  const bool is_number = row.domain.kind == pivotlab::Domain::Kind::number;
  return {.at = row.name,
          .heading = row.name,
          .format = is_number ? NumberFormat::ratio : NumberFormat::plain,
          .definition = row.help.empty() ? row.description : row.help,
          .column = row.name,
          .domain = domain_of(row)};
}

bool holds(const std::vector<Quantity>& quantities, const std::string& name) {
  return std::ranges::find(quantities, name, &Quantity::at) != quantities.end();
}

std::vector<Quantity> quantities_of(const VariantNames& names) {
  std::vector<Quantity> quantities;
  for (const OptionRow& row : names.rows())
    if (row.written != Written::never) quantities.push_back(quantity_of(row));
  return quantities;
}

}  // namespace

std::vector<Quantity> variant_quantities(const std::vector<const VariantNames*>& families) {
  std::vector<Quantity> all;
  for (const VariantNames* names : families)
    for (Quantity& quantity : quantities_of(*names))
      if (!holds(all, quantity.at)) all.push_back(std::move(quantity));
  for (const VariantNames* names : families) {
    const std::vector<Quantity> own = quantities_of(*names);
    for (Quantity& quantity : all) quantity.domain.optional |= !holds(own, quantity.at);
  }
  return all;
}

}  // namespace pivotlab::experiments
