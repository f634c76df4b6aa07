// SPDX-License-Identifier: BSD-3-Clause
// Checks that a record, or a worker's report on a case, is complete and valid.
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_sections.hpp>
#include <experiments/engine/value.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/status.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

bool has_type(const json& value, JsonType type) {
  switch (type) {
    case JsonType::boolean:
      return value.is_boolean();
    case JsonType::integer:
      return value.is_number_integer();
    case JsonType::number:
      return value.is_number();
    case JsonType::text:
      return value.is_string();
    case JsonType::object:
      return value.is_object();
  }
  return false;
}

/// Returns one line on a value, or an element of a list, that is not in the domain; nothing if all are.
std::optional<std::string> find_defect(const json& value, const Domain& domain, const std::string& place) {
  const bool good =
      domain.list ? value.is_array() : has_type(value, domain.type) || (domain.nullable && value.is_null());
  if (!good) return fmt::format("has a wrong value at {}: {}", place, quoted(value));
  for (std::size_t k = 0; domain.list && k < value.size(); ++k)
    if (!has_type(value[k], domain.type))
      return fmt::format("has a wrong value at {}/{}: {}", place, k, quoted(value[k]));
  return std::nullopt;
}

bool is_status(const std::string& name) {
  try {
    status_from_string(name);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

/// Returns one line on the first quantity of the object at `place` that is missing or has a wrong value.
std::optional<std::string> find_defect(const json& object, const std::vector<Quantity>& quantities,
                                       const std::string& place) {
  for (const Quantity& quantity : quantities) {
    const std::string here = place + "/" + quantity.at;
    const auto found = object.find(quantity.at);
    if (found == object.end() && quantity.domain.optional) continue;
    if (found == object.end()) return fmt::format("lacks the field {}", here);
    if (auto defect = find_defect(*found, quantity.domain, here)) return defect;
    if (found->is_object())
      if (auto defect = find_defect(*found, quantity.members, here)) return defect;
  }
  return std::nullopt;
}

std::optional<std::string> find_unknown_status(const json& object) {
  if (is_status(object["status"])) return std::nullopt;
  return fmt::format("has an unknown status: {}", quoted(object["status"]));
}

/// Returns whether a member is an object with no other members than these.
bool has_only(const json& object, const char* member, std::initializer_list<std::string_view> names) {
  const auto found = object.find(member);
  if (found == object.end() || !found->is_object()) return false;
  const auto items = found->items();
  return std::all_of(items.begin(), items.end(),
                     [&](const auto& item) { return std::ranges::find(names, item.key()) != names.end(); });
}

/// The quantities of a record that workers report.
const std::vector<Quantity>& reported_quantities() {
  static const std::vector<Quantity> reported = [] {
    constexpr std::string_view from_workers[] = {"status",  "message", "problem", "time",  "convergence",
                                                 "metrics", "batch",   "own",     "beside"};
    std::vector<Quantity> quantities = record_quantities();
    std::erase_if(quantities, [&](const Quantity& quantity) {
      return std::ranges::find(from_workers, quantity.at) == std::end(from_workers);
    });
    return quantities;
  }();
  return reported;
}

}  // namespace

std::optional<Case> case_of(const json& object) {
  Case axes;
  for (const auto& [name, value] : object.items()) {
    if (value.is_null() || value.is_structured()) return std::nullopt;
    axes[name] = value.is_string() ? Value(value.get<std::string>()) : parse_value(value.dump());
  }
  return axes;
}

std::optional<std::string> find_defect(const json& record) {
  if (!record.is_object()) return "is not a JSON object";
  if (auto defect = find_defect(record, record_quantities(), "")) return defect;
  if (record["schema"] != record_schema) return fmt::format("follows another schema: {}", quoted(record["schema"]));
  if (auto defect = find_unknown_status(record)) return defect;
  const auto axes = case_of(record["case"]);
  if (!axes || record["key"] != json(case_key(*axes))) return "has a key that is not the hash of its case";
  return std::nullopt;
}

bool is_report(const json& report) {
  if (!report.is_object() || !report.contains("key") || !report["key"].is_string()) return false;
  const auto is_measured = [](const json& value) { return value.is_number() || value.is_null(); };
  return !find_defect(report, reported_quantities(), "") && !find_unknown_status(report) &&
         has_only(report, "machine", {"load_before", "load_after", "frequency_before_hz", "frequency_after_hz"}) &&
         std::ranges::all_of(report["machine"], is_measured) && has_only(report, "gpu", {"before", "after"});
}

}  // namespace pivotlab::experiments
