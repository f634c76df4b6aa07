// The folder of a run: who works in it, and for which spec.
#pragma once

#include <experiments/engine/folder_lock.hpp>
#include <experiments/engine/plan.hpp>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace pivotlab::experiments {

/// In a run's folder, files from which interrupted cases go on.
inline constexpr const char* checkpoint_folder = "checkpoints";

/// <out>/<experiment>, made if need be and locked. Nobody else works in it until this or the process dies.
class RunFolder {
 public:
  /// Throws InputError when the folder cannot be made, written or locked.
  explicit RunFolder(const std::filesystem::path& path);

  const std::filesystem::path& path() const { return path_; }

  /// Removes manifest, records and checkpoints.
  void clear() const;

  /// Writes manifest.json, or checks that the one that is there belongs to the same plan; throws InputError naming the
  /// first difference otherwise. What only the analysis reads (title, source, report, published) may change.
  void open(const Plan& full_plan, const std::string& command) const;

 private:
  std::filesystem::path path_;
  FolderLock lock_;
};

}  // namespace pivotlab::experiments
