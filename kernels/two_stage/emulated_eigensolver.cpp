// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/host_executor.hpp"
#include "kernels/two_stage/lapack_side.hpp"
#include "kernels/two_stage/two_stage.hpp"

namespace pivotlab::two_stage {

std::unique_ptr<Eigensolver> make_emulated_eigensolver(LaneOrder order) {
  lapack::require("the two-stage eigensolver on the host");
  return std::make_unique<EigensolverOn<HostExecutor, LapackSide>>(LapackSide(), Observer(), order);
}

}  // namespace pivotlab::two_stage
