// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>
#include <experiments/engine/merge.hpp>
#include <experiments/engine/record.hpp>
#include <experiments/engine/run_folder.hpp>
#include <experiments/engine/shard.hpp>
#include <tests/experiments/scratch.hpp>

#include <csignal>
#include <nlohmann/json.hpp>

namespace pivotlab::experiments::shard_test {
namespace {

namespace fs = std::filesystem;

class Shards : public testing::Test {
 protected:
  RunFolder claim(std::uint64_t number, std::uint64_t count, bool takeover = false) const {
    return RunFolder(run_, Shard{number, count}, takeover);
  }

  /// Leaves the claim of a process that was killed.
  void claim_and_die(std::uint64_t number, std::uint64_t count) const {
    const pid_t child = ::fork();
    if (child == 0) {
      const RunFolder folder = claim(number, count);
      ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
  }

  std::string refusal(std::uint64_t number, std::uint64_t count) const {
    return input_error([&] { const RunFolder folder = claim(number, count); });
  }

  const ScratchFolder scratch_;
  const fs::path run_ = scratch_.path() / "run";
};

TEST(Shard, DivideTheCases) {
  const Plan plan = make_plan(fake_spec({{"seed", expand_values("1:1000")}}), find_fake);
  std::size_t sum = 0;
  for (std::uint64_t number = 1; number <= 7; ++number) {
    Plan share = plan;
    keep(share, [&](const std::string& key) { return Shard{number, 7}.contains(key); });
    EXPECT_NEAR(static_cast<double>(share.cases.size()), 1000 / 7.0, 40);
    sum += share.cases.size();
  }
  EXPECT_EQ(sum, plan.cases.size());
}

TEST(Shard, HasANameFromOneToTheNumberOfShares) {
  EXPECT_EQ(to_string(parse_shard("3/8")), "3/8");
  for (const char* text : {"", "3", "0/8", "9/8", "3/0", "-1/8", "3/8x", "3/ 8", "1/99999999999999999999"})
    EXPECT_TRUE(input_error([&] { parse_shard(text); }).starts_with(fmt::format("--shard: '{}': ", text)));
}

TEST_F(Shards, WorkBesideOneAnother) {
  const RunFolder first = claim(1, 2), second = claim(2, 2);
  const auto claims = read_claims(run_);
  ASSERT_EQ(claims.size(), 2U);
  for (const ShardClaim& one : claims) {
    EXPECT_TRUE(one.live);
    EXPECT_EQ(one.process, ::getpid());
  }
  EXPECT_NE(refusal(2, 2).find("shard 2/2 by process"), std::string::npos);
  EXPECT_NE(refusal(3, 5).find("take 2 shards"), std::string::npos);
}

TEST_F(Shards, ExcludeARunnerOfAllCases) {
  {
    const RunFolder shard = claim(1, 2);
    const std::string message = input_error([&] { RunFolder folder(run_); });
    EXPECT_NE(message.find("shard 1/2 by process"), std::string::npos) << message;
  }
  const RunFolder whole(run_);
  EXPECT_NE(refusal(1, 2).find(fmt::format("another pivotlab (process {}) is running here", ::getpid())),
            std::string::npos);
}

TEST_F(Shards, EndTheirClaim) {
  { const RunFolder shard = claim(1, 2); }
  EXPECT_TRUE(read_claims(run_).empty());
  const RunFolder again = claim(1, 2);
}

TEST_F(Shards, ThatWereKilledAreTakenOverOnRequest) {
  claim_and_die(1, 2);
  ASSERT_EQ(read_claims(run_).size(), 1U);
  EXPECT_FALSE(read_claims(run_)[0].live);
  EXPECT_NE(refusal(1, 2).find("add --takeover"), std::string::npos);
  const RunFolder other = claim(2, 2);
  const RunFolder taken = claim(1, 2, true);
  EXPECT_TRUE(read_claims(run_)[0].live);
}

TEST_F(Shards, RemoveTheirOwnTemporaryFilesOnly) {
  fs::create_directories(run_ / "records");
  const std::string ours(32, '0'), theirs = std::string(15, '0') + '1' + std::string(16, '0');
  for (const std::string& key : {ours, theirs}) put(run_ / "records" / ("." + key + ".json.1.0.tmp"), "");
  const RunFolder shard = claim(1, 2);
  EXPECT_FALSE(fs::exists(run_ / "records" / ("." + ours + ".json.1.0.tmp")));
  EXPECT_TRUE(fs::exists(run_ / "records" / ("." + theirs + ".json.1.0.tmp")));
}

TEST_F(Shards, FinishARunTogether) {
  const Spec spec = fake_spec({{"seed", expand_values("1:20")}});
  RunOptions options;
  options.out = scratch_.path() / "runs";
  const Plan plan = make_plan(spec, find_fake);
  std::size_t ran = 0;
  for (std::uint64_t number = 1; number <= 3; ++number) {
    Plan share = plan;
    options.shard = Shard{number, 3};
    keep(share, [&](const std::string& key) { return options.shard->contains(key); });
    ran += run_quietly(share, options).ran;
  }
  EXPECT_EQ(ran, plan.cases.size());
  options.shard.reset();
  EXPECT_EQ(run_quietly(plan, options).reused, plan.cases.size());
}

class Merge : public testing::Test {
 protected:
  /// Runs some seeds of an experiment; returns the folder.
  fs::path run_seeds(const char* name, const std::string& filters, const char* solver = "quick") const {
    Spec spec = fake_spec({{"seed", integers({1, 2, 3, 4})}, {"solver", texts({solver, "throws"})}});
    Plan plan = make_plan(spec, find_fake);
    filter(plan, {filters});
    RunOptions options;
    options.out = scratch_.path() / name;
    return run_quietly(plan, options).directory;
  }

