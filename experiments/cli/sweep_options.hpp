// TestSweeper's dialect: options with lists and ranges become the axes of a spec. What the sweeps of all methods share.
#pragma once

#include <experiments/cli/run_plan.hpp>
#include <experiments/engine/spec.hpp>
#include <string>
#include <vector>

namespace pivotlab::cli {

struct SweepOptions {
  std::string type = "d", n, seed = "1", solver, peer, backend, threads;
  std::vector<std::string> generators;
  int warmup = 0, repeat = 0;
  bool no_variants = false;
  std::string out;
  std::uint64_t max_cases = experiments::usual_max_cases;
  RunControl control;
};

/// An option that is an axis; a default that is not empty shows in the help.
CLI::Option* add_axis(CLI::App& app, const char* name, std::string& value, const char* type, const char* what);
void add_generator_axes(CLI::App& app, SweepOptions& options, const char* what);
/// --solver, --peer, --backend, --threads.
void add_solver_axes(CLI::App& app, SweepOptions& options, const char* about_solver, const char* about_peer);
/// How often, where to, and the options of every run.
void add_sweep_control(CLI::App& app, SweepOptions& options);

std::vector<experiments::Value> expand(const std::string& option, const std::string& text);
std::vector<std::int64_t> expand_integers(const std::string& option, const std::string& text);
/// Values that must be among the known ones, whatever their case is; in the spelling that is known.
std::vector<std::string> expand_names(const std::string& option, const std::string& text,
                                      const std::vector<std::string>& known);
/// The orders of -n, none below `least`.
std::vector<std::int64_t> expand_orders(const std::string& text, std::int64_t least);
/// Lists of generators in canonical form, but for files, whose names may hold commas.
std::vector<experiments::Value> expand_generators(const std::vector<std::string>& texts,
                                                  bool (*is_file)(std::string_view),
                                                  std::string (*canonical)(std::string_view));
/// "{a,b}", or "a" for a single one.
std::string braces(const std::vector<std::string>& alternatives);
std::vector<experiments::Value> values_of(const std::vector<std::string>& names);

/// The spec with the axes type, generator and seed.
experiments::Spec begin_spec(const std::string& method, const SweepOptions& options,
                             std::vector<experiments::Value> generators);
/// Adds threads, backend and solvers: --solver, or the variants, and then the peers. A peer stands for its kin of every
/// type: lapack:dggsvd3 becomes lapack:?ggsvd3, where '?' is the letter of the type.
void finish_spec(experiments::Spec& spec, const SweepOptions& options, const std::vector<experiments::Value>& variants,
                 const std::vector<std::string>& known_peers);

/// Runs the spec in the folder that the options name. What computes is named by the command line: a backend, a
/// transport, a number of ranks or a solver of which no case is supported here is a failure.
int run_sweep(experiments::Spec spec, const SweepOptions& options);

}  // namespace pivotlab::cli
