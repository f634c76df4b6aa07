// SPDX-License-Identifier: BSD-3-Clause
// Sums of moduli of the inverse of a unit lower triangular matrix, which bound its norms. This header is plain C++,
// which a device compiler also reads.
#pragma once

#include <optional>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::ldlt_device {

/// Sums over X ≈ M⁻¹, n × n, whose columns solve M·X = I by substitution. A term has up to n + 8 roundings.
struct InverseSums {
  double weighted = 0;          ///< max_j Σ_i weights[i]·|x_ij|
  double product = 0;           ///< max_j (|M|·|X|)_ij summed over i, as Σ_k (Σ_i |m_ik|)·|x_kj|
  std::vector<double> of_rows;  ///< Σ_j |x_ij|
  /// |I − M·X| ≤ γ_k·|M|·|X| for this k (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., Theorem 8.5):
  /// products are summed in groups, in any order. Complex products count twice.
  Index roundings = 0;
};

/// Computes the sums on a GPU for M with zeros above its diagonal and weights ≥ 0 of length n, by n³/3 multiplications
/// and additions, with memory for M and 4096 columns of X. T is double or std::complex<double>. Returns nothing without
/// a GPU, without cuBLAS or with too little memory. The last bits may depend on the version of cuBLAS, which computes
/// the products.
template <class T>
std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const T> M, const std::vector<double>& weights);

}  // namespace pivotlab::ldlt_device
