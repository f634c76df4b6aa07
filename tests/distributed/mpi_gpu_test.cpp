// SPDX-License-Identifier: BSD-3-Clause
// Processes with GPUs, also from the bundle, give the bits of threads with every transport of stripes; an error or the
// death of a process ends all of them with one line. PIVOTLAB_MPIEXEC is mpirun; PIVOTLAB_PROGRAM and
// PIVOTLAB_MPI_PROGRAM are the commands, without these in ../bin.
#include "kernels/libraries/dynamic_library.hpp"
#include "mpirun.hpp"
#include "rank_digest.hpp"
#include "tests/gpu_test.hpp"
#include "tests/programs.hpp"
#include "tests/scratch_folder.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/io.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pivotlab::mpi_gpu_test {
namespace {

using namespace test;
using nlohmann::json;
namespace fs = std::filesystem;

int gpus() {
  return static_cast<int>(list_devices().size());
}

Ended digest(int ranks, const std::string& way, const std::string& fault = "") {
  return mpirun(fmt::format("-n {} {} {} {}", ranks, beside("mpi_program"), way, fault));
}

/// Returns why this transport of stripes is impossible between `ranks` processes; empty if it is possible.
std::string why_not(const std::string& way, int ranks) {
  if (way == "mpi") return digest(2, "cuda-aware").code == 2 ? "this MPI is not CUDA-aware" : "";
  if (way != "nccl") return "";
  if (!DynamicLibrary({"libnccl.so.2", "/usr/local/cuda/lib64/libnccl.so.2"})) return "no NCCL";
  return gpus() < ranks ? "fewer GPUs than ranks" : "";
}

class MpiGpu : public GpuTest {
 protected:
  void SetUp() override {
    GpuTest::SetUp();
    if (!IsSkipped() && mpirun("--version").code != 0) GTEST_SKIP() << "no mpirun; set PIVOTLAB_MPIEXEC";
  }
  static void expect_refused(const Ended& ended, const std::string& begin) {
    EXPECT_EQ(ended.code, 2);
    const std::vector<std::string> lines = error_lines(ended);
    ASSERT_EQ(lines.size(), 1U) << ended.output;
    EXPECT_TRUE(lines[0].starts_with("pivotlab: " + begin)) << ended.output;
  }
  static void expect_bits_of_threads(const Ended& ended, int ranks) {
    std::string by_threads;
    run_on_threads(
        ranks,
        [&](Transport& transport) {
          const std::string line = digests_by_rank(transport, digest_options(Backend::cuda));
          if (transport.rank() == 0) by_threads = line;
        },
        copy_between_devices());
    EXPECT_EQ(ended.code, 0);
    EXPECT_NE(ended.output.find(by_threads + "\n"), std::string::npos) << ended.output;
  }
};

TEST_F(MpiGpu, StripesThroughTheHostHaveTheBitsOfThreads) {
  for (const int ranks : {1, 2, 3}) expect_bits_of_threads(digest(ranks, "staged"), ranks);
}

TEST_F(MpiGpu, StripesByNcclHaveTheBitsOfThreads) {
  if (const std::string why = why_not("nccl", 2); !why.empty()) GTEST_SKIP() << why;
  for (int ranks = 2; ranks <= gpus(); ranks *= 2) expect_bits_of_threads(digest(ranks, "nccl"), ranks);
}

TEST_F(MpiGpu, StripesByACudaAwareMpiHaveTheBitsOfThreads) {
  if (const std::string why = why_not("mpi", 2); !why.empty()) GTEST_SKIP() << why;
  for (const int ranks : {1, 2, 3}) expect_bits_of_threads(digest(ranks, "cuda-aware"), ranks);
}

TEST_F(MpiGpu, NcclIsRefusedOnceWithoutAGpuForEachRank) {
  expect_refused(digest(gpus() + 1, "nccl"), "NCCL: ");
}

class MpiGpuWay : public MpiGpu, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    MpiGpu::SetUp();
    if (IsSkipped()) return;
    if (const std::string why = why_not(GetParam(), 2); !why.empty()) GTEST_SKIP() << why;
  }
};
INSTANTIATE_TEST_SUITE_P(Ways, MpiGpuWay, testing::Values("host", "nccl", "mpi"),
                         [](const auto& test) { return std::string(test.param); });

