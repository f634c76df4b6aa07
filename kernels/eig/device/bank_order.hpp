// Where the pairs of a round lie in the banks of shared memory.
#pragma once

#include "kernels/eig/device/planes.hpp"

#include <array>
#include <span>
#include <vector>

namespace pivotlab::eig_device {

/// Doubles that shared memory reads at once.
inline constexpr unsigned banks = 16;

/// Turns some of the disjoint pairs (p, q) round, so that the residues of all p modulo `banks` differ as far as they
/// can, and those of all q: lanes that read rows p of a column, one a pair, then find them in different banks.
///
/// Residues are the vertices and pairs the edges of a graph. Closed walks over all edges leave every vertex as often as
/// they enter it (Hierholzer, 1873).
inline void turn_pairs(std::span<Pair> round) {
  std::array<std::vector<std::size_t>, banks> at;
  for (std::size_t k = 0; k < round.size(); ++k)
    for (const auto i : {round[k].p, round[k].q}) at[i % banks].push_back(k);
  std::vector<bool> walked(round.size());
  for (unsigned start = 0; start < banks; ++start)
    for (unsigned vertex = start; !at[vertex].empty();) {
      const std::size_t k = at[vertex].back();
      at[vertex].pop_back();
      if (walked[k]) continue;
      walked[k] = true;
      if (round[k].p % banks != vertex) round[k] = {round[k].q, round[k].p};
      vertex = round[k].q % banks;
    }
}

}  // namespace pivotlab::eig_device
