// SPDX-License-Identifier: BSD-3-Clause
// The decomposition over ranks, which are threads here: one rank has the bits of the single solver, more ranks
// decompose the pair as accurately, and no rank waits forever after a failure.
#include "on_ranks.hpp"

#include "experiments/metrics/condition.hpp"
#include "tests/gsvd/decomposition.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cstring>
#include <limits>

namespace pivotlab::distributed_gsvd_test {
namespace {

using namespace test;

template <class T>
double sum_of_conditions(const TestPair<T>& pair) {
  const auto kappa = experiments::condition_numbers<T>(pair.F, pair.G);
  return kappa.f.value + kappa.g.value;
}

/// Returns the error message of a computation on two ranks.
template <class Work>
std::string message_of(Work&& work, int ranks = 2) {
  try {
    run_on_threads(ranks, work);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

const CopyBytes copy_on_host = [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); };

template <class T>
class DistributedGsvd : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DistributedGsvd, Scalars);

TYPED_TEST(DistributedGsvd, OneRankHasTheBitsOfTheSingleSolver) {
  auto scaled = random_pair<TypeParam>(80, 75, 70);
  for (auto* A : {&scaled.F, &scaled.G})
    for (auto& x : A->col(3)) x *= 1e-200;
  const std::vector<TestPair<TypeParam>> pairs{random_pair<TypeParam>(80, 101, 70),
                                               rank_deficient_pair<TypeParam>(72, 41, false), scaled};
  for (const char* name : {"DHZ0-(ME-BO, ME-FB-ME)", "DHZ0-(MM-FB, MM-BO-RR);w=8", "DHZ3-(RR-FB, ME-FB-ME);sort=off"})
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      SCOPED_TRACE(fmt::format("{} {}", name, k));
      const DistributedGsvdOptions options = options_for(name);
      const auto single = gsvd<TypeParam>(pairs[k].F, pairs[k].G, {.variant = options.variant.inner});
      const auto r = solve_on_threads(pairs[k], 1, options);
      EXPECT_EQ(r.status, single.status);
      EXPECT_EQ(r.sweeps.size(), single.sweeps.size());
      EXPECT_EQ(bits(r), bits(single));
    }
}

TYPED_TEST(DistributedGsvd, DecomposesThePairOnAnyNumberOfRanks) {
  const auto pair = random_pair<TypeParam>(99, 110, 91);
  const auto single = gsvd<TypeParam>(pair.F, pair.G);
  const double bound = 2 * unit_roundoff<double>() * sum_of_conditions(pair);  // of the errors of two
  for (const int ranks : {2, 3, 4, 7})
    for (const char* name : {"DHZ0-(ME-BO, ME-FB-ME);w=8", "DHZ0-(ME-FB, ME-BO-ME);w=8", "DHZ7-(MM-BO, RR-BO-ME);w=4",
                             "DHZ2-(RR-FB, MM-FB-ME);w=8;factor=pivoted", "DHZ0-(ME-BO, ME-FB-ME);w=8;pairs=once"}) {
      SCOPED_TRACE(fmt::format("{} {} ranks", name, ranks));
      const auto r = solve_on_threads(pair, ranks, options_for(name));
      expect_decomposition(pair, r, 20 * unit_roundoff<double>() * 110);
      EXPECT_LE(largest_relative_error(r.sigma, single.sigma), bound);
      EXPECT_EQ(r.sweeps.back().big, 0u);
      EXPECT_LE(r.sweeps.size(), 14u);
    }
}

TYPED_TEST(DistributedGsvd, SigmaIsAsExactAsTheConditionAllows) {
  const auto pair = random_pair<TypeParam>(40, 44, 39);
  const auto exact = exact_sigma(pair);
  const double bound = unit_roundoff<double>() * sum_of_conditions(pair);
  for (const int ranks : {2, 3, 4}) {
    const auto r = solve_on_threads(pair, ranks, options_for("DHZ0-(ME-BO, ME-FB-ME);w=4"));
    EXPECT_LE(largest_relative_error(r.sigma, exact), bound) << ranks << " ranks";
  }
}

TYPED_TEST(DistributedGsvd, SupportsMoreRanksThanStripes) {
  for (const auto& [m_f, m_g, n] :
       std::vector<std::array<Index, 3>>{{1, 1, 1}, {2, 3, 2}, {20, 17, 17}, {64, 64, 64}, {65, 65, 65}}) {
    SCOPED_TRACE(fmt::format("{} {} {}", m_f, m_g, n));
    const auto pair = random_pair<TypeParam>(m_f, m_g, n, static_cast<unsigned>(n));
    expect_decomposition(pair, solve_on_threads(pair, 4, options_for("B")),
                         20 * unit_roundoff<double>() * static_cast<double>(std::max(m_f, m_g)));
  }
}

TYPED_TEST(DistributedGsvd, NullSpaceOfFHasZeroSigmas) {
  for (const bool zero_rows : {false, true})
    for (const char* name : {"DHZ0-(ME-BO, ME-FB-ME);w=8", "DHZ0-(ME-FB, ME-FB-ME);w=8"}) {
      SCOPED_TRACE(name);
      const auto pair = rank_deficient_pair<TypeParam>(72, 41, zero_rows);
      const auto r = solve_on_threads(pair, 3, options_for(name));
      expect_decomposition(pair, r, 1e-13);
      EXPECT_GT(r.sigma[40], 1e-4);
      for (std::size_t j = 41; j < 72; ++j) EXPECT_EQ(r.sigma[j], 0) << j;
      EXPECT_LE(r.sweeps.size(), 12u);
    }
}

// Every row of F is zero in the columns of all ranks but one, so that no rank alone can distinguish elements from
// noise.
TYPED_TEST(DistributedGsvd, NullSpaceThatNoRankSeesAloneIsFound) {
  constexpr Index n = 64, rank = 18;
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  auto pair = random_pair<TypeParam>(n, n, n);
  for (int r = 0; r < 2; ++r) {
    const auto block = rank_deficient_pair<TypeParam>(n / 2, rank, false).F;
    const std::vector<Index> columns = stripe_columns(n, options.variant, 2, r);
    for (Index j = 0; j < n / 2; ++j) {
      std::ranges::fill(pair.F.col(columns[j]), TypeParam(0));
      std::ranges::copy(block.col(j), pair.F.col(columns[j]).begin() + r * n / 2);
    }
  }
  const auto r = solve_on_threads(pair, 2, options);
  expect_decomposition(pair, r, 1e-13);
  for (std::size_t j = 0; j < n; ++j) EXPECT_EQ(r.sigma[j] == 0, j >= 2 * rank) << j;
  EXPECT_LE(r.sweeps.size(), 12u);
}

// Powers of two, so that the generalized singular values stay exactly the same.
TYPED_TEST(DistributedGsvd, ExtremeExponentsOfColumnsCostNoAccuracy) {
  auto pair = random_pair<TypeParam>(40, 40, 40);
  const auto exact = exact_sigma(pair);
  const double bound = unit_roundoff<double>() * sum_of_conditions(pair);
  for (auto* A : {&pair.F, &pair.G})
    for (Index i = 0; i < 40; ++i) (*A)(i, 3) *= 0x1p-660, (*A)(i, 30) *= 0x1p660;
  const auto r = solve_on_threads(pair, 3, options_for("DHZ0-(ME-BO, ME-FB-ME);w=4"));
  ASSERT_EQ(r.status, Status::passed);
  EXPECT_LE(largest_relative_error(r.sigma, exact), bound);
}

TYPED_TEST(DistributedGsvd, DigitsThatUnderflowInZAreFoundByAllRanks) {
  auto pair = random_pair<TypeParam>(12, 12, 12);
  for (auto& x : pair.F.col(0)) x *= 0x1p1000;
  for (Index j = 0; j < 12; ++j)
    for (auto& x : pair.G.col(j)) x *= j == 0 ? 0x1p1000 : 0x1p-200;
  EXPECT_EQ((gsvd<TypeParam>(pair.F, pair.G).status), Status::incorrect);
  for (const int ranks : {1, 3})
    EXPECT_EQ(solve_on_threads(pair, ranks, options_for("DHZ0-(ME-BO, ME-FB-ME);w=4")).status, Status::incorrect);
}

TYPED_TEST(DistributedGsvd, BitsDependNeitherOnTheRunNorOnThreads) {
  const auto pair = random_pair<TypeParam>(90, 99, 87);
  DistributedGsvdOptions options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  const auto first = solve_on_threads(pair, 3, options);
  EXPECT_EQ(bits(solve_on_threads(pair, 3, options)), bits(first));
  options.threads = 2;
  EXPECT_EQ(bits(solve_on_threads(pair, 3, options)), bits(first));
}

TYPED_TEST(DistributedGsvd, EmulatedDevicesDecomposeThePair) {
  const auto pair = random_pair<TypeParam>(70, 66, 65);
  const auto options = options_for("DHZ0-(ME-BO, ME-BO-ME)", Backend::emulation);
  const auto r = solve_on_threads(pair, 2, options);
  expect_decomposition(pair, r, 20 * unit_roundoff<double>() * 70);
  // The same stripes arrive through staging memory and directly.
  EXPECT_EQ(bits(solve_on_threads(pair, 2, options, copy_on_host)), bits(r));
}

// Two ranks of four stripes of two block columns each take three steps of 6 tiles; once are 8·7/2 tiles in all.
TYPED_TEST(DistributedGsvd, PairsOnceCoversEveryBlockPairOnce) {
  const auto pair = random_pair<TypeParam>(128, 128, 128);
  constexpr std::uint64_t of_a_tile = 32 * 31 / 2;
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    const auto transformations = [&](const char* name) {
      auto options = options_for(name, backend);
      options.max_outermost_sweeps = 1;
      return solve_on_threads(pair, 2, options).sweeps.front().transformations;
    };
    EXPECT_EQ(transformations("DHZ0-(ME-BO, ME-BO-ME);pairs=once"), 28 * of_a_tile);
    EXPECT_EQ(transformations("DHZ0-(ME-BO, ME-BO-ME)"), 36 * of_a_tile);
  }
}

