#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/record.hpp>
#include <pivotlab/error.hpp>
#include <support/files/atomic_file.hpp>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

json read_record(const fs::path& file) {
  json record = read_json(file);
  if (const auto defect = find_defect(record))
    throw InputError(fmt::format("{}: {}; remove the file and run again", file.string(), *defect));
  return record;
}

/// Returns key → place in the plan, from the manifest beside the records; empty without a manifest.
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

fs::path record_path(const fs::path& run, std::string_view key) {
  return run / "records" / fmt::format("{}.json", key);
}

json read_json(const fs::path& file) {
  return parse_json<json>(read_text(file), file.string());
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
