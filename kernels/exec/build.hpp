// SPDX-License-Identifier: BSD-3-Clause
// Tells which parts this build contains.
#pragma once

#include <pivotlab/error.hpp>
#include <type_traits>
#include <utility>

namespace pivotlab {

namespace build {
inline constexpr bool cuda = PIVOTLAB_BUILD_CUDA;  ///< kernels for GPUs
}

/// Calls a function that CUDA sources define; throws NotSupported in a build without CUDA, which needs no definition of
/// it, because a discarded branch and a template argument refer to none.
template <auto function, class... Arguments>
std::invoke_result_t<decltype(function), Arguments...> on_cuda(Arguments&&... arguments) {
  if constexpr (build::cuda)
    return function(std::forward<Arguments>(arguments)...);
  else
    throw NotSupported(
        "backend cuda: this build has no CUDA kernels; configure with PIVOTLAB_CUDA=ON where nvcc is found");
}

}  // namespace pivotlab
