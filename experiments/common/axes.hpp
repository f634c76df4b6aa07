// SPDX-License-Identifier: BSD-3-Clause
// The axes that the built-in methods have in common.
#pragma once

#include <experiments/engine/axis.hpp>
#include <experiments/engine/method.hpp>
#include <experiments/problems/kind.hpp>
#include <pivotlab/baselines.hpp>
#include <string>

namespace pivotlab::experiments {

AxisInfo type_axis_info(std::string default_type);
AxisInfo order_axis_info(std::string summary, std::int64_t usual, std::int64_t least);
/// A number of rows: 0 stands for n, and 2n for twice as many.
AxisInfo row_count_axis_info(std::string name, std::string summary);
AxisInfo generator_axis_info(const KindOfProblem& kind, std::string summary, std::string usual);
/// The diagonal of J.
AxisInfo signs_axis_info(std::string usual);
AxisInfo seed_axis_info();
AxisInfo solver_axis_info(std::string usual);
/// The axis `backend`. Its default is the GPU, if there is one, else the host.
AxisInfo backend_axis_info();
AxisInfo threads_axis_info();
/// The axis `batch`, which cases of one problem do not have.
AxisInfo batch_axis_info();

}  // namespace pivotlab::experiments
