// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_executor.hpp"
#include "kernels/jacobi/device/solver.hpp"

namespace pivotlab::jacobi {

std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order, void* workspace) {
  return make_solver<HostExecutor>(plan, workspace, order);
}

std::size_t workspace_bytes(const SolverPlan& plan) {
  return with_shape(
      plan, [&]<class Shape>(Shape) { return Solver<SizeExecutor, Shape>(plan, Arena(nullptr)).workspace_bytes(); });
}

}  // namespace pivotlab::jacobi
