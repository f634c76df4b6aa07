// SPDX-License-Identifier: BSD-3-Clause
// Spectral condition numbers.
#pragma once

#include <pivotlab/matrix.hpp>
#include <string_view>

namespace pivotlab::experiments {

struct ConditionNumber {
  double value = 0;  ///< κ₂ = σ_max/σ_min, at least three digits; infinity for a matrix that is not of full rank
  /// "double SVD" or, where that is too inaccurate (κ₂ > 1e12), "double-double inverse"; for large square pairs
  /// "corrected inverse on a GPU" (gsvd_judge.hpp), if there is a GPU.
  std::string_view method;
};

struct PairCondition {
  ConditionNumber f, g;
};

/// κ₂ of F and of G; infinity for fewer rows than columns. T is double or std::complex<double>.
template <class T>
PairCondition condition_numbers(MatrixView<const T> F, MatrixView<const T> G, int threads = 0);

}  // namespace pivotlab::experiments
