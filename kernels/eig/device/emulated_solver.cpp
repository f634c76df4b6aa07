// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/eig/device/batch_solver.hpp"
#include "kernels/eig/device/solver.hpp"
#include "kernels/exec/host_executor.hpp"

namespace pivotlab::eig_device {

std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order, void* workspace) {
  return make_solver<HostExecutor>(plan, workspace, order);
}

std::size_t workspace_bytes(const SolverPlan& plan) {
  return with_sweep<SizeExecutor>(plan, [&]<class Sweep>(std::type_identity<Sweep>) {
    return Solver<SizeExecutor, Sweep>(plan, Arena(nullptr)).workspace_bytes();
  });
}

BatchOutput decompose_batch_emulated(const BatchPlan& plan, const double* A, LaneOrder order) {
  return BatchSolver<HostExecutor>(plan, order)(A);
}

}  // namespace pivotlab::eig_device
