#include <experiments/common/axis_values.hpp>
#include <experiments/common/solver_names.hpp>
#include <experiments/engine/gpu.hpp>
#include <pivotlab/variant.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>

namespace pivotlab::experiments {

std::string library_of(std::string_view peer) {
  return std::string(peer.substr(0, peer.find(':')));
}

std::string peer_of_type(std::string peer, ScalarType type, Symmetry symmetry) {
  const bool real = type == ScalarType::d, symmetric = real || symmetry == Symmetry::symmetric;
  for (std::size_t at = 0; (at = peer.find('?', at)) != std::string::npos; ++at) {
    const std::string stem = peer.substr(at + 1, 2);
    if (stem == "sy" || stem == "he") peer.replace(at + 1, 2, symmetric ? "sy" : "he");
    if (stem == "sp" || stem == "hp") peer.replace(at + 1, 2, symmetric ? "sp" : "hp");
    if (stem == "or" || stem == "un") peer.replace(at + 1, 2, real ? "or" : "un");
    peer[at] = static_cast<char>(type);
  }
  return peer;
}

void require_known_peer(const std::string& peer, const std::vector<PeerInfo>& peers, ScalarType type) {
  const std::string library = library_of(peer);
  std::vector<std::string> names;
  bool library_is_known = false;
  for (const PeerInfo& one : peers) {
    names.push_back(one.name);
    library_is_known |= library_of(one.name) == library;
  }
  if (library == "lapack" && !library_is_known) return;
  if (std::find(names.begin(), names.end(), peer) == names.end())
    throw InputError(fmt::format("solver: unknown peer '{}' for type {}; {}", peer, static_cast<char>(type),
                                 nearest_text(peer, names)));
}

std::string backend_named(std::string_view name) {
  return std::string(to_string(told_of_axis("backend", [&] { return parse_backend(name); })));
}

AxisInfo backend_axis() {
  const Backend usual = find_gpus().devices.empty() ? Backend::host : Backend::cuda;
  return {"backend", "what runs the variants: host, emulation (the GPU's kernels on the host), cuda",
          std::string(to_string(usual))};
}

}  // namespace pivotlab::experiments
