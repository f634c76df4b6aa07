// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/ldlt_stages.hpp>
#include <support/text/number.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

using Stage = LdltStage<double>;

/// Appends the stages of largest growth in an interval, one for each order of the pivot.
void keep_largest(std::span<const Stage> interval, std::vector<Stage>& kept) {
  const Stage* largest[2] = {};
  for (const Stage& stage : interval) {
    const Stage*& best = largest[stage.size - 1];
    if (best == nullptr || stage.growth > best->growth) best = &stage;
  }
  if (largest[0] != nullptr && largest[1] != nullptr && largest[0] > largest[1]) std::swap(largest[0], largest[1]);
  for (const Stage* stage : largest)
    if (stage != nullptr) kept.push_back(*stage);
}

double rounded(double x) {
  return rounded_to_digits(x, 5);
}

}  // namespace

std::vector<Stage> thinned(std::span<const Stage> stages, std::size_t most) {
  if (stages.size() <= most) return {stages.begin(), stages.end()};
  std::vector<Stage> kept;
  const std::size_t intervals = std::max<std::size_t>(most / 2, 1);
  for (std::size_t i = 0; i < intervals; ++i) {
    const std::size_t first = i * stages.size() / intervals, last = (i + 1) * stages.size() / intervals;
    keep_largest(stages.subspan(first, last - first), kept);
  }
  return kept;
}

LdltStages listed(std::span<const Stage> stages) {
  LdltStages lists{.count = stages.size()};
  for (const Stage& stage : thinned(stages)) {
    lists.first.push_back(stage.first);
    lists.size.push_back(stage.size);
    lists.growth.push_back(rounded(stage.growth));
  }
  return lists;
}

}  // namespace pivotlab::experiments
