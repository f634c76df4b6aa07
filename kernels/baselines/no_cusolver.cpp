// Replacement in a build without CUDA: the baselines are listed and throw NotSupported.
#include <kernels/baselines/cusolver_eig.hpp>
#include <kernels/baselines/cusolver_gsvd.hpp>
#include <kernels/baselines/cusolver_jacobi.hpp>
#include <kernels/baselines/cusolver_ldlt.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::baselines {
namespace {

[[noreturn]] void refuse() {
  throw NotSupported("cuSOLVER: " + why_no_device());
}

}  // namespace

template <class T>
void CusolverGsvd<T>::normal_equations(MatrixView<const T>, MatrixView<const T>, GsvdResult<T>&) {
  refuse();
}
template <class T>
void CusolverGsvd<T>::qr_and_polar_svd(MatrixView<const T>, MatrixView<const T>, GsvdResult<T>&) {
  refuse();
}
template <class T>
void CusolverGsvd<T>::qr_and_jacobi_svd(MatrixView<const T>, MatrixView<const T>, GsvdResult<T>&) {
  refuse();
}

template <class T>
void cusolver_sytrf(Matrix<T>, MatrixView<const T>, LdltBaselineResult<T>&) {
  refuse();
}

template <class T>
bool cusolver_geev(MatrixView<const T>, bool, EigResult<double>&) {
  refuse();
}
template <class T>
bool cusolver_geev_mixed(MatrixView<const T>, bool, EigResult<double>&) {
  refuse();
}

template <class T>
bool CusolverJacobi<T>::heevd(MatrixView<const T>, EighResult<T>&) {
  refuse();
}
template <class T>
bool CusolverJacobi<T>::heevd_two_stage(MatrixView<const T>, EighResult<T>&) {
  refuse();
}
template <class T>
bool CusolverJacobi<T>::heevj(MatrixView<const T>, EighResult<T>&) {
  refuse();
}
template <class T>
bool CusolverJacobi<T>::gesvdj(MatrixView<const T>, HsvdResult<T>&) {
  refuse();
}
template <class T>
bool CusolverJacobi<T>::gesvdp(MatrixView<const T>, HsvdResult<T>&) {
  refuse();
}

template bool cusolver_geev(MatrixView<const double>, bool, EigResult<double>&);
template bool cusolver_geev(MatrixView<const std::complex<double>>, bool, EigResult<double>&);
template bool cusolver_geev_mixed(MatrixView<const double>, bool, EigResult<double>&);
template bool cusolver_geev_mixed(MatrixView<const std::complex<double>>, bool, EigResult<double>&);
template void cusolver_sytrf(Matrix<double>, MatrixView<const double>, LdltBaselineResult<double>&);
template void cusolver_sytrf(Matrix<std::complex<double>>, MatrixView<const std::complex<double>>,
                             LdltBaselineResult<std::complex<double>>&);
template struct CusolverGsvd<double>;
template struct CusolverGsvd<std::complex<double>>;
template struct CusolverJacobi<double>;
template struct CusolverJacobi<std::complex<double>>;

}  // namespace pivotlab::baselines
