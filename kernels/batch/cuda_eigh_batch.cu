// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/batch/run_on_cuda.hpp"

namespace pivotlab::batch {

template void run_on_cuda(const EighArguments<double>&, int, const CallerStream&);
template void run_on_cuda(const EighArguments<std::complex<double>>&, int, const CallerStream&);

}  // namespace pivotlab::batch
