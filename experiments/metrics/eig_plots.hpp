// What a record keeps of an eigendecomposition for plots: enough for a picture, not too much for a file.
#pragma once

#include <complex>
#include <nlohmann/json_fwd.hpp>
#include <pivotlab/eig.hpp>
#include <span>

namespace pivotlab::experiments {

inline constexpr std::size_t most_plotted = 1024;

/// {"re", "im"}: arrays of six digits; null for none and for more than most_plotted.
nlohmann::json plotted(std::span<const std::complex<double>> eigenvalues);

/// The record's section "convergence": sweeps, refined, finished, and arrays of an entry a sweep and one before it.
nlohmann::json to_json(const EigResult<double>& result);

}  // namespace pivotlab::experiments
