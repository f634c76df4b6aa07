// SPDX-License-Identifier: BSD-3-Clause
// Shares of a plan for the jobs of a job array, and the claims by which they divide a folder among themselves.
#pragma once

#include <cstdint>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/posix.hpp>
#include <filesystem>
#include <string>
#include <string_view>
#include <support/timer.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Share `number` of `count`, counted from 1: about one case in `count`, chosen by the keys of the cases.
struct Shard {
  std::uint64_t number = 1, count = 1;

  bool contains(std::string_view key) const;
};

/// Reads "K/N"; throws InputError naming --shard.
Shard parse_shard(const std::string& text);
/// "K/N"
std::string to_string(const Shard& shard);
/// "K-of-N", as in the names of files
std::string file_name(const Shard& shard);

/// The claim of a shard, as its file states it.
struct ShardClaim {
  Shard shard;
  std::string host = {};
  std::int64_t process = 0;
  std::vector<std::string> running = {};  ///< keys of its current cases at the last sign of life
  double silence_s = 0;                   ///< time since the last sign of life
  bool live = false;                      ///< the process still works
};

/// The claims in a run's folder, sorted by shard. What is no claim is left out.
std::vector<ShardClaim> read_claims(const std::filesystem::path& run);

/// "shard 1/4 by process 4711 on host"
std::string describe(const ShardClaim& claim);

/// Subfolder of a run's folder for claims.
inline constexpr const char* shard_folder = "shards";

/// Excludes other processes from making claims in a run's folder until the descriptor is closed.
FileDescriptor lock_claims(const std::filesystem::path& run);

/// A claimed shard. Claims are files <run>/shards/K-of-N, made by one process alone (O_EXCL) and locked while it works;
/// where locks do not reach other hosts, a claim without a sign of life for two minutes is no longer live. The file is
/// removed by the destructor, and remains if the process is killed.
class ClaimedShard {
 public:
  /// Throws InputError if the shard has a live claim, if shards of another number work in the folder, and, without
  /// `takeover`, if the shard has a claim that is not live.
  ClaimedShard(const std::filesystem::path& run, const Shard& shard, bool takeover);
  ~ClaimedShard();
  ClaimedShard(const ClaimedShard&) = delete;
  ClaimedShard& operator=(const ClaimedShard&) = delete;

  /// Gives a sign of life, at most every ten seconds. Throws InputError if another process has taken the shard over.
  void beat(const std::vector<std::string>& running);

 private:
  void write(const std::vector<std::string>& running);

  std::filesystem::path file_;
  FileDescriptor claim_;
  Timer since_beat_;
};

}  // namespace pivotlab::experiments
