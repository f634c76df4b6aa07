// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/extended/lu.hpp"
#include "kernels/verification/device/rq.hpp"
#include "tests/extended/on_cuda.hpp"

#include <complex>

namespace pivotlab::test {

using extended::CudaMachine, extended::DeviceMatrix, extended::ExtendedProduct, extended::Factor;
using Complex = std::complex<double>;
using ComplexDD = std::complex<DoubleDouble>;

template <class E, class A, class B>
Matrix<E> product_on_cuda(const Matrix<A>& a, bool adjoint_a, const Matrix<B>& b, bool adjoint_b) {
  CudaMachine machine;
  ExtendedProduct<CudaMachine> product(machine);
  const DeviceMatrix<A> device_a = machine.upload(a);
  const DeviceMatrix<B> device_b = machine.upload(b);
  return machine.download(product.multiply<E>(Factor<A>(device_a, adjoint_a), Factor<B>(device_b, adjoint_b)));
}

template <class E>
std::pair<Matrix<E>, Matrix<E>> lu_and_inverse_on_cuda(const Matrix<E>& A) {
  CudaMachine machine;
  ExtendedProduct<CudaMachine> product(machine);
  const auto lu = extended::lu_complete(machine, machine.upload(A));
  return {machine.download(lu.LU), machine.download(extended::inverse(product, lu))};
}

template <class T>
Matrix<T> unitary_factor_on_cuda(const Matrix<Rebind<T, DoubleDouble>>& X) {
  CudaMachine machine;
  return machine.download(experiments::device::rq_unitary_factor<T>(machine, machine.upload(X)));
}

template Matrix<DoubleDouble> product_on_cuda(const Matrix<DoubleDouble>&, bool, const Matrix<DoubleDouble>&, bool);
template Matrix<DoubleDouble> product_on_cuda(const Matrix<double>&, bool, const Matrix<DoubleDouble>&, bool);
template Matrix<DoubleDouble> product_on_cuda(const Matrix<double>&, bool, const Matrix<double>&, bool);
template Matrix<ComplexDD> product_on_cuda(const Matrix<ComplexDD>&, bool, const Matrix<ComplexDD>&, bool);
template Matrix<ComplexDD> product_on_cuda(const Matrix<Complex>&, bool, const Matrix<ComplexDD>&, bool);
template Matrix<ComplexDD> product_on_cuda(const Matrix<Complex>&, bool, const Matrix<Complex>&, bool);
template std::pair<Matrix<DoubleDouble>, Matrix<DoubleDouble>> lu_and_inverse_on_cuda(const Matrix<DoubleDouble>&);
template std::pair<Matrix<ComplexDD>, Matrix<ComplexDD>> lu_and_inverse_on_cuda(const Matrix<ComplexDD>&);
template Matrix<double> unitary_factor_on_cuda<double>(const Matrix<DoubleDouble>&);
template Matrix<Complex> unitary_factor_on_cuda<Complex>(const Matrix<ComplexDD>&);

}  // namespace pivotlab::test
