// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/own_files.hpp>
#include <experiments/engine/posix.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <experiments/engine/run_folder.hpp>
#include <experiments/engine/shard.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

/// A folder and the names of files that pivotlab writes to it. AtomicFile writes <name> as .<name>.<process>.<n>.tmp
/// first.
struct Part {
  const char* folder;  ///< relative to the run's folder; empty: that itself
  std::regex file, temporary;

  Part(const char* name, const std::string& pattern)
      : folder(name), file(pattern), temporary("\\.(" + pattern + ")(\\.[0-9]+)+\\.tmp") {}
};

const Part& top() {
  static const Part part("",
                         "manifest\\.json|\\.lock|records\\.jsonl\\.gz|journal\\.(run|shard-[0-9]+-of-[0-9]+)\\.jsonl");
  return part;
}
const Part& records() {
  static const Part part("records", "[0-9a-f]{32}\\.json");
  return part;
}
const Part& checkpoints() {
  static const Part part(checkpoint_folder, "[0-9a-f]{32}\\.sweep[0-9]+\\.rank[0-9]+");
  return part;
}
const Part& claims() {
  static const Part part(shard_folder, "[0-9]+-of-[0-9]+|\\.lock");
  return part;
}

bool has_form(const fs::path& file, const std::regex& form) {
  std::error_code ignored;
  return fs::is_regular_file(fs::symlink_status(file, ignored)) && std::regex_match(file.filename().string(), form);
}

bool is_own(const fs::path& file, const Part& part) {
  return has_form(file, part.file) || has_form(file, part.temporary);
}

/// Returns what lies in a part of the run's folder; nothing if it is missing.
std::vector<fs::path> entries_of(const fs::path& run, const Part& part) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / part.folder, error)) entries.push_back(entry.path());
  if (error && error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
    fail_on_path(run / part.folder, "read", error.value());
  return entries;
}

void remove_file(const fs::path& file) {
  std::error_code error;
  if (!fs::remove(file, error) && error) fail_on_path(file, "removed", error.value());
}

/// Removes the files of a part, and its folder if nothing else is in it.
void remove_part(const fs::path& run, const Part& part) {
  for (const fs::path& file : entries_of(run, part))
    if (is_own(file, part)) remove_file(file);
  std::error_code is_not_empty;
  fs::remove(run / part.folder, is_not_empty);
}

/// Returns whether the folder has the manifest of a run, of any version. Throws InputError for another file of its
/// name.
bool has_manifest(const fs::path& run) {
  const fs::path file = run / "manifest.json";
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(file, ignored))) return false;
  const nlohmann::json manifest = read_json(file);
  const auto schema = manifest.is_object() ? manifest.value("schema", nlohmann::json()) : nlohmann::json();
  if (schema.is_string() && schema.get<std::string>().starts_with("pivotlab/manifest/")) return true;
  throw InputError(fmt::format("{}: is not a manifest of pivotlab; choose another folder with --out", file.string()));
}

}  // namespace

void refuse_foreign_folder(const fs::path& run) {
  const std::vector<const Part*> parts = {&records(), &checkpoints(), &claims()};
  std::error_code ignored;
  for (const Part* part : parts)
    if (fs::is_symlink(fs::symlink_status(run / part->folder, ignored)))
      throw InputError(fmt::format("{}: is a link, and no folder of a run; choose another folder with --out",
                                   (run / part->folder).string()));
  if (has_manifest(run)) return;
  const auto refuse = [](const fs::path& foreign) {
    throw InputError(fmt::format(
        "{}: was not made by pivotlab, and its folder is not a run's; choose another with --out", foreign.string()));
  };
  for (const fs::path& entry : entries_of(run, top())) {
    const auto part = std::ranges::find(parts, entry.filename().string(), &Part::folder);
    if (part == parts.end() && !is_own(entry, top())) refuse(entry);
    if (part == parts.end()) continue;
    if (!fs::is_directory(entry)) refuse(entry);
    for (const fs::path& file : entries_of(run, **part))
      if (!is_own(file, **part)) refuse(file);
  }
}

void remove_leftovers(const fs::path& run, const std::function<bool(std::string_view)>& is_ours) {
  std::error_code ignored;
  const auto remove_temporary = [&](const Part& part) {
    for (const fs::path& file : entries_of(run, part)) {
      const std::string name = file.filename().string();
      if (!name.starts_with('.') || !has_form(file, part.temporary)) continue;  // most are records
      if (!is_ours || is_ours(std::string_view(name).substr(1))) fs::remove(file, ignored);
    }
  };
  if (!is_ours) remove_temporary(top());
  remove_temporary(records());
}

void remove_claims(const fs::path& run) {
  remove_part(run, claims());
}

std::vector<fs::path> find_journals(const fs::path& run) {
  std::vector<fs::path> journals;
  for (const fs::path& file : entries_of(run, top()))
    if (file.extension() == ".jsonl" && has_form(file, top().file)) journals.push_back(file);
  std::ranges::sort(journals);
  return journals;
}

void remove_results(const fs::path& run) {
  for (const fs::path& journal : find_journals(run)) remove_file(journal);
  if (has_form(run / packed_records, top().file)) remove_file(run / packed_records);
  remove_part(run, records());
  remove_part(run, checkpoints());
  remove_file(run / "manifest.json");
}

}  // namespace pivotlab::experiments
