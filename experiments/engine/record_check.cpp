// What makes a record, or a worker's report on a case, whole.
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/value.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/status.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

using nlohmann::json;

enum class Kind { text, number, count, boolean, object, list };

bool has_kind(const json& value, Kind kind) {
  switch (kind) {
    case Kind::text:
      return value.is_string();
    case Kind::number:
      return value.is_number();
    case Kind::count:
      return value.is_number_unsigned();
    case Kind::boolean:
      return value.is_boolean();
    case Kind::object:
      return value.is_object();
    case Kind::list:
      return value.is_array();
  }
  return false;
}

struct Field {
  const char* pointer;
  Kind kind;
  bool nullable = false;

  /// The first part of the pointer: /time of /time/flags.
  std::string_view section() const {
    const std::string_view whole(pointer);
    return whole.substr(0, whole.find('/', 1));
  }
};

/// The required fields of results/record.schema.json.
constexpr Field kFields[] = {
    {"/schema", Kind::text},
    {"/key", Kind::text},
    {"/experiment", Kind::text},
    {"/case", Kind::object},
    {"/case/method", Kind::text},
    {"/variant", Kind::object, true},
    {"/status", Kind::text},
    {"/message", Kind::text},
    {"/problem", Kind::object, true},
    {"/time", Kind::object},
    {"/time/compute_s", Kind::object},
    {"/time/compute_s/median", Kind::number, true},
    {"/time/compute_s/q1", Kind::number, true},
    {"/time/compute_s/q3", Kind::number, true},
    {"/time/compute_s/samples", Kind::list},
    {"/time/wall_s", Kind::object},
    {"/time/wall_s/median", Kind::number, true},
    {"/time/wall_s/q1", Kind::number, true},
    {"/time/wall_s/q3", Kind::number, true},
    {"/time/wall_s/samples", Kind::list},
    {"/time/generate_s", Kind::number, true},
    {"/time/judge_s", Kind::number, true},
    {"/time/flags", Kind::list},
    {"/convergence", Kind::object, true},
    {"/metrics", Kind::object, true},
    {"/environment", Kind::object},
    {"/environment/host", Kind::text},
    {"/environment/cpu", Kind::text},
    {"/environment/cores", Kind::count},
    {"/environment/memory_bytes", Kind::number, true},
    {"/environment/os", Kind::text},
    {"/environment/compiler", Kind::text},
    {"/environment/flags", Kind::text},
    {"/environment/blas", Kind::text},
    {"/environment/gpu", Kind::object, true},
    {"/environment/driver", Kind::text, true},
    {"/environment/load_before", Kind::number, true},
    {"/environment/load_after", Kind::number, true},
    {"/environment/frequency_before_hz", Kind::number, true},
    {"/environment/frequency_after_hz", Kind::number, true},
    {"/provenance", Kind::object},
    {"/provenance/version", Kind::text},
    {"/provenance/commit", Kind::text},
    {"/provenance/clean", Kind::boolean},
    {"/provenance/started", Kind::text},
    {"/provenance/command", Kind::text},
};

bool is_status(const std::string& name) {
  try {
    status_from_string(name);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

std::optional<std::string> find_defect(const json& object, const Field& field) {
  const json::json_pointer pointer(field.pointer);
  if (!object.contains(pointer)) return fmt::format("lacks the field {}", field.pointer);
  const json& value = object.at(pointer);
  if (has_kind(value, field.kind) || (field.nullable && value.is_null())) return std::nullopt;
  return fmt::format("has a wrong value at {}: {}", field.pointer, quoted(value));
}

/// What only the samples and the status of an object with all fields can have.
std::optional<std::string> find_defect_of_values(const json& object) {
  for (const char* time : {"/time/compute_s", "/time/wall_s"})
    for (const json& sample : object.at(json::json_pointer(time))["samples"])
      if (!sample.is_number()) return fmt::format("has a sample in {} that is no number", time);
  if (!is_status(object["status"])) return fmt::format("has an unknown status: {}", quoted(object["status"]));
  return std::nullopt;
}

/// Returns whether a member is an object with no other members than these.
bool has_only(const json& object, const char* member, std::initializer_list<std::string_view> names) {
  const auto found = object.find(member);
  if (found == object.end() || !found->is_object()) return false;
  const auto items = found->items();
  return std::all_of(items.begin(), items.end(),
                     [&](const auto& item) { return std::ranges::find(names, item.key()) != names.end(); });
}

/// The case as it was hashed; nothing when it holds what no axis can hold.
std::optional<Case> case_of(const json& object) {
  Case axes;
  for (const auto& [name, value] : object.items()) {
    if (value.is_boolean())
      axes[name] = value.get<bool>();
    else if (value.is_number_integer())
      axes[name] = value.get<std::int64_t>();
    else if (value.is_number())
      axes[name] = value.get<double>();
    else if (value.is_string())
      axes[name] = value.get<std::string>();
    else
      return std::nullopt;
  }
  return axes;
}

}  // namespace

std::optional<std::string> find_defect(const json& record) {
  if (!record.is_object()) return "is no JSON object";
  for (const Field& field : kFields)
    if (auto defect = find_defect(record, field)) return defect;
  if (record["schema"] != record_schema) return fmt::format("follows another schema: {}", quoted(record["schema"]));
  if (auto defect = find_defect_of_values(record)) return defect;
  const auto axes = case_of(record["case"]);
  if (!axes || record["key"] != json(case_key(*axes))) return "has a key that is not the hash of its case";
  return std::nullopt;
}

bool is_report(const json& report) {
  constexpr std::string_view sections[] = {"/status", "/message",     "/variant", "/problem",
                                           "/time",   "/convergence", "/metrics"};
  if (!report.is_object() || !report.contains("key") || !report["key"].is_string()) return false;
  for (const Field& field : kFields)
    if (std::ranges::find(sections, field.section()) != std::end(sections) && find_defect(report, field)) return false;
  const auto is_measured = [](const json& value) { return value.is_number() || value.is_null(); };
  return !find_defect_of_values(report) &&
         has_only(report, "machine", {"load_before", "load_after", "frequency_before_hz", "frequency_after_hz"}) &&
         std::ranges::all_of(report["machine"], is_measured) && has_only(report, "gpu", {"before", "after"});
}

}  // namespace pivotlab::experiments
