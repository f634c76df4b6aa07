// Replacement in a build without LAPACK: there are no baselines.
#include <kernels/peers/blas_threads.hpp>
#include <kernels/peers/eig_peer.hpp>
#include <kernels/peers/gsvd_peer.hpp>
#include <kernels/peers/ldlt_peer.hpp>

namespace pivotlab {

namespace peers {

template <>
std::span<const GsvdPeer<double>> lapack_peers() {
  return {};
}
template <>
std::span<const GsvdPeer<std::complex<double>>> lapack_peers() {
  return {};
}

template <>
std::span<const LdltPeer<double>> lapack_ldlt_peers() {
  return {};
}
template <>
std::span<const LdltPeer<std::complex<double>>> lapack_ldlt_peers() {
  return {};
}

template <>
std::span<const EigPeer<double>> lapack_eig_peers() {
  return {};
}
template <>
std::span<const EigPeer<std::complex<double>>> lapack_eig_peers() {
  return {};
}

BlasThreads::BlasThreads(int) {}
BlasThreads::~BlasThreads() = default;

}  // namespace peers

std::string blas_version() {
  return {};
}

}  // namespace pivotlab