  const ScratchFolder scratch_;
  const fs::path out_ = scratch_.path() / "out";
};

TEST_F(Merge, CollectsTheRecordsOfAllFolders) {
  const fs::path a = run_seeds("a", "seed={1,2}"), b = run_seeds("b", "seed={2,3}");
  const MergeSummary summary = merge({a, b}, out_);
  EXPECT_EQ(summary.planned, 8U);
  EXPECT_EQ(summary.present, 6U);
  EXPECT_EQ(summary.copied, 6U);
  EXPECT_EQ(read_records(out_).size(), 6U);
  EXPECT_EQ(merge({b}, out_).copied, 0U);
}

TEST_F(Merge, PrefersRecordsThatPassed) {
  const fs::path a = run_seeds("a", "seed=1"), b = run_seeds("b", "seed=1");
  const Plan plan =
      make_plan(fake_spec({{"seed", integers({1, 2, 3, 4})}, {"solver", texts({"quick", "throws"})}}), find_fake);
  const std::string key = plan.cases[0].key;
  auto failed = *RecordStore(a).find(key);
  failed["status"] = "failed";
  put_record(a, failed);
  merge({a, b}, out_);
  EXPECT_EQ(RecordStore(out_).find(key)->at("status"), "passed");
  merge({a}, out_);
  EXPECT_EQ(RecordStore(out_).find(key)->at("status"), "passed");
}

TEST_F(Merge, RefusesRunsOfOtherSpecs) {
  const fs::path a = run_seeds("a", "seed=1"), b = run_seeds("b", "seed=1", "noisy");
  EXPECT_NE(input_error([&] { merge({a, b}, out_); }).find("another spec"), std::string::npos);
  EXPECT_NE(input_error([&] { merge({scratch_.path()}, out_); }).find("is not a run folder"), std::string::npos);
  EXPECT_FALSE(fs::exists(out_));
}

}  // namespace
}  // namespace pivotlab::experiments::shard_test
