// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/commands/command_description.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/engine/axis.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/threads.hpp>

namespace pivotlab::experiments {

CommandOption hdf5_output_option(std::string& file, const std::string& content) {
  return {"-o,--output", &file, "HDF5 file for " + content, "FILE"};
}

CommandOption force_option(bool& force) {
  return {"--force", &force, "Replace files that exist; an input is never replaced"};
}

CommandOption backend_option(std::string& backend) {
  return {"--backend", &backend,
          "What runs the solver: host, emulation (the GPU's kernels on the host), cuda (default: cuda where there is a "
          "GPU)",
          "NAME"};
}

CommandOption threads_option(int& threads, std::string help) {
  return {.name = "--threads",
          .target = &threads,
          .help = std::move(help),
          .value_name = "N",
          .minimum = 1,
          .maximum = most_threads};
}

CommandOption max_sweeps_option(int& sweeps) {
  return {.name = "--max-sweeps",
          .target = &sweeps,
          .help = "Most sweeps before the status not_converged",
          .value_name = "N",
          .minimum = 1};
}

CommandOption baseline_option(std::string& baseline, std::vector<std::string> excludes) {
  return {.name = "--baseline",
          .target = &baseline,
          .help = "Solve by a reference solver instead; '?' is the letter of the type (pivotlab list baselines)",
          .value_name = "NAME",
          .excludes = std::move(excludes)};
}

CommandOption row_option(const OptionRow& row, std::string& item) {
  return {row.option, &item, help_text(row), "VALUE"};
}

std::vector<std::int64_t> parse_integers(const std::string& option, const std::string& list) {
  return with_option_context(option, [&] {
    const AxisInfo integers{.name = "", .summary = "", .default_value = std::int64_t{0}};
    std::vector<Value> values;
    for (const std::string& item : split_list(list)) append_values(integers, item, values);
    std::vector<std::int64_t> result;
    for (const Value& value : values) result.push_back(std::get<std::int64_t>(value));
    return result;
  });
}

ScalarType parse_scalar_type(const std::string& option, const std::string& text) {
  if (text == "d") return ScalarType::d;
  if (text == "z") return ScalarType::z;
  throw InputError(fmt::format("{}: there is no '{}'; choose from d, z", option, text));
}

Backend parse_backend_or_usual(const std::string& name) {
  if (name.empty()) return list_devices().empty() ? Backend::host : Backend::cuda;
  return with_option_context("--backend", [&] { return parse_backend(name); });
}

}  // namespace pivotlab::experiments
