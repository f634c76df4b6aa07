// SPDX-License-Identifier: BSD-3-Clause
// A sweep that is killed and resumed several times loses no case, runs none twice, and leaves no partial record.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/run_folder.hpp>
#include <tests/experiments/scratch.hpp>
#include <tests/programs.hpp>

#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <thread>

namespace pivotlab::experiments::kill_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr std::size_t kCases = 32;

/// How often each test kills at least; PIVOTLAB_KILLS=1000 for a long one.
int wanted_kills() {
  const char* number = std::getenv("PIVOTLAB_KILLS");
  return number == nullptr ? 5 : std::atoi(number);
}

class KilledRun : public testing::Test {
 protected:
  pid_t start(const char* solver = "sleeps", int workers = 1, bool by_command = false,
              const char* shard = nullptr) const {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::setpgid(0, 0);
    ::dup2(::open(errors().c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666), STDERR_FILENO);
    ::execl(test::beside("test_victim").c_str(), "victim", out().c_str(), log().c_str(), solver,
            std::to_string(workers).c_str(), by_command ? fake_worker().c_str() : "", shard, nullptr);
    ::_exit(127);
  }

  /// Returns the exit status, or minus the signal.
  static int wait(pid_t pid) {
    int status = 0;
    ::waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  fs::path out() const { return scratch_.path() / "runs"; }
  fs::path log() const { return scratch_.path() / "log"; }
  fs::path errors() const { return scratch_.path() / "errors"; }

  /// Returns key → line of all records; each must be complete.
  std::map<std::string, std::string> records() const {
    std::map<std::string, std::string> result;
    for (const nlohmann::json& record : RecordStore(out() / "fake").read_all())
      result[record.at("key")] = record_line(record);
    return result;
  }

  /// Expects that the earlier records are still there, unchanged; returns all.
  std::map<std::string, std::string> expect_no_change(const std::map<std::string, std::string>& before) const {
    std::map<std::string, std::string> after = records();
    for (const auto& [key, line] : before) EXPECT_EQ(after[key], line) << key << " was lost or written again";
    return after;
  }

  /// Expects that the folder has nothing but a packed file with these records.
  void expect_packed(const std::map<std::string, std::string>& all) const {
    EXPECT_EQ(records(), all);
    std::set<std::string> files;
    for (const auto& entry : fs::directory_iterator(out() / "fake")) files.insert(entry.path().filename());
    files.erase("shards");
    EXPECT_EQ(files, (std::set<std::string>{".lock", "manifest.json", packed_records}));
  }

  std::ptrdiff_t solves() const {
    const std::string lines = content_of(log());
    return std::count(lines.begin(), lines.end(), '\n');
  }

  const ScratchFolder scratch_;
};

class KilledRunOfWorkers : public KilledRun, public testing::WithParamInterface<std::pair<int, bool>> {};

TEST_P(KilledRunOfWorkers, LosesNothingAndRepeatsNothing) {
  const auto [workers, by_command] = GetParam();
  std::mt19937 random(20261121);
  for (int all_kills = 0; all_kills < wanted_kills();) {
    fs::remove_all(out());
    fs::remove(log());
    std::map<std::string, std::string> before;
    int kills = 0;
    for (int status = -SIGKILL; status == -SIGKILL;) {
      ASSERT_LT(kills, 100);
      const pid_t pid = start("sleeps", workers, by_command);
      // The kill comes sometimes before the manifest, sometimes during the fourth case.
      std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 150'000)(random)));
      if (kills >= 8) std::this_thread::sleep_for(100ms * (kills - 8));  // so that it ends on slow machines, too
      ::kill(pid, SIGKILL);
      status = wait(pid);
      ASSERT_TRUE(status == 0 || status == -SIGKILL) << content_of(errors());
      kills += status == -SIGKILL;
      before = expect_no_change(before);
    }
    EXPECT_GE(kills, 5);
    EXPECT_EQ(wait(start()), 0);
    EXPECT_EQ(before.size(), kCases);
    expect_packed(before);
    // Only a case that a worker was running when a kill came may have been started twice.
    EXPECT_LE(solves(), static_cast<std::ptrdiff_t>(kCases) + std::ptrdiff_t{workers} * kills);
    all_kills += kills;
  }
}

INSTANTIATE_TEST_SUITE_P(Workers, KilledRunOfWorkers,
                         testing::Values(std::pair(1, false), std::pair(3, false), std::pair(3, true)));

/// Returns key → number of samples.
std::map<std::string, std::size_t> samples_of(const std::map<std::string, std::string>& records) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [key, line] : records)
    counts[key] = nlohmann::json::parse(line)["time"]["compute_s"]["samples"].size();
  return counts;
}

