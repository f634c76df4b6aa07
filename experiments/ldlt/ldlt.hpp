// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization as a method of the engine.
#pragma once

#include <experiments/common/solver_case.hpp>
#include <pivotlab/ldlt.hpp>

namespace pivotlab::experiments {

struct LdltCase : VariantCase<LdltVariant> {
  LdltStorage storage = LdltStorage::packed;
  double tolerance = 0;  ///< elements up to this count as zero, relative to max|A|
  bool gjg = false;      ///< whether to compare G·J·G* with its computation in Quad
};

/// Multiplies operation counts by rates of a current x86-64 core or an H200; accurate to a factor of a few.
Estimate estimate_ldlt(const LdltCase& ldlt_case);

/// Axes: type, symmetry, n, generator, seed, solver (a variant or a baseline), storage, tolerance, gjg, backend,
/// threads.
const Method& ldlt_method();

}  // namespace pivotlab::experiments
