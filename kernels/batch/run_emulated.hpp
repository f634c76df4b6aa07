// SPDX-License-Identifier: BSD-3-Clause
// Runs the kernels on fibers of the host.
#pragma once

#include "kernels/batch/launch.hpp"
#include "kernels/exec/host_executor.hpp"

namespace pivotlab::batch {

template <class Arguments>
void run_emulated(const Arguments& arguments, int count, LaneOrder order) {
  HostExecutor executor(order);
  launch(executor, arguments, count);
}

}  // namespace pivotlab::batch
