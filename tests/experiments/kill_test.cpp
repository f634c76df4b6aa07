// A sweep that is killed and resumed several times loses no case, runs none twice, and leaves no partial record.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/record.hpp>
#include <tests/experiments/scratch.hpp>

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

namespace pivotlab::experiments::kill_test {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
constexpr std::size_t kCases = 32;

class KilledRun : public testing::Test {
 protected:
  pid_t start(const char* solver = "sleeps", int workers = 1, bool by_command = false) const {
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    ::setpgid(0, 0);
    const int silence = ::open("/dev/null", O_WRONLY);
    ::dup2(silence, STDERR_FILENO);
    ::execl(PIVOTLAB_VICTIM, "victim", out().c_str(), log().c_str(), solver, std::to_string(workers).c_str(),
            by_command ? fake_worker().c_str() : nullptr, nullptr);
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

  /// Returns file name → content of all records; each must be complete.
  std::map<std::string, std::string> records() const {
    std::map<std::string, std::string> result;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(out() / "fake" / "records", missing)) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with('.')) continue;
      const std::string text = content_of(entry.path());
      EXPECT_EQ(find_defect(nlohmann::json::parse(text, nullptr, false)), std::nullopt) << name << '\n' << text;
      result[name] = text;
    }
    return result;
  }

  const ScratchFolder scratch_;
};

class KilledRunOfWorkers : public KilledRun, public testing::WithParamInterface<std::pair<int, bool>> {};

TEST_P(KilledRunOfWorkers, LosesNothingAndRepeatsNothing) {
  const auto [workers, by_command] = GetParam();
  std::mt19937 random(20261121);
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
    kills += status == -SIGKILL;
    const auto after = records();
    for (const auto& [name, text] : before) EXPECT_EQ(after.at(name), text) << name << " was written again";
    before = after;
  }
  EXPECT_GE(kills, 5);
  EXPECT_EQ(wait(start()), 0);
  EXPECT_EQ(records().size(), kCases);
  EXPECT_EQ(records(), before);
  for (const auto& entry : fs::directory_iterator(out() / "fake" / "records"))
    EXPECT_EQ(entry.path().extension(), ".json") << entry.path() << " was left over";
  // Only a case that a worker was running when a kill came may have been started twice.
  const std::string solves = content_of(log());
  EXPECT_LE(std::count(solves.begin(), solves.end(), '\n'),
            static_cast<std::ptrdiff_t>(kCases) + std::ptrdiff_t{workers} * kills);
}

INSTANTIATE_TEST_SUITE_P(Workers, KilledRunOfWorkers,
                         testing::Values(std::pair(1, false), std::pair(3, false), std::pair(3, true)));

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
  const std::string solves = content_of(log());
  EXPECT_EQ(std::count(solves.begin(), solves.end(), '\n'), static_cast<std::ptrdiff_t>(kCases));
}

}  // namespace
}  // namespace pivotlab::experiments::kill_test
