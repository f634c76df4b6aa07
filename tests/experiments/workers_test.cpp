// SPDX-License-Identifier: BSD-3-Clause
// Runs with several workers.
#include <fmt/format.h>
#include <unistd.h>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/worker.hpp>
#include <experiments/engine/worker_host.hpp>
#include <support/files/memory.hpp>
#include <support/timer.hpp>
#include <tests/experiments/scratch.hpp>

#include <algorithm>
#include <csignal>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

namespace pivotlab::experiments::workers_test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using Statuses = std::map<std::string, std::size_t>;

class Workers : public testing::Test {
 protected:
  Workers() {
    options_.out = scratch_.path() / "runs";
    options_.workers = 3;
    log_solves_to(log());
    options_.worker = fake_worker();
  }
  ~Workers() override { log_solves_to({}); }

  fs::path log() const { return scratch_.path() / "log"; }
  RunSummary execute(const Spec& spec) { return run_quietly(make_plan(spec, find_fake), options_); }
  std::string message(const RunSummary& summary, const char* solver) const {
    for (const json& record : read_records(summary.directory))
      if (record["case"]["solver"] == solver) return record["message"];
    return "no record";
  }

  const ScratchFolder scratch_;
  RunOptions options_;
};

TEST_F(Workers, GiveEveryEndItsStatusAndGoOn) {
  Spec spec = fake_spec({{"size", integers({1, 2, 3})},
                         {"threads", integers({1})},
                         {"solver", texts({"crashes", "quick", "incorrect", "throws", "unconverged", "exits",
                                           "unsupported", "exhausted", "hangs", "greedy", "sleeps"})}});
  spec.timing.timeout_s = 1;
  const RunSummary summary = execute(spec);
  EXPECT_EQ(summary.statuses, (Statuses{{"passed", 6},
                                        {"incorrect", 3},
                                        {"not_converged", 3},
                                        {"failed", 9},
                                        {"not_supported", 3},
                                        {"out_of_memory", 6},
                                        {"timeout", 3}}));
  EXPECT_EQ(summary.missing(), 0U);
  EXPECT_EQ(message(summary, "crashes"), "the worker process was ended by signal 11 (Segmentation fault)");
  EXPECT_EQ(message(summary, "exits"), "the worker process ended with exit status 3");
  for (const json& record : read_records(summary.directory)) EXPECT_EQ(find_defect(record), std::nullopt);
  const std::string solves = content_of(log());
  EXPECT_EQ(std::count(solves.begin(), solves.end(), '\n'), 33 - 3);  // all but the greedy ones, each once
}

TEST_F(Workers, ThatAreKilledAreReplacedAndTheirCasesRepeated) {
  if (!memory_kills()) GTEST_SKIP() << "the system does not count what it ends when memory runs out";
  const RunSummary summary = execute(fake_spec({{"size", integers({1, 2, 3})},
                                                {"threads", integers({1})},
                                                {"solver", texts({"quick", "is-killed-once", "is-killed", "noisy"})}}));
  EXPECT_EQ(summary.statuses, (Statuses{{"passed", 9}, {"failed", 3}}));
  EXPECT_EQ(message(summary, "is-killed"),
            "3 workers were lost with this case: the worker process was ended by signal 9 (Killed)");
  const std::string solves = content_of(log());
  EXPECT_EQ(std::count(solves.begin(), solves.end(), '\n'), 3 * (1 + 2 + 3 + 1));
}

TEST_F(Workers, AreNamedInTheRecordsWithWhatRanBeside) {
  const RunSummary summary =
      execute(fake_spec({{"size", expand_values("1:20")}, {"threads", integers({1})}, {"solver", texts({"sleeps"})}}));
  std::set<int> numbers;
  std::map<std::string, std::set<std::string>> beside;
  for (const json& record : read_records(summary.directory)) {
    const json& workers = record["provenance"]["workers"];
    numbers.insert(workers["number"].get<int>());
    EXPECT_EQ(workers["of"], 3);
    EXPECT_EQ(workers["cases_beside"], workers["beside"].size());
    for (const json& key : workers["beside"]) beside[record["key"]].insert(key.get<std::string>());
  }
  if (usable_cores().size() < 2) return;
  EXPECT_GE(numbers.size(), 2U);
  EXPECT_FALSE(beside.empty());
  for (const auto& [key, others] : beside)
    for (const std::string& other : others) EXPECT_TRUE(beside[other].contains(key)) << key << ' ' << other;
}

