// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_executor.hpp"
#include "kernels/jacobi/device/eigh_machine.hpp"
#include "kernels/jacobi/device/two_stage_machine.hpp"

#include <complex>

namespace pivotlab::jacobi {

template <class T>
std::unique_ptr<EighDevice<T>> make_emulated_eigh(Index n, LaneOrder order, void* workspace) {
  return std::make_unique<EighMachine<HostExecutor, T>>(n, arena_of(workspace), order);
}

template std::unique_ptr<EighDevice<double>> make_emulated_eigh(Index, LaneOrder, void*);
template std::unique_ptr<EighDevice<std::complex<double>>> make_emulated_eigh(Index, LaneOrder, void*);

template <class T>
std::size_t eigh_workspace_bytes(Index n) {
  return EighMachine<SizeExecutor, T>(n, Arena(nullptr)).workspace_bytes();
}
template std::size_t eigh_workspace_bytes<double>(Index);
template std::size_t eigh_workspace_bytes<std::complex<double>>(Index);

template <class T>
std::unique_ptr<TwoStageDevice<T>> make_emulated_two_stage(Index n, LaneOrder order, void* workspace) {
  return std::make_unique<TwoStageMachine<HostExecutor, T>>(
      n, arena_of(workspace), [order](auto&) { return two_stage::make_emulated_eigensolver<T>(order); }, order);
}
template decltype(make_emulated_two_stage<double>) make_emulated_two_stage<double>;
template decltype(make_emulated_two_stage<std::complex<double>>) make_emulated_two_stage<std::complex<double>>;

}  // namespace pivotlab::jacobi
