// The hyperbolic SVD on the backend that the options select.
#pragma once

#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/host/solver.hpp"

namespace pivotlab {

template <class T>
HsvdResult<T> hsvd(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  jacobi::require_backend<T>(options);
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    if (options.backend == Backend::emulation) return jacobi::hsvd_emulated<T>(G, J, options);
    if (options.backend == Backend::cuda) return jacobi::hsvd_on_cuda<T>(G, J, options);
  }
  return jacobi::hsvd_on_host<T>(G, J, options);
}

}  // namespace pivotlab
