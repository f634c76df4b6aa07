#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/value.hpp>
#include <kernels/files/atomic_file.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/status.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
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

bool is_status(const std::string& name) {
  try {
    status_from_string(name);
    return true;
  } catch (const InputError&) {
    return false;
  }
}

json read_record(const fs::path& file) {
  json record = read_json(file);
  if (const auto defect = find_defect(record))
    throw InputError(fmt::format("{}: {}; remove the file and run again", file.string(), *defect));
  return record;
}

/// Key → place in the plan of the manifest beside the records; empty without one.
std::map<std::string, std::size_t> planned_order(const fs::path& run) {
  std::map<std::string, std::size_t> order;
  const fs::path manifest = run / "manifest.json";
  if (!fs::exists(manifest)) return order;
  const json content = read_json(manifest);
  const auto plan = content.find("plan");
  if (plan == content.end() || !plan->is_array()) return order;
  for (const json& item : *plan)
    if (item.is_object() && item.contains("key") && item["key"].is_string())
      order.emplace(item["key"].get<std::string>(), order.size());
  return order;
}

}  // namespace

void write_atomically(const fs::path& file, std::string_view text) {
  AtomicFile output(file);
  output.write(text.data(), text.size());
  output.commit();
}

void remove_leftovers(const fs::path& folder) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.') && name.ends_with(".tmp")) fs::remove(entry.path(), error);
  }
}

fs::path record_path(const fs::path& run, std::string_view key) {
  return run / "records" / fmt::format("{}.json", key);
}

json read_json(const fs::path& file) {
  return parse_json<json>(read_text(file), file.string());
}

std::optional<std::string> find_defect(const json& record) {
  if (!record.is_object()) return "is no JSON object";
  for (const Field& field : kFields) {
    const json::json_pointer pointer(field.pointer);
    if (!record.contains(pointer)) return fmt::format("lacks the field {}", field.pointer);
    const json& value = record.at(pointer);
    if (!has_kind(value, field.kind) && !(field.nullable && value.is_null()))
      return fmt::format("has a wrong value at {}: {}", field.pointer, value.dump());
  }
  for (const char* time : {"/time/compute_s", "/time/wall_s"})
    for (const json& sample : record.at(json::json_pointer(time))["samples"])
      if (!sample.is_number()) return fmt::format("has a sample in {} that is no number", time);
  if (record["schema"] != record_schema) return fmt::format("follows another schema: {}", record["schema"].dump());
  if (!is_status(record["status"])) return fmt::format("has an unknown status: {}", record["status"].dump());
  const auto axes = case_of(record["case"]);
  if (!axes || record["key"] != json(case_key(*axes))) return "has a key that is not the hash of its case";
  return std::nullopt;
}

std::optional<json> read_valid_record(const fs::path& run, std::string_view key) {
  const fs::path file = record_path(run, key);
  std::error_code ignored;
  if (const fs::file_status status = fs::status(file, ignored); fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(fmt::format("{}: is in the place of a record and not a regular file; remove it", file.string()));
  try {
    json record = read_record(file);
    if (record["key"] == key) return record;
  } catch (const InputError&) {  // missing or damaged: the case has no record
  }
  return std::nullopt;
}

std::vector<json> read_records(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {read_record(path)};
  const bool is_record_folder = !fs::exists(path / "records", error);
  const fs::path folder = is_record_folder ? path : path / "records";
  if (!fs::is_directory(folder, error))
    throw InputError(
        fmt::format("{}: is no run folder; give <out>/<experiment>, as `pivotlab run` made it", path.string()));

  const auto order = planned_order(is_record_folder ? path.parent_path() : path);
  const auto place = [&](const json& record) {
    const auto found = order.find(record["key"]);
    return std::pair(found == order.end() ? order.size() : found->second, record["key"].get<std::string>());
  };
  std::vector<json> records;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".json" && !entry.path().filename().string().starts_with('.'))
      records.push_back(read_record(entry.path()));
  if (records.empty()) throw InputError(fmt::format("{}: holds no record; run the experiment first", path.string()));
  std::sort(records.begin(), records.end(), [&](const json& a, const json& b) { return place(a) < place(b); });
  return records;
}

}  // namespace pivotlab::experiments
