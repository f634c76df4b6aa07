// SPDX-License-Identifier: BSD-3-Clause
// The check whether a backend can run the iteration on (G, J).
#pragma once

#include "kernels/jacobi/device/hsvd_driver.hpp"
#include "kernels/jacobi/shared/problem.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <string>
#include <type_traits>

namespace pivotlab::jacobi {

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

}  // namespace pivotlab::jacobi
