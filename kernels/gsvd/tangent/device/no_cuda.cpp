// A build without CUDA.
#include <complex>
#include <pivotlab/device.hpp>
#include <pivotlab/device_gsvd.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {

template <class T>
struct DeviceGsvd<T>::Parts {};

template <class T>
DeviceGsvd<T>::DeviceGsvd(Index, Index, Index, const TangentVariant&, void*) {
  throw NotSupported(why_no_device());
}
template <class T>
std::size_t DeviceGsvd<T>::workspace_bytes() const {
  return 0;
}
template <class T>
DeviceGsvdResult DeviceGsvd<T>::run(MatrixView<const T>, MatrixView<const T>, const DeviceGsvdFactors<T>&, void*,
                                    bool) {
  return {};
}

template class DeviceGsvd<double>;
template class DeviceGsvd<std::complex<double>>;

}  // namespace pivotlab
