// Names of solvers: variants, and peers with a namespace, "lapack:dsytrf"; and of the backends of variants.
#pragma once

#include <experiments/engine/method.hpp>
#include <pivotlab/peers.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <pivotlab/symmetric.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

/// Variants never hold a colon.
inline bool is_peer(std::string_view solver) {
  return solver.find(':') != std::string_view::npos;
}
/// "lapack" of "lapack:dsytrf".
std::string library_of(std::string_view peer);

/// The peer that a name with '?' for the letter of the type means. LAPACK calls symmetric what is Hermitian in the
/// complex case, and orthogonal what is unitary, so that "?sy" and "?he", "?sp" and "?hp", "?or" and "?un" mean the
/// same here.
std::string peer_of_type(std::string peer, ScalarType type, Symmetry symmetry = Symmetry::hermitian);

/// Throws InputError naming the nearest for a name that is not among the peers. A build without LAPACK knows no names
/// of it; then all pass, and the case will tell that it is not supported.
void require_known_peer(const std::string& peer, const std::vector<PeerInfo>& peers, ScalarType type);

/// "host", "emulation" or "cuda"; throws InputError "backend: …" for another name.
std::string backend_named(std::string_view name);

/// The axis "backend" of a method; by default the GPU where there is one.
AxisInfo backend_axis();

}  // namespace pivotlab::experiments
