// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <algorithm>
#include <experiments/generic/batch_case.hpp>
#include <experiments/problems/axis_values.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::experiments {

Index read_batch(const Case& axes) {
  return axes.contains("batch") ? integer_axis(axes, "batch", 1) : 1;
}

void require_problems(const SolverCase& wanted) {
  if (wanted.n == 0) throw InputError("batch: its problems have order 0; take a larger n");
  if (wanted.by_own())
    throw InputError(
        fmt::format("batch: {} solves one problem at a time; leave it out, or take batch 1", wanted.solver));
}

void require_batch_variant(const SolverCase& wanted, const std::string& variant) {
  if (!wanted.by_baseline() && wanted.solver != variant)
    throw InputError(fmt::format("solver: {} has no batches on the backend {}; take {} or a baseline", wanted.solver,
                                 wanted.backend, variant));
}

bool is_of_kernels(const SolverCase& wanted, std::string_view solver, std::string_view name) {
  return wanted.batch > 1 && lower_case(solver) == lower_case(name);
}

Index judged_problems(const SolverCase& wanted) {
  constexpr Index most_judged = 4;
  return wanted.is_from_files() ? 1 : std::min(wanted.batch, most_judged);
}

Estimate estimate_batch(const SolverCase& wanted, Estimate one) {
  constexpr double at_once_on_gpu = 1000;  // the single call does not fill a GPU with a small problem
  const auto count = static_cast<double>(wanted.batch), judged = static_cast<double>(judged_problems(wanted));
  one.generate_s *= judged, one.judge_s *= judged, one.solve_s *= count;
  if (wanted.by_baseline()) {
    one.solve_s /= wanted.threads;
    return one;
  }
  if (wanted.on_gpu()) one.solve_s /= at_once_on_gpu;
  one.bytes *= 1 + count / 4;  // most bytes of the estimate are those of the judge
  one.gpu_bytes *= count;
  return one;
}

}  // namespace pivotlab::experiments
