#include "kernels/exec/host_executor.hpp"
#include "kernels/jacobi/device/solver.hpp"

namespace pivotlab::jacobi {

std::unique_ptr<DeviceSolver> make_emulated_solver(const SolverPlan& plan, LaneOrder order) {
  return make_solver<HostExecutor>(plan, order);
}

}  // namespace pivotlab::jacobi
