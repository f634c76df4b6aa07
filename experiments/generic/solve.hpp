// The command `solve` of an experiment: reads a user's problem, solves it, judges the solution, and writes it.
#pragma once

#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_description.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/solver_case.hpp>
#include <map>
#include <support/timer.hpp>

namespace pivotlab::experiments {

/// The options that `solve` has for every method with sweeps.
struct SolveCommand {
  std::string output = {}, variant = {}, baseline = {}, backend = {};
  bool force = false;
  int max_sweeps = 0, threads = 0;
};

/// Returns the library's options for a command; `option` names the variant, and parse(name) reads it.
template <class Options, class Parse>
Options options_of(const SolveCommand& command, const std::string& option, Parse parse) {
  Options options;
  options.variant = with_option_context(option, [&] { return parse(command.variant); });
  options.backend = parse_backend_or_usual(command.backend);
  options.max_sweeps = command.max_sweeps;
  options.threads = command.threads;
  return options;
}

/// Holds the facts about a solution in the order of their lines: before and after the times.
struct SolutionFacts {
  std::vector<Fact> run, judgement;
};

/// Returns an integer's cell.
inline Cell count(Index x) {
  return std::int64_t{x};
}

/// Returns the fact that so many values have estimated relative errors of 0.1 or more; `text` names them.
inline std::vector<Fact> accuracy_fact(Index values, const std::string& text) {
  const char* estimate = " (estimated relative errors of 0.1 or more)";
  return {{"accuracy", "accuracy", ColumnKind::text, values == 0 ? "" : text + estimate}};
}

namespace detail {

template <class E, class P>
CommandResult solve(const typename E::Command& command, const P& problem, typename E::Options options,
                    std::map<std::string, std::string> attributes) {
  if constexpr (requires { E::choose_variant(command, problem, options); })
    E::choose_variant(command, problem, options);
  const std::string baseline = baseline_of_type(command.baseline, P::type);
  const bool by_variant = baseline.empty();
  const std::string solver = by_variant ? to_string(options.variant) : baseline,
                    backend = by_variant ? std::string(to_string(options.backend)) : library_of(baseline);
  Activity activity(fmt::format("solving on {}", backend));
  const Timer timer;
  const auto result = by_variant ? E::solve(problem, options) : E::solve_by_baseline(problem, baseline, options);
  const double wall_s = timer.seconds();

  typename E::Metrics metrics;
  const bool has_factors = E::has_factors(problem, result);
  if (has_factors) {
    activity.now("judging the solution in extended precision");
    metrics = E::judge(problem, options, result, {.precision = {}, .threads = options.threads});
  }
  const bool solved = result.status == Status::passed;
  const Status status = solved ? metrics.verdict : result.status;
  if (has_factors && !command.output.empty()) {
    attributes["problem"] = problem.provenance;
    attributes["solver"] = solver;
    attributes["verdict"] = to_string(status);
    E::write(command.output, result, attributes);
  }
  SolutionFacts facts = E::facts(problem, options, result, metrics, by_variant);
  return {status,
          joined({{{"solver", "solver", ColumnKind::text, solver}, {"backend", "backend", ColumnKind::text, backend}},
                  std::move(facts.run),
                  {{"compute_s", "time s", ColumnKind::seconds, result.compute_seconds},
                   {"wall_s", "wall s", ColumnKind::seconds, wall_s}},
                  std::move(facts.judgement),
                  {{"status", "status", ColumnKind::text, std::string(to_string(status))},
                   {"message", "note", ColumnKind::text, solved ? metrics.message : result.message}}})};
}

}  // namespace detail

/// Runs the command, which needs more members of an experiment than method.hpp lists:
///
///   Command            is a SolveCommand with the method's own options,
///   options(command)   returns those of the library's call,
///   choose_variant(command, problem, options)   completes them (optional),
///   inputs(command)    returns the names of the files,
///   read(command)      returns the problem, a std::variant of Problem<T>,
///   facts(problem, options, result, metrics, by_variant)   returns SolutionFacts,
///   write(file, result, attributes)   writes the solution.
template <class E>
CommandResult run_solve(const typename E::Command& command) {
  const typename E::Options options = E::options(command);
  require_hdf5_name(command.output);
  const std::vector<std::string> inputs = E::inputs(command);
  require_outputs(inputs, {command.output}, command.force);
  const auto attributes = result_attributes(command.output, inputs);
  return std::visit([&](const auto& problem) { return detail::solve<E>(command, problem, options, attributes); },
                    E::read(command));
}

}  // namespace pivotlab::experiments