TEST_F(Workers, LetACaseOnAllCoresRunAlone) {
  const auto all = static_cast<std::int64_t>(usable_cores().size());
  if (all < 2) GTEST_SKIP() << "one core";
  Spec spec = fake_spec({{"size", integers({1, 2, 3, 4})}, {"solver", texts({"sleeps"})}});
  spec.axes.push_back({"threads", {all}});
  for (const json& record : read_records(execute(spec).directory))
    EXPECT_EQ(record["provenance"]["workers"]["cases_beside"], 0);
}

TEST_F(Workers, StopAfterTooManyFailures) {
  options_.max_failures = 2;
  const RunSummary summary =
      execute(fake_spec({{"size", expand_values("1:40")}, {"threads", integers({1})}, {"solver", texts({"throws"})}}));
  EXPECT_TRUE(summary.too_many_failures);
  EXPECT_EQ(summary.ran, 2U);
}

TEST_F(Workers, AreReplacedWhenTheyAreLost) {
  const RunSummary summary = execute(fake_spec({{"size", integers({1, 2, 3})},
                                                {"threads", integers({1})},
                                                {"solver", texts({"quick", "loses-worker", "noisy"})}}));
  EXPECT_EQ(summary.statuses, (Statuses{{"passed", 6}, {"failed", 3}}));
  const std::string text = message(summary, "loses-worker");
  EXPECT_TRUE(
      text.starts_with("3 workers were lost with this case: the command that started the worker was ended by "
                       "signal 9"))
      << text;
}

TEST_F(Workers, ThatAreLostAfterTheirLastReportCostNoCase) {
  const fs::path script = scratch_.path() / "worker.sh", count = scratch_.path() / "count";
  std::ofstream(script) << "lost=$(cat " << count << " 2>/dev/null)\n"
                        << fake_worker() << " | while IFS= read -r line; do\n"
                        << "  case $line in *generate_s*)  # a report, which comes through from the third worker\n"
                        << "    echo \"$lost+\" >" << count << "; [ \"$lost\" = ++ ] && echo \"$line\"\n"
                        << "    kill -KILL $$; exit ;;\n"
                        << "  *) echo \"$line\" ;;\n"
                        << "  esac\n"
                        << "done\n";
  options_.worker = "sh " + script.string();
  options_.workers = 1;
  const RunSummary summary =
      execute(fake_spec({{"size", integers({1})}, {"threads", integers({1})}, {"solver", texts({"quick"})}}));
  EXPECT_EQ(summary.statuses, (Statuses{{"passed", 1}}));
  EXPECT_EQ(summary.ran, 1U);
  EXPECT_EQ(content_of(count), "+++\n");
}

TEST_F(Workers, AreGivenUpWhenTheyCannotBeStarted) {
  options_.worker = "sh -c 'echo pivotlab: no such node >&2; exit 1'";
  EXPECT_EQ(input_error([&] {
              execute(fake_spec({{"size", integers({1, 2, 3})}}));
            }),
            "--worker: no worker can be started: no such node");
  EXPECT_EQ(input_error([&] { ask_worker(options_.worker); }), "--worker: starts no worker: no such node");
}

TEST_F(Workers, DescribeTheirMachine) {
  const WorkerHost told = ask_worker("sh -c 'echo Welcome to node 7; echo; exec " + options_.worker + "'");
  const WorkerHost here = this_host(false);
  EXPECT_EQ(told.name, here.name);
  EXPECT_NE(told.name, "");
  EXPECT_EQ(told.environment, here.environment);
  EXPECT_EQ(told.cores, here.cores);
  EXPECT_EQ(told.threads, here.threads);
  EXPECT_GT(told.available_bytes, 0);
}

TEST_F(Workers, OfAnotherVersionAreRefused) {
  WorkerHost other = this_host(false);
  other.provenance["commit"] = "0123456789";
  const std::string message = input_error([&] { read_host(to_line(other)); });
  EXPECT_NE(message.find("of commit 0123456789"), std::string::npos) << message;
}

