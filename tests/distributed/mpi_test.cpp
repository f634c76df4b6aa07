// SPDX-License-Identifier: BSD-3-Clause
// MPI processes as ranks give the bits of threads as ranks, and a failure of one process ends all of them within
// seconds, with one line that states the reason.
#include "mpirun.hpp"
#include "rank_digest.hpp"
#include "tests/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>
#include <pivotlab/device.hpp>

#include <filesystem>
#include <utility>

namespace pivotlab::mpi_test {
namespace {

using namespace test;

Ended mpirun(int ranks, const std::string& fault = "", const std::string& way = "host") {
  return test::mpirun(fmt::format("-n {} {} {} {}", ranks, MPI_PROGRAM, way, fault));
}

class MpiTransport : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiTransport, testing::Values(1, 2, 3, 4));

std::string digests_by_threads(int ranks) {
  std::string by_threads;
  run_on_threads(ranks, [&](Transport& transport) {
    const std::string line = digests_by_rank(transport, digest_options());
    if (transport.rank() == 0) by_threads = line;
  });
  return by_threads;
}

TEST_P(MpiTransport, HasTheBitsOfThreads) {
  const std::string by_threads = digests_by_threads(GetParam());
  const Ended ended = mpirun(GetParam());
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.output.find(by_threads + "\n"), std::string::npos) << ended.output;
}

// The real pair is decomposed first, then the complex one: each is interrupted once.
TEST(MpiCheckpoint, GoesOnWithTheSameBitsAfterAProcessWasKilled) {
  const std::string by_threads = digests_by_threads(3);
  const ScratchFolder folder;
  const std::string path = (folder.path() / "job").string();
  for (const auto& [call, begins] : {std::pair{60, "jobd.sweep"}, std::pair{130, "jobz.sweep"}}) {
    EXPECT_NE(mpirun(3, fmt::format("killed {} {}", call, path)).code, 0);
    const std::filesystem::directory_iterator files(folder.path());
    ASSERT_NE(files, std::filesystem::directory_iterator()) << "killed too early";
    EXPECT_TRUE(files->path().filename().string().starts_with(begins)) << files->path();
  }
  const Ended resumed = mpirun(3, "goes-on 0 " + path);
  EXPECT_EQ(resumed.code, 0);
  EXPECT_NE(resumed.output.find(by_threads + "\n"), std::string::npos) << resumed.output;
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

struct Fault {
  const char* name;
  const char* line;  // in the output
};

void PrintTo(const Fault& fault, std::ostream* out) {
  *out << fault.name;
}

class MpiFaults : public testing::TestWithParam<Fault> {};
INSTANTIATE_TEST_SUITE_P(Kinds, MpiFaults,
                         testing::Values(Fault{"throws", "pivotlab: rank 1: this rank has failed\n"},
                                         Fault{"memory", "pivotlab: rank 1: out of memory\n"}, Fault{"dies", "exit"},
                                         Fault{"parameters",
                                               "pivotlab: rank 1: it was given DHZ0-(ME-BO, ME-FB-ME);w=8 on host"}),
                         [](const auto& test) { return test.param.name; });

TEST_P(MpiFaults, EndAllProcessesWithinSeconds) {
  const Ended ended = mpirun(3, GetParam().name);
  EXPECT_NE(ended.code, 0);
  EXPECT_NE(ended.output.find(GetParam().line), std::string::npos) << ended.output;
  EXPECT_LT(ended.seconds, 10);
}

void expect_refused(const Ended& ended, const std::string& begin) {
  EXPECT_EQ(ended.code, 2);
  const std::vector<std::string> lines = error_lines(ended);
  ASSERT_EQ(lines.size(), 1U) << ended.output;
  EXPECT_TRUE(lines[0].starts_with("pivotlab: " + begin)) << ended.output;
}

TEST(MpiFault, RefusesMpiWithoutDeviceMemory) {
  const Ended ended = mpirun(2, "", "cuda-aware");
  if (error_lines(ended) == std::vector{"pivotlab: backend 'cuda': " + why_no_device()})
    GTEST_SKIP() << "this MPI takes a GPU's memory";
  expect_refused(ended, "these ranks' transport, such as an MPI that is not CUDA-aware, ");
}

TEST(MpiFault, AMissingGpuIsToldOnce) {
  expect_refused(mpirun(3, "", "nccl"), "NCCL: ");
  expect_refused(mpirun(3, "", "staged"), "backend 'cuda': " + why_no_device());
}

TEST(MpiFault, RefusedParametersAreInputErrors) {
  expect_refused(mpirun(3, "parameters"), "rank 1: it was given ");
}

}  // namespace
}  // namespace pivotlab::mpi_test
