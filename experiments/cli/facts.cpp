// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/cli/facts.hpp>

namespace pivotlab::cli {
namespace {

using experiments::Audience;
using experiments::Fact;

bool is_none(const experiments::Cell& value) {
  const auto* text = std::get_if<std::string>(&value);
  return std::holds_alternative<std::monostate>(value) || (text && text->empty());
}

}  // namespace

void print_facts(const TableOptions& options, const std::vector<Fact>& facts) {
  const auto style = options.style();
  if (style.format == experiments::TableFormat::table && options.columns.empty()) {
    for (const Fact& fact : facts)
      if (fact.audience != Audience::programs && !is_none(fact.value))
        std::cout << fmt::format("{:<16}{}\n", fact.heading, experiments::format_cell(fact.value, fact.kind));
    return;
  }
  std::vector<experiments::Field<std::vector<Fact>>> fields;
  for (std::size_t k = 0; k < facts.size(); ++k) {
    const Fact& fact = facts[k];
    fields.push_back({{.key = fact.key,
                       .heading = fact.heading,
                       .kind = fact.kind,
                       .detail = fact.audience == Audience::programs,
                       .people_only = fact.audience == Audience::people},
                      [k](const std::vector<Fact>& all) { return all[k].value; }});
  }
  print_table(options, fields, std::vector<std::vector<Fact>>{facts});
}

}  // namespace pivotlab::cli
