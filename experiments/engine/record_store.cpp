// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gzip.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/own_files.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/record_store.hpp>
#include <pivotlab/error.hpp>
#include <support/files/atomic_file.hpp>

#include <algorithm>
#include <charconv>
#include <future>
#include <nlohmann/json.hpp>
#include <set>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t lines_of_member = 32, key_digits = 32;

bool is_key(std::string_view text) {
  return text.size() == key_digits && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

/// Returns the key of a record's line; empty if it has none.
std::string key_of(std::string_view line) {
  constexpr std::string_view start = "{\"key\":\"";
  if (line.starts_with(start) && is_key(line.substr(start.size(), key_digits)))
    return std::string(line.substr(start.size(), key_digits));
  const json record = json::parse(line, nullptr, false);  // another program may have changed the order of the members
  const json key = record.is_object() ? record.value("key", json()) : json();
  return key.is_string() && is_key(key.get<std::string>()) ? key.get<std::string>() : "";
}

/// A key as 16 bytes.
std::string packed(std::string_view key) {
  std::string bytes;
  for (std::size_t at = 0; at < key.size(); at += 2) {
    unsigned char byte = 0;
    std::from_chars(key.data() + at, key.data() + at + 2, byte, 16);
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

std::string unpacked(std::string_view bytes) {
  std::string key;
  for (const char byte : bytes) key += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return key;
}

/// Returns the lines of a text, without those that are empty.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// Returns key → place in the plan, from the manifest beside the records; empty without a manifest.
std::map<std::string, std::size_t> planned_order(const fs::path& run) {
  std::map<std::string, std::size_t> order;
  const fs::path manifest = run / "manifest.json";
  if (!fs::exists(manifest)) return order;
  const json content = read_json(manifest);
  const auto plan = content.find("plan");
  if (plan == content.end() || !plan->is_array()) return order;
  for (const json& item : *plan)
    if (item.is_object() && item.contains("key") && item["key"].is_string())
      order.emplace(item["key"].get<std::string>(), order.size());
  return order;
}

}  // namespace

std::string record_line(const json& record) {
  json rest = record;
  rest.erase("key");
  const std::string text = rest.dump(-1, ' ', false, json::error_handler_t::replace);
  return fmt::format("{{\"key\":{},{}", record.at("key").dump(), text.substr(1));
}

std::string record_text(const json& record) {
  return record.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

RecordStore::RecordStore(const fs::path& run) : run_(run) {
  std::error_code error;
  if (fs::is_regular_file(run, error)) {
    const std::string extension = run.extension();
    run_ = run.parent_path();
    extension == ".gz" ? add_packed(run) : extension == ".jsonl" ? add_journal(run) : add_file(run);
    return;
  }
  // The packed file comes last: it has what another process has packed meanwhile.
  const std::vector<fs::path> journals = find_journals(run);
  for (const fs::path& journal : journals) add_journal(journal);
  const bool is_packed = fs::exists(fs::symlink_status(run / packed_records, error));
  const bool is_run =
      is_packed || !journals.empty() || fs::exists(run / "manifest.json", error) || fs::exists(run / "records", error);
  if (!is_run) run_ = run.parent_path();
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(is_run ? run / "records" : run, error))
    if (entry.path().extension() == ".json" && !entry.path().filename().string().starts_with('.'))
      files.push_back(entry.path());
  std::ranges::sort(files);
  for (const fs::path& file : files) add_file(file);
  if (is_packed) add_packed(run / packed_records);
}

void RecordStore::add_file(const fs::path& path) {
  const File& file = files_.emplace_back(path, Form::file, "");
  add(path.stem(), {&file});
}

void RecordStore::add_journal(const fs::path& path) {
  File& file = files_.emplace_back(path, Form::journal, read_text(path));
  file.bytes.resize(file.bytes.rfind('\n') + 1);  // npos + 1 == 0
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.bytes))
    add_line({&file, static_cast<std::size_t>(line.data() - file.bytes.data()), 0, ++number}, line);
}

void RecordStore::add_packed(const fs::path& path) {
  const File& file = files_.emplace_back(path, Form::packed, read_text(path));
  std::size_t number = 0, length = 0;
  for (std::size_t at = 0; at < file.bytes.size(); at += length) {
    const std::string_view rest = std::string_view(file.bytes).substr(at);
    std::size_t index = 0;
    if (const auto header = gzip_header(rest)) {
      length = header->length;
      for (std::size_t k = 0; k < header->label.size(); k += key_digits / 2)
        add(unpacked(header->label.substr(k, key_digits / 2)), {&file, at, index++, ++number});
      continue;
    }
    try {
      const GzipText member = gunzip_member(rest, path.string());
      length = member.length;
      for (const std::string_view line : lines_of(member.text)) add_line({&file, at, index++, ++number}, line);
    } catch (const InputError& error) {
      return damages_.push_back(error.what());
    }
  }
}

