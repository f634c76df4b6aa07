// Diagonals with prescribed distributions.
#pragma once

#include <generators/random.hpp>
#include <pivotlab/scalar.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pivotlab {

/// n values from 1 down to 1/kappa: geometric, arithmetic, cluster0 (one 1, the rest 1/kappa) or cluster1 (one 1/kappa,
/// the rest 1), as in xLATMS.
std::vector<Quad> spectrum(const std::string& distribution, const Quad& kappa, Index n);

void shuffle(std::vector<Quad>& values, RandomStream& stream);

}  // namespace pivotlab
