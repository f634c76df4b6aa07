// The hyperbolic SVD on the backend that the options select.
#pragma once

#include "kernels/jacobi/host/solver.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab {

template <class T>
HsvdResult<T> hsvd(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  if (options.backend == Backend::host) return jacobi::hsvd_on_host<T>(G, J, options);
  throw NotSupported("backend '" + std::string(to_string(options.backend)) +
                     "': the hyperbolic SVD has no kernels yet; take the backend host");
}

}  // namespace pivotlab
