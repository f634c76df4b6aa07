// SPDX-License-Identifier: BSD-3-Clause
// The error of a factorization as a judge by exact products measures it, if that is good enough.
#pragma once

#include <experiments/metrics/judging.hpp>
#include <kernels/verification/device/ldlt_judge.hpp>

#include <memory>
#include <new>
#include <optional>

namespace pivotlab::experiments {

/// A measured error, and the bound of its own error in the same units.
struct ProvedError {
  double error, bound;
  int moduli;
};

/// Returns what the judge measures; nothing without a judge or its memory, or where its bound does not settle the
/// verdict, so that another judge is asked.
template <class T>
std::optional<ProvedError> proved_error(const std::unique_ptr<LdltProvedJudge<T>>& judge, const GivenLdlt<T>& given,
                                        double threshold) {
  if (!judge) return std::nullopt;
  try {
    const double error = judge->reconstruction_error(given);
    if (is_settled(error, judge->bound(), threshold)) return ProvedError{error, judge->bound(), judge->moduli()};
  } catch (const std::bad_alloc&) {
  }
  return std::nullopt;
}

}  // namespace pivotlab::experiments
