// Sums of moduli of the inverse of a unit lower triangular matrix, which bound its norms. Plain: a device compiler
// reads it, too.
#pragma once

#include <optional>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::ldlt_device {

/// Of X ≈ M⁻¹ whose columns solve M·X = I by substitution, n × n. A term has gone through up to n + 8 roundings.
struct InverseSums {
  double weighted = 0;          ///< max_j Σ_i weights[i]·|x_ij|
  double product = 0;           ///< max_j (|M|·|X|)_ij summed over i, as Σ_k (Σ_i |m_ik|)·|x_kj|
  std::vector<double> of_rows;  ///< Σ_j |x_ij|
  /// |I − M·X| ≤ γ_k·|M|·|X| for this k (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., Theorem 8.5):
  /// products are summed in groups, in any order. Complex products count twice.
  Index roundings = 0;
};

/// By a GPU, M with zeros above its diagonal and weights ≥ 0 of length n; n³/3 multiplications and additions, memory
/// for M and 4096 columns of X. T is double or std::complex<double>. Nothing where there is no GPU, no cuBLAS or not
/// enough memory. cuBLAS multiplies: the last bits may differ from one version of it to the next.
template <class T>
std::optional<InverseSums> inverse_sums_on_cuda(MatrixView<const T> M, const std::vector<double>& weights);

}  // namespace pivotlab::ldlt_device
