#include <fmt/format.h>
#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/merge.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/run_folder.hpp>
#include <pivotlab/error.hpp>

#include <nlohmann/json.hpp>
#include <set>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

/// Returns null for a record that is missing or not valid.
nlohmann::json record_of(const fs::path& folder, const std::string& key) {
  return read_valid_record(folder, key).value_or(nullptr);
}

bool has_passed(const nlohmann::json& record) {
  return !record.is_null() && record.at("status") == "passed";
}

}  // namespace

MergeSummary merge(const std::vector<fs::path>& folders, const fs::path& out) {
  const nlohmann::json experiment = experiment_of(folders.front());
  for (const fs::path& folder : folders)
    if (experiment_of(folder) != experiment)
      throw InputError(fmt::format("{}: was made from another spec than {}; merge runs of one experiment",
                                   folder.string(), folders.front().string()));
  if (fs::exists(out / "manifest.json") && experiment_of(out) != experiment)
    throw InputError(fmt::format("{}: was made from another spec; choose another --out", out.string()));
  const RunFolder locked(out);
  if (!fs::exists(out / "manifest.json"))
    write_atomically(out / "manifest.json", read_text(folders.front() / "manifest.json"));

  MergeSummary summary;
  for (const std::string& key : planned_keys(out)) {
    nlohmann::json kept = record_of(out, key);
    for (const fs::path& folder : folders) {
      if (fs::equivalent(folder, out)) continue;
      nlohmann::json offered = record_of(folder, key);
      if (offered.is_null() || offered == kept) continue;
      if (!kept.is_null()) ++summary.left_out;
      if (!kept.is_null() && (has_passed(kept) || !has_passed(offered))) continue;
      write_atomically(record_path(out, key), read_text(record_path(folder, key)));
      kept = std::move(offered);
      ++summary.copied;
    }
    ++summary.planned;
    if (!kept.is_null()) ++summary.present;
  }
  return summary;
}

}  // namespace pivotlab::experiments
