// The stages of a symmetric indefinite factorization as records hold them: enough for a plot, not too many for a file.
#pragma once

#include <pivotlab/ldlt.hpp>
#include <span>
#include <vector>

namespace pivotlab::experiments {

inline constexpr std::size_t most_stages = 4096;

/// At most `most` of the stages, in their order: all if there are no more; otherwise, of each of most/2 intervals of
/// equally many stages, the one of largest growth with a 1×1 pivot and that with a 2×2 pivot. So the maxima and the
/// colours of a plot stay.
std::vector<LdltStage<double>> thinned(std::span<const LdltStage<double>> stages, std::size_t most = most_stages);

/// The thinned stages of a factorization, one list for each of their numbers.
struct LdltStages {
  std::size_t count = 0;  ///< of all stages
  std::vector<Index> first = {};
  std::vector<int> size = {};
  std::vector<double> growth = {};  ///< five digits
};
LdltStages listed(std::span<const LdltStage<double>> stages);

}  // namespace pivotlab::experiments
