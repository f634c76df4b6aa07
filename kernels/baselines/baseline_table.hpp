// Tables of baselines: values with a name and a summary.
#pragma once

#include <fmt/format.h>
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::baselines {

template <class Baselines>
std::vector<BaselineInfo> list(const Baselines& all) {
  std::vector<BaselineInfo> result;
  for (const auto& baseline : all) result.push_back({std::string(baseline.name), std::string(baseline.summary)});
  return result;
}

/// Returns the baseline of that name. Throws InputError with the nearest names if there is none for `problems` ("real
/// pairs"), and NotSupported for a baseline of LAPACK in a build without it.
template <class Baselines>
const auto& find_baseline(std::string_view name, const Baselines& all, std::string_view problems) {
  using Baseline = std::ranges::range_value_t<Baselines>;
  const auto is_lapack = [](const Baseline& baseline) { return baseline.name.starts_with("lapack:"); };
  if (name.starts_with("lapack:") && std::ranges::none_of(all, is_lapack))
    throw NotSupported(
        fmt::format("baseline '{}': this build has no LAPACK; install libopenblas-dev and liblapacke-dev, "
                    "then configure and build again",
                    name));
  const auto exact = std::ranges::find(all, name, &Baseline::name);
  if (exact != all.end()) return *exact;
  std::vector<std::string_view> names;
  for (const Baseline& baseline : all) names.push_back(baseline.name);
  throw InputError(
      fmt::format("baseline '{}': no such baseline for {}; {}", name, problems, nearest_text(name, names)));
}

}  // namespace pivotlab::baselines
