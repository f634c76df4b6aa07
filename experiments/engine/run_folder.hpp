// The folder of a run: its lock and its manifest.
#pragma once

#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/plan.hpp>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pivotlab::experiments {

/// Subfolder of a run's folder for checkpoints of interrupted cases.
inline constexpr const char* checkpoint_folder = "checkpoints";

/// The folder <out>/<experiment>, created if necessary and locked until the object is destroyed or the process ends.
class RunFolder {
 public:
  /// Throws InputError if the folder cannot be created, written or locked.
  explicit RunFolder(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  /// Removes manifest, records and checkpoints.
  void clear() const;

  /// Writes manifest.json, or checks that an existing one belongs to the same plan; throws InputError naming the first
  /// difference otherwise. Members that only the analysis reads (title, source, report, published) may change.
  void open(const Plan& full_plan, const std::string& command) const;

 private:
  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace pivotlab::experiments
