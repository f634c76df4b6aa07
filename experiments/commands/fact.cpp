// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/commands/fact.hpp>

#include <nlohmann/json.hpp>

namespace pivotlab::experiments {

ColumnKind kind_of(const Quantity& quantity) {
  if (quantity.format == NumberFormat::seconds) return ColumnKind::seconds;
  if (quantity.format == NumberFormat::scientific) return ColumnKind::scientific;
  if (quantity.format == NumberFormat::ratio) return ColumnKind::ratio;
  const bool is_number = quantity.domain.list || quantity.domain.type == JsonType::integer;
  return is_number ? ColumnKind::integer : ColumnKind::text;
}

Cell cell_of(const nlohmann::json& value) {
  if (value.is_array()) return static_cast<std::int64_t>(value.size());
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return std::monostate{};
}

std::vector<Fact> joined(std::initializer_list<std::vector<Fact>> lists) {
  std::vector<Fact> all;
  for (const std::vector<Fact>& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace pivotlab::experiments
