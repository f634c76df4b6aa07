// SPDX-License-Identifier: BSD-3-Clause
// Diagonals with prescribed distributions.
#pragma once

#include <generators/random.hpp>
#include <pivotlab/scalar.hpp>

#include <string>
#include <utility>
#include <vector>

namespace pivotlab {

/// Returns n values from 1 down to 1/kappa: geometric, arithmetic, cluster0 (one 1, the rest 1/kappa) or cluster1 (one
/// 1/kappa, the rest 1), as in xLATMS.
std::vector<Quad> spectrum(const std::string& distribution, const Quad& kappa, Index n);

/// Permutes values randomly.
template <class T>
void shuffle(std::vector<T>& values, RandomStream& stream) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[static_cast<std::size_t>(stream.uniform() * static_cast<double>(i))]);
}

/// Returns the powers of two nearest to 10^−g … 10^g, so that scaling by them rounds nothing; rising, falling or in
/// random order.
std::vector<double> grades(Index n, double g, const std::string& order, RandomStream stream);

}  // namespace pivotlab
