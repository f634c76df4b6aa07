// SPDX-License-Identifier: BSD-3-Clause
// The command `solve` of an experiment: reads a user's problem, solves it, judges the solution, and writes it.
//
// It needs more members of an experiment than experiment.hpp lists; those marked * are optional:
//
//   Command             is a SolveCommand with the method's own options,
//   describe(command)   describes it, but for the function that runs it,
//   variant_of(command)*   reads the variant in place of names(); variant_option* is the option's name,
//   read_options(command, options)*   sets options of the method's own,
//   outputs(command)*   returns the names of files that it writes, if there are more than command.output,
//   inputs(command)     returns the names of the files that it reads,
//   read(command), problem(data, command)   read them, and make the problem of each of the alternatives,
//   complete(command, problem, options)*    sets options that depend on the problem,
//   examine(problem, options, result, activity)*   adds to the result what only the command reports,
//   solver_of(problem, options, result)*    returns the variant's name, if the result decides it,
//   facts(judged)       returns SolutionFacts; `judged` is a Judged,
//   write(file, judged, attributes)*        writes the solution,
//   write_more(command, judged)*            writes other files.
#pragma once

#include <fmt/format.h>
#include <experiments/commands/activity.hpp>
#include <experiments/commands/command_description.hpp>
#include <experiments/commands/command_options.hpp>
#include <experiments/commands/output_files.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/generic/experiment.hpp>
#include <map>
#include <memory>
#include <support/timer.hpp>

namespace pivotlab::experiments {

/// Holds the options that `solve` has for most methods.
struct SolveCommand {
  std::string output = {}, variant = {}, baseline = {}, backend = {};
  bool force = false;
  int max_sweeps = 0, threads = 0;
};

/// Maps names of a file's attributes to their texts.
using Attributes = std::map<std::string, std::string>;

/// Holds what the command reports of every solution: names, seconds, status and its reason.
struct Outcome {
  std::string solver, backend;  ///< name of the variant or the baseline, and what ran it; for a baseline its library
  double compute_s = 0, wall_s = 0;
  Status status = Status::passed;
  std::string message = {};
};

/// Holds the facts about a solution in the order of their lines: before the times, after them, and after the verdict.
struct SolutionFacts {
  std::vector<Fact> run, judgement, more = {};
};

/// Returns all facts in order.
std::vector<Fact> facts_of(const Outcome& outcome, const SolutionFacts& facts);

/// Holds a judged solution of the problem P of an experiment E.
template <class E, class P, class Result>
struct Judged : Outcome {
  const P& problem;
  const typename E::Options& options;
  const Result& result;
  bool by_variant;
  typename E::Metrics metrics = {};  ///< without meaning for a result without factors
};

/// Returns an integer's cell.
inline Cell count(Index x) {
  return std::int64_t{x};
}

/// Returns the fact that so many values have estimated relative errors of 0.1 or more; `text` names them.
std::vector<Fact> accuracy_fact(Index values, const std::string& text);

namespace detail {

template <class E>
typename E::Options options_of_command(const typename E::Command& command) {
  typename E::Options options;
  if constexpr (requires { E::variant_of(command); }) {
    options.variant = E::variant_of(command);
  } else if constexpr (requires { E::names(); }) {
    std::string option = "--variant";
    if constexpr (requires { E::variant_option; }) option = E::variant_option;
    options.variant = with_option_context(option, [&] { return parse_variant<E>(command.variant); });
  }
  options.backend = parse_backend_or_usual(command.backend);
  options.threads = command.threads;
  if constexpr (requires { options.max_sweeps; }) options.max_sweeps = command.max_sweeps;
  if constexpr (requires { E::read_options(command, options); }) E::read_options(command, options);
  return options;
}

template <class E>
std::vector<std::string> outputs_of(const typename E::Command& command) {
  if constexpr (requires { E::outputs(command); })
    return E::outputs(command);
  else
    return {command.output};
}

template <class T, class P>
std::string baseline_for(const std::string& name, const P& problem) {
  if constexpr (requires { problem.symmetry; })
    return baseline_of_type(name, scalar_type<T>, problem.symmetry);
  else
    return baseline_of_type(name, scalar_type<T>);
}

template <class E, class P, class Result>
std::string solver_of(const P& problem, const typename E::Options& options, const Result& result) {
  if constexpr (requires { E::solver_of(problem, options, result); })
    return E::solver_of(problem, options, result);
  else
    return E::names().print(options.variant);
}

template <class E, template <class> class P, class T>
CommandResult solve(const typename E::Command& command, const P<T>& problem, typename E::Options options,
                    Attributes attributes) {
  if constexpr (requires { E::complete(command, problem, options); }) E::complete(command, problem, options);
  const std::string baseline = baseline_for<T>(command.baseline, problem);
  const bool by_variant = baseline.empty();
  const std::string backend = by_variant ? std::string(to_string(options.backend)) : library_of(baseline);
  Activity activity(fmt::format("solving on {}", backend));
  const Timer timer;
  auto result = by_variant ? E::solve(problem, options) : E::solve_by_baseline(problem, baseline, options);
  const double wall_s = timer.seconds();

  if constexpr (requires { E::examine(problem, options, result, activity); })
    E::examine(problem, options, result, activity);
  Judged<E, P<T>, decltype(result)> judged{{by_variant ? solver_of<E>(problem, options, result) : baseline, backend,
                                            result.compute_seconds, wall_s, result.status, result.message},
                                           problem,
                                           options,
                                           result,
                                           by_variant};
  const bool is_judged = has_factors<E>(problem, result);
  if (is_judged) {
    activity.now("judging the solution in extended precision");
    judged.metrics = E::judge(problem, options, result, {.precision = {}, .threads = options.threads});
  }
  if (result.status == Status::passed) judged.status = judged.metrics.verdict, judged.message = judged.metrics.message;
  if constexpr (requires { E::write(command.output, judged, attributes); }) {
    if (is_judged && !command.output.empty()) {
      attributes["problem"] = problem.provenance;
      attributes["solver"] = judged.solver;
      attributes["verdict"] = to_string(judged.status);
      E::write(command.output, judged, attributes);
    }
  }
  if constexpr (requires { E::write_more(command, judged); }) E::write_more(command, judged);
  return {judged.status, facts_of(judged, E::facts(judged))};
}

template <class E>
CommandResult run_solve(const typename E::Command& command) {
  const typename E::Options options = options_of_command<E>(command);
  require_hdf5_name(command.output);
  const std::vector<std::string> inputs = E::inputs(command);
  require_outputs(inputs, outputs_of<E>(command), command.force);
  const Attributes attributes = result_attributes(command.output, inputs);
  return std::visit(
      [&](auto data) { return solve<E>(command, E::problem(std::move(data), command), options, attributes); },
      E::read(command));
}

}  // namespace detail

/// Returns the command of an experiment. By default it takes the usual variant and number of sweeps.
template <class E>
std::shared_ptr<const CommandDescription> solve_command() {
  const auto command = std::make_shared<typename E::Command>();
  const typename E::Options usual;
  if constexpr (requires { usual.max_sweeps; }) command->max_sweeps = usual.max_sweeps;
  if constexpr (requires { E::names(); })
    if (command->variant.empty()) command->variant = E::names().print(usual.variant);
  const auto description = std::make_shared<CommandDescription>(E::describe(*command));
  description->run = [command] { return detail::run_solve<E>(*command); };
  return description;
}

}  // namespace pivotlab::experiments
