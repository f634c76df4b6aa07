// Tables of baselines: values with a name and a summary.
#pragma once

#include <fmt/format.h>
#include <pivotlab/error.hpp>
#include <pivotlab/peers.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::peers {

template <class Peers>
std::vector<PeerInfo> list(const Peers& all) {
  std::vector<PeerInfo> result;
  for (const auto& peer : all) result.push_back({std::string(peer.name), std::string(peer.summary)});
  return result;
}

/// Returns the baseline of that name. Throws InputError with the nearest names if there is none for `problems` ("real
/// pairs"), and NotSupported for a baseline of LAPACK in a build without it.
template <class Peers>
const auto& find_peer(std::string_view name, const Peers& all, std::string_view problems) {
  using Peer = std::ranges::range_value_t<Peers>;
  const auto is_lapack = [](const Peer& peer) { return peer.name.starts_with("lapack:"); };
  if (name.starts_with("lapack:") && std::ranges::none_of(all, is_lapack))
    throw NotSupported(
        fmt::format("peer '{}': this build has no LAPACK; install libopenblas-dev and liblapacke-dev, "
                    "then configure and build again",
                    name));
  const auto exact = std::ranges::find(all, name, &Peer::name);
  if (exact != all.end()) return *exact;
  std::vector<std::string_view> names;
  for (const Peer& peer : all) names.push_back(peer.name);
  throw InputError(fmt::format("peer '{}': no such peer for {}; {}", name, problems, nearest_text(name, names)));
}

}  // namespace pivotlab::peers
