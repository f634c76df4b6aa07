// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/host_product.hpp"
#include "kernels/exec/host_executor.hpp"
#include "kernels/gsvd/device/solver.hpp"

namespace pivotlab::device {

std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order) {
  return make_solver<HostExecutor>(plan, order);
}

}  // namespace pivotlab::device
