// SPDX-License-Identifier: BSD-3-Clause
// The communication of section 4.1.3, derived from a strategy's table alone.
//
// Two successive steps pair the 2s stripes in two ways. Together the pairs form cycles, in which pairs of this step and
// of the next alternate and share one stripe. So every rank can keep one of its stripes and receive the other from its
// neighbour in the cycle. A rank sends and receives one stripe per step, which is the minimum unless a pair stays
// together.
#pragma once

#include "variants/orderings/strategy.hpp"

#include <span>
#include <vector>

namespace pivotlab {

/// The exchange of a rank between two steps. Places are 0 and 1, the first and the second stripe of a pair.
struct StripeMove {
  PivotPair next;          ///< the pair of the rank after the exchange
  int kept = 0;            ///< place of the kept stripe in the pair before
  int kept_place = 0;      ///< its place in the next pair; the received stripe takes the other place
  int to = 0;              ///< rank to which the other stripe is sent
  int from = 0;            ///< rank from which a stripe is received
  bool exchanges = false;  ///< false: both stripes stay

  friend bool operator==(const StripeMove&, const StripeMove&) = default;
};

/// Computes the moves of all ranks from their pairs to those of the next step; each pair goes to a rank that has one of
/// its stripes. The direction around a cycle depends only on the stripes, not on the ranks, so the plan repeats from
/// sweep to sweep up to a permutation of the ranks. Takes O(s) operations.
std::vector<StripeMove> plan_moves(std::span<const PivotPair> held, std::span<const PivotPair> next);

/// The sequence of moves through the sweeps, the same on every rank.
class StripePlan {
 public:
  /// Makes the plan for 2·ranks stripes. Rank r begins with the r-th pair of the strategy's first step.
  StripePlan(Strategy strategy, int ranks);

  Index steps() const { return table_.steps; }  ///< steps of a sweep
  /// Returns the pairs by rank.
  const std::vector<PivotPair>& held() const { return held_; }
  /// Advances to the next step (after the last step to the first one) and returns the moves of all ranks.
  std::vector<StripeMove> advance();

 private:
  StrategyTable table_;
  Index step_ = 0;
  std::vector<PivotPair> held_;
};

}  // namespace pivotlab
