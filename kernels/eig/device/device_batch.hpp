// SPDX-License-Identifier: BSD-3-Clause
// Interface between the host driver of a batched decomposition (eig_driver.cpp) and its kernel (batched.hpp). It has
// plain types only, because both compilers read it.
#pragma once

#include "kernels/eig/device/planes.hpp"
#include "kernels/eig/shared/parameters.hpp"
#include "kernels/exec/lane_order.hpp"

#include <vector>

namespace pivotlab::eig_device {

inline constexpr int largest_in_batch = 64;

/// Options of all matrices of a batch.
struct BatchRules {
  eig_detail::PairRules<double> rules;
  bool diagonal = true, balance = true;
  double exponent = 0.5;  ///< of the diagonal transformations
  double tolerance = 0;   ///< tolerance for ‖lower part‖_F/‖A‖_F
  int max_sweeps = 100;
};

struct BatchPlan {
  int n = 0, count = 0;        ///< 1 ≤ n ≤ largest_in_batch
  std::vector<Pair> strategy;  ///< table of the even order n or n + 1
  BatchRules rules;
  bool basis = false, inverse_basis = false, vectors = true;  ///< whether E, E⁻ᵀ and right vectors are requested
};

struct BatchOutput {
  std::vector<double> iterate, E, inverse_transposed, right;  ///< [matrix][re, im][n × n]; empty if not requested
  std::vector<double> history;                                ///< [sweep][matrix][Norms, diagonal of n complex numbers]
  std::vector<int> sweeps;                                    ///< [matrix]; −1 − sweeps if not converged
  std::vector<int> exponent;                                  ///< [matrix], exponent of the scaling on the device
  std::vector<int> d;                                         ///< [matrix][n], exponents of the balancing
  double compute_seconds = 0;                                 ///< of the whole batch, from A to these results in device
                                                              ///< memory
};

/// Decomposes a batch A, [matrix][n × n][Re, Im], on a GPU. Throws std::bad_alloc if the device's memory does not
/// suffice, CudaError for other errors of the device.
BatchOutput decompose_batch_on_cuda(const BatchPlan& plan, const double* A);
/// Runs the same kernel on fibers of the host.
BatchOutput decompose_batch_emulated(const BatchPlan& plan, const double* A, LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::eig_device
