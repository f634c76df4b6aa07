// SPDX-License-Identifier: BSD-3-Clause
// The axis `batch` of a case: how many problems are solved at once. Cases of one problem do not have it, so that they
// keep their keys from before there were batches.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <experiments/engine/method.hpp>
#include <string>

namespace pivotlab::experiments {

/// An experiment E satisfies this if it solves batches: if it has E::require_batch, which refuses other cases.
template <class E>
concept HasBatches = requires(const typename E::Case& wanted) {
  E::require_batch(wanted);
};

/// Returns the value of the axis; 1 for a case without it.
Index read_batch(const Case& axes);

/// Throws InputError for problems and solvers that no batch has.
void require_problems(const SolverCase& wanted);

/// Throws InputError unless this variant, by which batches are solved, or a baseline is wanted.
void require_batch_variant(const SolverCase& wanted, const std::string& variant);

/// Returns whether the solver of a batch is `name`, in any case of letters: an algorithm that only the kernels of
/// batches have, so that no grammar of variants knows it.
bool is_of_kernels(const SolverCase& wanted, std::string_view solver, std::string_view name);

/// Returns the number of problems of a batch that are different, and are judged.
Index judged_problems(const SolverCase& wanted);

/// Returns the estimate of a batch from that of one of its problems.
Estimate estimate_batch(const SolverCase& wanted, Estimate one);

}  // namespace pivotlab::experiments
