#include "experiments/metrics/device_householder.hpp"
#include "kernels/extended/cuda_machine.hpp"
#include "kernels/extended/lu.hpp"
#include "tests/extended/on_cuda.hpp"

#include <chrono>
#include <complex>

namespace pivotlab::testing {

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

namespace {

/// Digits of √(3k): of full precision and without structure.
template <class E>
struct Fill {
  MatrixView<E> A;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const auto k = static_cast<double>((i * 7919 + j * 104729) % 1000003 + 1);
    const DoubleDouble x = sqrt(DoubleDouble(3 * k));
    const DoubleDouble y = (x - std::floor(x.hi())) * 2.0 - 1.0;
    if constexpr (is_complex<E>)
      extended::at(A, i, j) = E(y, y * y - 0.5);
    else
      extended::at(A, i, j) = y;
  }
};

}  // namespace

template <class T>
std::vector<std::pair<std::string, double>> time_on_cuda(Index n) {
  using E = Rebind<T, DoubleDouble>;
  CudaMachine machine;
  ExtendedProduct<CudaMachine> product(machine);
  std::vector<std::pair<std::string, double>> seconds;
  const auto timed = [&](const char* what, auto&& work) {
    machine.executor.synchronize();
    const auto start = std::chrono::steady_clock::now();
    auto result = work();
    machine.executor.synchronize();
    seconds.emplace_back(what, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return result;
  };
  DeviceMatrix<E> A = machine.matrix<E>(n, n);
  machine.for_each(n, n, Fill<E>{A});
  const auto multiply = [&] { return product.template multiply<E>(Factor<E>(A), extended::adjoint(A)); };
  timed("product, first", multiply);
  timed("product", multiply);
  const auto lu = timed("LU with complete pivoting", [&] { return extended::lu_complete(machine, std::move(A)); });
  const DeviceMatrix<E> X = timed("inverse from LU", [&] { return extended::inverse(product, lu); });
  timed("unitary factor", [&] { return experiments::device::rq_unitary_factor<T>(machine, X); });
  return seconds;
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
template std::vector<std::pair<std::string, double>> time_on_cuda<double>(Index);
template std::vector<std::pair<std::string, double>> time_on_cuda<Complex>(Index);

}  // namespace pivotlab::testing
