// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/batch/run_emulated.hpp"

namespace pivotlab::batch {

using Complex = std::complex<double>;
template void run_emulated(const FactorArguments<double>&, int, LaneOrder);
template void run_emulated(const FactorArguments<Complex>&, int, LaneOrder);
template void run_emulated(const SolveArguments<double>&, int, LaneOrder);
template void run_emulated(const SolveArguments<Complex>&, int, LaneOrder);
template void run_emulated(const SignedFactorArguments<double>&, int, LaneOrder);
template void run_emulated(const SignedFactorArguments<Complex>&, int, LaneOrder);

}  // namespace pivotlab::batch