void RecordStore::add_line(const Place& place, std::string_view line) {
  if (const std::string key = key_of(line); !key.empty()) return add(key, place);
  damages_.push_back(
      fmt::format("{}:{}: is not a record; remove the line and run again", place.file->path.string(), place.number));
}

void RecordStore::add(const std::string& key, const Place& place) {
  const auto [found, is_new] = places_.emplace(key, place);
  if (!is_new && is_newer(place, found->second)) found->second = place;
}

bool RecordStore::is_newer(const Place& one, const Place& other) const {
  if (one.file == other.file) return true;
  const auto started = [&](const Place& place) -> std::string {
    try {
      return parse(place, text_of(place))["provenance"]["started"];
    } catch (const InputError&) {  // Any other record is better than a damaged one.
      return "";
    }
  };
  return std::pair(started(one), one.file->form) > std::pair(started(other), other.file->form);
}

std::string RecordStore::text_of(const Place& place) const {
  const File& file = *place.file;
  if (file.form == Form::file) return read_text(file.path);
  const std::string_view rest = std::string_view(file.bytes).substr(place.at);
  if (file.form == Form::journal) return std::string(rest.substr(0, rest.find('\n')));
  if (unpacked_.file != &file || unpacked_.at != place.at) {
    const GzipText member = gunzip_member(rest, file.path.string());
    const std::vector<std::string_view> lines = lines_of(member.text);
    unpacked_ = {&file, place.at, {lines.begin(), lines.end()}};
  }
  if (place.index >= unpacked_.lines.size())
    throw InputError(fmt::format("{}: has a member of too few lines; restore the file, or run the missing cases",
                                 file.path.string()));
  return unpacked_.lines[place.index];
}

std::optional<std::string> RecordStore::line_of(const std::string& key) const {
  const Place& place = places_.at(key);
  if (place.file->form != Form::file) return text_of(place);
  try {
    if (const json record = parse(place, text_of(place)); record["key"] == key) return record_line(record);
  } catch (const InputError&) {  // damaged
  }
  return std::nullopt;
}

json RecordStore::parse(const Place& place, const std::string& text) {
  const bool is_file = place.file->form == Form::file;
  const std::string path = place.file->path.string();
  json record = parse_json<json>(text, path, is_file ? 1 : place.number);
  if (const auto defect = find_defect(record))
    throw InputError(is_file ? fmt::format("{}: {}; remove the file and run again", path, *defect)
                             : fmt::format("{}:{}: {}; remove the line and run again", path, place.number, *defect));
  return record;
}

std::optional<json> RecordStore::find(std::string_view key) const {
  const auto found = places_.find(std::string(key));
  if (found == places_.end()) return std::nullopt;
  const Place& place = found->second;
  const File* file = place.file;
  std::error_code ignored;
  if (const fs::file_status status = fs::status(file->path, ignored);
      file->form == Form::file && fs::exists(status) && !fs::is_regular_file(status))
    throw InputError(
        fmt::format("{}: is in the place of a record and not a regular file; remove it", file->path.string()));
  try {
    json record = parse(place, text_of(place));
    place.is_whole = true;
    if (record["key"] == key) return record;
  } catch (const InputError&) {  // damaged: the case has no record
  }
  return std::nullopt;
}

std::vector<std::string> RecordStore::in_order(std::vector<std::string> keys) const {
  if (keys.empty()) return keys;
  const auto order = planned_order(run_);
  const auto place = [&](const std::string& key) {
    const auto found = order.find(key);
    return found == order.end() ? order.size() : found->second;
  };
  std::ranges::sort(keys, {}, [&](const std::string& key) { return std::pair(place(key), key); });
  return keys;
}

std::vector<std::string> RecordStore::damages() const {
  std::vector<std::string> found = damages_, keys;
  for (const auto& [key, place] : places_)
    if (!place.is_whole) keys.push_back(key);
  for (const std::string& key : in_order(std::move(keys))) try {
      parse(places_.at(key), text_of(places_.at(key)));
    } catch (const InputError& error) {
      if (std::ranges::find(found, error.what()) == found.end()) found.emplace_back(error.what());
    }
  return found;
}

