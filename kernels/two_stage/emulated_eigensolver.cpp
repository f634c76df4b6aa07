// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_executor.hpp"
#include "kernels/two_stage/lapack_side.hpp"
#include "kernels/two_stage/two_stage.hpp"

namespace pivotlab::two_stage {

template <class T>
std::unique_ptr<Eigensolver<T>> make_emulated_eigensolver(LaneOrder order, Steps steps) {
  lapack::require("the two-stage eigensolver on the host");
  return std::make_unique<EigensolverOn<T, HostExecutor, LapackSide>>(LapackSide(), Observer(), steps, order);
}

template <class T>
std::size_t workspace_bytes(Index n) {
  HostExecutor executor;
  const tangent::Kernels<HostExecutor> kernels(executor);
  tangent::Machine machine(kernels, LapackSide(), Observer());
  return TwoStage<T, decltype(machine)>(machine, n, {}).workspace_bytes();
}

template decltype(workspace_bytes<double>) workspace_bytes<double>;
template decltype(workspace_bytes<std::complex<double>>) workspace_bytes<std::complex<double>>;
template std::unique_ptr<Eigensolver<double>> make_emulated_eigensolver(LaneOrder, Steps);
template std::unique_ptr<Eigensolver<std::complex<double>>> make_emulated_eigensolver(LaneOrder, Steps);

}  // namespace pivotlab::two_stage
