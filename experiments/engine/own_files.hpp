// SPDX-License-Identifier: BSD-3-Clause
// Which files in a run's folder pivotlab has made. Nothing else is ever removed.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// Throws InputError unless the folder is missing or empty, or a run's: it has a manifest, or only files with the names
/// that pivotlab gives. Beside a manifest other files may lie, which stay. Subfolders that are links are refused.
void refuse_foreign_folder(const std::filesystem::path& run);

/// Removes temporary files that were left by interrupted writes of the manifest and of records; with `is_ours` only of
/// records with these keys.
void remove_leftovers(const std::filesystem::path& run,
                      const std::function<bool(std::string_view key)>& is_ours = nullptr);

/// Removes the claims of shards whose processes were killed.
void remove_claims(const std::filesystem::path& run);

/// Returns the journals of a run, sorted by name.
std::vector<std::filesystem::path> find_journals(const std::filesystem::path& run);

/// Removes records, checkpoints and the manifest. The manifest is removed last, so that an interrupted removal is still
/// recognized as the old run.
void remove_results(const std::filesystem::path& run);

}  // namespace pivotlab::experiments
