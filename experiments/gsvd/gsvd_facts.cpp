// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/gsvd/gsvd_facts.hpp>

#include <algorithm>
#include <complex>

namespace pivotlab::experiments {
namespace {

/// Writes ascending positions, counted from 1, as ranges: "1-3, 7"; of more than four ranges, the first four.
std::string as_ranges(const std::vector<std::size_t>& positions) {
  constexpr int most = 4;
  std::string text;
  int count = 0;
  for (std::size_t k = 0, last = 0; k < positions.size(); k = last + 1) {
    last = k;
    while (last + 1 < positions.size() && positions[last + 1] == positions[last] + 1) ++last;
    if (count++ == most) return text + ", ...";
    text += fmt::format("{}{}", text.empty() ? "" : ", ", positions[k] + 1);
    if (last > k) text += fmt::format("-{}", positions[last] + 1);
  }
  return text;
}

}  // namespace

std::vector<Fact> sigma_facts(std::span<const double> sigma) {
  Cell least, largest;
  if (!sigma.empty()) least = std::ranges::min(sigma), largest = std::ranges::max(sigma);
  return {{"sigma_min", "smallest sigma", ColumnKind::scientific, least},
          {"sigma_max", "largest sigma", ColumnKind::scientific, largest}};
}

std::vector<Fact> reduction_facts(const GsvdMetrics& metrics) {
  std::vector<Fact> facts = facts_of(reduction_rows(), metrics.reduction.value_or(ReductionFacts()),
                                     {"k", "l", "r", "tolerance_f", "tolerance_g"});
  if (!metrics.reduction)
    for (Fact& fact : facts) fact.value = Cell();
  return facts;
}

template <class T>
std::string accuracy_of(const TangentResult<T>& result) {
  constexpr double accurate = 1e-8, reliable = 0.1;
  double largest = 0;
  std::vector<std::size_t> undetermined;
  for (std::size_t j = 0; j < result.sigma_error.size(); ++j) {
    if (result.sigma_f[j] == 0 || result.sigma_g[j] == 0) continue;
    largest = std::max(largest, result.sigma_error[j]);
    if (result.sigma_error[j] >= reliable) undetermined.push_back(j);
  }
  if (!undetermined.empty())
    return fmt::format(
        "the data do not determine sigma {} (estimated relative errors of 0.1 or more); the other estimates are not "
        "reliable",
        as_ranges(undetermined));
  if (largest <= accurate) return "";
  return fmt::format("relative errors of sigma up to {:.0e} are possible (estimate)", largest);
}

template std::string accuracy_of(const TangentResult<double>&);
template std::string accuracy_of(const TangentResult<std::complex<double>>&);

}  // namespace pivotlab::experiments
