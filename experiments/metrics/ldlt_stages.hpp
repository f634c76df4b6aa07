// The stages of a symmetric indefinite factorization as records hold them: enough for a plot, not too many for a file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <pivotlab/ldlt.hpp>
#include <span>
#include <vector>

namespace pivotlab::experiments {

inline constexpr std::size_t most_stages = 4096;

/// At most `most` of the stages, in their order: all if there are no more; otherwise, of each of most/2 intervals of
/// equally many stages, the one of largest growth with a 1×1 pivot and that with a 2×2 pivot. So the maxima and the
/// colours of a plot stay.
std::vector<LdltStage<double>> thinned(std::span<const LdltStage<double>> stages, std::size_t most = most_stages);

/// {"count", "first", "size", "growth"}: how many stages there were, then an array each, the growth rounded to five
/// digits.
nlohmann::json to_json(std::span<const LdltStage<double>> stages);

}  // namespace pivotlab::experiments
