#include "kernels/eig/device/solver.hpp"
#include "kernels/exec/host_executor.hpp"

namespace pivotlab::eig_device {

std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order) {
  return make_solver<HostExecutor>(plan, order);
}

}  // namespace pivotlab::eig_device
