// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/json_node.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/shard.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <charconv>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double beat_every_s = 10, claim_lifetime_s = 120;

double seconds_since_epoch(const timespec& time) {
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double now_s() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return seconds_since_epoch(now);
}

std::string own_host() {
  return environment_json()["host"];
}

/// Reads "K<between>N" with 1 ≤ K ≤ N.
std::optional<Shard> shard_of(std::string_view text, std::string_view between) {
  const std::size_t at = text.find(between);
  if (at == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits, std::uint64_t& value) {
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return error == std::errc() && end == digits.data() + digits.size();
  };
  Shard shard;
  if (!number(text.substr(0, at), shard.number) || !number(text.substr(at + between.size()), shard.count))
    return std::nullopt;
  return 1 <= shard.number && shard.number <= shard.count ? std::optional(shard) : std::nullopt;
}

bool is_locked_by_others(const FileDescriptor& file) {
  return ::flock(file.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

std::optional<ShardClaim> read_claim(const fs::path& file) {
  const auto shard = shard_of(file.filename().string(), "-of-");
  const FileDescriptor claim(::open(file.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!shard || !claim.valid() || ::fstat(claim.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  ShardClaim result{.shard = *shard, .silence_s = std::max(0.0, now_s() - seconds_since_epoch(status.st_mtim))};
  try {
    const auto content = parse_json<nlohmann::ordered_json>(read_text(file), file.string());
    const std::string origin = file.string();
    const JsonNode node(content, origin);
    result.host = node.at("host").text();
    result.process = node.at("process").integer();
    node.at("running").each_element([&](const JsonNode& key) { result.running.push_back(key.text()); });
  } catch (const InputError&) {  // killed while it wrote the claim
  }
  result.live = is_locked_by_others(claim) || (result.host != own_host() && result.silence_s < claim_lifetime_s);
  return result;
}

}  // namespace

bool Shard::contains(std::string_view key) const {
  std::uint64_t hash = 0;
  std::from_chars(key.data(), key.data() + std::min<std::size_t>(key.size(), 16), hash, 16);
  return hash % count == number - 1;
}

Shard parse_shard(const std::string& text) {
  if (const auto shard = shard_of(text, "/")) return *shard;
  throw InputError(fmt::format("--shard: '{}': is not a share; write K/N with 1 <= K <= N, for example 3/8", text));
}

std::string to_string(const Shard& shard) {
  return fmt::format("{}/{}", shard.number, shard.count);
}

std::string file_name(const Shard& shard) {
  return fmt::format("{}-of-{}", shard.number, shard.count);
}

std::string describe(const ShardClaim& claim) {
  return fmt::format("shard {} by process {} on {}", to_string(claim.shard), claim.process, claim.host);
}

FileDescriptor lock_claims(const fs::path& run) {
  const fs::path folder = run / shard_folder;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail_on_path(folder, "made", error.value());
  FileDescriptor lock(::open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666));
  if (!lock.valid() || ::flock(lock.get(), LOCK_EX) != 0) fail_on_path(folder / ".lock", "locked", errno);
  return lock;
}

std::vector<ShardClaim> read_claims(const fs::path& run) {
  std::vector<ShardClaim> claims;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(run / shard_folder, error))
    if (auto claim = read_claim(entry.path())) claims.push_back(std::move(*claim));
  std::ranges::sort(claims, {}, [](const ShardClaim& one) { return std::pair(one.shard.count, one.shard.number); });
  return claims;
}

ClaimedShard::ClaimedShard(const fs::path& run, const Shard& shard, bool takeover)
    : file_(run / shard_folder / file_name(shard)) {
  const FileDescriptor lock = lock_claims(run);
  for (const ShardClaim& claim : read_claims(run)) {
    const bool same = claim.shard.number == shard.number && claim.shard.count == shard.count;
    if (claim.live && same)
      throw InputError(
          fmt::format("{}: {} is running here; wait for it or choose another shard", run.string(), describe(claim)));
    if (claim.live && claim.shard.count != shard.count)
      throw InputError(fmt::format("{}: {} is running here, whose shares are others; wait for it or take {} shards",
                                   run.string(), describe(claim), claim.shard.count));
    if (same && !takeover)
      throw InputError(
          fmt::format("{}: {} has ended without finishing, its last sign of life is {:.0f} s old; add "
                      "--takeover to continue it",
                      run.string(), describe(claim), claim.silence_s));
    if (same) fs::remove(file_);
  }
  claim_ = FileDescriptor(::open(file_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!claim_.valid()) fail_on_path(file_, "made", errno);
  ::flock(claim_.get(), LOCK_EX);
  write({});
}

ClaimedShard::~ClaimedShard() {
  if (has_name(claim_, file_)) ::unlink(file_.c_str());
}

void ClaimedShard::write(const std::vector<std::string>& running) {
  const json content = {{"host", own_host()}, {"process", ::getpid()}, {"started", utc_now()}, {"running", running}};
  const std::string text = content.dump() + '\n';
  const bool written =
      ::ftruncate(claim_.get(), 0) == 0 && ::lseek(claim_.get(), 0, SEEK_SET) == 0 && write_all(claim_.get(), text);
  if (!written) fail_on_path(file_, "written", errno);
  since_beat_.restart();
}

void ClaimedShard::beat(const std::vector<std::string>& running) {
  if (since_beat_.seconds() < beat_every_s) return;
  if (!has_name(claim_, file_))
    throw InputError(fmt::format("{}: another process has taken this shard over", file_.string()));
  write(running);
}

}  // namespace pivotlab::experiments
