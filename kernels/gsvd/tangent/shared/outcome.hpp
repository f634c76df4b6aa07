// SPDX-License-Identifier: BSD-3-Clause
// Interface between the pipeline, which runs on a machine, and its callers. Plain: a device compiler reads it, too.
#pragma once

#include <functional>
#include <pivotlab/matrix.hpp>
#include <pivotlab/tangent_report.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::tangent {

/// Why a pair was not decomposed (section 7 of the specification).
enum class Breakdown {
  none,
  no_reduction,   ///< R has a diagonal element that is zero or not finite, or F·R⁻¹ or a σ is not finite
  not_converged,  ///< the Newton steps
  inaccurate,     ///< F·Z − U·Σ_F is too large for rounding errors of F's columns
};

struct Outcome {
  Breakdown breakdown = Breakdown::none;
  std::string reason;  ///< one line; empty for none
  TangentReport report;
  std::vector<double> sigma, sigma_f, sigma_g;  ///< length n; σ descends
  std::vector<double> sigma_error;              ///< length n if estimates were asked for, else empty
};

struct Shape {
  Index m_f, m_g, n;
};

/// Where the factors go; X of no columns is not computed. U has zero columns where σ is 0.
template <class T>
struct Factors {
  MatrixView<T> U, V, Z, X;
};

/// Called after each step of the pipeline has been enqueued, with its name and its flops (0: no product).
using Observer = std::function<void(std::string_view step, double flops)>;

}  // namespace pivotlab::tangent
