// SPDX-License-Identifier: BSD-3-Clause
// An order of the pairs of a round in which shared memory is read without bank conflicts.
#pragma once

#include "kernels/eig/device/planes.hpp"

#include <algorithm>
#include <span>
#include <vector>

namespace pivotlab::eig_device {

/// Number of complex numbers of type R that shared memory reads at once.
template <class R>
inline constexpr unsigned banks = 64 / sizeof(R);

struct Edge {
  unsigned from, to;
};

/// Returns which edges are traversed from `from` to `to` on closed walks over all edges (Hierholzer, 1873). A walk
/// leaves every vertex of even degree as often as it enters it.
inline std::vector<bool> walk(std::span<const Edge> edges, unsigned vertices) {
  std::vector<std::vector<std::size_t>> at(vertices);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    at[edges[k].from].push_back(k);
    at[edges[k].to].push_back(k);
  }
  std::vector<bool> walked(edges.size()), forward(edges.size());
  for (unsigned start = 0; start < vertices; ++start)
    for (unsigned vertex = start; !at[vertex].empty();) {
      const std::size_t k = at[vertex].back();
      at[vertex].pop_back();
      if (walked[k]) continue;
      walked[k] = true;
      forward[k] = edges[k].from == vertex;
      vertex = forward[k] ? edges[k].to : edges[k].from;
    }
  return forward;
}

/// Halves the pairs recursively, so that each half has every residue of p and every residue of q half as often.
inline void halve_residues(std::span<Pair> pairs, unsigned banks) {
  if (pairs.size() <= banks) return;
  std::vector<Edge> edges;
  for (const Pair& pair : pairs) edges.push_back({pair.p % banks, banks + pair.q % banks});
  const auto forward = walk(edges, 2 * banks);
  std::vector<Pair> first, second;
  for (std::size_t k = 0; k < pairs.size(); ++k) (forward[k] ? first : second).push_back(pairs[k]);
  std::ranges::copy(second, std::ranges::copy(first, pairs.begin()).out);
  halve_residues(pairs.first(first.size()), banks);
  halve_residues(pairs.subspan(first.size()), banks);
}

/// Orders the disjoint pairs of a round and turns some of them to (q, p), so that in every group of as many successive
/// pairs as there are banks the residues of all p modulo that number differ, and those of all q, if every number below
/// a multiple of twice the number is in a pair. As many lanes, one per pair, then read their rows of a column in
/// different banks.
///
/// Residues are vertices and pairs are edges. On closed walks every residue is p as often as q; in the graph from the
/// residues of p to those of q, half of the edges of every vertex are traversed forward.
inline void arrange(std::span<Pair> round, unsigned banks) {
  std::vector<Edge> edges;
  for (const Pair& pair : round) edges.push_back({pair.p % banks, pair.q % banks});
  const auto forward = walk(edges, banks);
  for (std::size_t k = 0; k < round.size(); ++k)
    if (!forward[k]) round[k] = {round[k].q, round[k].p};
  halve_residues(round, banks);
}

}  // namespace pivotlab::eig_device
