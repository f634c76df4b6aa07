// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the Hermitian eigensolver for matrices of a GPU.
#include <pivotlab/device_eigh.hpp>

#include "kernels/exec/build.hpp"
#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/jacobi/device/two_stage_driver.hpp"
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
  if (is_two_stage(options.variant))
    jacobi::require_two_stage_order<T>(n);
  else
    jacobi::make_plan(is_complex<T>, n, n, jacobi::sweep_options(options));
  return options;
}

}  // namespace

template <class T>
struct DeviceEigh<T>::Parts {
  Index n;
  EighOptions options;
  jacobi::EighMachinery<T> machinery;
  std::unique_ptr<jacobi::TwoStageDevice<T>> two_stage;  ///< of HEV-2STAGE, without the machinery
};

template <class T>
std::size_t DeviceEigh<T>::workspace_bytes(Index n, const EighOptions& options) {
  const EighOptions on_cuda = checked<T>(n, options);
  return is_two_stage(options.variant) ? jacobi::two_stage_workspace_bytes<T>(n)
                                       : jacobi::eigh_workspace_bytes<T>(n, on_cuda);
}

template <class T>
DeviceEigh<T>::DeviceEigh(Index n, const EighOptions& options, void* stream, void* workspace) {
  const EighOptions on_cuda = checked<T>(n, options);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  parts_.reset(new Parts{n, on_cuda, {}, nullptr});
  if (is_two_stage(options.variant))
    parts_->two_stage = pivotlab::on_cuda<jacobi::make_cuda_two_stage<T>>(n, workspace, CallerStream{stream});
  else
    parts_->machinery = jacobi::make_cuda_machinery<T>(n, on_cuda, workspace, CallerStream{stream});
}

template <class T>
DeviceEighResult DeviceEigh<T>::run(MatrixView<const T> A, MatrixView<T> U, const EighSubset& subset) {
  auto& [n, options, machinery, two_stage] = *parts_;
  require_shape("A", A, n, n);
  jacobi::require_subset(subset, n);
  if (U.cols > 0) require_shape("U", U, n, subset.count < 0 ? n - subset.first : subset.count);
  DeviceEighResult result;
  std::vector<Index> order;
  if (two_stage) {
    jacobi::solve_in_two_stages(*two_stage, A, U.cols > 0, subset, result);
  } else {
    int k = 0;
    jacobi::EighParts<T> parts = jacobi::solve_given(machinery, A, options, k);
    order = jacobi::store_all_but_vectors(parts, n, k, result);
  }
  if (U.cols == 0) return result;
  const auto [first, count] = jacobi::columns_of(subset, result.eigenvalues);
  const MatrixView<T> columns = U.block(0, 0, n, count);
  if (two_stage)
    two_stage->export_x(columns);
  else
    machinery.device->export_y({order.begin() + first, order.begin() + first + count}, columns);
  return result;
}

template class DeviceEigh<double>;
template class DeviceEigh<std::complex<double>>;

}  // namespace pivotlab
