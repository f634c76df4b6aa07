// A method of the engine, made from the tables and functions of its experiment.
//
// An experiment E is a class of static members:
//
//   texts, kind(), axes(), variants(), baselines(), sections(), metric_rows(), sweep_examples()   data
//   Case             the interpreted case: a SolverCase, and an optional `variant`, empty for a baseline
//   interpret(axes)  Case of axes; write_axes(case, axes) writes those that the kind does not have (optional)
//   estimate(case)   time and memory
//   problem(data, case)   what is solved, with its truth, from what the kind generates or reads
//   Options          those of the library's call; options(case)
//   solve(problem, options), solve_by_baseline(problem, name, options)   the library's result; this alone is timed
//   has_factors(problem, result)   false for a baseline without a solution
//   judge(problem, options, result, judge_options)   the metrics, described by metric_rows()
//   problem_section(problem), convergence_section(result), solution_section(result) (optional)   parts of a record
//   solve_command(), generate_command()   see solve.hpp
//
// An experiment whose problem is no ProblemOf has problem_of_engine(any) in place of the members from problem(…) on.
#pragma once

#include <experiments/common/axes.hpp>
#include <experiments/common/solver_case.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/generic/problem.hpp>

namespace pivotlab::experiments {

struct MethodTexts {
  std::string_view name, title, summary;
  Claims claims;
};

template <class E>
class MethodOf : public Method {
 public:
  std::string_view name() const override { return E::texts.name; }
  std::string_view title() const override { return E::texts.title; }
  std::string_view summary() const override { return E::texts.summary; }
  Claims claims() const override { return E::texts.claims; }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = E::axes();
    return infos;
  }
  std::vector<const VariantNames*> variants() const override { return E::variants(); }
  std::vector<ListEntry> generators() const override {
    if constexpr (requires { E::generators(); })
      return entries_of(E::generators(), E::kind().sources);
    else
      return entries_of(E::kind().generators(), E::kind().sources);
  }
  std::vector<ListEntry> baselines() const override { return entries_of(E::baselines()); }
  std::vector<std::string> sweep_examples() const override { return E::sweep_examples(); }
  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = [] {
      std::vector<Section> sections = E::sections();
      sections.insert(sections.begin(), Section{"variant", variant_quantities(E::variants())});
      return sections;
    }();
    return all;
  }

  Case canonical(const Case& axes) const override {
    const typename E::Case interpreted = E::interpret(axes);
    Case result = to_case(E::texts.name, E::kind(), interpreted);
    if constexpr (requires { E::write_axes(interpreted, result); }) E::write_axes(interpreted, result);
    return result;
  }

  Estimate estimate(const Case& axes) const override { return E::estimate(E::interpret(axes)); }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    const typename E::Case wanted = E::interpret(axes);
    auto any = experiments::make_problem(E::kind(), wanted, digest(canonical_json(problem(axes))), cache);
    if constexpr (requires { E::problem_of_engine(std::move(any)); })
      return E::problem_of_engine(std::move(any));
    else
      return std::visit(
          [&](auto data) -> std::unique_ptr<Problem> {
            auto made = E::problem(std::move(data), wanted);
            return std::make_unique<ProblemOf<E, decltype(made)>>(std::move(made));
          },
          std::move(any));
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return E::solve_command(); }
  std::shared_ptr<const CommandDescription> generate_command() const override { return E::generate_command(); }
};

/// Reads solver, backend and threads into a case; parse(name) reads a variant.
template <class C, class Parse>
void read_solver_or_variant(C& result, const Case& axes, const std::vector<BaselineInfo>& baselines, Parse parse) {
  read_solver(result, axes, baselines,
              [&](const std::string& name) { return to_string(*(result.variant = parse(name))); });
}

/// Returns the options that a case determines for every method.
template <class Options, class C>
Options options_of(const C& wanted) {
  Options options;
  options.threads = wanted.threads;
  if (wanted.variant) options.variant = *wanted.variant, options.backend = parse_backend(wanted.backend);
  return options;
}

}  // namespace pivotlab::experiments
