// Which experiment, which of its cases, and the names that command-line options stand for.
#pragma once

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <experiments/engine/plan.hpp>
#include <experiments/engine/spec.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

/// The experiments that come with pivotlab, sorted by name with numbers in their order.
struct ExperimentInfo {
  std::string name, title, source, method, scales;
};
std::vector<ExperimentInfo> list_experiments();

/// The file of an experiment's spec: the argument itself if it names a file (it ends in .json or has a '/'), else the
/// spec of that name that comes with pivotlab. Throws InputError naming the nearest for an unknown experiment.
std::filesystem::path find_spec(const std::string& experiment);

/// Options that `plan` and `run` share.
struct Selection {
  std::string experiment, scale = "paper";
  std::vector<std::string> filters;
  int threads = 0;      ///< 0: as the spec says
  std::string backend;  ///< comma-separated; empty: as the spec says
  std::string out = "runs";
  std::uint64_t max_cases = experiments::usual_max_cases;
};
/// --max-cases, the same in plan, run and sweep.
void add_max_cases(CLI::App& command, std::uint64_t& max_cases);
void add_selection_options(CLI::App& command, Selection& selection);
experiments::Plan make_plan(const Selection& selection);

/// Sets the values of an axis, in place of those that it has.
void set_axis(experiments::Spec& spec, const std::string& name, std::vector<experiments::Value> values);

/// "host,cuda" as values of the axis backend; throws InputError naming --backend for an unknown one.
std::vector<experiments::Value> parse_backends(const std::string& list);

/// The backend of that name, of --backend; the GPU where there is one if the name is empty.
Backend parse_backend_or_usual(const std::string& name);

constexpr const char* backend_help =
    "What runs the variants: host, emulation, cuda (default: cuda where there is a GPU)";

/// The variant of that name, of --variant, for matrices of this type, whose letter '?' stands for; a preset, of one
/// letter, is for any type. parse(name) is parse_gsvd_variant or parse_distributed_variant.
template <class Parse>
auto variant_for(const std::string& name, ScalarType type, Parse&& parse) {
  std::string full = name;
  if (full.starts_with('?')) full[0] = type == ScalarType::d ? 'D' : 'Z';
  const auto named = parse(full);
  if (named.type != type && name.size() > 1)
    throw InputError(fmt::format("--variant: {} is not for {} matrices; use {}", name,
                                 type == ScalarType::d ? "real" : "complex", to_string(named.variant, type)));
  return named.variant;
}

/// "5%" or "0.05"; throws InputError naming `option` otherwise.
double parse_fraction(const std::string& option, const std::string& text);

/// Seconds and bytes for people: "3 min 20 s", "1.2 GiB".
std::string format_duration(double seconds);
std::string format_bytes(double bytes);

}  // namespace pivotlab::cli
