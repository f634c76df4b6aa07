// SPDX-License-Identifier: BSD-3-Clause
// Facts about a solution that `solve gsvd` prints beside its metrics.
#pragma once

#include <experiments/commands/fact.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <pivotlab/gsvd_tangent.hpp>
#include <span>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Returns the least and the largest σ; empty cells without any.
std::vector<Fact> sigma_facts(std::span<const double> sigma);

/// Returns what a reduction has decided, and by which tolerances; empty cells without one.
std::vector<Fact> reduction_facts(const GsvdMetrics& metrics);

/// Returns a warning where the estimated relative errors of σ other than 0 and infinity exceed 1e-8; otherwise an empty
/// text. T is double or std::complex<double>.
template <class T>
std::string accuracy_of(const TangentResult<T>& result);

}  // namespace pivotlab::experiments
