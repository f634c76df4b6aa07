// SPDX-License-Identifier: BSD-3-Clause
// Power iteration for the dominant eigenvalue of a Hermitian matrix, a minimal method as an example: variants with
// names, a solver, a baseline.
#pragma once

#include <pivotlab/baselines.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/variant.hpp>
#include <string>
#include <variants/grammar.hpp>
#include <vector>

namespace pivotlab::toy {

enum class Start { ones, first };

struct PowerVariant {
  Start start = Start::ones;
  double tolerance = 1e-10;  ///< residual that ends the iteration
};
const Grammar<PowerVariant>& power_names();

struct PowerOptions {
  PowerVariant variant = {};
  Backend backend = Backend::host;  ///< there is no other
  int threads = 1;                  ///< without effect
};

template <class T>
struct PowerResult {
  double eigenvalue = 0;
  std::vector<T> v = {};  ///< unit vector
  int iterations = 0;
  double compute_seconds = 0;
  Status status = Status::passed;  ///< or not_converged
  std::string message = {};
};

/// Computes λ of largest modulus and v with ‖A·v − λ·v‖₂ ≤ tolerance·|λ| for a Hermitian A, in at most 1000 steps. T is
/// double or std::complex<double>. Throws InputError for the order 0, NotSupported for another backend than host.
template <class T>
PowerResult<T> power_iteration(const Matrix<T>& A, const PowerOptions& options);

std::vector<BaselineInfo> list_power_baselines(ScalarType);
/// The baseline: 10,000 steps from the vector of ones, without a test of convergence.
template <class T>
PowerResult<T> many_steps(const Matrix<T>& A);

/// Returns ‖A·v − λ·v‖₂/|λ|.
template <class T>
double residual_of(const Matrix<T>& A, const PowerResult<T>& result);

}  // namespace pivotlab::toy
