// SPDX-License-Identifier: BSD-3-Clause
// pivotlab run --launch solves cases over ranks by processes and writes the same records as with threads; a failure of
// the processes becomes a record, too.
#include "experiments/engine/record.hpp"
#include "mpirun.hpp"
#include "tests/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace pivotlab::mpi_run_test {
namespace {

using namespace test;
using nlohmann::json;

class MpiRun : public testing::Test {
 protected:
  void write_spec(const std::string& ranks, int n = 20, const std::string& backends = R"("host")",
                  const std::string& generator = "random") {
    std::ofstream(spec) << R"json({
      "schema": "pivotlab/spec/1", "name": "test", "title": "t", "source": "s", "method": "gsvd",
      "axes": {"type": ["d", "z"], "generator": [")json"
                        << generator << R"json("], "threads": [1],
               "solver": ["?HZ0-(ME-BO, ME-FB-ME)", "?HZ0-(MM-FB, ME-BO-ME);w=8", "?HZ0-(ME-FB-ME)"],
               "ranks": [)json"
                        << ranks << R"json(], "n": [)json" << n << R"json(], "backend": [)json" << backends
                        << R"json(], "transport": ["copy", "nccl", "mpi", "host"]},
      "timing": {"min_repeats": 2, "max_repeats": 2}})json";
  }
  Ended run(const std::string& options) {
    permit_test_machines();
    return run_command(fmt::format("{} run {} -o {} {}", PIVOTLAB, spec, folder.path().string(), options));
  }
  /// Returns the records by key.
  std::map<std::string, json> records() const {
    std::map<std::string, json> all;
    for (const json& record : experiments::read_records(folder.path() / "test")) all[record["key"]] = record;
    return all;
  }
  /// Returns the parts of a record that depend neither on the time nor on the machine.
  static json numbers(json record) {
    json& convergence = record["convergence"];
    for (json& sweep : convergence["per_sweep"]) sweep.erase("seconds");
    if (convergence.contains("by_rank"))
      for (json& rank : convergence["by_rank"]) {
        EXPECT_EQ(rank["compute_s"].size(), rank["bytes_sent"].size());
        rank.erase("compute_s"), rank.erase("exchange_s");
      }
    for (const char* section : {"time", "environment", "provenance"}) record.erase(section);
    return record;
  }
  static std::string by_mpirun(const std::string& ranks = "{ranks}") {
    return fmt::format("--launch '{} -n {}'", MPIRUN, ranks);
  }

  ScratchFolder folder;
  std::string spec = folder.path() / "spec.json";
};

TEST_F(MpiRun, HasTheRecordsOfThreads) {
  write_spec("1, 2, 3, 4");
  const Ended by_threads = run("--quiet");
  ASSERT_EQ(by_threads.code, 0) << by_threads.output;
  const auto expected = records();
  const Ended by_processes = run("--fresh --quiet " + by_mpirun());
  ASSERT_EQ(by_processes.code, 0) << by_processes.output;
  const auto all = records();
  ASSERT_EQ(all.size(), 18U);
  for (const auto& [key, record] : all) {
    EXPECT_EQ(numbers(record), numbers(expected.at(key)));
    EXPECT_EQ(record["time"]["wall_s"]["samples"].size(), 2U);
  }
}

// A backend without its device, and block widths without kernels.
TEST_F(MpiRun, UnsupportedCasesHaveStatusOfThreads) {
  write_spec("2", 20, R"("cuda", "emulation")");
  const std::string what = "--quiet --filter type=d,solver=*MM* ";
  const Ended by_threads = run(what);
  ASSERT_EQ(by_threads.code, 1) << by_threads.output;  // no case passed
  const auto expected = records();
  const Ended by_processes = run("--fresh " + what + by_mpirun());
  ASSERT_EQ(by_processes.code, 1) << by_processes.output;
  const auto all = records();
  ASSERT_EQ(all.size(), 5U);
  for (const auto& [key, record] : all) {
    EXPECT_EQ(record["status"], "not_supported") << record["case"] << record["message"];
    EXPECT_EQ(record["status"], expected.at(key)["status"]);
    const json& transport = record["case"]["transport"];
    if (transport == "mpi") {
      EXPECT_EQ(expected.at(key)["message"],
                "transport 'mpi' is between processes; start them by --launch, or take copy, nccl or host");
    } else if (transport != "nccl") {  // the message for threads has that name
      EXPECT_EQ(record["message"], expected.at(key)["message"]);
    }
  }
}

