// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/common/axes.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/own/own_name.hpp>
#include <pivotlab/threads.hpp>
#include <pivotlab/variant.hpp>

namespace pivotlab::experiments {

AxisInfo type_axis_info(std::string default_type) {
  return {.name = "type",
          .summary = "Scalar type: d (real), z (complex)",
          .default_value = std::move(default_type),
          .domain = {.choices = {"d", "z"}}};
}

AxisInfo order_axis_info(std::string summary, std::int64_t usual, std::int64_t least) {
  return {.name = "n",
          .summary = std::move(summary),
          .default_value = usual,
          .domain = {.minimum = static_cast<double>(least)},
          .option = "-n,--dim",
          .example = "64:512:64"};
}

AxisInfo row_count_axis_info(std::string name, std::string summary) {
  return {.name = std::move(name),
          .summary = std::move(summary),
          .default_value = std::int64_t{0},
          .domain = {.minimum = 1},
          .default_text = "n",
          .multiple_of = "n"};
}

AxisInfo generator_axis_info(const KindOfProblem& kind, std::string summary, std::string usual) {
  return {.name = "generator",
          .summary = std::move(summary),
          .default_value = std::move(usual),
          .is_file = [&kind](std::string_view name) { return kind.is_file(name); },
          .expand = expand_generator};
}

AxisInfo signs_axis_info(std::string usual) {
  return {.name = "signs",
          .summary = "Diagonal of J: positive (J = I), halves (the second is -1), third (every third is -1), random",
          .default_value = std::move(usual),
          .domain = {.choices = {sign_patterns.begin(), sign_patterns.end()}}};
}

AxisInfo seed_axis_info() {
  return {
      .name = "seed", .summary = "Seed of the generator", .default_value = std::int64_t{1}, .domain = {.minimum = 0}};
}

AxisInfo solver_axis_info(std::string usual) {
  return {.name = "solver",
          .summary =
              "A variant or a baseline, '?' is the letter of the type; or a solver of your own, FILE.py:FUNCTION, "
              "LIBRARY.so:NAME, pivotlab@DIR:NAME, 'cmd:COMMAND'",
          .default_value = std::move(usual),
          .role = AxisRole::solution,
          .is_file = is_own_command,
          .expand = expand_solver};
}

AxisInfo backend_axis_info() {
  const Backend usual = find_gpus().devices.empty() ? Backend::host : Backend::cuda;
  return {.name = "backend",
          .summary = "What runs the variants: host, emulation (the GPU's kernels on the host), cuda",
          .default_value = std::string(to_string(usual)),
          .role = AxisRole::platform,
          .default_text = "cuda where there is a GPU, else host",
          .canonical = [](std::string_view name) { return std::string(to_string(parse_backend(name))); }};
}

AxisInfo threads_axis_info() {
  return {.name = "threads",
          .summary = "Threads of a solver; 0: all cores",
          .default_value = std::int64_t{default_threads()},
          .domain = {.minimum = 1, .maximum = most_threads},
          .role = AxisRole::solution,
          .default_text = "all cores"};
}

AxisInfo batch_axis_info() {
  return {.name = "batch",
          .summary = "Problems that are solved at once, of consecutive seeds; 1: the single call",
          .default_value = std::int64_t{1},
          .domain = {.optional = true, .minimum = 1}};
}

}  // namespace pivotlab::experiments
