// SPDX-License-Identifier: BSD-3-Clause
// Records: one JSON object a case (results/record.schema.json).
#pragma once

#include <experiments/engine/value.hpp>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

inline constexpr std::string_view record_schema = "pivotlab/record/1";
inline constexpr std::string_view manifest_schema = "pivotlab/manifest/1";

/// Writes text as <file>: temporary file in the same folder, fsync, rename, fsync of the folder (AtomicFile). After a
/// crash at any moment the file has either the old or the new content. Throws InputError "<file>: …; <remedy>" if the
/// folder is missing, read-only or full, and leaves no temporary file.
void write_atomically(const std::filesystem::path& file, std::string_view text);

/// Returns all records of a run folder (…/<experiment>, or its records/), or of one file of records (record_store.hpp),
/// in the order of the manifest's plan, if there is one. Throws InputError for a path without records and for a damaged
/// record, naming its file.
std::vector<nlohmann::json> read_records(const std::filesystem::path& path);

/// The case of a record's member `case`; nothing when it holds what no axis can hold.
std::optional<Case> case_of(const nlohmann::json& object);

/// Returns the first error of a record, one line, or nothing. Checks the required fields of results/record.schema.json,
/// their types, and that the key is the hash of the case.
std::optional<std::string> find_defect(const nlohmann::json& record);

/// Returns whether a worker's report on a case (worker.hpp) has exactly the members that a record takes from it.
bool is_report(const nlohmann::json& report);

/// Reads a JSON file; throws InputError "<file>:<line>:<column>: …".
nlohmann::json read_json(const std::filesystem::path& file);

}  // namespace pivotlab::experiments
