// SPDX-License-Identifier: BSD-3-Clause
// Strategy tables: equal to the published ones, and 1-factorizations (ME, RR) or coverings (MM) for every order.
// data/me_B.txt and data/mm_B.txt: the published tables of order B, a step a line, zero-based pairs p q p q ….
#include <gtest/gtest.h>
#include <pivotlab/error.hpp>
#include <tests/scratch_folder.hpp>
#include <variants/names.hpp>
#include <variants/orderings/own_strategy.hpp>
#include <variants/orderings/strategy.hpp>

#include <filesystem>
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

/// The message of the InputError for a file with this content.
std::string refusal(const std::filesystem::path& file, std::string_view content) {
  std::ofstream(file) << content;
  try {
    (void)own_strategy(file.string());
  } catch (const InputError& error) {
    const std::string message = error.what();
    return message.substr(message.find(".txt") + 4);
  }
  return "accepted";
}

TEST(OwnStrategy, IsReadFromAFileAndNamedWithItsContent) {
  const test::ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "mine.txt", folder = scratch.path() / "all";
  std::ofstream(file) << "# order 4\n0 3 2 1\n0 2 1 3  # a step\n\n0 1 2 3\n";
  const HsvdVariant mine = hsvd_names().parse("hsvd-[" + file.string() + "]-pt");
  const std::string name = hsvd_names().print(mine);
  EXPECT_TRUE(name.starts_with("HSVD-[" + file.string() + "#")) << name;
  EXPECT_EQ(hsvd_names().parse(name), mine);
  EXPECT_EQ(hsvd_names().sweep({{"strategy", file.string() + ",RR"}}).front(),
            hsvd_names().canonical("HSVD-[" + file.string() + "]-BO"));
  const StrategyTable table = make_strategy_table(mine.strategy, 4);
  EXPECT_EQ(table.steps, 3);
  EXPECT_EQ(table.pairs, (std::vector<PivotPair>{{0, 3}, {1, 2}, {0, 2}, {1, 3}, {0, 1}, {2, 3}}));
  EXPECT_THROW(make_strategy_table(mine.strategy, 6), InputError);

  std::filesystem::create_directory(folder);
  std::filesystem::copy(file, folder / "4.txt");
  std::ofstream(folder / "2.txt") << "0 1\n";
  const Strategy both = own_strategy(folder.string());
  EXPECT_EQ(make_strategy_table(both, 2).steps, 1);
  EXPECT_EQ(make_strategy_table(both, 4).pairs, table.pairs);

  std::ofstream(file) << "0 1 2 3\n0 2 1 3\n0 3 1 2\n";
  EXPECT_THROW(hsvd_names().parse(name), InputError);  // the file has changed
}

TEST(OwnStrategy, MeetsEveryPairOnceInDisjointSteps) {
  const test::ScratchFolder scratch;
  const std::filesystem::path file = scratch.path() / "s.txt";
  EXPECT_EQ(refusal(file, "0 1 1 2\n"), ":1: column 1 is in two pairs of this step; pairs must be disjoint");
  EXPECT_EQ(refusal(file, "0 1 2 3\n0 1 2 3\n"), ":2: pair 0 1 was met in line 1; meet each pair once");
  EXPECT_EQ(refusal(file, "0 1 2 3\n0 2 1 3\n"), ": has 2 steps, of order 4 there must be 3 to meet every pair once");
  EXPECT_EQ(refusal(file, "0 1 2 3\n0 2\n"),
            ":2: has 1 pairs, the first step 2; a variant needs all columns in each step");
  EXPECT_EQ(refusal(file, "0 1 2 4\n"), ":1: column 4 is beyond the 4 columns of a step");
  EXPECT_EQ(refusal(file, "0 x\n"), ":1: 'x' is not a column; columns are whole numbers from 0");
  EXPECT_EQ(refusal(file, "0 1 2\n"), ":1: 3 numbers make no pairs; write two for each pair");
  EXPECT_EQ(refusal(file, "0 1 2 3\n0 2 1 3\n0 3 1 2\n"), "accepted");
}

}  // namespace
}  // namespace pivotlab::strategy_test