TYPED_TEST(DistributedGsvd, EmulatedDevicesTakeEveryPairOnce) {
  const auto pair = random_pair<TypeParam>(130, 129, 128);
  const auto r = solve_on_threads(pair, 2, options_for("DHZ0-(ME-BO, ME-BO-ME);pairs=once", Backend::emulation));
  expect_decomposition(pair, r, 20 * unit_roundoff<double>() * 130);
}

TYPED_TEST(DistributedGsvd, EmulatedDevicesFindTheNullSpaceOfF) {
  const auto pair = rank_deficient_pair<TypeParam>(34, 20, false);
  const auto r = solve_on_threads(pair, 2, options_for("DHZ0-(ME-BO, ME-BO-ME)", Backend::emulation));
  expect_decomposition(pair, r, 1e-13);
  for (std::size_t j = 20; j < 34; ++j) EXPECT_EQ(r.sigma[j], 0) << j;
}

TYPED_TEST(DistributedGsvd, OneEmulatedDeviceHasTheBitsOfTheSingleOne) {
  for (const auto& pair : {random_pair<TypeParam>(40, 45, 33), rank_deficient_pair<TypeParam>(34, 20, false)}) {
    const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME)", Backend::emulation);
    const auto single =
        gsvd<TypeParam>(pair.F, pair.G, {.variant = options.variant.inner, .backend = Backend::emulation});
    EXPECT_EQ(bits(solve_on_threads(pair, 1, options)), bits(single));
  }
}

