// SPDX-License-Identifier: BSD-3-Clause
// Driver of HEV-2STAGE: checks, the solver in two stages on a device, values with estimates in descending order.
#pragma once

#include "kernels/jacobi/device/two_stage_device.hpp"
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/two_stage/shared/estimate.hpp"
#include "support/timer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <pivotlab/eigh.hpp>
#include <pivotlab/error.hpp>
#include <string>
#include <utility>

namespace pivotlab::jacobi {

/// Throws InputError unless a subset is one of n eigenvalues.
inline void require_subset(const EighSubset& subset, Index n) {
  const Index end = subset.first + std::max<Index>(subset.count, 0);
  if (subset.first < 0 || subset.count < -1 || end > n || std::isnan(subset.above) || std::isnan(subset.most))
    throw InputError("subset: eigenvalues " + std::to_string(subset.first) + " to " + std::to_string(end) + " of " +
                     std::to_string(n) + "; choose from 0 to n, and bounds that are numbers");
}

/// Returns the first column of a subset, and how many it has, for eigenvalues in descending order.
template <class R>
std::pair<Index, Index> columns_of(const EighSubset& subset, const std::vector<R>& lambda) {
  const auto larger = [&](double bound) {
    return std::ranges::partition_point(lambda, [&](const R& x) { return x > R(bound); }) - lambda.begin();
  };
  const Index n = std::ssize(lambda), last = subset.count < 0 ? n : subset.first + subset.count;
  const Index first = std::max<Index>(subset.first, larger(subset.most));
  return {first, std::max<Index>(0, std::min<Index>(last, larger(subset.above)) - first)};
}

/// Throws NotSupported for an order that the solver has not.
template <class T>
void require_two_stage_order(Index n) {
  if (n > two_stage::most_rows)
    throw NotSupported("variant HEV-2STAGE: it has matrices of at most " + std::to_string(two_stage::most_rows) +
                       " rows; take HEV-RK-ME-BO, or the baseline cusolver:" + (is_complex<T> ? "zheevd" : "dsyevd"));
}

/// Stores eigenvalues, given in ascending order, and what is known of them.
template <class Result>
void store_values(std::vector<double> ascending, Result& result) {
  std::ranges::reverse(ascending);
  const double norm = ascending.empty() ? 0 : std::max(std::fabs(ascending.front()), std::fabs(ascending.back()));
  if (!(norm <= std::numeric_limits<double>::max()))
    throw InputError("matrix A: an eigenvalue overflows; multiply A by a power of two such as 2^-64");
  for (const double value : ascending) {
    const double lambda = value + 0.0, size = std::fabs(lambda);  // no −0
    const double estimate = two_stage::estimated_error(size, norm, std::ssize(ascending));
    (lambda > 0 ? result.inertia.positive : lambda < 0 ? result.inertia.negative : result.inertia.zero) += 1;
    result.eigenvalues.push_back(lambda);
    result.estimate.push_back(estimate);
    result.noise.push_back(10 * estimate >= 1);
  }
}

/// Solves for A (n × n, n ≥ 1) in device memory: all of the result but U. The vectors stay in X of the device. Throws
/// InputError as ldlt() does.
template <class T, class Result>
void solve_in_two_stages(TwoStageDevice<T>& device, MatrixView<const T> A, bool vectors, const EighSubset& subset,
                         Result& result) {
  largest_of_checked<T>(device.measure(A), Symmetry::hermitian);
  const Index count = subset.count < 0 ? A.rows - subset.first : subset.count;
  const Timer timer;
  std::vector<double> lambda = device.solve(A, {.vectors = vectors,
                                                .first = A.rows - subset.first - count,
                                                .count = count,
                                                .above = subset.above,
                                                .most = subset.most});
  result.compute_seconds = timer.seconds();
  if (lambda.empty()) {
    result.status = Status::not_converged;
    result.message = "divide and conquer has not converged, or a kernel has waited for too long; take HEV-RK-ME-BO";
    return;
  }
  store_values(std::move(lambda), result);
  result.status = Status::passed;
}

/// Solves for A (n × n) of the host on the first GPU, or emulated. T is double or std::complex<double>. Throws
/// NotSupported for other backends and without the libraries, InputError as ldlt() does.
template <class T>
EighResult<T> eigh_in_two_stages(MatrixView<const T> A, const EighOptions& options);

}  // namespace pivotlab::jacobi
