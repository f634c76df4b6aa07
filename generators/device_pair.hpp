// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the paper's pairs on a GPU in double-double; paper.cpp uses Quad on the host.
#pragma once

#include "kernels/numerics/double_double.hpp"

#include <memory>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab {

/// Matrices stay on the device until they are rounded. T is double or std::complex<double>. An entry before rounding
/// differs from Quad's by a few n·2⁻¹⁰⁴, so about one of 2⁵⁰ rounded entries differs.
template <class T>
class DevicePairAlgebra {
 public:
  using Handle = std::shared_ptr<const void>;  ///< a matrix on the device

  virtual ~DevicePairAlgebra() = default;
  /// Computes the matrix of random_orthonormal (orthogonal.hpp) from these normal numbers, m × n.
  virtual Handle orthonormal(const Matrix<T>& normal) = 0;
  /// Computes Q·diag(eigenvalues)·Qᴴ, exactly Hermitian.
  virtual Handle hermitian(const Handle& Q, const std::vector<DoubleDouble>& eigenvalues) = 0;
  /// Computes Q·diag(d)·X.
  virtual Handle product(const Handle& Q, const std::vector<DoubleDouble>& d, const Handle& X) = 0;
  /// Returns A·diag(d), or A if d is empty, rounded once.
  virtual Matrix<T> rounded(const Handle& A, const std::vector<DoubleDouble>& d) = 0;
};

/// Makes an algebra on a GPU; null without a GPU or cuBLAS.
template <class T>
std::unique_ptr<DevicePairAlgebra<T>> make_device_pair_algebra();

/// From this number of columns on, pairs are made on a GPU if there is one.
inline constexpr Index device_pair_order = 512;

}  // namespace pivotlab
