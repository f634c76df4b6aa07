// SPDX-License-Identifier: BSD-3-Clause
// The two-stage eigensolver of real matrices on a GPU.
#include "kernels/two_stage/cuda_side.hpp"

namespace pivotlab::two_stage {

template std::unique_ptr<Eigensolver<double>> make_cuda_eigensolver(void*, Observer);

}  // namespace pivotlab::two_stage
