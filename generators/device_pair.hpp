// The arithmetic of the paper's pairs on a GPU: what paper.cpp does in Quad on the host, in double-double.
#pragma once

#include "kernels/numerics/double_double.hpp"

#include <memory>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab {

/// Matrices stay on the device until they are rounded. T is double or std::complex<double>. An entry before rounding
/// differs from Quad's by a few n·2⁻¹⁰⁴, so that of 2⁵⁰ or so rounded ones one differs.
template <class T>
class DevicePairAlgebra {
 public:
  using Handle = std::shared_ptr<const void>;  ///< a matrix on the device

  virtual ~DevicePairAlgebra() = default;
  /// As random_orthonormal (orthogonal.hpp) makes it of these normal numbers, m × n.
  virtual Handle orthonormal(const Matrix<T>& normal) = 0;
  /// Q·diag(eigenvalues)·Qᴴ, exactly Hermitian.
  virtual Handle hermitian(const Handle& Q, const std::vector<DoubleDouble>& eigenvalues) = 0;
  /// Q·diag(d)·X
  virtual Handle product(const Handle& Q, const std::vector<DoubleDouble>& d, const Handle& X) = 0;
  /// A·diag(d), rounded once; no d means A.
  virtual Matrix<T> rounded(const Handle& A, const std::vector<DoubleDouble>& d) = 0;
};

/// Nothing where there is no GPU or no cuBLAS.
template <class T>
std::unique_ptr<DevicePairAlgebra<T>> make_device_pair_algebra();

/// From this many columns on, pairs are made on a GPU where there is one.
inline constexpr Index device_pair_order = 512;

}  // namespace pivotlab
