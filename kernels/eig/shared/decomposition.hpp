// SPDX-License-Identifier: BSD-3-Clause
// The results of an iteration on every backend, which of them are requested, and their order.
#pragma once

#include "kernels/eig/shared/balance.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/order.hpp"
#include "kernels/numerics/split_matrix.hpp"

#include <algorithm>
#include <complex>
#include <pivotlab/eig.hpp>
#include <sstream>
#include <vector>

namespace pivotlab::eig_detail {

template <class R>
using SplitComplex = SplitMatrix<std::complex<R>>;

/// Throws InputError for options out of range.
inline void require_valid(const EigOptions& options) {
  pivotlab::require_valid(options.variant);
  if (options.max_sweeps < 0)
    throw InputError("option max_sweeps: " + std::to_string(options.max_sweeps) + " is negative; take at least 0");
}

inline bool wants_left(const EigOptions& options) {
  return options.left_vectors || options.condition_numbers;
}
inline bool wants_right(const EigOptions& options) {
  return options.right_vectors || options.condition_numbers || options.variant.refine || options.variant.finish;
}

/// E and its inverse; empty unless requested. The inverse is stored transposed: both are then transformed from the
/// right, column by column.
template <class R>
struct Similarity {
  SplitComplex<R> E, inverse_transposed;
};

/// The history of an iteration and its end.
template <class R>
struct IterationResult {
  bool converged = false;
  std::vector<EigSweep<R>> history;
  std::vector<R> off_squared;                          ///< of each iterate, without the diagonal
  std::vector<std::vector<std::complex<R>>> diagonal;  ///< of each iterate
};

/// The results of a device for the host's solver, in the coordinates of the iteration. Matrices that are not requested
/// are empty.
template <class R>
struct DeviceDecomposition {
  Balance balance;
  IterationResult<R> iteration;
  SplitComplex<R> iterate;  ///< n × n
  Similarity<R> similarity;
  SplitComplex<R> right;       ///< eigenvectors, not normalized
  double compute_seconds = 0;  ///< from the imported matrix to all these in device memory
};

/// Returns the positions: eigenvalue k is element positions[k] of the diagonal.
template <class R>
std::vector<Index> descending(const std::vector<std::complex<R>>& diagonal) {
  std::vector<R> moduli;
  for (const auto& x : diagonal) moduli.push_back(modulus(x));
  return sorted_indices(std::ssize(diagonal), [&](Index a, Index b) {
    if (moduli[a] != moduli[b]) return moduli[a] > moduli[b];
    if (diagonal[a].real() != diagonal[b].real()) return diagonal[a].real() > diagonal[b].real();
    return diagonal[a].imag() > diagonal[b].imag();
  });
}

/// Computes Henrici's departure from normality of an iterate, √(‖A_k‖_F² − Σ|λ|²), with the diagonal of the last
/// iterate as λ. The two diagonals are subtracted element by element, so that nothing cancels near the end.
template <class R>
R departure(const R& off_squared, const std::vector<std::complex<R>>& diagonal,
            const std::vector<std::complex<R>>& last) {
  R squared = off_squared;
  for (std::size_t j = 0; j < last.size(); ++j) {
    const std::complex<R> d = diagonal[j] - last[j], s = diagonal[j] + last[j];
    squared += d.real() * s.real() + d.imag() * s.imag();
  }
  return square_root(std::max(R(0), squared));
}

/// Stores status, message and history, of which norms are those of the given matrix: 2^−exponent times those of the
/// iteration. `found` are the eigenvalues in the units of the iteration.
template <class R, class Result>
void store_history(const IterationResult<R>& iteration, const std::vector<std::complex<R>>& found, int exponent,
                   Result& result) {
  for (std::size_t k = 0; k < iteration.history.size(); ++k) {
    EigSweep<R> sweep = iteration.history[k];
    sweep.departure = departure(iteration.off_squared[k], iteration.diagonal[k], found);
    for (R* x : {&sweep.norm, &sweep.lower, &sweep.departure}) *x = times_power_of_two(*x, -exponent);
    result.history.push_back(sweep);
  }
  result.status = iteration.converged ? Status::passed : Status::not_converged;
  if (iteration.converged) return;
  const EigSweep<R>& last = result.history.back();
  std::ostringstream text;
  text.precision(2);
  text << "the strictly lower part is " << static_cast<double>(R(last.lower / last.norm)) << " of the norm after "
       << result.history.size() - 1 << " sweeps";
  result.message = text.str();
}

}  // namespace pivotlab::eig_detail
