// SPDX-License-Identifier: BSD-3-Clause
// The folder of a run: its lock and its manifest.
#pragma once

#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/shard.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Subfolder of a run's folder for checkpoints of interrupted cases.
inline constexpr const char* checkpoint_folder = "checkpoints";

/// The keys of all planned cases of a run, from its manifest. Throws InputError if the folder is no run.
std::vector<std::string> planned_keys(const std::filesystem::path& run);
/// Returns the spec of a run, with the values of all sweeps that have grown it.
Spec spec_of(const std::filesystem::path& run, const MethodLookup& find = find_method);
/// Returns the part `report` of a run's spec; null if it has none.
nlohmann::json report_of(const std::filesystem::path& run);
/// Returns the plan of a run and its spec without texts, on which the results depend: {"plan", "spec"}. They are equal
/// for runs of one experiment.
nlohmann::json experiment_of(const std::filesystem::path& run);

/// Packs the records of a run's folder (record_store.hpp) and returns their number. Claims of killed shards stay.
/// Throws InputError if the folder is not a run's, another process works in it, or a record cannot be read or written.
std::size_t pack_run(const std::filesystem::path& run);

/// The folder <out>/<experiment>, created if necessary and locked until the object is destroyed or the process ends.
class RunFolder {
 public:
  /// Locks the folder for one process and removes temporary files. Throws InputError if the folder is not a run's
  /// (own_files.hpp), or cannot be created, written or locked.
  explicit RunFolder(const std::filesystem::path& path);
  /// Claims a shard of the folder and removes temporary files of its own cases. Throws InputError as above and as
  /// ClaimedShard.
  RunFolder(const std::filesystem::path& path, const Shard& shard, bool takeover);

  const std::filesystem::path& path() const { return path_; }

  /// Removes manifest, records and checkpoints.
  void clear() const;

  /// Writes manifest.json, or checks that an existing one belongs to the same plan; throws InputError naming the first
  /// difference otherwise. Members that only the analysis reads (title, source, report, published) may change. With
  /// `grow`, a sweep's folder gets the cases that it lacks (grow.hpp).
  void open(const Plan& full_plan, const std::string& command, bool grow = false) const;

  /// Gives a sign of life of a claimed shard. Throws InputError if another process has taken it over.
  void beat(const std::vector<std::string>& running) const;

 private:
  std::filesystem::path path_;
  FolderLock lock_;
  std::unique_ptr<ClaimedShard> shard_;
};

}  // namespace pivotlab::experiments