TEST_F(MpiRun, ASolverWithoutRanksNeedsNoCommand) {
  write_spec("2");
  const Ended ended = run("--quiet --launch 'no-such-program -n {ranks}'");
  EXPECT_EQ(ended.code, 1) << ended.output;
  for (const auto& [key, record] : records()) {
    const bool over_ranks = record["case"].contains("ranks");
    EXPECT_EQ(record["status"], over_ranks ? "failed" : "passed");
    if (over_ranks) {
      EXPECT_EQ(record["message"],
                "making the problem: the command that started the worker ended with exit status 127");
    }
  }
}

TEST_F(MpiRun, ProcessesOfAWrongNumberAreTold) {
  write_spec("3");
  const Ended ended = run("--quiet --filter type=d,solver=*MM* " + by_mpirun("2"));
  EXPECT_EQ(ended.code, 1) << ended.output;
  for (const auto& [key, record] : records())
    EXPECT_EQ(record["message"], "2 processes were started for 3 ranks; let the command have {ranks}");
}

/// One of the ranks is a shell. The rest of the command line, which would start pivotlab-mpi, is a comment.
std::string with_a_rank_that(const std::string& does) {
  return fmt::format(R"(--filter type=d,solver=*MM* --launch '{} -n 1 {} work : -n 1 sh -c "{}" #')", MPIRUN,
                     PIVOTLAB_MPI, does);
}

TEST_F(MpiRun, MissingRankFailsCase) {
  write_spec("2");
  const Ended ended = run("--quiet " + with_a_rank_that("exit 3"));
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_LT(ended.seconds, 10);
  ASSERT_EQ(records().size(), 1U);
  const json record = records().begin()->second;
  EXPECT_EQ(record["status"], "failed");
  EXPECT_EQ(record["message"], "making the problem: the command that started the worker ended with exit status 3");
}

// Making the problem takes half a minute, for its exact singular values, so that the rank is killed before the case
// ends.
TEST_F(MpiRun, ARankThatIsKilledFailsTheCaseWithinSeconds) {
  write_spec("2", 256, R"("host")", "random;truth=rounded");
  const Ended ended = run("--quiet " + with_a_rank_that(R"((sleep 2; kill -9 \$\$) & exec )" PIVOTLAB_MPI " work"));
  EXPECT_EQ(ended.code, 1) << ended.output;
  EXPECT_LT(ended.seconds, 10);
  ASSERT_EQ(records().size(), 1U);
  const json record = records().begin()->second;
  EXPECT_EQ(record["status"], "failed");
  // On a loaded machine the process may end before it makes the problem.
  const std::string message = record["message"];
  EXPECT_TRUE(message.ends_with("the command that started the worker ended with exit status 137")) << message;
}

TEST_F(MpiRun, ARankThatNeverAnswersIsATimeout) {
  write_spec("2");
  const Ended ended = run("--quiet --timeout 2 " + with_a_rank_that("sleep 86397"));
  EXPECT_EQ(ended.code, 1) << ended.output;
  ASSERT_EQ(records().size(), 1U);
  EXPECT_EQ(records().begin()->second["status"], "timeout");
  EXPECT_LT(ended.seconds, 20);
  EXPECT_NE(std::system("pgrep -f '[s]leep 86397' >/dev/null"), 0) << "it is still there";
}

// If no process waits for orphans, as in some containers, one that has ended remains as a zombie.
TEST_F(MpiRun, RanksEndWithTheProcessThatHasStartedThem) {
  write_spec("2");
  permit_test_machines();
  const std::string file = folder.path() / "id", lives = "grep -qs '^State:.[^ZX]' /proc/$(cat " + file + ")/status";
  const std::string tenths = "for tenth in $(seq 100); do sleep 0.1; ";
  const Ended ended = run_command(
      fmt::format("{} run {} -o {} --quiet {} & {} test -s {} && break; done; sleep 0.5; {} && kill -9 $!; {} {} || "
                  "exit 0; done; exit 1",
                  PIVOTLAB, spec, folder.path().string(),
                  with_a_rank_that(R"(echo \$\$ > )" + file + "; exec sleep 100"), tenths, file, lives, tenths, lives));
  EXPECT_TRUE(std::filesystem::exists(file));
  EXPECT_EQ(ended.code, 0) << "it is still there";
}

}  // namespace
}  // namespace pivotlab::mpi_run_test
