// Stands in until the kernels are there.
#include <kernels/gsvd/device/device_gsvd.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {

template <class T>
GsvdResult<T> gsvd_on_cuda(MatrixView<const T>, MatrixView<const T>, const GsvdOptions&) {
  throw NotSupported("backend 'cuda': this build has no kernels; take the backend host");
}
template <class T>
GsvdResult<T> gsvd_emulated(MatrixView<const T>, MatrixView<const T>, const GsvdOptions&) {
  throw NotSupported("backend 'emulation': this build has no kernels; take the backend host");
}

template GsvdResult<double> gsvd_on_cuda(MatrixView<const double>, MatrixView<const double>, const GsvdOptions&);
template GsvdResult<double> gsvd_emulated(MatrixView<const double>, MatrixView<const double>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd_on_cuda(MatrixView<const std::complex<double>>,
                                                       MatrixView<const std::complex<double>>, const GsvdOptions&);
template GsvdResult<std::complex<double>> gsvd_emulated(MatrixView<const std::complex<double>>,
                                                        MatrixView<const std::complex<double>>, const GsvdOptions&);

}  // namespace pivotlab
