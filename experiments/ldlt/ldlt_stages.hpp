// SPDX-License-Identifier: BSD-3-Clause
// Stages of a symmetric indefinite factorization in records: enough for a plot, and few enough for a file.
#pragma once

#include <pivotlab/ldlt.hpp>
#include <span>
#include <vector>

namespace pivotlab::experiments {

inline constexpr std::size_t most_stages = 4096;

/// Returns at most `most` of the stages, in their order: all if there are no more; otherwise, from each of most/2
/// intervals of equal length, the stage of largest growth with a 1×1 pivot and that with a 2×2 pivot. This keeps the
/// maxima and the colours of a plot.
std::vector<LdltStage<double>> thinned(std::span<const LdltStage<double>> stages, std::size_t most = most_stages);

/// The thinned stages of a factorization, one list for each of their numbers.
struct LdltStages {
  std::size_t count = 0;  ///< number of all stages
  std::vector<Index> first = {};
  std::vector<int> size = {};
  std::vector<double> growth = {};  ///< five digits
};
LdltStages listed(std::span<const LdltStage<double>> stages);

}  // namespace pivotlab::experiments
