#include "kernels/exec/host_executor.hpp"
#include "kernels/jacobi/device/eigh_machine.hpp"

#include <complex>

namespace pivotlab::jacobi {

template <class T>
std::unique_ptr<EighDevice<T>> make_emulated_eigh(Index n, LaneOrder order) {
  return std::make_unique<EighMachine<HostExecutor, T>>(n, order);
}

template std::unique_ptr<EighDevice<double>> make_emulated_eigh(Index, LaneOrder);
template std::unique_ptr<EighDevice<std::complex<double>>> make_emulated_eigh(Index, LaneOrder);

}  // namespace pivotlab::jacobi
