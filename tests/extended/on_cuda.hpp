// SPDX-License-Identifier: BSD-3-Clause
// Functions of the GPU tests that run on a device.
#pragma once

#include <kernels/numerics/double_double.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <utility>

namespace pivotlab::test {

/// op(A)·op(B), op(A) = Aᴴ where asked. E is DoubleDouble or complex of it, A and B hold such or doubles.
template <class E, class A, class B>
Matrix<E> product_on_cuda(const Matrix<A>& a, bool adjoint_a, const Matrix<B>& b, bool adjoint_b);

/// L and U of lu_complete, and the inverse.
template <class E>
std::pair<Matrix<E>, Matrix<E>> lu_and_inverse_on_cuda(const Matrix<E>& A);

/// Q of X = R·Qᴴ in double.
template <class T>
Matrix<T> unitary_factor_on_cuda(const Matrix<Rebind<T, DoubleDouble>>& X);

}  // namespace pivotlab::test
