// A build without CUDA.
#include "kernels/gsvd/tangent/shared/attempt.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::tangent {

template <class T>
Attempt<T> attempt_on_cuda(MatrixView<const T>, MatrixView<const T>, const TangentOptions&) {
  throw NotSupported("backend 'cuda': " + why_no_device());
}

using Complex = std::complex<double>;
template Attempt<double> attempt_on_cuda(MatrixView<const double>, MatrixView<const double>, const TangentOptions&);
template Attempt<Complex> attempt_on_cuda(MatrixView<const Complex>, MatrixView<const Complex>, const TangentOptions&);

}  // namespace pivotlab::tangent
