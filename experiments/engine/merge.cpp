// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/merge.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/run_folder.hpp>
#include <pivotlab/error.hpp>

#include <map>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

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

  const RecordStore own(out);
  std::vector<RecordStore> others;
  for (const fs::path& folder : folders)
    if (!fs::equivalent(folder, out)) others.emplace_back(folder);
  MergeSummary summary;
  std::map<std::string, std::string> copied;  // key → line
  for (const std::string& key : planned_keys(out)) {
    nlohmann::json kept = own.find(key).value_or(nullptr);
    for (const RecordStore& other : others) {
      nlohmann::json offered = other.find(key).value_or(nullptr);
      if (offered.is_null() || offered == kept) continue;
      if (!kept.is_null()) ++summary.left_out;
      if (!kept.is_null() && (has_passed(kept) || !has_passed(offered))) continue;
      copied[key] = record_line(offered);
      kept = std::move(offered);
      ++summary.copied;
    }
    ++summary.planned;
    if (!kept.is_null()) ++summary.present;
  }
  pack_records(out, copied);
  return summary;
}

}  // namespace pivotlab::experiments
