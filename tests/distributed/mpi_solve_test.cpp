// SPDX-License-Identifier: BSD-3-Clause
// pivotlab-mpi solve: processes read and write the same bits as threads as ranks, and input that one process cannot use
// ends all of them within seconds with one line.
#include "mpirun.hpp"
#include "on_ranks.hpp"
#include "tests/scratch_folder.hpp"

#include <gtest/gtest.h>

#include <pivotlab/io.hpp>

#include <algorithm>
#include <filesystem>

namespace pivotlab::mpi_solve_test {
namespace {

using namespace test;

class MpiSolve : public testing::Test {
 protected:
  ScratchFolder folder;
  std::string pair = folder.path() / "pair.h5", result = folder.path() / "result.h5";

  Ended solve(int ranks, const std::string& options) {
    return mpirun(
        fmt::format("-n {} {} solve gsvd {} -o {} --backend host {}", ranks, PIVOTLAB_MPI, pair, result, options));
  }
  void expect_refused(const Ended& ended, const std::string& line) {
    EXPECT_EQ(ended.code, 2);
    EXPECT_EQ(error_lines(ended), std::vector{"pivotlab: " + line}) << ended.output;
    EXPECT_LT(ended.seconds, 10);
    EXPECT_FALSE(std::filesystem::exists(result));
  }
};

class MpiSolveBits : public MpiSolve, public testing::WithParamInterface<int> {
 protected:
  template <class T>
  void expect_bits_of_threads(const std::string& variant) {
    const TestPair<T> made = random_pair<T>(75, 80, 70);
    write_pair(pair, Pair<T>{made.F, made.G, {}, "random"});
    const Ended ended = solve(GetParam(), fmt::format("--variant '{}' --threads 1 --force", variant));
    EXPECT_EQ(ended.code, 0) << ended.output;
    EXPECT_NE(ended.output.find("status          passed"), std::string::npos) << ended.output;
    const GsvdResult<T> by_threads = solve_on_threads(made, GetParam(), options_for(variant));
    GsvdResult<T> by_mpi = by_threads;
    by_mpi.U = std::get<Matrix<T>>(read_matrix(result + ":/U"));
    by_mpi.V = std::get<Matrix<T>>(read_matrix(result + ":/V"));
    by_mpi.Z = std::get<Matrix<T>>(read_matrix(result + ":/Z"));
    EXPECT_EQ(bits(by_mpi), bits(by_threads));
  }
};
INSTANTIATE_TEST_SUITE_P(Ranks, MpiSolveBits, testing::Values(1, 2, 3, 4));

TEST_P(MpiSolveBits, AreThoseOfThreads) {
  expect_bits_of_threads<double>("DHZ0-(ME-BO, ME-FB-ME);w=8");
  expect_bits_of_threads<std::complex<double>>("ZHZ0-(ME-BO, ME-FB-ME);w=8");
}

TEST_F(MpiSolve, RefusesAFileThatIsNotThere) {
  expect_refused(solve(3, ""), pair + ": there is no such file; check the name");
}

TEST_F(MpiSolve, RefusesAFileThatOneRankHasNot) {
  const TestPair<double> made = random_pair<double>(20, 20, 20);
  write_pair(pair, Pair<double>{made.F, made.G, {}, "random"});
  const std::string missing = folder.path() / "missing.h5", options = "--backend host -o " + result;
  expect_refused(mpirun(fmt::format("-n 2 {} solve gsvd {} {} : -n 1 {} solve gsvd {} {}", PIVOTLAB_MPI, pair, options,
                                    PIVOTLAB_MPI, missing, options)),
                 "rank 2: " + missing + ": there is no such file; check the name");
}

TEST_F(MpiSolve, RefusesAPairOfTheWrongShape) {
  const TestPair<double> made = random_pair<double>(20, 20, 20);
  write_pair(pair, Pair<double>{Matrix<double>(made.F.view().block(0, 0, 19, 20)), made.G, {}, "random"});
  const Ended ended = solve(3, "");
  ASSERT_EQ(error_lines(ended).size(), 1U) << ended.output;
  expect_refused(ended, error_lines(ended)[0].substr(10));
  EXPECT_NE(ended.output.find("19"), std::string::npos) << ended.output;
}

TEST_F(MpiSolve, RefusesWordsThatItDoesNotKnow) {
  const TestPair<double> made = random_pair<double>(20, 20, 20);
  write_pair(pair, Pair<double>{made.F, made.G, {}, "random"});
  for (const char* options : {"--variant E", "--outpt x", "--transport ncl", "--format tables"}) {
    const Ended ended = solve(2, options);
    ASSERT_EQ(error_lines(ended).size(), 1U) << ended.output;
    expect_refused(ended, error_lines(ended)[0].substr(10));
  }
}

TEST_F(MpiSolve, ReplacesAnOutputOnlyByForceAndAnInputNever) {
  const TestPair<double> made = random_pair<double>(20, 20, 20);
  write_pair(pair, Pair<double>{made.F, made.G, {}, "random"});
  const auto size = std::filesystem::file_size(pair);
  const auto refusal = [&](const std::string& options) {
    const Ended ended = solve(2, options);
    EXPECT_EQ(ended.code, 2);
    return error_lines(ended);
  };
  result = pair;
  EXPECT_EQ(refusal("--force"),
            std::vector{fmt::format("pivotlab: {0}: is the input {0}, which would be lost; give another name", pair)});
  result = folder.path() / "link.h5";
  std::filesystem::create_symlink(pair, result);
  EXPECT_EQ(
      refusal("--force"),
      std::vector{fmt::format("pivotlab: {}: is the input {}, which would be lost; give another name", result, pair)});
  EXPECT_EQ(std::filesystem::file_size(pair), size);
  result = folder.path() / "old.h5";
  std::filesystem::copy(pair, result);
  EXPECT_EQ(refusal(""),
            std::vector{"pivotlab: " + result + ": exists; add --force to replace it, or give another name"});
  EXPECT_EQ(std::filesystem::file_size(result), size);
  EXPECT_EQ(solve(2, "--force").code, 0);
  EXPECT_NE(std::filesystem::file_size(result), size);
}

// The check is made before any computation.
TEST_F(MpiSolve, RefusesAnOutputThatCannotBeWritten) {
  const TestPair<double> made = random_pair<double>(20, 20, 20);
  write_pair(pair, Pair<double>{made.F, made.G, {}, "random"});
  result = folder.path() / "missing" / "result.h5";
  expect_refused(solve(2, ""), result + ": cannot be written: No such file or directory; create the directory first");
}

TEST_F(MpiSolve, HelpIsPrintedOnce) {
  const Ended ended = mpirun(fmt::format("-n 2 {} solve gsvd --help", PIVOTLAB_MPI));
  EXPECT_EQ(ended.code, 0);
  const std::size_t first = ended.output.find("Examples:");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(ended.output.find("Examples:", first + 1), std::string::npos);
}

}  // namespace
}  // namespace pivotlab::mpi_solve_test