bool RecordStore::has_whole_plan(const std::map<std::string, std::string>& also) const {
  const auto order = planned_order(run_);
  return !order.empty() &&
         std::ranges::all_of(order, [&](const auto& one) { return also.contains(one.first) || find(one.first); });
}

std::vector<json> RecordStore::read_all() const {
  if (!damages_.empty()) throw InputError(damages_.front());
  std::vector<std::string> keys, texts;
  for (const auto& [key, place] : places_) keys.push_back(key);
  keys = in_order(std::move(keys));
  for (const std::string& key : keys) texts.push_back(text_of(places_.at(key)));

  std::vector<json> records(keys.size());
  constexpr std::size_t worth_a_thread = 256;
  const std::size_t parts = std::min(static_cast<std::size_t>(default_threads()), 1 + records.size() / worth_a_thread);
  std::vector<std::future<void>> done;
  for (std::size_t part = 0; part < parts; ++part)
    done.push_back(std::async(parts == 1 ? std::launch::deferred : std::launch::async, [&, part] {
      for (std::size_t k = records.size() * part / parts; k < records.size() * (part + 1) / parts; ++k)
        records[k] = parse(places_.at(keys[k]), texts[k]);
    }));
  for (std::future<void>& part : done) part.get();  // throws for the first damaged record
  return records;
}

Journal::Journal(const fs::path& run, std::string_view writer) : file_(run / fmt::format("journal.{}.jsonl", writer)) {}

void Journal::open() {
  opened_ =
      FileDescriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!opened_.valid()) fail_on_path(file_, "opened", errno);
  struct stat status {};
  if (::fstat(opened_.get(), &status) != 0) fail_on_path(file_, "read", errno);
  if (!S_ISREG(status.st_mode) || status.st_nlink > 1)
    throw InputError(
        fmt::format("{}: is in the place of a journal and not a regular file of one name; remove it", file_.string()));
  std::string text;
  if (!read_all(opened_.get(), text)) fail_on_path(file_, "read", errno);
  const auto whole = static_cast<off_t>(text.rfind('\n') + 1);  // npos + 1 == 0
  if (::ftruncate(opened_.get(), whole) != 0) fail_on_path(file_, "written", errno);
  const FileDescriptor folder(::open(file_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.valid()) ::fsync(folder.get());  // so that the name survives a crash
}

void Journal::append(const json& record) {
  if (!opened_.valid() || !has_name(opened_, file_)) open();  // somebody may have deleted it
  if (!write_all(opened_.get(), record_line(record) + '\n') || ::fdatasync(opened_.get()) != 0)
    fail_on_path(file_, "written", errno);
}

std::size_t pack_records(const fs::path& run, const std::map<std::string, std::string>& instead) {
  using Form = RecordStore::Form;
  const RecordStore store(run);
  const bool is_damaged = !store.damages_.empty();
  if (is_damaged && !store.has_whole_plan(instead)) throw InputError(store.damages_.front());
  const bool is_packed = std::ranges::all_of(store.files_, [](const auto& file) { return file.form == Form::packed; });
  if (is_packed && !is_damaged && instead.empty()) return store.places_.size();
  // A record of `instead` may have started before that of a journal, which a kill after the renaming would leave.
  if (!is_packed && !instead.empty()) pack_records(run);

  std::vector<std::string> keys;
  for (const auto& [key, line] : instead) keys.push_back(key);
  for (const auto& [key, place] : store.places_)
    if (!instead.contains(key)) keys.push_back(key);
  std::set<std::string> done;
  AtomicFile output(run / packed_records);
  std::string text, label;
  const auto write_member = [&] {
    const std::string member = gzip_member(text, label);
    output.write(member.data(), member.size());
    text.clear(), label.clear();
  };
  for (const std::string& key : store.in_order(std::move(keys))) {
    const auto line = instead.contains(key) ? std::optional(instead.at(key)) : store.line_of(key);
    if (!line) continue;
    text += *line + '\n', label += packed(key);
    if (done.insert(key).second && done.size() % lines_of_member == 0) write_member();
  }
  if (!text.empty()) write_member();
  if (!done.empty()) output.commit();
  std::error_code error;
  for (const auto& [path, form, bytes] : store.files_)
    if (form == Form::journal ||
        (form == Form::file && done.contains(path.stem()) && fs::is_regular_file(fs::symlink_status(path, error))))
      if (!fs::remove(path, error) && error) fail_on_path(path, "removed", error.value());
  fs::remove(run / "records", error);  // stays if it is not empty
  return done.size();
}

}  // namespace pivotlab::experiments
