// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/cuda_integers.hpp"
#include "kernels/exact/plan.hpp"
#include "kernels/exec/cuda_executor.hpp"

#include <optional>

namespace pivotlab::exact {

std::unique_ptr<PlannedProduct> make_cuda_product(const Plan& plan, void* workspace, const CallerStream& stream) {
  return std::make_unique<PlannedProductOn<WithWorkspace<CudaExecutor>, CublasIntegers>>(plan, arena_of(workspace),
                                                                                         std::optional(stream));
}

}  // namespace pivotlab::exact
