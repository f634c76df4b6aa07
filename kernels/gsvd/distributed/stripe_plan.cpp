// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/gsvd/distributed/stripe_plan.hpp"

namespace pivotlab {
namespace {

struct Place {
  int rank, slot;
};

/// Returns for each stripe the pair that contains it, and its place there.
std::vector<Place> places_of(std::span<const PivotPair> pairs) {
  std::vector<Place> places(2 * pairs.size());
  for (std::size_t r = 0; r < pairs.size(); ++r) {
    places[pairs[r].p] = {static_cast<int>(r), 0};
    places[pairs[r].q] = {static_cast<int>(r), 1};
  }
  return places;
}

std::uint32_t stripe_at(const PivotPair& pair, int slot) {
  return slot == 0 ? pair.p : pair.q;
}

}  // namespace

std::vector<StripeMove> plan_moves(std::span<const PivotPair> held, std::span<const PivotPair> next) {
  const std::vector<Place> now = places_of(held), then = places_of(next);
  std::vector<StripeMove> moves(held.size());
  std::vector<bool> planned(held.size(), false);
  for (const Place& start : now) {  // the smallest stripe of each cycle stays on its rank
    int receiver = start.rank, kept = start.slot;
    while (!planned[receiver]) {
      planned[receiver] = true;
      const Place target = then[stripe_at(held[receiver], kept)];
      const PivotPair& pair = next[target.rank];
      const Place wanted = now[stripe_at(pair, 1 - target.slot)];
      StripeMove& move = moves[receiver];
      move.next = pair, move.kept = kept, move.kept_place = target.slot;
      move.from = wanted.rank, move.exchanges = wanted.rank != receiver;
      moves[wanted.rank].to = receiver;
      receiver = wanted.rank, kept = 1 - wanted.slot;
    }
  }
  return moves;
}

StripePlan::StripePlan(Strategy strategy, int ranks) : table_(make_strategy_table(strategy, 2 * Index(ranks))) {
  const auto first = table_.step(0);
  held_.assign(first.begin(), first.end());
}

std::vector<StripeMove> StripePlan::advance() {
  step_ = (step_ + 1) % table_.steps;
  std::vector<StripeMove> moves = plan_moves(held_, table_.step(step_));
  for (std::size_t r = 0; r < moves.size(); ++r) held_[r] = moves[r].next;
  return moves;
}

}  // namespace pivotlab
