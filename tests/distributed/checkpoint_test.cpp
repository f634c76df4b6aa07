// SPDX-License-Identifier: BSD-3-Clause
// A computation over ranks that is interrupted at any point resumes from its files with the same bits as without
// interruption; files from which it cannot resume are refused with one line.
#include "interrupted.hpp"
#include "tests/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace pivotlab::checkpoint_test {
namespace {

using namespace test;
namespace fs = std::filesystem;

class Checkpoint : public testing::Test {
 protected:
  DistributedGsvdOptions saving(const std::string& variant, Backend backend = Backend::host) const {
    DistributedGsvdOptions options = options_for(variant, backend);
    options.checkpoint.path = (folder_.path() / "job").string();
    return options;
  }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  /// Writes the files of some sweeps of two ranks.
  void leave_files(const TestPair<double>& pair) const {
    ASSERT_TRUE(interrupt(pair, 2, saving(name_), calls_of(pair, 2, saving(name_)) / 2));
    ASSERT_FALSE(files().empty());
  }

  std::string refusal(const TestPair<double>& pair, int ranks, const DistributedGsvdOptions& options) const {
    try {
      solve_on_threads(pair, ranks, options);
    } catch (const SharedInputError& error) {
      return error.what();
    }
    return "not refused";
  }