TEST(DistributedGsvdFaults, ReportsTheStepsOfEveryRank) {
  const auto pair = random_pair<double>(64, 64, 64);
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  run_on_threads(4, [&](Transport& transport) {
    const auto part = solve_part(transport, pair, options);
    ASSERT_EQ(part.steps.size(), 7 * part.sweeps.size());
    for (const StepSeconds& step : part.steps) {
      EXPECT_GT(step.compute, 0);
      EXPECT_EQ(step.bytes_sent, 3 * 64 * 8 * sizeof(double));
    }
  });
}

TEST(DistributedGsvdFaults, NotConvergedIsSaid) {
  auto options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  options.max_outermost_sweeps = 2;
  const auto r = solve_on_threads(random_pair<double>(64, 64, 64), 2, options);
  EXPECT_EQ(r.status, Status::not_converged);
  EXPECT_EQ(r.message, "big transformations remained after 2 outermost sweeps");
}

TEST(DistributedGsvdFaults, OtherParametersThanRankZerosAreRefused) {
  const auto pair = random_pair<double>(64, 64, 64);
  EXPECT_EQ(
      message_of(
          [&](Transport& transport) {
            auto options = options_for(transport.rank() == 2 ? "DHZ0-(ME-FB, ME-FB-ME)" : "DHZ0-(ME-BO, ME-FB-ME)");
            solve_part(transport, pair, options);
          },
          3),
      "rank 2: it was given DHZ0-(ME-FB, ME-FB-ME) on host, m_F=64, m_G=64, n=64, at most 30/30/30 sweeps, but rank "
      "0 DHZ0-(ME-BO, ME-FB-ME) on host, m_F=64, m_G=64, n=64, at most 30/30/30 sweeps; start all ranks with the "
      "same");
}