TEST_F(Workers, WithADamagedDescriptionAreReplacedByOthers) {
  const std::vector<std::string> damaged = {R"({"ready": {"environment": )",
                                            R"({"ready":{"environment": )",
                                            R"({"ready":3})",
                                            R"({"ready":{}})",
                                            "\xff\xfe",
                                            R"({"ready":{"environment":{"host":7}}})"};
  for (const std::string& text : damaged) {
    put(scratch_.path() / "text", text + '\n');
    const fs::path mark = scratch_.path() / "mark";
    fs::remove(mark);
    // Only the first worker has it.
    options_.worker = fmt::format("sh -c 'if mkdir {0}; then cat {1}; sleep 0.1; else exec {2}; fi' 2>/dev/null",
                                  mark.string(), (scratch_.path() / "text").string(), fake_worker());
    options_.fresh = true;
    const RunSummary summary = execute(fake_spec({{"size", integers({1, 2, 3, 4})}, {"threads", integers({1})}}));
    EXPECT_EQ(summary.statuses, (Statuses{{"passed", 4}})) << text;
    fs::remove(mark);
    EXPECT_EQ(ask_worker(options_.worker).name, this_host(false).name) << text;
  }
}

/// Returns a message about one of the cases, the half of it, or something else.
std::string random_line(const Plan& plan, std::mt19937& random) {
  const std::string& key = plan.cases[random() % plan.cases.size()].key;
  const std::vector<json> messages = {{{"turn", key}},
                                      {{"done", make_report(key, Status::passed, "")}},
                                      {{"ended", "at once"}},
                                      {{"killed", "so"}},
                                      {{"done", {{"key", key}}}},
                                      {{"alive", true}}};
  std::string line = messages[random() % messages.size()].dump() + '\n';
  if (random() % 4 == 0) line[random() % line.size()] = static_cast<char>(random());
  if (random() % 8 == 0) line.resize(random() % line.size());
  return line;
}

TEST_F(Workers, ThatSendAnythingCostNoCase) {
  const fs::path host = scratch_.path() / "host", text = scratch_.path() / "text";
  put(host, to_line(this_host(false)));
  options_.worker = fmt::format("sh -c 'cat {}; read order; cat {}'", host.string(), text.string());
  options_.workers = 1;
  options_.fresh = true;
  const Plan plan =
      make_plan(fake_spec({{"size", integers({1, 2})}, {"solver", texts({"quick", "noisy"})}}), find_fake);
  std::mt19937 random(20261128);
  for (int dialogue = 0; dialogue < 50; ++dialogue) {
    std::string lines;
    for (auto length = random() % 8; length > 0; --length) lines += random_line(plan, random);
    put(text, lines);
    std::set<std::string> keys;
    options_.on_record = [&](const PlannedCase& planned, const json&) { keys.insert(planned.key); };
    const RunSummary summary = run_quietly(plan, options_);
    EXPECT_EQ(summary.ran, plan.cases.size()) << lines;
    EXPECT_EQ(keys.size(), plan.cases.size()) << lines;
  }
}

TEST_F(Workers, ThatDoNotReadDoNotBlockTheOthers) {
  // The first worker describes itself and then neither reads nor writes; a long order fills its socket.
  const fs::path mark = scratch_.path() / "mark", host = scratch_.path() / "host";
  put(host, to_line(this_host(false)));
  options_.workers = 2;
  options_.worker = fmt::format("sh -c 'if mkdir {0}; then cat {1}; exec sleep 100; else exec {2}; fi' 2>/dev/null",
                                mark.string(), host.string(), fake_worker());
  Spec spec = fake_spec({{"size", integers({1, 2})}, {"seed", expand_values("1:2")}, {"threads", integers({1})}});
  std::vector<Value> solvers;
  for (int k = 0; k < 2000; ++k) solvers.emplace_back(fmt::format("quick{}{}", std::string(100, '-'), k));
  spec.axes.push_back({"solver", solvers});
  std::size_t others = 0;
  options_.on_record = [&](const PlannedCase&, const json&) {
    if (++others == 50) ::kill(::getpid(), SIGTERM);
  };
  const Timer timer;
  EXPECT_TRUE(execute(spec).interrupted);
  EXPECT_GE(others, 50U);
  EXPECT_LT(timer.seconds(), 50);  // before the worker is given up
}

}  // namespace
}  // namespace pivotlab::experiments::workers_test
