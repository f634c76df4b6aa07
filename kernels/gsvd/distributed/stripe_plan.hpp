// Which stripes meet where: the communication of section 4.1.3, derived from a strategy's table alone.
//
// Two successive steps pair the 2s stripes in two ways; together the pairs form cycles, in which pairs of this step and
// of the next alternate, sharing one stripe. So every rank can keep one of its stripes and take the other from its
// neighbour in the cycle: no step needs more than one stripe sent and one received by a rank, and none fewer, unless a
// pair stays together.
#pragma once

#include "orderings/strategy.hpp"

#include <span>
#include <vector>

namespace pivotlab {

/// The exchange of a rank between two steps. Places are 0 and 1, the first and the second stripe of a pair.
struct StripeMove {
  PivotPair next;          ///< the pair that the rank holds afterwards
  int kept = 0;            ///< place of the stripe that stays, in the pair held before
  int kept_place = 0;      ///< its place in the next pair; the other stripe comes to the other place
  int to = 0;              ///< the rank that gets the stripe not kept
  int from = 0;            ///< the rank that the other stripe comes from
  bool exchanges = false;  ///< false: both stripes stay, nothing is sent or received

  friend bool operator==(const StripeMove&, const StripeMove&) = default;
};

/// The moves of all ranks from the pairs that they hold to those of a step: each pair of it comes to a rank that has
/// one of its stripes. Which way round a cycle depends on the stripes only, not on the ranks, so that the plan repeats
/// from sweep to sweep up to one renaming of the ranks. O(s).
std::vector<StripeMove> plan_moves(std::span<const PivotPair> held, std::span<const PivotPair> next);

/// The stripes' way through the sweeps, the same on every rank.
class StripePlan {
 public:
  /// For 2·ranks stripes. Rank r begins with the r-th pair of the strategy's first step.
  StripePlan(Strategy strategy, int ranks);

  Index steps() const { return table_.steps; }  ///< of a sweep
  /// By rank.
  const std::vector<PivotPair>& held() const { return held_; }
  /// Goes on to the next step, after the last one to the first; what each rank has to do for it.
  std::vector<StripeMove> advance();

 private:
  StrategyTable table_;
  Index step_ = 0;
  std::vector<PivotPair> held_;
};

}  // namespace pivotlab
