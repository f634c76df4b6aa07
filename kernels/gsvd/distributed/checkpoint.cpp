// SPDX-License-Identifier: BSD-3-Clause
// A file consists of a head (magic number, job, checksum), counters and times, the pieces of the stripes, and a
// checksum of everything.
#include "kernels/gsvd/distributed/checkpoint.hpp"

#include "support/files/atomic_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <type_traits>

namespace pivotlab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t magic = 0x3130'7470'6b63'6c70;  // "plckpt01"

class Writer {
 public:
  Writer(const std::string& path, const std::string& job) : file_(path) {
    value(magic);
    list(job);
    end_part();
  }

  void bytes(const Piece& piece) {
    checksum_.add(piece.data, piece.bytes);
    file_.write(piece.data, piece.bytes);
  }
  template <class Value>
  void value(Value x) {
    bytes({&x, sizeof x});
  }
  void list(const auto& values) {
    value<std::uint64_t>(values.size());
    bytes({const_cast<void*>(static_cast<const void*>(values.data())), values.size() * sizeof(values[0])});
  }
  void finish() {
    end_part();
    file_.commit();
  }

 private:
  void end_part() { value(checksum_.value()); }

  AtomicFile file_;
  Checksum checksum_;
};

class Reader {
 public:
  Reader(const std::string& path, const std::string& wanted) : path_(path) {
    if (fs::exists(path) && !fs::is_regular_file(path)) fail("it is not a regular file");
    file_.open(path, std::ios::binary);
    if (value<std::uint64_t>() != magic) fail("it is not a checkpoint");
    const auto job = list<std::string>();
    end_part();
    if (job != wanted) fail(fmt::format("it is of {}, not of {}", job, wanted));
  }

  void bytes(const Piece& piece) {
    if (!file_.read(static_cast<char*>(piece.data), static_cast<std::streamsize>(piece.bytes))) fail(broken);
    checksum_.add(piece.data, piece.bytes);
  }
  template <class Value>
  Value value() {
    Value x{};
    bytes({&x, sizeof x});
    return x;
  }
  template <class List>
  List list() {
    using Item = typename List::value_type;
    static_assert(std::is_trivially_copyable_v<Item>);
    const auto size = value<std::uint64_t>();
    if (size > fs::file_size(path_) / sizeof(Item)) fail(broken);
    List items(size, Item{});
    bytes({items.data(), size * sizeof(Item)});
    return items;
  }
  /// Throws if the part read so far is broken, before its contents are used.
  void end_part() {
    const std::uint64_t sum = checksum_.value();
    if (value<std::uint64_t>() != sum) fail(broken);
  }

 private:
  static constexpr const char* broken = "the file is broken or cannot be read";

  [[noreturn]] void fail(std::string_view why) const {
    throw InputError(fmt::format("checkpoint {}: {}; remove the set or give another path", path_, why));
  }

  std::string path_;
  std::ifstream file_;
  Checksum checksum_;
};

}  // namespace

void Checksum::add(const void* data, std::size_t bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  const auto mix = [this](std::uint64_t word) { state_ = std::rotl(state_ ^ word, 29) * prime; };
  const auto* from = static_cast<const char*>(data);
  for (; bytes > 0;) {
    std::uint64_t word = 0;
    const std::size_t count = std::min(bytes, sizeof word);
    std::memcpy(&word, from, count);
    mix(word);
    from += count, bytes -= count;
  }
}

Checkpoints::Checkpoints(Transport& transport, const CheckpointOptions& options, const std::string& job,
                         std::uint64_t pair)
    : transport_(transport),
      options_(options),
      job_(fmt::format("{}, {} ranks, columns {:016x}", job, transport.size(), pair)) {}

std::string Checkpoints::file_after(std::size_t sweeps) const {
  return fmt::format("{}.sweep{}.rank{}", options_.path, sweeps, transport_.rank());
}

/// Returns the files of this rank; removes incomplete files.
std::vector<Checkpoints::File> Checkpoints::own_files() const {
  const fs::path path(options_.path);
  const std::string before = path.filename().string() + ".sweep", after = fmt::format(".rank{}", transport_.rank());
  std::vector<File> files;
  std::error_code ignored;  // a missing folder has no files
  for (const auto& entry : fs::directory_iterator(path.has_parent_path() ? path.parent_path() : ".", ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with('.' + before) && name.ends_with(".tmp") && name.find(after + '.') != std::string::npos)
      fs::remove(entry.path(), ignored);
    if (!name.starts_with(before) || !name.ends_with(after)) continue;
    std::size_t sweeps = 0;
    const char *first = name.data() + before.size(), *last = name.data() + name.size() - after.size();
    if (first < last && std::from_chars(first, last, sweeps).ptr == last)
      files.push_back({sweeps, entry.path().string()});
  }
  return files;
}

/// Returns the number of sweeps of the newest complete set, 0 if there is none. There are at most two sets, of which
/// the newer one may lack files.
std::size_t Checkpoints::newest_complete_set(const std::vector<File>& files) const {
  std::size_t bound = std::numeric_limits<std::size_t>::max();
  while (true) {
    std::size_t newest = 0;
    for (const File& file : files)
      if (file.sweeps <= bound) newest = std::max(newest, file.sweeps);
    const auto all = gather_values(transport_, newest);
    bound = std::ranges::min(all);
    if (bound == std::ranges::max(all) || bound == 0) return bound;
  }
}

bool Checkpoints::resume(Progress& progress, const ForPieces& stripes) {
  if (options_.path.empty()) return false;
  const std::vector<File> files = own_files();
  in_agreement(transport_, [&] {  // includes sets of more ranks than there are now
    for (const File& file : files) Reader(file.path, job_);
  });
  const std::size_t sweeps = newest_complete_set(files);
  if (sweeps == 0) return false;
  in_agreement(transport_, [&] {
    Reader file(file_after(sweeps), job_);
    progress = {file.list<std::vector<SweepCounters>>(), file.list<std::vector<StepSeconds>>(), file.value<double>(),
                sweeps};
    stripes([&](const Piece& piece) { file.bytes(piece); });
    file.end_part();
  });
  saved_sweeps_ = sweeps;
  return true;
}

bool Checkpoints::is_due(const Progress& progress) const {
  const bool mine = progress.sweeps.size() >= saved_sweeps_ + static_cast<std::size_t>(options_.every_sweeps) &&
                    since_saved_.seconds() >= options_.every_seconds;
  return gather_values(transport_, int{mine})[0] != 0;  // clocks differ, so the first rank decides
}

void Checkpoints::save(const Progress& progress, const ForPieces& stripes) {
  if (options_.path.empty() || !is_due(progress)) return;
  const std::string path = file_after(progress.sweeps.size());
  in_agreement(transport_, [&] {
    Writer file(path, job_);
    file.list(progress.sweeps);
    file.list(progress.steps);
    file.value(progress.compute_seconds);
    stripes([&](const Piece& piece) { file.bytes(piece); });
    file.finish();
  });
  std::error_code ignored;  // files that cannot be removed remain
  for (const File& file : own_files())
    if (file.sweeps != progress.sweeps.size()) fs::remove(file.path, ignored);
  saved_sweeps_ = progress.sweeps.size(), since_saved_.restart();
}

void Checkpoints::remove() {
  if (options_.path.empty()) return;
  gather_values(transport_, 0);  // no rank needs the set any more
  std::error_code ignored;
  for (const File& file : own_files()) fs::remove(file.path, ignored);
}

}  // namespace pivotlab
