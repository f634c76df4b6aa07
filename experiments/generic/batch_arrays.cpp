// SPDX-License-Identifier: BSD-3-Clause
#include <cstring>
#include <experiments/generic/batch_arrays.hpp>
#include <ranges>

namespace pivotlab::experiments {

BatchArrays::BatchArrays(const BatchOptions& options, Index count, Index judged)
    : options_(options), count_(count), judged_(judged), memory_(options.backend) {}

void BatchArrays::run(const std::function<void()>& solve) {
  seconds_ = memory_.seconds_of(solve);
  for (Result& one : results_) {
    one.on_host.resize(one.each * static_cast<std::size_t>(count_));
    memory_.download(one.on_host.data(), one.at, one.on_host.size());
  }
}

Status BatchArrays::status_of(Index k) const {
  return static_cast<Status>(values(static_cast<const int*>(status_), k).front());
}

Index BatchArrays::count_different() const {
  return std::ranges::count_if(std::views::iota(judged_, count_), [&](Index k) {
    return std::ranges::any_of(results_, [&](const Result& one) {
      const auto of = [&](Index problem) { return one.on_host.data() + one.each * static_cast<std::size_t>(problem); };
      return std::memcmp(of(k), of(k % judged_), one.each) != 0;
    });
  });
}

void* BatchArrays::result(std::size_t each) {
  results_.push_back({memory_.take(each * static_cast<std::size_t>(count_)), each, {}});
  return results_.back().at;
}

const BatchArrays::Result& BatchArrays::find(const void* at) const {
  return *std::ranges::find(results_, at, [](const Result& one) { return static_cast<const void*>(one.at); });
}

}  // namespace pivotlab::experiments
