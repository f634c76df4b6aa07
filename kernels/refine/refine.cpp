// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/refine/host_machine.hpp"
#include "kernels/refine/problems.hpp"

#include <algorithm>
#include <complex>

namespace pivotlab {

using Z = std::complex<double>;

template <class T>
Refined<T> refine_eigh(MatrixView<const T> A, MatrixView<const T> U, const RefineOptions& options) {
  refine::HostMachine machine(A.cols, options.threads);
  return refine::refine_hermitian(machine, A, U, options);
}
template <class T>
Refined<T> refine_svd(MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                      const RefineOptions& options) {
  refine::HostMachine machine(std::min(G.rows, G.cols), options.threads);
  return refine::refine_matrix(machine, G, U, V, options);
}
template <class T>
Refined<T> refine_gsvd(MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> right,
                       const RefineOptions& options) {
  refine::HostMachine machine(F.cols, options.threads);
  return refine::refine_pair(machine, F, G, right, options);
}

template <class T>
using View = MatrixView<const T>;
template Refined<double> refine_eigh(View<double>, View<double>, const RefineOptions&);
template Refined<Z> refine_eigh(View<Z>, View<Z>, const RefineOptions&);
template Refined<double> refine_svd(View<double>, View<double>, View<double>, const RefineOptions&);
template Refined<Z> refine_svd(View<Z>, View<Z>, View<Z>, const RefineOptions&);
template Refined<double> refine_gsvd(View<double>, View<double>, View<double>, const RefineOptions&);
template Refined<Z> refine_gsvd(View<Z>, View<Z>, View<Z>, const RefineOptions&);

}  // namespace pivotlab
