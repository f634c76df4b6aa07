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

bool has_passed(const std::optional<nlohmann::json>& record) {
  return record && record->at("status") == "passed";
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
    auto kept = read_valid_record(out, key);
    for (const fs::path& folder : folders) {
      const auto offered = fs::equivalent(folder, out) ? std::nullopt : read_valid_record(folder, key);
      if (!offered || offered == kept) continue;
      if (kept) ++summary.left_out;
      if (kept && (has_passed(kept) || !has_passed(offered))) continue;
      write_atomically(record_path(out, key), read_text(record_path(folder, key)));
      kept = offered;
      ++summary.copied;
    }
    ++summary.planned;
    summary.present += kept.has_value();
  }
  return summary;
}

}  // namespace pivotlab::experiments
