// SPDX-License-Identifier: BSD-3-Clause
// Products in the order of an executor of a GPU.
#pragma once

#include "kernels/exact/plan.hpp"
#include "kernels/exec/cuda_executor.hpp"

namespace pivotlab::exact {

/// Makes a product in a workspace that this executor has allocated.
inline std::unique_ptr<PlannedProduct> make_product(const CudaExecutor& executor, const Plan& plan, void* workspace) {
  return make_cuda_product(plan, workspace, CallerStream{executor.stream()});
}

}  // namespace pivotlab::exact
