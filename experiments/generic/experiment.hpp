// SPDX-License-Identifier: BSD-3-Clause
// The generic code makes a method, its problem in a worker and its commands from the members of an experiment.
//
// An experiment E is a class of static members; those marked * are optional:
//
//   texts, kind(), axes(), sweep_examples(), papers()*   data
//   names()            the grammar of its variants' names; variants()* in its place if there are several
//   parse(name)*       reads a variant's name, where the grammar accepts names that are no variants
//   baselines(type)    also baselines(type, symmetry)
//   Case               the interpreted case, usually a VariantCase
//   read_variant(case, name)*   reads a name, and returns the canonical one; needed without names()
//   read_axes(axes, case)*      reads the axes that the kind does not have, and checks the case
//   write_axes(case, axes)*     its inverse
//   estimate(case)     time and memory
//   problem(data, case)         what is solved, with its truth, from what the kind generates or reads
//   Options            those of the library's call: variant, backend, threads, …
//   read_options(case, options)*   sets options of the method's own
//   solve(problem, options), solve_by_baseline(problem, name, options)   the library's result; this alone is timed.
//                      It may have `flops` and `resumed`
//   require_batch(case)*, solve_batch(problems, options, arrays)*   the solution of problems at once (batch.hpp): the
//                      first throws InputError for cases without it, the second solves in BatchArrays, and returns a
//                      function of the results of single problems; needs the axis `batch` among axes()
//   own_result(problem, answer)*   the result that the arrays of a solver of the user's stand for (own/results.hpp)
//   has_factors(problem, result)*   false where there is nothing to judge
//   Metrics, judge(problem, options, result, judge_options)   the metrics with their verdict
//   problem_rows(), convergence_rows()*, metric_rows(), solution_rows()*   tables of the sections of records, which are
//                      written from problem_facts(problem), convergence(problem, options, result), the metrics, and
//                      solution_facts(metrics, result)
//   write_metrics(metrics)*   in place of the metrics' rows
//
//   generate()         texts of its command `generate` (generate.hpp)
//   Command, describe(command), …   the command `solve` (solve.hpp)
#pragma once

#include <experiments/common/solver_case.hpp>
#include <experiments/generic/batch_case.hpp>
#include <experiments/problems/kind.hpp>
#include <pivotlab/variant.hpp>
#include <vector>

namespace pivotlab::experiments {

template <class E>
std::vector<BaselineInfo> baselines_of(ScalarType type, Symmetry symmetry) {
  if constexpr (requires { E::baselines(type, symmetry); })
    return E::baselines(type, symmetry);
  else
    return E::baselines(type);
}

template <class E>
auto parse_variant(const std::string& name) {
  if constexpr (requires { E::parse(name); })
    return E::parse(name);
  else
    return E::names().parse(name);
}

/// Interprets a case, which has a value for every axis: takes a problem's shape and type from its files, replaces '?'
/// and zeros, and makes names canonical. Throws InputError "<axis>: …".
template <class E>
typename E::Case interpret(const Case& axes) {
  typename E::Case result;
  static_cast<ProblemCase&>(result) = read_problem(E::kind(), axes);
  result.batch = read_batch(axes);
  read_solver(result, axes, baselines_of<E>(result.type, result.symmetry), [&](const std::string& name) {
    if constexpr (requires { E::read_variant(result, name); })
      return E::read_variant(result, name);
    else
      return E::names().print(*(result.variant = parse_variant<E>(name)));
  });
  if constexpr (requires { E::read_axes(axes, result); }) E::read_axes(axes, result);
  if constexpr (HasBatches<E>)
    if (result.batch > 1) require_problems(result), E::require_batch(result);
  return result;
}

/// Returns the options of the library's call for a case.
template <class E>
typename E::Options options_of_case(const typename E::Case& wanted) {
  typename E::Options options;
  options.threads = wanted.threads;
  if (wanted.variant) options.variant = *wanted.variant;
  if (!wanted.by_baseline()) options.backend = parse_backend(wanted.backend);
  if constexpr (requires { E::read_options(wanted, options); }) E::read_options(wanted, options);
  return options;
}

template <class E, class P, class Result>
bool has_factors(const P& problem, const Result& result) {
  if constexpr (requires { E::has_factors(problem, result); })
    return E::has_factors(problem, result);
  else
    return true;
}

}  // namespace pivotlab::experiments
