// SPDX-License-Identifier: BSD-3-Clause
// Solutions and judgements as the engine takes them, from the library's results and a method's metrics.
#pragma once

#include <experiments/engine/judgement.hpp>
#include <experiments/engine/method.hpp>
#include <utility>

namespace pivotlab::experiments {

/// A result of the library with its time and, where it has them, its status and whether it was resumed.
template <class Result>
struct Solved : Solution {
  explicit Solved(Result computed) : result(std::move(computed)) {
    compute_s = result.compute_seconds;
    if constexpr (requires { result.status; }) status = result.status, message = result.message;
    if constexpr (requires { result.resumed; }) this->resumed = result.resumed;
  }
  Result result;
};

/// Gives the judgement the verdict of the metrics, and the section that is written of them.
template <class Metrics>
void add_metrics(Judgement& judgement, const Metrics& metrics, nlohmann::json section) {
  judgement.status = metrics.verdict;
  judgement.message = metrics.message;
  judgement.metrics = std::move(section);
}

}  // namespace pivotlab::experiments
