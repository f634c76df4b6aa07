// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exec/build.hpp"
#include "kernels/refine/host_machine.hpp"
#include "kernels/refine/problems.hpp"
#include "kernels/refine/refinement.hpp"

#include <complex>

namespace pivotlab {

namespace {

template <class T>
refine::Run<T> run_on(const RefineOptions& options) {
  if (options.backend == Backend::emulation) throw NotSupported("backend emulation: is not that of a refinement");
  return [&options](const refine::Problem<T>& problem, const Matrix<T>& start, int most_steps) {
    if (options.backend == Backend::cuda) return on_cuda<refine::run_on_cuda<T>>(problem, start, most_steps);
    refine::HostMachine machine(start.cols(), options.threads);
    return refine::Refinement<refine::HostMachine, T>(machine, problem).run(start, most_steps);
  };
}

}  // namespace

template <class T>
Refined<T> refine_eigh(MatrixView<const T> A, MatrixView<const T> U, const RefineOptions& options) {
  return refine::refine_hermitian(run_on<T>(options), A, U, options);
}
template <class T>
Refined<T> refine_svd(MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                      const RefineOptions& options) {
  return refine::refine_matrix(run_on<T>(options), G, U, V, options);
}
template <class T>
Refined<T> refine_gsvd(MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> Z,
                       const RefineOptions& options) {
  return refine::refine_pair(run_on<T>(options), F, G, Z, options);
}

using Complex = std::complex<double>;
template <class T>
using View = MatrixView<const T>;
template Refined<double> refine_eigh(View<double>, View<double>, const RefineOptions&);
template Refined<Complex> refine_eigh(View<Complex>, View<Complex>, const RefineOptions&);
template Refined<double> refine_svd(View<double>, View<double>, View<double>, const RefineOptions&);
template Refined<Complex> refine_svd(View<Complex>, View<Complex>, View<Complex>, const RefineOptions&);
template Refined<double> refine_gsvd(View<double>, View<double>, View<double>, const RefineOptions&);
template Refined<Complex> refine_gsvd(View<Complex>, View<Complex>, View<Complex>, const RefineOptions&);

}  // namespace pivotlab