  ScratchFolder folder_;
  const std::string name_ = "DHZ0-(ME-BO, ME-FB-ME);w=4";
};

template <class T>
class CheckpointOf : public Checkpoint {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(CheckpointOf, Scalars);

TYPED_TEST(CheckpointOf, ResumesWithSameBits) {
  const auto pair = random_pair<TypeParam>(37, 40, 35);
  for (const int ranks : {1, 2, 3}) {
    const auto options = this->saving(this->name_);
    const auto whole = solve_on_threads(pair, ranks, options_for(this->name_));
    const int calls = calls_of(pair, ranks, options);
    for (int k = calls; k > 0; k -= 7) {
      SCOPED_TRACE(fmt::format("{} ranks, call {} of {}", ranks, k, calls));
      ASSERT_TRUE(interrupt(pair, ranks, options, k));
      const auto resumed = solve_on_threads(pair, ranks, options);
      ASSERT_EQ(bits(resumed), bits(whole));
      ASSERT_EQ(resumed.sweeps.size(), whole.sweeps.size());
      for (std::size_t s = 0; s < whole.sweeps.size(); ++s)
        ASSERT_EQ(resumed.sweeps[s].transformations, whole.sweeps[s].transformations);
      ASSERT_EQ(this->files(), std::vector<std::string>{});
    }
  }
}

TYPED_TEST(CheckpointOf, GoesOnFromOneInterruptionToTheNext) {
  const auto pair = rank_deficient_pair<TypeParam>(36, 20, false);
  const auto options = this->saving("DHZ0-(MM-FB, ME-BO-ME);w=4");
  const auto whole = solve_on_threads(pair, 2, options_for("DHZ0-(MM-FB, ME-BO-ME);w=4"));
  const int calls = calls_of(pair, 2, options);
  for (int again = 0; again < 3; ++again) ASSERT_TRUE(interrupt(pair, 2, options, calls / 3));
  EXPECT_EQ(bits(solve_on_threads(pair, 2, options)), bits(whole));
}

TYPED_TEST(CheckpointOf, EmulatedDevicesGoOnAsWell) {
  const auto pair = random_pair<TypeParam>(40, 45, 33);
  const auto options = this->saving("DHZ0-(ME-BO, ME-BO-ME)", Backend::emulation);
  for (const int ranks : {1, 2}) {
    const auto whole = solve_on_threads(pair, ranks, options_for("DHZ0-(ME-BO, ME-BO-ME)", Backend::emulation));
    ASSERT_TRUE(interrupt(pair, ranks, options, 3 * calls_of(pair, ranks, options) / 4));  // after the first sweep
    ASSERT_FALSE(this->files().empty());
    EXPECT_EQ(bits(solve_on_threads(pair, ranks, options)), bits(whole));
  }
}

TEST_F(Checkpoint, IsTakenAsOftenAsAskedFor) {
  const auto pair = random_pair<double>(40, 40, 40);
  const auto newest = [&](int every_sweeps, double every_seconds) {
    auto options = saving(name_);
    options.checkpoint.every_sweeps = every_sweeps, options.checkpoint.every_seconds = every_seconds;
    EXPECT_TRUE(
        interrupt(pair, 1, options, calls_of(pair, 1, options)));  // after the last call the files may be removed
    const auto names = files();
    for (const auto& name : names) fs::remove(folder_.path() / name);
    return names;
  };
  const auto sweeps = solve_on_threads(pair, 1, options_for(name_)).sweeps.size();
  ASSERT_GE(sweeps, 5u);
  const auto name = [](std::size_t k) { return std::vector{fmt::format("job.sweep{}.rank0", k)}; };
  EXPECT_EQ(newest(1, 0), name(sweeps - 1));  // the last sweep has no checkpoint
  EXPECT_EQ(newest(3, 0), name((sweeps - 1) / 3 * 3));
  EXPECT_EQ(newest(1, 3600), std::vector<std::string>{});
}

TEST_F(Checkpoint, KeepsTheSetBeforeUntilTheNewOneIsComplete) {
  const auto pair = random_pair<double>(40, 40, 40);
  leave_files(pair);
  const auto whole = solve_on_threads(pair, 2, options_for(name_));
  const std::string later = "job.sweep12.rank1",
                    half = ".job.sweep12.rank0.123.4.tmp";  // rank 0 has no file of this sweep
  fs::copy_file(folder_.path() / files().back(), folder_.path() / later);
  std::ofstream(folder_.path() / half) << "half";
  EXPECT_EQ(bits(solve_on_threads(pair, 2, saving(name_))), bits(whole));
  EXPECT_EQ(files(), std::vector<std::string>{});
}

TEST_F(Checkpoint, RefusesCheckpointOfAnotherJob) {
  const auto pair = random_pair<double>(40, 40, 40);
  leave_files(pair);
  const auto expect_refused = [&](const std::string& text, const std::string& was, const std::string& is) {
    EXPECT_TRUE(text.starts_with("checkpoint ")) << text;
    EXPECT_NE(text.find(was), std::string::npos) << text;
    EXPECT_NE(text.find(is, text.find(", not of ")), std::string::npos) << text;
    EXPECT_TRUE(text.ends_with("; remove the set or give another path")) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos);
  };
  for (const int ranks : {1, 3})
    expect_refused(refusal(pair, ranks, saving(name_)), "2 ranks", fmt::format("{} ranks", ranks));
  expect_refused(refusal(pair, 2, saving("DHZ0-(ME-FB, ME-FB-ME);w=4")), "(ME-BO,", "(ME-FB,");
  expect_refused(refusal(random_pair<double>(41, 40, 40), 2, saving(name_)), "m_F=40", "m_F=41");
  expect_refused(refusal(random_pair<double>(40, 40, 40, 7), 2, saving(name_)), "columns ", "columns ");
}

TEST_F(Checkpoint, RefusesBrokenCheckpoint) {
  const auto pair = random_pair<double>(40, 40, 40);
  leave_files(pair);
  const std::string name = files().back();
  ASSERT_TRUE(name.ends_with(".rank1")) << name;
  const fs::path file = folder_.path() / name;
  std::ifstream stream(file, std::ios::binary);
  const std::string good{std::istreambuf_iterator<char>(stream), {}};
  const auto expect_refused = [&](const std::string& content, const char* why) {
    std::ofstream(file, std::ios::binary) << content;
    EXPECT_EQ(refusal(pair, 2, saving(name_)),
              fmt::format("checkpoint {}: {}; remove the set or give another path", file.string(), why));
  };
  const char* broken = "the file is broken or cannot be read";
  expect_refused("", broken);
  expect_refused(good.substr(0, good.size() - 1), broken);
  expect_refused(good.substr(0, good.size() / 2), broken);
  expect_refused("something else that is not a checkpoint", "it is not a checkpoint");
  for (const std::size_t at : {std::size_t(9), good.size() / 2, good.size() - 20, good.size() - 1}) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x40);
    expect_refused(bad, broken);
  }
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0666), 0);  // without a writer
  EXPECT_EQ(refusal(pair, 2, saving(name_)),
            fmt::format("checkpoint {}: it is not a regular file; remove the set or give another path", file.string()));
  fs::remove(file);
  std::ofstream(file, std::ios::binary) << good;
  EXPECT_EQ(refusal(pair, 2, saving(name_)), "not refused");
}

TEST_F(Checkpoint, ReportsWriteError) {
  auto options = saving(name_);
  options.checkpoint.path = (folder_.path() / "missing" / "job").string();
  const std::string text = refusal(random_pair<double>(40, 40, 40), 2, options);
  EXPECT_TRUE(text.ends_with("cannot be written: No such file or directory; create the directory first")) << text;
}

}  // namespace
}  // namespace pivotlab::checkpoint_test
