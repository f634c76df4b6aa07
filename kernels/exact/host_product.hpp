// SPDX-License-Identifier: BSD-3-Clause
// Computes products on the host, where the kernels are emulated.
#pragma once

#include "kernels/exact/plan.hpp"
#include "kernels/exec/lane_order.hpp"

#include <cstdint>

namespace pivotlab::exact {

/// Makes a product whose threads run in this order, in a workspace or, if it is null, in memory of its own.
std::unique_ptr<PlannedProduct> make_host_product(const Plan& plan, void* workspace = nullptr,
                                                  LaneOrder order = LaneOrder::forward, std::uint64_t seed = 0);

}  // namespace pivotlab::exact
