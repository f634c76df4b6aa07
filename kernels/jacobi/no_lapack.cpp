// The build found no LAPACK.
#include <kernels/jacobi/lapack_eigenvectors.hpp>

#include <complex>
#include <pivotlab/error.hpp>

namespace pivotlab::jacobi {

template <class T>
ApproximateEigenvectors<T> lapack_eigenvectors(MatrixView<const T>, int) {
  throw NotSupported(
      "variants with spectral need LAPACK, which this build lacks; install libopenblas-dev and liblapacke-dev and "
      "build "
      "again");
}

using Complex = std::complex<double>;
template ApproximateEigenvectors<double> lapack_eigenvectors(MatrixView<const double>, int);
template ApproximateEigenvectors<Complex> lapack_eigenvectors(MatrixView<const Complex>, int);

}  // namespace pivotlab::jacobi
