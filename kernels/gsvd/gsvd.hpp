// SPDX-License-Identifier: BSD-3-Clause
// The GSVD on the backend that the options select.
#pragma once

#include "kernels/gsvd/device/gsvd_driver.hpp"
#include "kernels/gsvd/host/solver.hpp"
#include "kernels/gsvd/shared/backward_error.hpp"
#include "kernels/gsvd/shared/multiple.hpp"
#include "kernels/gsvd/shared/refine_option.hpp"

#include <pivotlab/device.hpp>
#include <string>
#include <utility>

namespace pivotlab {

/// Solves by the kernels, on the GPU or emulated.
template <class T>
GsvdResult<T> solve_by_kernels(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    require_valid(options.variant);
    if (options.backend == Backend::emulation) return gsvd_emulated<T>(F, G, options);
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
    return gsvd_on_cuda<T>(F, G, options);
  } else {
    throw NotSupported("backend '" + std::string(to_string(options.backend)) +
                       "': its scalars are double and std::complex<double>; take the backend host for others");
  }
}

/// Solves by `solve`, a pair whose σ are all equal in two steps.
template <class T, class Solve>
GsvdResult<T> solve_or_separate(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options,
                                const Solve& solve) {
  return gsvd_detail::is_multiple<T>(F, G) ? gsvd_of_multiple<T>(F, G, options, solve) : solve(F, G, options);
}

template <class T>
GsvdResult<T> gsvd(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  if (options.variant.refine) {
    GsvdOptions plain = options;
    plain.variant.refine = false;
    GsvdResult<T> result = gsvd<T>(F, G, plain);
    std::vector<double> bounds;
    refine_option::refine_pair<T>(F, G, options.backend, options.threads, result, bounds);
    return result;
  }
  GsvdResult<T> result = solve_or_separate<T>(F, G, options, [](auto A, auto B, const GsvdOptions& o) {
    return o.backend == Backend::host ? solve<BlockedAlgorithm, T>(A, B, o) : solve_by_kernels<T>(A, B, o);
  });
  if constexpr (std::is_same_v<RealOf<T>, double>)
    if (options.backend == Backend::host) gsvd_detail::verify(F, G, thread_count(options.threads), result);
  return result;
}

template <class T>
GsvdResult<T> gsvd_in_place(MatrixView<T> F, MatrixView<T> G, const GsvdOptions& options) {
  if (options.backend == Backend::host && !options.variant.refine && !gsvd_detail::is_multiple<T>(F, G))
    return solve_in_place<BlockedAlgorithm, T>(F, G, options);
  GsvdResult<T> result = gsvd<T>(MatrixView<const T>(F), MatrixView<const T>(G), options);
  as_eigen(F) = as_eigen(std::exchange(result.U, {}).view());
  as_eigen(G) = as_eigen(std::exchange(result.V, {}).view());
  return result;
}

template <class T>
GsvdResult<T> gsvd_pointwise(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  return solve_or_separate<T>(
      F, G, options, [](auto A, auto B, const GsvdOptions& o) { return solve<PointwiseIteration, T>(A, B, o); });
}

}  // namespace pivotlab
