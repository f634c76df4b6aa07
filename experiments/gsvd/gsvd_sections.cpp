#include <experiments/gsvd/gsvd_sections.hpp>
#include <experiments/metrics/condition.hpp>
#include <experiments/metrics/gsvd_metrics.hpp>

#include <algorithm>
#include <complex>

namespace pivotlab::experiments {

using nlohmann::json;

namespace {

json describe(const GsvdVariant& variant) {
  return {{"id", variant.id()},
          {"outer", to_string(variant.outer)},
          {"blocking", to_string(variant.blocking)},
          {"inner", to_string(variant.inner)},
          {"width", variant.width},
          {"sorting", variant.sorting},
          {"factor", to_string(variant.factor)}};
}

json problem_section(const std::string& provenance, const std::vector<Quad>& sigma, const PairCondition& condition) {
  return {{"provenance", provenance},
          {"kappa_f", number_or_null(condition.f.value)},
          {"kappa_g", number_or_null(condition.g.value)},
          {"sigma_max", sigma.empty() ? json() : json(static_cast<double>(sigma.front()))},
          {"sigma_min", sigma.empty() ? json() : json(static_cast<double>(sigma.back()))},
          {"truth", !sigma.empty()}};
}

const PairCondition unknown{{not_a_number, {}}, {not_a_number, {}}};

}  // namespace

json describe(const GsvdCase& solved) {
  json parameters = describe(*solved.variant);
  if (solved.over_ranks) {
    parameters["outermost"] = to_string(solved.over_ranks->variant.outermost);
    parameters["stripes"] = to_string(solved.over_ranks->variant.stripes);
  }
  return parameters;
}

json describe(const std::vector<SweepCounters>& sweeps) {
  json per_sweep = json::array();
  std::uint64_t transformations = 0, big = 0;
  for (const SweepCounters& sweep : sweeps) {
    transformations += sweep.transformations;
    big += sweep.big;
    per_sweep.push_back({{"transformations", sweep.transformations},
                         {"big", sweep.big},
                         {"swaps", sweep.swaps},
                         {"skipped_tiles", sweep.skipped_tiles},
                         {"qr_tiles", sweep.qr_tiles},
                         {"max_inner_sweeps", sweep.max_inner_sweeps},
                         {"seconds", sweep.seconds}});
  }
  return {{"sweeps", sweeps.size()}, {"transformations", transformations}, {"big", big}, {"per_sweep", per_sweep}};
}

template <class T>
json describe_problem(const Pair<T>& pair) {
  const bool in_full = std::max(pair.F.rows(), pair.G.rows()) <= full_judgement_limit_of(pair);
  return problem_section(pair.provenance, pair.sigma, in_full ? condition_numbers<T>(pair.F, pair.G) : unknown);
}

json describe_problem(const std::string& provenance, const std::vector<Quad>& sigma) {
  return problem_section(provenance, sigma, unknown);
}

template json describe_problem(const Pair<double>&);
template json describe_problem(const Pair<std::complex<double>>&);

}  // namespace pivotlab::experiments