TEST_F(KilledRun, LosesNothingWhileItGrows) {
  std::mt19937 random(20261130);
  const auto set = [](const char* sizes, const char* repeat) {
    ::setenv("VICTIM_SIZES", sizes, 1), ::setenv("VICTIM_REPEAT", repeat, 1);
  };
  set("1", "1");
  EXPECT_EQ(wait(start()), 0);
  std::map<std::string, std::size_t> before = samples_of(records());
  EXPECT_EQ(before.size(), kCases / 4);
  set("2", "2");
  int kills = 0;
  for (int status = -SIGKILL; status == -SIGKILL; kills += status == -SIGKILL) {
    ASSERT_LT(kills, 100);
    const pid_t pid = start();
    std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 250'000)(random)));
    if (kills >= 8) std::this_thread::sleep_for(100ms * (kills - 8));
    ::kill(pid, SIGKILL);
    status = wait(pid);
    ASSERT_TRUE(status == 0 || status == -SIGKILL) << content_of(errors());
    const std::map<std::string, std::size_t> after = samples_of(records());
    for (const auto& [key, count] : before) EXPECT_GE(after.contains(key) ? after.at(key) : 0, count) << key;
    before = after;
  }
  ::unsetenv("VICTIM_SIZES"), ::unsetenv("VICTIM_REPEAT");
  EXPECT_EQ(before.size(), kCases / 2);
  for (const auto& [key, count] : before) EXPECT_EQ(count, 2u) << key;
  expect_packed(records());
  // Only samples of a case that was current when a kill came may have been taken twice.
  EXPECT_LE(solves(), static_cast<std::ptrdiff_t>(kCases) + 2 * kills);
}

