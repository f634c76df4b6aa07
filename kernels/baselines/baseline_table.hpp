// SPDX-License-Identifier: BSD-3-Clause
// Tables of baselines, and what all baselines have in common.
#pragma once

#include <fmt/format.h>
#include <kernels/baselines/baseline.hpp>
#include <kernels/exec/build.hpp>
#include <kernels/libraries/blas.hpp>
#include <kernels/libraries/lapack.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <support/text/nearest.hpp>

#include <algorithm>
#include <initializer_list>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pivotlab::baselines {

/// Returns the function of a row of cuSOLVER. In a build without CUDA it throws NotSupported.
template <auto solve, class... Arguments>
void on_gpu(Arguments... arguments) {
  if constexpr (build::cuda)
    solve(std::forward<Arguments>(arguments)...);
  else
    throw NotSupported("cuSOLVER: " + why_no_device());
}

/// LAPACK's baselines, where it is found, and cuSOLVER's, which are listed in every build.
template <class Row>
std::vector<Row> joined(std::vector<Row> of_lapack, std::initializer_list<std::type_identity_t<Row>> cusolver) {
  if (!lapack::available()) of_lapack.clear();
  of_lapack.insert(of_lapack.end(), cusolver);
  return of_lapack;
}

template <class RealRow, class ComplexRow>
std::vector<BaselineInfo> list(ScalarType type, const std::vector<RealRow>& real,
                               const std::vector<ComplexRow>& complex) {
  std::vector<BaselineInfo> result;
  const auto add = [&](const auto& row) { result.push_back({std::string(row.name), std::string(row.summary)}); };
  if (type == ScalarType::d)
    std::ranges::for_each(real, add);
  else
    std::ranges::for_each(complex, add);
  return result;
}

/// Returns the baseline of that name. Throws InputError with the nearest names if there is none for `problems` ("real
/// pairs"), and NotSupported for a baseline of LAPACK without it.
template <class Baselines>
const auto& find_baseline(std::string_view name, const Baselines& all, std::string_view problems) {
  using Baseline = std::ranges::range_value_t<Baselines>;
  const auto is_lapack = [](const Baseline& baseline) { return baseline.name.starts_with("lapack:"); };
  if (name.starts_with("lapack:") && std::ranges::none_of(all, is_lapack))
    lapack::require(fmt::format("baseline '{}'", name));
  const auto exact = std::ranges::find(all, name, &Baseline::name);
  if (exact != all.end()) return *exact;
  std::vector<std::string_view> names;
  for (const Baseline& baseline : all) names.push_back(baseline.name);
  throw InputError(
      fmt::format("baseline '{}': no such baseline for {}; {}", name, problems, nearest_text(name, names)));
}

/// Returns the result that `solve` fills with this number of the BLAS's threads. If it fails, the result has no
/// factors, but the seconds and the reason.
template <class Result, class Solve>
Result solved(int threads, Solve solve) {
  const lapack::BlasThreads scope(threads);
  Result result, nothing;
  try {
    solve(result);
    result.status = Status::passed;
    return result;
  } catch (const DecompositionFailed& failure) {
    nothing.compute_seconds = result.compute_seconds;
    nothing.status = failure.status;
    nothing.message = failure.what();
    return nothing;
  }
}

}  // namespace pivotlab::baselines
