// The build found no LAPACK: there are no peers.
#include <kernels/peers/gsvd_peer.hpp>

namespace pivotlab {

namespace peers {

template <>
std::span<const GsvdPeer<double>> gsvd_peers() {
  return {};
}
template <>
std::span<const GsvdPeer<std::complex<double>>> gsvd_peers() {
  return {};
}

BlasThreads::BlasThreads(int) {}
BlasThreads::~BlasThreads() = default;

}  // namespace peers

std::string blas_version() {
  return {};
}

}  // namespace pivotlab
