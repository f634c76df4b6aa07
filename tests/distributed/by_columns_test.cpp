// SPDX-License-Identifier: BSD-3-Clause
// Pairs and decompositions by columns: a rank generates, writes and judges its part of the whole.
#include "on_ranks.hpp"
#include "tests/scratch_folder.hpp"

#include "experiments/engine/judgement.hpp"
#include "experiments/gsvd/gsvd.hpp"
#include "experiments/gsvd/gsvd_metrics.hpp"

#include <gtest/gtest.h>

#include <pivotlab/by_columns.hpp>
#include <pivotlab/io.hpp>

#include <cstring>
#include <limits>

namespace pivotlab::by_columns_test {
namespace {

using namespace test;
using experiments::GsvdMetrics;
using experiments::PairPart;

template <class T>
bool same_bits(const Matrix<T>& A, const Matrix<T>& B) {
  return A.rows() == B.rows() && A.cols() == B.cols() &&
         std::memcmp(A.data(), B.data(), static_cast<std::size_t>(A.size()) * sizeof(T)) == 0;
}

template <class T>
class ByColumns : public testing::Test {
 protected:
  ScratchFolder folder;
};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(ByColumns, Scalars);

TYPED_TEST(ByColumns, MakesTheBitsOfTheWholeRandomPair) {
  for (const char* generator : {"random", "random;entries=uniform"}) {
    const PairRequest request{.generator = generator, .type = scalar_type<TypeParam>, .n = 70, .m_f = 75, .seed = 5};
    const auto whole = std::get<Pair<TypeParam>>(generate_pair(request));
    const std::vector<Index> columns{3, 4, 69, 0};
    const auto part = generate_pair_columns<TypeParam>(request, columns);
    EXPECT_TRUE(same_bits(part.F, columns_of(whole.F, columns)));
    EXPECT_TRUE(same_bits(part.G, columns_of(whole.G, columns)));
    EXPECT_EQ(part.provenance, whole.provenance);
  }
  EXPECT_THROW(generate_pair_columns<TypeParam>({.generator = "paper", .n = 8}, {0}), NotSupported);
}

// Four ranks of n = 20 have 32 columns: some have none of the pair.
TYPED_TEST(ByColumns, RanksWriteTheWholeDecompositionInOneFile) {
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  for (const int ranks : {1, 2, 3, 4}) {
    const TestPair<TypeParam> pair = random_pair<TypeParam>(25, 22, 20);
    const GsvdResult<TypeParam> whole = solve_on_threads(pair, ranks, options);
    const std::string result = this->folder.path() / "result.h5";
    run_on_threads(ranks, [&](Transport& transport) {
      write_gsvd(transport, result, solve_part(transport, pair, options), {{"problem", "a pair"}});
    });
    const auto written = [&](const char* name) { return std::get<Matrix<TypeParam>>(read_matrix(result + name)); };
    EXPECT_TRUE(same_bits(written(":/U"), whole.U));
    EXPECT_TRUE(same_bits(written(":/V"), whole.V));
    EXPECT_TRUE(same_bits(written(":/Z"), whole.Z));
  }
  EXPECT_THROW(run_on_threads(2,
                              [&](Transport& transport) {
                                const auto part = solve_part(transport, random_pair<TypeParam>(9, 9, 9), options);
                                write_gsvd(transport, this->folder.path() / "missing" / "result.h5", part);
                              }),
               SharedInputError);
}

/// Returns the metrics of a decomposition over ranks that `spoil` has changed on every rank, and those of the whole.
struct BothMetrics {
  GsvdMetrics over_ranks, whole;
};
template <class T, class Spoil>
BothMetrics judge_both(int ranks, Spoil&& spoil, const TestPair<T>& pair = random_pair<T>(75, 80, 70)) {
  const auto options = options_for("DHZ0-(ME-BO, ME-FB-ME);w=8");
  const Index n = pair.F.cols();
  GsvdResult<T> whole;
  whole.U = Matrix<T>(pair.F.rows(), n), whole.V = Matrix<T>(pair.G.rows(), n), whole.Z = Matrix<T>(n, n);
  std::vector<GsvdMetrics> by_rank(static_cast<std::size_t>(ranks));
  run_on_threads(ranks, [&](Transport& transport) {
    GsvdStripes<T> part = solve_part(transport, pair, options);
    spoil(transport.rank(), part);
    PairPart<T> mine{{}, stripe_columns(n, options.variant, transport.size(), transport.rank()), n};
    mine.columns.F = columns_of(pair.F, mine.places), mine.columns.G = columns_of(pair.G, mine.places);
    by_rank[static_cast<std::size_t>(transport.rank())] = experiments::judge_gsvd(transport, mine, part);
    put(part.U, part.columns, whole.U);  // the ranks have disjoint columns
    put(part.V, part.columns, whole.V);
    put(part.Z, part.columns, whole.Z);
    if (transport.rank() == 0) whole.sigma_f = part.sigma_f, whole.sigma_g = part.sigma_g, whole.sigma = part.sigma;
  });
  for (const GsvdMetrics& metrics : by_rank) {
    EXPECT_EQ(metrics.verdict, by_rank[0].verdict);
    EXPECT_EQ(metrics.message, by_rank[0].message);
  }
  return {by_rank[0],
          experiments::judge_gsvd(Pair<T>{pair.F, pair.G, {}, ""}, whole, {.precision = {}, .full_limit = 0})};
}

void expect_near(const BothMetrics& both, double relative) {
  const auto& [over_ranks, whole] = both;
  for (const auto member : {&GsvdMetrics::residual_fz, &GsvdMetrics::residual_gz, &GsvdMetrics::orthogonality_u,
                            &GsvdMetrics::orthogonality_v, &GsvdMetrics::sigma_sum, &GsvdMetrics::sigma_ratio})
    EXPECT_NEAR(over_ranks.*member, whole.*member, relative * whole.*member);
  EXPECT_EQ(over_ranks.probes, whole.probes);
  EXPECT_EQ(over_ranks.verdict, whole.verdict);
  EXPECT_EQ(over_ranks.bounds.residual_fz, whole.bounds.residual_fz);
}

// Sums over ranks differ from those on one rank by rounding errors of double-double.
TYPED_TEST(ByColumns, RanksJudgeAsOneDoes) {
  const auto nothing = [](int, auto&) {};
  expect_near(judge_both<TypeParam>(1, nothing), 0);
  for (const int ranks : {2, 3, 4}) {
    const BothMetrics both = judge_both<TypeParam>(ranks, nothing);
    expect_near(both, 1e-10);
    EXPECT_EQ(both.over_ranks.verdict, Status::passed) << both.over_ranks.message;
  }
}

TYPED_TEST(ByColumns, RanksJudgeColumnsThatShareAScaling) {
  TestPair<TypeParam> pair = random_pair<TypeParam>(75, 80, 70);
  for (Index j = 0; j < 70; ++j)
    for (auto* A : {&pair.F, &pair.G})
      for (TypeParam& x : A->col(j)) x *= j % 3 == 0 ? 0x1p199 : j % 3 == 1 ? 1 : 0x1p-199;
  for (const int ranks : {1, 3}) {
    const BothMetrics both = judge_both<TypeParam>(
        ranks, [](int, auto&) {}, pair);
    expect_near(both, 1e-10);
    EXPECT_EQ(both.over_ranks.verdict, Status::passed) << both.over_ranks.message;
  }
}

TYPED_TEST(ByColumns, RanksSeeTheErrorOfOneOfThem) {
  for (const auto member : {&GsvdStripes<TypeParam>::U, &GsvdStripes<TypeParam>::V, &GsvdStripes<TypeParam>::Z})
    for (const double change : {1e-9, std::numeric_limits<double>::quiet_NaN()}) {
      const BothMetrics both = judge_both<TypeParam>(3, [&](int rank, auto& part) {
        if (rank == 2) (part.*member)(0, 0) += TypeParam(change);
      });
      EXPECT_EQ(both.over_ranks.verdict, Status::incorrect);
      if (change < 1) expect_near(both, 1e-10);
      EXPECT_EQ(both.over_ranks.message.empty(), both.whole.message.empty());
    }
}

/// Solves and judges one case by threads as ranks that have only their columns, or the whole pair.
experiments::Judgement judge_case(int ranks, const experiments::Case& axes, Index limit) {
  const experiments::Case canonical = experiments::gsvd_method().canonical(axes);
  experiments::Judgement judgement;
  run_on_threads(ranks, [&](Transport& transport) {
    const auto problem = experiments::make_gsvd_problem_over(transport, experiments::interpret_gsvd(canonical), limit);
    const auto run = problem->prepare(canonical);
    experiments::Judgement mine = run->judge(*run->solve());
    EXPECT_EQ(mine.status, Status::passed) << mine.message;
    if (transport.rank() == 0) judgement = std::move(mine);
  });
  return judgement;
}

TYPED_TEST(ByColumns, RanksJudgeALargeCaseByItsColumns) {
  for (const int ranks : {1, 3}) {
    const experiments::Case axes{{"type", std::string(1, static_cast<char>(scalar_type<TypeParam>))},
                                 {"n", std::int64_t{70}},
                                 {"m_f", std::int64_t{75}},
                                 {"m_g", std::int64_t{0}},
                                 {"generator", std::string("random")},
                                 {"seed", std::int64_t{1}},
                                 {"solver", std::string("?HZ0-(ME-BO, ME-FB-ME)")},
                                 {"backend", std::string("host")},
                                 {"threads", std::int64_t{ranks}},
                                 {"ranks", std::int64_t{ranks}},
                                 {"transport", std::string("copy")}};
    const auto large = judge_case(ranks, axes, 0), small = judge_case(ranks, axes, 100);
    EXPECT_EQ(large.convergence["transformations"], small.convergence["transformations"]);
    EXPECT_EQ(large.convergence["by_rank"].size(), static_cast<std::size_t>(ranks));
    EXPECT_EQ(large.metrics["probes"], 8);
    EXPECT_EQ(small.metrics["probes"], 0);
    EXPECT_EQ(large.metrics["sigma_sum"], small.metrics["sigma_sum"]);
    EXPECT_EQ(large.problem["provenance"], small.problem["provenance"]);
    EXPECT_TRUE(large.problem["kappa_f"].is_null());
    EXPECT_GT(small.problem["kappa_f"], 1);
  }
}

}  // namespace
}  // namespace pivotlab::by_columns_test
