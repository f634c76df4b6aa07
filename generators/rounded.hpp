// SPDX-License-Identifier: BSD-3-Clause
// Conversion from Quad to double.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

namespace pivotlab {

/// Rounds each number once. T is double or std::complex<double>.
template <class T>
Matrix<T> rounded(const Matrix<Rebind<T, Quad>>& exact) {
  Matrix<T> result(exact.rows(), exact.cols());
  for (Index i = 0; i < exact.size(); ++i)
    if constexpr (is_complex<T>)
      result.data()[i] = T(static_cast<double>(exact.data()[i].real()), static_cast<double>(exact.data()[i].imag()));
    else
      result.data()[i] = static_cast<double>(exact.data()[i]);
  return result;
}

}  // namespace pivotlab
