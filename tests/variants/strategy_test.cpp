// SPDX-License-Identifier: BSD-3-Clause
// Strategy tables: equal to the published ones, and 1-factorizations (ME, RR) or coverings (MM) for every order.
// data/me_B.txt and data/mm_B.txt: the published tables of order B, a step a line, zero-based pairs p q p q ….
#include <gtest/gtest.h>
#include <pivotlab/error.hpp>
#include <variants/orderings/strategy.hpp>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace pivotlab::strategy_test {
namespace {

using Rows = std::vector<std::vector<PivotPair>>;

Rows rows_of(const StrategyTable& table) {
  Rows rows;
  for (Index s = 0; s < table.steps; ++s) rows.emplace_back(table.step(s).begin(), table.step(s).end());
  return rows;
}

Rows read_reference(const std::string& name) {
  std::ifstream file(std::string(STRATEGY_DATA) + "/" + name + ".txt");
  Rows rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream numbers(line);
    std::vector<PivotPair> row;
    for (PivotPair pair; numbers >> pair.p >> pair.q;) row.push_back(pair);
    rows.push_back(row);
  }
  return rows;
}

struct Reference {
  Strategy strategy;
  Index order;
};

void PrintTo(const Reference& reference, std::ostream* out) {
  *out << to_string(reference.strategy) << reference.order;
}

class PublishedTable : public testing::TestWithParam<Reference> {};

TEST_P(PublishedTable, IsReproducedWithRowAndPairOrder) {
  const auto [strategy, order] = GetParam();
  const std::string name = (strategy == Strategy::ME ? "me_" : "mm_") + std::to_string(order);
  const Rows reference = read_reference(name);
  ASSERT_FALSE(reference.empty()) << name;
  EXPECT_EQ(rows_of(make_strategy_table(strategy, order)), reference) << name;
}

INSTANTIATE_TEST_SUITE_P(MantharamEberlein, PublishedTable, testing::ValuesIn([] {
                           std::vector<Reference> all{{Strategy::ME, 8}};
                           for (Index order = 6; order <= 42; order += 4) all.push_back({Strategy::ME, order});
                           return all;
                         }()),
                         testing::PrintToStringParamName());
INSTANTIATE_TEST_SUITE_P(ModifiedModulus, PublishedTable,
                         testing::Values(Reference{Strategy::MM, 6}, Reference{Strategy::MM, 8},
                                         Reference{Strategy::MM, 10}, Reference{Strategy::MM, 32}),
                         testing::PrintToStringParamName());

TEST(MantharamEberlein, PairsByExclusiveOrForPowersOfTwo) {
  for (Index n = 2; n <= 1024; n *= 2) {
    const StrategyTable table = make_strategy_table(Strategy::ME, n);
    ASSERT_EQ(table.steps, n - 1);
    for (Index s = 0; s < table.steps; ++s)
      for (const auto [p, q] : table.step(s)) ASSERT_EQ(p ^ q, n - 1 - s) << "order " << n << ", step " << s;
  }
}

TEST(RoundRobin, IsTheChessTournamentOfSixPlayers) {
  const Rows tournament{{{0, 5}, {1, 4}, {2, 3}},
                        {{0, 4}, {3, 5}, {1, 2}},
                        {{0, 3}, {2, 4}, {1, 5}},
                        {{0, 2}, {1, 3}, {4, 5}},
                        {{0, 1}, {2, 5}, {3, 4}}};
  EXPECT_EQ(rows_of(make_strategy_table(Strategy::RR, 6)), tournament);
}

// Checks the shape, p < q < n and the disjointness of each step; returns how often each pair (p, q) occurs.
std::vector<int> cover_counts(const StrategyTable& table) {
  const Index n = table.order;
  EXPECT_EQ(static_cast<Index>(table.pairs.size()), table.steps * (n / 2));
  std::vector<int> counts(static_cast<std::size_t>(n * n), 0);
  std::vector<Index> last_step(static_cast<std::size_t>(n), -1);
  for (Index s = 0; s < table.steps; ++s)
    for (const auto [p, q] : table.step(s)) {
      if (p >= q || static_cast<Index>(q) >= n || last_step[p] == s || last_step[q] == s) {
        ADD_FAILURE() << "order " << n << ", step " << s << ": pair (" << p << ", " << q << ")";
        return {};
      }
      last_step[p] = last_step[q] = s;
      ++counts[static_cast<std::size_t>(p * n + q)];
    }
  return counts;
}

// How many of the n(n − 1)/2 pairs occur `times` times.
Index pairs_covered(const std::vector<int>& counts, Index n, int times) {
  Index covered = 0;
  for (Index p = 0; p < n; ++p)
    for (Index q = p + 1; q < n; ++q) covered += counts[static_cast<std::size_t>(p * n + q)] == times;
  return covered;
}

void expect_cyclic(Strategy strategy, Index n) {
  const StrategyTable table = make_strategy_table(strategy, n);
  ASSERT_EQ(table.order, n);
  ASSERT_EQ(table.steps, n - 1);
  const std::vector<int> counts = cover_counts(table);
  ASSERT_FALSE(counts.empty());
  ASSERT_EQ(pairs_covered(counts, n, 1), n * (n - 1) / 2) << "order " << n;
}

TEST(MantharamEberlein, CoversEveryPairOnceForEveryEvenOrder) {
  for (Index n = 2; n <= 512; n += 2) ASSERT_NO_FATAL_FAILURE(expect_cyclic(Strategy::ME, n));
}

TEST(RoundRobin, CoversEveryPairOnceForEveryEvenOrder) {
  for (Index n = 2; n <= 512; n += 2) ASSERT_NO_FATAL_FAILURE(expect_cyclic(Strategy::RR, n));
}

TEST(MantharamEberlein, CoversEveryPairOnceForLargeOrders) {
  for (const Index n : {608, 1216, 4096}) ASSERT_NO_FATAL_FAILURE(expect_cyclic(Strategy::ME, n));
}

TEST(AcrossHalves, CoversEveryPairOfTheHalvesOnceAndNoOther) {
  for (Index n = 2; n <= 128; n += 2) {
    const StrategyTable table = make_table_across_halves(n);
    ASSERT_EQ(table.steps, n / 2);
    const std::vector<int> counts = cover_counts(table);
    ASSERT_FALSE(counts.empty());
    for (Index p = 0; p < n / 2; ++p)
      for (Index q = n / 2; q < n; ++q) ASSERT_EQ(counts[static_cast<std::size_t>(p * n + q)], 1) << p << ", " << q;
    ASSERT_EQ(pairs_covered(counts, n, 1), n * n / 4);
  }
}

TEST(ModifiedModulus, CoversEveryPairForEveryEvenOrder) {
  for (Index n = 2; n <= 512; n += 2) {
    const StrategyTable table = make_strategy_table(Strategy::MM, n);
    ASSERT_EQ(table.steps, n);
    const std::vector<int> counts = cover_counts(table);
    ASSERT_FALSE(counts.empty());
    ASSERT_EQ(pairs_covered(counts, n, 0), 0) << "order " << n;
    ASSERT_EQ(pairs_covered(counts, n, 2), n / 2) << "order " << n;
  }
}

TEST(StrategyTable, RejectsOrdersThatAreNotEvenAndPositive) {
  for (const Strategy strategy : {Strategy::ME, Strategy::MM, Strategy::RR})
    for (const Index n : {-2, 0, 1, 7}) EXPECT_THROW(make_strategy_table(strategy, n), InputError) << n;
}

}  // namespace
}  // namespace pivotlab::strategy_test
