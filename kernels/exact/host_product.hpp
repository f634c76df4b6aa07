// SPDX-License-Identifier: BSD-3-Clause
// Computes products on the host, where the kernels are emulated.
#pragma once

#include "kernels/exact/plan.hpp"
#include "kernels/exec/host_executor.hpp"

#include <cstdint>

namespace pivotlab::exact {

/// Makes a product whose threads run in this order, in a workspace or, if it is null, in memory of its own.
std::unique_ptr<PlannedProduct> make_host_product(const Plan& plan, void* workspace = nullptr,
                                                  LaneOrder order = LaneOrder::forward, std::uint64_t seed = 0);

/// Makes a product in a workspace that this executor has allocated.
inline std::unique_ptr<PlannedProduct> make_product(const HostExecutor&, const Plan& plan, void* workspace) {
  return make_host_product(plan, workspace);
}

}  // namespace pivotlab::exact
