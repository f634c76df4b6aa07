// SPDX-License-Identifier: BSD-3-Clause
#include <pivotlab/error.hpp>
#include <variants/orderings/me_base.hpp>
#include <variants/orderings/own_strategy.hpp>
#include <variants/orderings/strategy.hpp>

#include <algorithm>
#include <bit>
#include <string>

namespace pivotlab {
namespace {

PivotPair ordered(Index i, Index j) {
  const auto [p, q] = std::minmax(i, j);
  return {static_cast<std::uint32_t>(p), static_cast<std::uint32_t>(q)};
}

StrategyTable empty_table(Index order, Index steps) {
  StrategyTable table{order, steps, {}};
  table.pairs.reserve(steps * (order / 2));
  return table;
}

// Computes the round robin (chess tournament) by the circle method: position 0 keeps its player, the others move one
// position after each step, and position r plays against position n − 1 − r.
StrategyTable round_robin(Index order) {
  StrategyTable table = empty_table(order, order - 1);
  const Index moving = order - 1;
  for (Index s = 0; s < table.steps; ++s) {
    const auto player = [&](Index place) { return place == 0 ? 0 : 1 + (place - 1 + moving - s) % moving; };
    for (Index r = 0; r < order / 2; ++r) table.pairs.push_back(ordered(player(r), player(order - 1 - r)));
  }
  return table;
}

// Each slot moves through the upper triangle along its own antidiagonal line. The shadow (i, j) differs from the pair
// (p, q) only directly after a slot was reflected at the diagonal, where (i, j) has already moved on from i = j.
StrategyTable modified_modulus(Index order) {
  struct Slot {
    Index p, q, i, j;
    void advance(Index n) {
      if (i + j >= n - 1) {
        if (++i == j) j = i -= n / 2;
        p = i;
      } else {
        q = ++j;
      }
    }
  };
  std::vector<Slot> slots;
  for (Index r = 0; r < order / 2; ++r) slots.push_back({r, order - 1 - r, r, order - 1 - r});

  StrategyTable table = empty_table(order, order);
  for (Index s = 0; s < table.steps; ++s)
    for (Slot& slot : slots) {
      table.pairs.push_back(ordered(slot.p, slot.q));
      slot.advance(order);
    }
  return table;
}

// Returns the table of an order b that is twice an odd number. Orders above the stored ones start from the round robin:
// the doublings only need a 1-factorization as base, which exists for every order and is computed at once.
StrategyTable mantharam_eberlein_base(Index order) {
  const std::string_view partners = me_base_table(order);
  if (partners.empty()) return round_robin(order);

  StrategyTable table = empty_table(order, order - 1);
  auto partner = partners.begin();
  for (Index s = 0; s < table.steps; ++s) {
    std::vector<bool> taken(order, false);
    for (Index p = 0; p < order; ++p) {
      if (taken[p]) continue;
      const Index q = *partner++ - '0';
      taken[q] = true;
      table.pairs.push_back(ordered(p, q));
    }
  }
  return table;
}

// Doubles the order: column i becomes the columns 2i and 2i + 1, so that a pair (i, j) becomes a 2 × 2 block of pairs,
// processed in two steps along its diagonals; the pairs (2i, 2i + 1) form the last step.
StrategyTable doubled(const StrategyTable& half) {
  const Index order = 2 * half.order;
  StrategyTable table = empty_table(order, order - 1);
  for (Index s = 0; s < half.steps; ++s) {
    for (const auto [i, j] : half.step(s)) {
      table.pairs.push_back({2 * i, 2 * j + 1});
      table.pairs.push_back({2 * i + 1, 2 * j});
    }
    for (const auto [i, j] : half.step(s)) {
      table.pairs.push_back({2 * i, 2 * j});
      table.pairs.push_back({2 * i + 1, 2 * j + 1});
    }
  }
  for (Index i = 0; i < half.order; ++i) table.pairs.push_back(ordered(2 * i, 2 * i + 1));
  return table;
}

// Returns the table of order n = b·2ᵏ with b/2 odd; b = 2 gives the powers of two, where step s pairs i with i XOR (n −
// 1 − s).
StrategyTable mantharam_eberlein(Index order) {
  const int doublings = std::countr_zero(static_cast<std::uint64_t>(order)) - 1;
  StrategyTable table = mantharam_eberlein_base(order >> doublings);
  for (int k = 0; k < doublings; ++k) table = doubled(table);
  return table;
}

}  // namespace

StrategyTable make_strategy_table(Strategy strategy, Index order) {
  if (order < 2 || order % 2 != 0)
    throw InputError("strategy " + std::string(to_string(strategy)) + ": order " + std::to_string(order) +
                     (order < 2 ? ": too few columns; pass an even number of them"
                                : ": not an even number of columns; border to the next even order"));
  if (!spelling_of_own(strategy).empty()) return own_strategy_table(strategy, order);
  switch (strategy) {
    case Strategy::ME:
      return mantharam_eberlein(order);
    case Strategy::MM:
      return modified_modulus(order);
    case Strategy::RR:
      return round_robin(order);
  }
  throw InputError("strategy: unknown value; use ME, MM or RR");
}

StrategyTable make_table_across_halves(Index order) {
  const Index half = order / 2;
  StrategyTable table = empty_table(order, half);
  for (Index s = 0; s < half; ++s)
    for (Index p = 0; p < half; ++p) table.pairs.push_back(ordered(p, half + (p + s) % half));
  return table;
}

}  // namespace pivotlab
