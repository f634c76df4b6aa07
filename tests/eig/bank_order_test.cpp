// SPDX-License-Identifier: BSD-3-Clause
// The order of pairs in which lanes read shared memory has no bank conflicts.
#include "kernels/eig/device/bank_order.hpp"

#include "variants/orderings/strategy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <initializer_list>
#include <set>

namespace pivotlab::eig_device::bank_order_test {
namespace {

std::vector<Pair> round_of(const StrategyTable& table, Index step) {
  std::vector<Pair> round;
  for (const PivotPair& pair : table.step(step)) round.push_back({pair.p, pair.q});
  return round;
}

std::set<std::pair<unsigned, unsigned>> unordered(const std::vector<Pair>& round) {
  std::set<std::pair<unsigned, unsigned>> pairs;
  for (const Pair& pair : round) pairs.insert({ascending(pair).p, ascending(pair).q});
  return pairs;
}

unsigned distinct_residues(std::span<const Pair> pairs, std::uint32_t Pair::*element, unsigned banks) {
  std::set<unsigned> residues;
  for (const Pair& pair : pairs) residues.insert(pair.*element % banks);
  return static_cast<unsigned>(residues.size());
}

void expect_different_banks(unsigned banks, std::initializer_list<Index> orders) {
  for (const Strategy strategy : {Strategy::RR, Strategy::ME, Strategy::MM})
    for (const Index order : orders) {
      const StrategyTable table = make_strategy_table(strategy, order);
      for (Index step = 0; step < table.steps; ++step) {
        const auto given = round_of(table, step);
        auto round = given;
        arrange(round, banks);
        EXPECT_EQ(unordered(round), unordered(given));
        for (std::size_t first = 0; first < round.size(); first += banks) {
          const auto lanes = std::span(round).subspan(first, banks);
          EXPECT_EQ(distinct_residues(lanes, &Pair::p, banks), banks) << order << " " << step;
          EXPECT_EQ(distinct_residues(lanes, &Pair::q, banks), banks) << order << " " << step;
        }
      }
    }
}

TEST(BankOrder, PairsReadAtOnceUseDifferentBanks) {
  expect_different_banks(banks<double>, {16, 32, 64});
  expect_different_banks(banks<float>, {32, 64});
}

}  // namespace
}  // namespace pivotlab::eig_device::bank_order_test
