// The hyperbolic SVD on the backend that the options select.
#pragma once

#include "kernels/jacobi/device/device_hsvd.hpp"
#include "kernels/jacobi/host/solver.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {

namespace jacobi {

/// Throws InputError for options out of range, NotSupported where the backend has no kernels or no device.
template <class T>
void require_backend(const HsvdOptions& options) {
  require_valid(options);
  if (options.backend == Backend::host) return;
  const std::string backend = "backend '" + std::string(to_string(options.backend)) + "': ";
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    make_plan(is_complex<T>, 0, 0, options);
    if (options.backend != Backend::cuda) return;
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(backend + why);
  } else {
    throw NotSupported(backend + "its scalars are double and std::complex<double>; take the backend host for others");
  }
}

}  // namespace jacobi

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
