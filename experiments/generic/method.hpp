// SPDX-License-Identifier: BSD-3-Clause
// A method of the engine, made from the tables and functions of its experiment (experiment.hpp).
#pragma once

#include <experiments/common/axes.hpp>
#include <experiments/common/variant_section.hpp>
#include <experiments/generic/batch.hpp>
#include <experiments/generic/generate.hpp>
#include <experiments/generic/problem.hpp>
#include <experiments/generic/solve.hpp>

namespace pivotlab::experiments {

struct MethodTexts {
  std::string_view name, title, summary;
  Claims claims = {};
};

template <class E>
class MethodOf : public Method {
 public:
  std::string_view name() const override { return E::texts.name; }
  std::string_view title() const override { return E::texts.title; }
  std::string_view summary() const override { return E::texts.summary; }
  Claims claims() const override { return E::texts.claims; }
  std::vector<std::string_view> papers() const override {
    if constexpr (requires { E::papers(); })
      return E::papers();
    else
      return {};
  }

  const std::vector<AxisInfo>& axes() const override {
    static const std::vector<AxisInfo> infos = E::axes();
    return infos;
  }
  std::vector<const VariantNames*> variants() const override {
    if constexpr (requires { E::variants(); })
      return E::variants();
    else
      return {&E::names()};
  }
  std::vector<ListEntry> generators() const override {
    if constexpr (requires { E::generators(); })
      return entries_of(E::generators(), E::kind().sources);
    else
      return entries_of(E::kind().generators(), E::kind().sources);
  }
  std::vector<ListEntry> baselines() const override {
    std::vector<ListEntry> entries;
    const auto add = [&](ScalarType type, Symmetry symmetry) {
      for (const BaselineInfo& one : baselines_of<E>(type, symmetry)) entries.push_back({one.name, "", one.summary});
    };
    add(ScalarType::d, Symmetry::hermitian), add(ScalarType::z, Symmetry::hermitian);
    if constexpr (requires { E::baselines(ScalarType::z, Symmetry::symmetric); })
      add(ScalarType::z, Symmetry::symmetric);
    return entries;
  }
  std::vector<std::string> sweep_examples() const override { return E::sweep_examples(); }
  const std::vector<Section>& sections() const override {
    static const std::vector<Section> all = [this] {
      std::vector<Section> made = {{"variant", variant_quantities(variants())},
                                   {"problem", quantities_of(E::problem_rows())}};
      if constexpr (requires { E::convergence_rows(); })
        made.push_back({"convergence", quantities_of(E::convergence_rows())});
      made.push_back({"metrics", quantities_of(E::metric_rows())});
      if constexpr (requires { E::solution_rows(); })
        made.back().quantities = quantities_of(E::metric_rows(), E::solution_rows());
      return made;
    }();
    return all;
  }

  Case canonical(const Case& axes) const override {
    const typename E::Case interpreted = interpret<E>(axes);
    Case result = to_case(E::texts.name, E::kind(), interpreted);
    if constexpr (requires { E::write_axes(interpreted, result); }) E::write_axes(interpreted, result);
    return result;
  }

  Estimate estimate(const Case& axes) const override {
    const typename E::Case wanted = interpret<E>(axes);
    const Estimate one = E::estimate(wanted);
    return wanted.batch == 1 ? one : estimate_batch(wanted, one);
  }

  std::unique_ptr<Problem> make_problem(const Case& axes, const std::filesystem::path& cache) const override {
    const typename E::Case wanted = interpret<E>(axes);
    return std::visit(
        [&](auto data) -> std::unique_ptr<Problem> {
          auto made = E::problem(std::move(data), wanted);
          if constexpr (HasBatches<E>)
            if (wanted.batch > 1) return make_batch(std::move(made), wanted, axes, cache);
          return std::make_unique<ProblemOf<E, decltype(made)>>(std::move(made));
        },
        make_data(wanted, axes, cache));
  }

  std::shared_ptr<const CommandDescription> solve_command() const override { return experiments::solve_command<E>(); }
  std::shared_ptr<const CommandDescription> generate_command() const override {
    return experiments::generate_command(E::kind(), E::generate());
  }

 private:
  /// Generates or reads the problem of a case, or the first one of its batch, which has the same place in the cache.
  auto make_data(const typename E::Case& wanted, const Case& axes, const std::filesystem::path& cache) const {
    Case single = problem(axes);
    single.erase("batch");
    return experiments::make_problem(E::kind(), wanted, digest(canonical_json(single)), cache);
  }

  /// Makes the other problems of a batch, those of the next seeds.
  template <class P>
  std::unique_ptr<Problem> make_batch(P first, typename E::Case wanted, Case axes,
                                      const std::filesystem::path& cache) const {
    std::vector<P> problems;
    problems.push_back(std::move(first));
    for (const Index judged = judged_problems(wanted); std::ssize(problems) < judged;) {
      axes["seed"] = static_cast<std::int64_t>(++wanted.seed);
      std::visit(
          [&](auto data) {
            if constexpr (requires { problems.push_back(E::problem(std::move(data), wanted)); })
              problems.push_back(E::problem(std::move(data), wanted));
          },
          make_data(wanted, axes, cache));
    }
    return std::make_unique<BatchProblemOf<E, P>>(std::move(problems));
  }
};

}  // namespace pivotlab::experiments