// The other process waits for a stripe. Most of the time is the start of CUDA and NCCL.
TEST_P(MpiGpuWay, KilledRankEndsJob) {
  const std::map<std::string, std::string> ways = {{"host", "staged"}, {"nccl", "nccl"}, {"mpi", "cuda-aware"}};
  const Ended ended = digest(2, ways.at(GetParam()), "cut 2");
  EXPECT_NE(ended.code, 0);
  EXPECT_NE(ended.code, 2) << ended.output;
  EXPECT_LT(ended.seconds, 30);
}

TEST_P(MpiGpuWay, SolveWritesTheBitsOfThreads) {
  using Complex = std::complex<double>;
  const ScratchFolder folder;
  const std::string pair = folder.path() / "pair.h5", result = folder.path() / "result.h5",
                    variant = "ZHZ0-(ME-BO, ME-FB-ME);w=32;pairs=once";
  const TestPair<Complex> made = random_pair<Complex>(530, 512, 500);
  write_pair(pair, Pair<Complex>{made.F, made.G, {}, "random"});
  const Ended ended = mpirun(fmt::format("-n 2 {} solve gsvd {} -o {} --backend cuda --transport {} --variant '{}'",
                                         program("PIVOTLAB_MPI_PROGRAM", beside("../bin/pivotlab-mpi")), pair, result,
                                         GetParam(), variant));
  ASSERT_EQ(ended.code, 0) << ended.output;
  const GsvdResult<Complex> by_threads =
      solve_on_threads(made, 2, options_for(variant, Backend::cuda), copy_between_devices());
  GsvdResult<Complex> by_mpi = by_threads;
  by_mpi.U = std::get<Matrix<Complex>>(read_matrix(result + ":/U"));
  by_mpi.V = std::get<Matrix<Complex>>(read_matrix(result + ":/V"));
  by_mpi.Z = std::get<Matrix<Complex>>(read_matrix(result + ":/Z"));
  EXPECT_EQ(bits(by_mpi), bits(by_threads));
}

/// Returns the parts of a run's records that do not depend on the time, by type.
std::map<std::string, json> outcomes(const fs::path& folder) {
  std::map<std::string, json> all;
  std::istringstream lines(run_command(fmt::format("zcat {}", (folder / "test" / "records.jsonl.gz").string())).output);
  for (std::string line; std::getline(lines, line);) {
    const json record = json::parse(line);
    json& outcome = all[record["case"]["type"]] = {record["status"], record["message"], record["metrics"]};
    for (const json& sweep : record["convergence"]["per_sweep"]) outcome.push_back(sweep["transformations"]);
    for (const json& rank : record["convergence"]["by_rank"]) outcome.push_back(rank["bytes_sent"]);
  }
  return all;
}

TEST_P(MpiGpuWay, RunHasTheRecordsOfThreads) {
  const ScratchFolder folder;
  const std::string spec = folder.path() / "spec.json", way = GetParam();
  permit_test_machines();
  const auto run = [&](const std::string& place, const std::string& transport, const std::string& options) {
    std::ofstream(spec) << fmt::format(R"json({{
        "schema": "pivotlab/spec/1", "name": "test", "title": "t", "source": "s", "method": "gsvd",
        "axes": {{"type": ["d", "z"], "generator": ["random"], "backend": ["cuda"], "transport": ["{}"], "n": [300],
                 "solver": ["?HZ0-(ME-BO, ME-FB-ME)"], "ranks": [2]}},
        "timing": {{"min_repeats": 1, "max_repeats": 1}}}})json",
                                       transport);
    const Ended ended =
        run_command(fmt::format("{} run {} -o {} --quiet {}", program("PIVOTLAB_PROGRAM", beside("../bin/pivotlab")),
                                spec, (folder.path() / place).string(), options));
    EXPECT_EQ(ended.code, 0) << ended.output;
    return outcomes(folder.path() / place);
  };
  const auto by_threads = run("threads", way == "mpi" ? "copy" : way, "");
  const auto by_processes =
      run("processes", way, fmt::format("--launch '{} -n {{ranks}}'", program("PIVOTLAB_MPIEXEC", MPIRUN)));
  ASSERT_EQ(by_threads.size(), 2U);
  EXPECT_EQ(by_processes, by_threads);
  for (const auto& [type, outcome] : by_threads) EXPECT_EQ(outcome[0], "passed");
}

}  // namespace
}  // namespace pivotlab::mpi_gpu_test
