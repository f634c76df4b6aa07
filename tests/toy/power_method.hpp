// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <experiments/engine/method.hpp>

namespace pivotlab::experiments {

const Method& power_method();

}  // namespace pivotlab::experiments