TEST_F(KilledRun, LosesNothingOfShards) {
  std::mt19937 random(20261128);
  const char* const shards[] = {"1/2", "2/2"};
  for (int all_kills = 0; all_kills < wanted_kills();) {
    fs::remove_all(out());
    fs::remove(log());
    std::map<std::string, std::string> before;
    int kills = 0;
    for (bool unfinished = true; unfinished;) {
      ASSERT_LT(kills, 100);
      // A process that is killed before it states its host in its claim keeps others away for two minutes.
      std::error_code missing;
      for (const auto& claim : fs::directory_iterator(out() / "fake" / "shards", missing))
        if (fs::is_empty(claim)) fs::remove(claim);
      const pid_t pids[] = {start("sleeps", 1, false, shards[0]), start("sleeps", 1, false, shards[1])};
      unfinished = false;
      for (const pid_t pid : pids) {
        std::this_thread::sleep_for(std::chrono::microseconds(std::uniform_int_distribution(0, 100'000)(random)));
        if (kills >= 16) std::this_thread::sleep_for(50ms * (kills - 16));
        ::kill(pid, SIGKILL);
        const int status = wait(pid);
        EXPECT_TRUE(status == 0 || status == -SIGKILL) << content_of(errors());
        kills += status == -SIGKILL;
        unfinished = unfinished || status == -SIGKILL;
      }
      before = expect_no_change(before);
    }
    EXPECT_EQ(before.size(), kCases);
    expect_packed(before);
    EXPECT_LE(solves(), static_cast<std::ptrdiff_t>(kCases) + kills);
    all_kills += kills;
  }
}

/// Returns the processes below a process.
std::vector<pid_t> descendants_of(pid_t pid) {
  std::vector<pid_t> below;
  for (const auto& task : fs::directory_iterator(fs::path("/proc") / std::to_string(pid) / "task")) {
    std::ifstream stream(task.path() / "children");
    for (pid_t child = 0; stream >> child;) below.push_back(child);
  }
  for (std::size_t k = 0, children = below.size(); k < children; ++k)
    std::ranges::copy(descendants_of(below[k]), std::back_inserter(below));
  return below;
}

/// Returns false for a process that has ended or is a zombie.
bool is_alive(pid_t pid) {
  std::ifstream stream(fs::path("/proc") / std::to_string(pid) / "stat");
  std::string number, name, state;
  return stream >> number >> name >> state && state != "Z";
}

TEST_F(KilledRun, LeavesNoProcessBehind) {
  const pid_t pid = start("hangs");
  while (content_of(log()).empty()) std::this_thread::sleep_for(5ms);
  const std::vector<pid_t> below = descendants_of(pid);
  ASSERT_EQ(below.size(), 3U);  // the guard of the worker, the worker, and the process that solves
  ::kill(pid, SIGKILL);
  wait(pid);
  for (const pid_t one : below) {
    for (int i = 0; i < 200 && is_alive(one); ++i) std::this_thread::sleep_for(10ms);
    EXPECT_FALSE(is_alive(one));
    ::kill(one, SIGKILL);  // so that a failure leaves no process behind
  }
}

class InterruptedRun : public KilledRun, public testing::WithParamInterface<std::pair<int, bool>> {};

TEST_P(InterruptedRun, KeepsFinishedCasesAndEndsWith130) {
  const auto [signal, whole_group] = GetParam();
  const pid_t pid = start();
  while (records().size() < 3) std::this_thread::sleep_for(5ms);
  ::kill(whole_group ? -pid : pid, signal);
  EXPECT_EQ(wait(pid), 130);
  const auto before = records();
  EXPECT_GE(before.size(), 3u);
  EXPECT_LT(before.size(), kCases);
  for (const auto& [name, text] : before) EXPECT_EQ(nlohmann::json::parse(text)["status"], "passed");
  EXPECT_EQ(wait(start()), 0);
  const auto after = records();
  EXPECT_EQ(after.size(), kCases);
  for (const auto& [name, text] : before) EXPECT_EQ(after.at(name), text);
}

// Ctrl-C signals the workers, too; `kill` only the runner.
INSTANTIATE_TEST_SUITE_P(Signals, InterruptedRun,
                         testing::Values(std::pair(SIGINT, true), std::pair(SIGINT, false), std::pair(SIGTERM, true)));

TEST_F(KilledRun, RunsOnceWhenStartedTwice) {
  const pid_t first = start();
  while (records().empty()) std::this_thread::sleep_for(5ms);
  EXPECT_EQ(wait(start()), 2);
  EXPECT_EQ(wait(first), 0);
  EXPECT_EQ(solves(), static_cast<std::ptrdiff_t>(kCases));
}

/// Appends records from the place `first` on, packs after every fourth, and writes the number of records that it has
/// appended to a pipe.
[[noreturn]] void append_and_pack(const fs::path& run, const std::vector<nlohmann::json>& all, std::size_t first,
                                  int pipe) {
  Journal journal(run, "run");
  for (std::size_t k = first; k < all.size(); ++k) {
    journal.append(all[k]);
    const std::uint32_t count = k + 1;
    if (::write(pipe, &count, sizeof count) != sizeof count) ::_exit(1);
    if (count % 4 == 0) pack_run(run);
  }
  ::_exit(0);
}

TEST(KilledPacker, LosesNothingAndDoublesNothing) {
  const ScratchFolder scratch;
  const fs::path run = scratch.path() / "fake";
  RunOptions options;
  options.out = scratch.path();
  const nlohmann::json any =
      read_records(run_quietly(make_plan(fake_spec({{"solver", texts({"quick"})}}), find_fake), options).directory)
          .at(0);
  std::vector<nlohmann::json> all;
  for (int seed = 1; seed <= 200; ++seed) {
    all.push_back(any);
    all.back()["case"]["seed"] = seed;
    all.back()["key"] = case_key(case_of(all.back()["case"]).value());
  }
  std::mt19937 random(20261129);
  std::size_t written = 0;
  for (int kills = 0; kills < wanted_kills();) {
    if (written == all.size()) {
      fs::remove(run / packed_records);
      written = 0;
    }
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t pid = ::fork();
    if (pid == 0) append_and_pack(run, all, written, ends[1]);
    ::close(ends[1]);
    ::usleep(std::uniform_int_distribution(0, 20'000)(random));
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    kills += WIFSIGNALED(status);
    for (std::uint32_t count = 0; ::read(ends[0], &count, sizeof count) == sizeof count;) written = count;
    ::close(ends[0]);

    std::map<std::string, nlohmann::json> found;
    for (const nlohmann::json& record : RecordStore(run).read_all()) found[record.at("key")] = record;
    // One more may be whole whose number was not written.
    ASSERT_GE(found.size(), written);
    ASSERT_LE(found.size(), written + 1);
    for (std::size_t k = 0; k < written; ++k) ASSERT_EQ(found[all[k]["key"]], all[k]) << k << " was lost";
    const std::size_t lines = pack_run(run);
    ASSERT_EQ(lines, found.size());
    ASSERT_EQ(RecordStore(run).read_all().size(), lines);
    ASSERT_FALSE(fs::exists(run / "journal.run.jsonl"));
  }
}

}  // namespace
}  // namespace pivotlab::experiments::kill_test
