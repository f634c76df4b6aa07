// SPDX-License-Identifier: BSD-3-Clause
// Runs a batch on an executor, by one launch.
#pragma once

#include "kernels/eig/device/batched.hpp"
#include "kernels/eig/device/uploaded.hpp"
#include "kernels/exec/stopwatch.hpp"

#include <algorithm>

namespace pivotlab::eig_device {

template <class Executor>
class BatchSolver {
 public:
  template <class... ExecutorArguments>
  explicit BatchSolver(const BatchPlan& plan, ExecutorArguments&&... arguments)
      : executor_(std::forward<ExecutorArguments>(arguments)...), plan_(plan) {}

  BatchOutput operator()(const double* A) {
    const std::size_t elements = 2 * std::size_t(plan_.count) * std::size_t(plan_.n) * std::size_t(plan_.n);
    const auto input = executor_.template allocate<double>(elements);
    executor_.upload(input.data(), A, elements);
    const auto strategy = uploaded(executor_, plan_.strategy);
    const auto count = static_cast<std::size_t>(plan_.count), n = static_cast<std::size_t>(plan_.n);
    const auto wanted = [&](bool is) { return executor_.template allocate<double>(is ? elements : 0); };
    const auto iterate = wanted(true), E = wanted(plan_.basis), F = wanted(plan_.inverse_basis),
               right = wanted(plan_.vectors);
    const std::size_t record = count * (norms_doubles + 2 * n);
    const auto history = executor_.template allocate<double>(record * std::size_t(plan_.rules.max_sweeps + 1));
    const auto sweeps = executor_.template allocate<int>(count), exponent = executor_.template allocate<int>(count),
               d = executor_.template allocate<int>(count * n);

    const auto start = stopwatch_.mark();
    launch(
        {input.data(),
         plan_.n,
         strategy.data(),
         steps(),
         plan_.rules,
         {iterate.data(), E.data(), F.data(), right.data(), history.data(), sweeps.data(), exponent.data(), d.data()}});
    const auto end = stopwatch_.mark();
    executor_.synchronize();

    BatchOutput output;
    output.compute_seconds = stopwatch_.seconds(start, end);
    output.iterate = downloaded(iterate), output.E = downloaded(E), output.inverse_transposed = downloaded(F);
    output.right = downloaded(right);
    output.sweeps = downloaded(sweeps), output.exponent = downloaded(exponent), output.d = downloaded(d);
    int most = 0;
    for (const int s : output.sweeps) most = std::max(most, s < 0 ? -1 - s : s);
    output.history.resize(record * std::size_t(most + 1));
    executor_.download(output.history.data(), history.data(), output.history.size());
    return output;
  }

 private:
  int steps() const {
    return static_cast<int>(plan_.strategy.size()) / ((plan_.n < 2 ? 2 : plan_.n + plan_.n % 2) / 2);
  }

  template <class T>
  std::vector<T> downloaded(const Buffer<T>& from) {
    std::vector<T> to(from.size());
    executor_.download(to.data(), from.data(), to.size());
    return to;
  }

  void launch(const DecomposeSmallArguments& arguments) {
    if (plan_.n <= 16)
      launch<16>(arguments);
    else if (plan_.n <= 32)
      launch<32>(arguments);
    else
      launch<64>(arguments);
  }
  template <int largest>
  void launch(const DecomposeSmallArguments& arguments) {
    if (plan_.inverse_basis)
      launch_body<DecomposeSmall<largest, true>>(arguments);
    else
      launch_body<DecomposeSmall<largest, false>>(arguments);
  }
  template <class Body>
  void launch_body(const DecomposeSmallArguments& arguments) {
    executor_.template launch<Body>(plan_.count, Body::shared_bytes, arguments);
  }

  Executor executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  const BatchPlan& plan_;
};

}  // namespace pivotlab::eig_device
