// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the Hermitian eigensolver for matrices of a GPU.
#include <pivotlab/device_eigh.hpp>

#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/numerics/require_shape.hpp"

#include <complex>

namespace pivotlab {
namespace {

template <class T>
EighOptions checked(Index n, EighOptions options) {
  options.backend = Backend::cuda;
  require_valid(options.variant);
  if (options.variant.refine)
    throw NotSupported("option refine: there is no plan for matrices of a GPU; take a variant without refine");
  if (n < 1) throw InputError("matrix A: it has no column; a plan is for at least one");
  jacobi::make_plan(is_complex<T>, n, n, jacobi::sweep_options(options));
  return options;
}

}  // namespace

template <class T>
struct DeviceEigh<T>::Parts {
  Index n;
  EighOptions options;
  jacobi::EighMachinery<T> machinery;
};

template <class T>
std::size_t DeviceEigh<T>::workspace_bytes(Index n, const EighOptions& options) {
  return jacobi::eigh_workspace_bytes<T>(n, checked<T>(n, options));
}

template <class T>
DeviceEigh<T>::DeviceEigh(Index n, const EighOptions& options, void* stream, void* workspace) {
  const EighOptions on_cuda = checked<T>(n, options);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  parts_.reset(new Parts{n, on_cuda, jacobi::make_cuda_machinery<T>(n, on_cuda, workspace, CallerStream{stream})});
}

template <class T>
DeviceEighResult DeviceEigh<T>::run(MatrixView<const T> A, MatrixView<T> U) {
  auto& [n, options, machinery] = *parts_;
  require_shape("A", A, n, n);
  if (U.cols > 0) require_shape("U", U, n, n);
  int k = 0;
  jacobi::EighParts<T> parts = jacobi::solve_given(machinery, A, options, k);
  DeviceEighResult result;
  const std::vector<Index> order = jacobi::store_all_but_vectors(parts, n, k, result);
  if (U.cols > 0) machinery.device->export_y({order.begin(), order.end()}, U);
  return result;
}

template class DeviceEigh<double>;
template class DeviceEigh<std::complex<double>>;

}  // namespace pivotlab
