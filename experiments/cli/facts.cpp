#include <fmt/format.h>
#include <experiments/cli/facts.hpp>

namespace pivotlab::cli {

void print_facts(const TableOptions& options, const std::vector<Fact>& facts) {
  const auto style = options.style();
  if (style.format == experiments::TableFormat::table && options.columns.empty()) {
    for (const Fact& fact : facts)
      if (const std::string text = experiments::format_cell(fact.value, fact.kind); !text.empty())
        std::cout << fmt::format("{:<16}{}\n", fact.heading, text);
    return;
  }
  std::vector<experiments::Field<std::vector<Fact>>> fields;
  for (std::size_t k = 0; k < facts.size(); ++k)
    fields.push_back(
        {{facts[k].key, facts[k].heading, facts[k].kind}, [k](const std::vector<Fact>& all) { return all[k].value; }});
  print_table(options, fields, std::vector<std::vector<Fact>>{facts});
}

}  // namespace pivotlab::cli
