// SPDX-License-Identifier: BSD-3-Clause
// The build found no LAPACK.
#include <kernels/jacobi/device/ghsvd_device.hpp>
#include <kernels/jacobi/lapack_eigenvectors.hpp>

#include <complex>
#include <pivotlab/error.hpp>

namespace pivotlab::jacobi {

template <class T>
ApproximateEigenvectors<T> lapack_eigenvectors(MatrixView<const T>, int) {
  throw NotSupported(
      "variants with spectral need LAPACK, which this build lacks; install libopenblas-dev and liblapacke-dev and "
      "build again");
}

template <class T>
std::unique_ptr<GhsvdDevice<T>> make_emulated_ghsvd(const Shape&, LaneOrder, int) {
  throw NotSupported(
      "backend 'emulation': the generalized hyperbolic SVD needs LAPACK, which this build lacks; install "
      "libopenblas-dev and liblapacke-dev and build again, or take the backend host");
}

using Complex = std::complex<double>;
template decltype(lapack_eigenvectors<double>) lapack_eigenvectors<double>;
template decltype(lapack_eigenvectors<Complex>) lapack_eigenvectors<Complex>;
template std::unique_ptr<GhsvdDevice<double>> make_emulated_ghsvd(const Shape&, LaneOrder, int);
template std::unique_ptr<GhsvdDevice<Complex>> make_emulated_ghsvd(const Shape&, LaneOrder, int);

}  // namespace pivotlab::jacobi