TEST(DistributedGsvdFaults, BadInputOfOneRankIsRefusedByAll) {
  auto pair = random_pair<double>(70, 70, 70);
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  const auto message = [&](const TestPair<double>& bad) {
    std::atomic<int> refusing = 0;
    const std::string text = message_of([&](Transport& transport) {
      try {
        solve_part(transport, bad, options);
      } catch (const SharedInputError&) {
        ++refusing;
        throw;
      }
    });
    EXPECT_GE(refusing, 1);
    return text;
  };
  auto bad = pair;
  bad.F(2, 60) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(message(bad), "matrix F: element (3, 61) is not finite; remove NaN and Inf from the input");
  bad = pair;
  std::ranges::fill(bad.G.col(69), 0.0);
  EXPECT_EQ(message(bad), "matrix G: column 70 is zero; G must have full column rank");
  bad = pair;
  as_eigen(bad.G.view()).col(5) = as_eigen(bad.G.view()).col(66);
  EXPECT_EQ(message(bad),
            "matrix G: it is numerically not of full column rank (69 of 70); append rows that make its columns "
            "independent, or swap F and G");
  as_eigen(bad.G.view()).rightCols(20) = as_eigen(bad.G.view()).leftCols(20);
  as_eigen(bad.F.view()).col(8) = as_eigen(bad.F.view()).col(9);
  EXPECT_EQ(message(bad),
            "matrix G: it is numerically not of full column rank (50 of 70); append rows that make its columns "
            "independent");
  bad = pair;
  bad.F = Matrix<double>(pair.F.view().block(0, 0, 69, 70));
  EXPECT_EQ(message(bad),
            "matrix F: it is 69 x 70, with fewer rows than columns; append rows of zeros or a regularization");
}

TEST(DistributedGsvdFaults, AWrongNumberOfColumnsIsRefused) {
  const auto pair = random_pair<double>(64, 64, 64);
  EXPECT_EQ(message_of([&](Transport& transport) {
              gsvd_distributed<double>(transport, pair.F, pair.G, 64, options_for("B"));
            }),
            "matrix F: rank 0 of 2 has 64 columns of it; it begins with 32, see stripe_columns()");
}

}  // namespace
}  // namespace pivotlab::distributed_gsvd_test
