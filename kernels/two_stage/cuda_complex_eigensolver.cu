// SPDX-License-Identifier: BSD-3-Clause
// The two-stage eigensolver of complex matrices on a GPU.
// Apart, so that programs which do not call it are not larger by it.
#include "kernels/two_stage/cuda_side.hpp"

namespace pivotlab::two_stage {

template std::unique_ptr<Eigensolver<std::complex<double>>> make_cuda_eigensolver(void*, Observer);

}  // namespace pivotlab::two_stage
