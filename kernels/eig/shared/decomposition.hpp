// The results of an iteration on every backend, which of them are requested, and their order.
#pragma once

#include "kernels/eig/shared/balance.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/split_matrix.hpp"

#include <algorithm>
#include <complex>
#include <numeric>
#include <pivotlab/eig.hpp>
#include <vector>

namespace pivotlab::eig_detail {

template <class R>
using SplitComplex = SplitMatrix<std::complex<R>>;

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
  std::vector<Index> positions(diagonal.size());
  std::iota(positions.begin(), positions.end(), Index(0));
  std::ranges::stable_sort(positions, [&](Index a, Index b) {
    if (moduli[a] != moduli[b]) return moduli[a] > moduli[b];
    if (diagonal[a].real() != diagonal[b].real()) return diagonal[a].real() > diagonal[b].real();
    return diagonal[a].imag() > diagonal[b].imag();
  });
  return positions;
}

}  // namespace pivotlab::eig_detail
