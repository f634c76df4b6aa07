// SPDX-License-Identifier: BSD-3-Clause
// The records of a run's folder, in whichever files they lie:
//   records.jsonl.gz          the packed records, in the order of the plan: gzip members of 32 lines each
//   journal.<writer>.jsonl    the records that a run or a shard has written since, one line each
//   records/<key>.json        one file each, as earlier versions wrote them
// A line is a record's JSON without white space that begins {"key":"<key>". If a record occurs more than once, the
// later line of a journal counts, and between files the record of the later start; a line without its end does not
// count.
#pragma once

#include <cstddef>
#include <deque>
#include <experiments/engine/posix.hpp>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pivotlab::experiments {

inline constexpr const char* packed_records = "records.jsonl.gz";

/// Returns the line of a record, without the end of the line.
std::string record_line(const nlohmann::json& record);
/// Returns the text of a record as a file of its own.
std::string record_text(const nlohmann::json& record);

/// The records as they are at the construction. Files that change later are read as they were; records/ is read anew.
class RecordStore {
 public:
  /// `run`: the folder of a run, its records/, or one file of records. A missing folder has no records. Throws
  /// InputError for what cannot be read.
  explicit RecordStore(const std::filesystem::path& run);
  RecordStore(RecordStore&&) = default;  // no copies: places point to files
  RecordStore& operator=(RecordStore&&) = default;

  /// Returns whether there is a record of this key, which may be damaged.
  bool contains(const std::string& key) const { return places_.contains(key); }

  /// Returns the record if it is there, is complete and has every required field, and this key. Throws InputError if
  /// something in the place of a record's file is not a regular file.
  std::optional<nlohmann::json> find(std::string_view key) const;

  /// Returns all records in the order of the plan. Throws InputError for a damaged one "<file>:<line>: …".
  std::vector<nlohmann::json> read_all() const;

  /// Returns a message on every line, member and record that cannot be read: their cases have no record. Does not read
  /// again what find() has found.
  std::vector<std::string> damages() const;

 private:
  friend std::size_t pack_records(const std::filesystem::path&, const std::map<std::string, std::string>&);

  enum class Form { file, packed, journal };  ///< in this order at an equal start the later one counts
  struct File {
    std::filesystem::path path;
    Form form;
    std::string bytes;  ///< empty for the file of one record
  };
  struct Place {
    const File* file;
    std::size_t at = 0;             ///< where the line, or the member that contains it, begins in the file
    std::size_t index = 0;          ///< which line of the member it is
    std::size_t number = 0;         ///< of the line in the file, from 1
    mutable bool is_whole = false;  ///< find() has read the record
  };

  void add_file(const std::filesystem::path& path);
  void add_journal(const std::filesystem::path& path);
  void add_packed(const std::filesystem::path& path);
  void add_line(const Place& place, std::string_view line);
  void add(const std::string& key, const Place& place);
  bool is_newer(const Place& one, const Place& other) const;
  std::string text_of(const Place& place) const;
  std::optional<std::string> line_of(const std::string& key) const;  ///< nothing for the damaged file of one record
  static nlohmann::json parse(const Place& place, const std::string& text);
  std::vector<std::string> in_order(std::vector<std::string> keys) const;
  /// Returns whether every case of the manifest's plan has a record that can be read, or one in `also`.
  bool has_whole_plan(const std::map<std::string, std::string>& also) const;

  std::filesystem::path run_;
  std::deque<File> files_;
  std::unordered_map<std::string, Place> places_;
  std::vector<std::string> damages_;  ///< messages on lines and members without a key
  struct Member {
    const File* file = nullptr;
    std::size_t at = 0;
    std::vector<std::string> lines;
  };
  mutable Member unpacked_;  ///< the last one
};

/// The file to which one process appends records: journal.<writer>.jsonl. Two processes never have the same writer.
class Journal {
 public:
  Journal(const std::filesystem::path& run, std::string_view writer);

  /// Appends a record, which is on the disk when the function returns. The first call removes a line without an end,
  /// which a killed process has left. Throws InputError if the file cannot be written or is no journal.
  void append(const nlohmann::json& record);

 private:
  void open();

  std::filesystem::path file_;
  FileDescriptor opened_;
};

/// Collects the records of a run's folder, and `instead` of those with the same keys these lines, in the packed file;
/// removes the journals and the files of records that it contains. A process that is killed meanwhile loses nothing. No
/// other process may write in the folder. Returns the number of packed records. Throws InputError if a record cannot be
/// read, unless every case of the plan has one that can: then a cut-off file has nothing that is still needed. Damaged
/// files of records stay.
std::size_t pack_records(const std::filesystem::path& run, const std::map<std::string, std::string>& instead = {});

}  // namespace pivotlab::experiments
