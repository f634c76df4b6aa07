// SPDX-License-Identifier: BSD-3-Clause
// Selection of an experiment and its cases by options of the command line.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/spec.hpp>
#include <functional>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// An experiment that comes with pivotlab. list_experiments() sorts them by name, with numbers by value.
struct ExperimentInfo {
  std::string name, title, source, method, scales;
};
std::vector<ExperimentInfo> list_experiments();

/// Returns the file of an experiment's spec: the argument itself if it names a file (it ends in .json or has a '/'),
/// else the spec of that name that comes with pivotlab. Throws InputError naming the nearest for an unknown experiment.
std::filesystem::path find_spec(const std::string& experiment);

/// Options that `plan` and `run` share.
struct Selection {
  std::string experiment, scale = "paper";
  std::vector<std::string> filters;
  int threads = 0;      ///< 0: as in the spec
  std::string backend;  ///< comma-separated; empty: as in the spec
  std::string out = "runs";
  std::uint64_t max_cases = experiments::usual_max_cases;
};
/// Adds --max-cases, for plan, run and sweep.
void add_max_cases(CLI::App& command, std::uint64_t& max_cases);
void add_selection_options(CLI::App& command, Selection& selection);
/// `adjust` may change the spec before the plan is made.
experiments::Plan make_plan(
    const Selection& selection, const std::function<void(experiments::Spec&)>& adjust = [](experiments::Spec&) {});

/// Replaces the values of an axis.
void set_axis(experiments::Spec& spec, const std::string& name, std::vector<experiments::Value> values);

/// Returns the values of an axis that its option lists, "64:256:64,512". Throws InputError naming the option.
std::vector<experiments::Value> parse_option(const experiments::AxisInfo& axis, const std::string& text);

/// Returns the baseline with '?' for the letters of the type: lapack:dggsvd3 becomes lapack:?ggsvd3. Other names stay.
std::string for_all_types(std::string solver);

constexpr const char* backend_help =
    "What runs the variants: host, emulation, cuda (default: cuda where there is a GPU)";

/// Parses "5%" or "0.05"; throws InputError naming `option` for other texts.
double parse_fraction(const std::string& option, const std::string& text);

/// Formats bytes for people: "1.2 GiB".
std::string format_bytes(double bytes);

}  // namespace pivotlab::cli
