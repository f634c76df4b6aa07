// SPDX-License-Identifier: BSD-3-Clause
// Declares options that the wrappers of BLAS, LAPACK and NVIDIA's libraries share. The header is plain, because nvcc
// reads it, too.
#pragma once

#include "kernels/numerics/op.hpp"

#include <pivotlab/scalar_traits.hpp>

namespace pivotlab {

enum class Side { left, right };
enum class Triangle { upper, lower };

/// The address of a routine of a library, which converts to a pointer to the function.
struct Symbol {
  void* address;
  template <class Function>
  operator Function*() const {
    return reinterpret_cast<Function*>(address);
  }
};

/// Returns what belongs to the scalar T: of the routines of BLAS and LAPACK, those of double or of complex double.
template <class T, class Real, class Complex>
constexpr auto pick(Real real, Complex complex) {
  if constexpr (is_complex<T>)
    return complex;
  else
    return real;
}

}  // namespace pivotlab
