// SPDX-License-Identifier: BSD-3-Clause
// The communication plan, followed stripe by stripe for every number of ranks up to 32 and every strategy.
#include "kernels/gsvd/distributed/stripe_plan.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pivotlab::stripe_plan_test {
namespace {

constexpr std::array strategies{Strategy::ME, Strategy::MM, Strategy::RR};

using Stripes = std::array<std::uint32_t, 2>;  // by place

/// test(strategy, ranks)
template <class Test>
void for_all_plans(Test&& test) {
  for (const Strategy strategy : strategies)
    for (int ranks = 1; ranks <= 32; ++ranks) {
      SCOPED_TRACE(fmt::format("{} {} ranks", to_string(strategy), ranks));
      test(strategy, ranks);
    }
}

/// Returns the stripes of each rank after the moves, simulated literally: every rank sends the stripe that it does not
/// keep.
std::vector<Stripes> moved(const std::vector<Stripes>& before, const std::vector<StripeMove>& moves) {
  std::vector<Stripes> after(before.size());
  for (std::size_t r = 0; r < moves.size(); ++r) {
    const StripeMove& move = moves[r];
    const StripeMove& sender = moves[static_cast<std::size_t>(move.from)];
    after[r][move.kept_place] = before[r][move.kept];
    after[r][1 - move.kept_place] = before[static_cast<std::size_t>(move.from)][1 - sender.kept];
  }
  return after;
}

TEST(StripePlan, BringsThePairsOfEveryStepTogether) {
  for_all_plans([](Strategy strategy, int ranks) {
    const StrategyTable table = make_strategy_table(strategy, 2 * ranks);
    StripePlan plan(strategy, ranks);
    ASSERT_EQ(plan.steps(), table.steps);
    std::vector<Stripes> held;
    for (const PivotPair& pair : table.step(0)) held.push_back({pair.p, pair.q});
    for (Index step = 1; step <= 3 * table.steps; ++step) {
      held = moved(held, plan.advance());
      std::vector<PivotPair> pairs, wanted;
      std::vector<int> seen(2 * static_cast<std::size_t>(ranks), 0);
      for (std::size_t r = 0; r < held.size(); ++r) {
        pairs.push_back({held[r][0], held[r][1]});
        EXPECT_EQ(plan.held()[r], pairs.back());
        for (const std::uint32_t stripe : held[r]) ++seen[stripe];
      }
      EXPECT_TRUE(std::ranges::all_of(seen, [](int count) { return count == 1; }));
      std::ranges::copy(table.step(step % table.steps), std::back_inserter(wanted));
      const auto first = [](const PivotPair& pair) { return pair.p; };
      std::ranges::sort(pairs, {}, first), std::ranges::sort(wanted, {}, first);
      ASSERT_EQ(pairs, wanted) << "step " << step;
    }
  });
}

TEST(StripePlan, SendersAndReceiversAgree) {
  for_all_plans([](Strategy strategy, int ranks) {
    StripePlan plan(strategy, ranks);
    for (Index step = 0; step < plan.steps(); ++step) {
      const auto moves = plan.advance();
      for (int r = 0; r < ranks; ++r) {
        const StripeMove& move = moves[static_cast<std::size_t>(r)];
        EXPECT_EQ(moves[static_cast<std::size_t>(move.to)].from, r);
        EXPECT_EQ(moves[static_cast<std::size_t>(move.from)].to, r);
        EXPECT_EQ(move.exchanges, move.from != r);
        EXPECT_EQ(move.exchanges, move.to != r);
      }
    }
  });
}

// If a pair is not kept together, at least one of its stripes leaves its rank: one send for each such pair is the
// least.
TEST(StripePlan, SendsNoStripeThatCouldStay) {
  for_all_plans([](Strategy strategy, int ranks) {
    StripePlan plan(strategy, ranks);
    for (Index step = 0; step < 2 * plan.steps(); ++step) {
      const std::vector<PivotPair> before = plan.held();
      const auto moves = plan.advance();
      const auto sent = std::ranges::count_if(moves, [](const StripeMove& move) { return move.exchanges; });
      const auto kept = std::ranges::count_if(
          before, [&](const PivotPair& pair) { return std::ranges::find(plan.held(), pair) != plan.held().end(); });
      EXPECT_EQ(sent, ranks - kept);
    }
  });
}

TEST(StripePlan, PeriodicUpToRankPermutation) {
  for_all_plans([](Strategy strategy, int ranks) {
    StripePlan plan(strategy, ranks);
    const auto sweep = [&plan] {
      std::vector<std::vector<PivotPair>> held;
      for (Index step = 0; step < plan.steps(); ++step) {
        held.push_back(plan.held());
        plan.advance();
      }
      return held;
    };
    const auto first = sweep();
    std::vector<std::size_t> renamed;  // rank r of a sweep does what rank renamed[r] did in the sweep before
    for (const PivotPair& pair : plan.held())
      renamed.push_back(static_cast<std::size_t>(std::ranges::find(first[0], pair) - first[0].begin()));
    auto before = first;
    for (int again = 0; again < 3; ++again) {
      const auto now = sweep();
      for (std::size_t step = 0; step < now.size(); ++step)
        for (std::size_t r = 0; r < renamed.size(); ++r) ASSERT_EQ(now[step][r], before[step][renamed[r]]);
      before = now;
    }
  });
}

TEST(StripePlan, OneRankHoldsBothStripesForEver) {
  for (const Strategy strategy : strategies) {
    StripePlan plan(strategy, 1);
    for (int step = 0; step < 5; ++step) {
      const StripeMove stays{.next = {0, 1}, .kept = 0, .kept_place = 0, .to = 0, .from = 0, .exchanges = false};
      EXPECT_EQ(plan.advance(), std::vector<StripeMove>{stays});
    }
  }
}

}  // namespace
}  // namespace pivotlab::stripe_plan_test
