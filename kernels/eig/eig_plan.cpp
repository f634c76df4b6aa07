// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the eigendecomposition of matrices of a GPU.
#include <pivotlab/device_eig.hpp>

#include "kernels/eig/device/eig_driver.hpp"
#include "kernels/eig/device/solver_plan.hpp"
#include "kernels/exec/build.hpp"
#include "kernels/numerics/require_shape.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

eig_device::SolverPlan checked_plan(Index n, const EigOptions& options) {
  eig_detail::require_valid(options);
  if (n < 1) throw InputError("matrix A: it has no column; a plan is for at least one");
  const auto refuse = [](const std::string& what) {
    throw NotSupported("a plan for matrices of a GPU has no " + what + "; call eig() with a matrix of the host");
  };
  if (options.left_vectors || options.condition_numbers) refuse("left vectors and condition numbers");
  if (options.triangular_form) refuse("triangular form");
  if (options.variant.refine || options.variant.finish) refuse("variants with refine or finish");
  return eig_device::make_plan(n, options);
}

}  // namespace

template <class T>
struct DeviceEig<T>::Parts {
  eig_device::SolverPlan plan;
  std::unique_ptr<eig_device::DeviceSolver> solver;
};

template <class T>
std::size_t DeviceEig<T>::workspace_bytes(Index n, const EigOptions& options) {
  return eig_device::workspace_bytes(checked_plan(n, options));
}

template <class T>
DeviceEig<T>::DeviceEig(Index n, const EigOptions& options, void* stream, void* workspace) {
  const eig_device::SolverPlan plan = checked_plan(n, options);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  parts_.reset(new Parts{plan, on_cuda<eig_device::make_cuda_solver>(plan, workspace, CallerStream{stream})});
}

template <class T>
DeviceEigResult DeviceEig<T>::run(MatrixView<const T> A, MatrixView<std::complex<double>> V) {
  auto& [plan, solver] = *parts_;
  require_shape("A", A, plan.n, plan.n);
  if (plan.vectors) require_shape("V", V, plan.n, plan.n);
  const eig_device::GivenMatrix given{reinterpret_cast<const double*>(A.data), A.stride, is_complex<T> ? 2 : 1};
  return eig_detail::solve_given(*solver, plan, given, reinterpret_cast<double*>(V.data), V.stride);
}

template class DeviceEig<double>;
template class DeviceEig<std::complex<double>>;

}  // namespace pivotlab
