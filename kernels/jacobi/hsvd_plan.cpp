// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the hyperbolic SVD of matrices of a GPU.
#include <pivotlab/device_hsvd.hpp>

#include "kernels/exec/build.hpp"
#include "kernels/jacobi/backend.hpp"
#include "kernels/numerics/require_shape.hpp"

#include <complex>

namespace pivotlab {
namespace {

jacobi::SolverPlan checked_plan(bool complex, Index m, Index n, HsvdOptions& options) {
  options.backend = Backend::cuda;
  for (const auto& [given, name] :
       {std::pair(options.variant.exact, "exact"), std::pair(options.variant.refine, "refine")})
    if (given)
      throw NotSupported(std::string("option ") + name +
                         ": there is no plan for matrices of a GPU; take a variant without " + name);
  jacobi::SolverPlan plan = jacobi::make_plan(complex, m, n, options);
  jacobi::require_shapes(m, n, {});
  if (n < 1) throw InputError("matrix G: it has no column; a plan is for at least one");
  return plan;
}

template <class T>
jacobi::CallerMatrix caller_matrix(MatrixView<T> A) {
  return {const_cast<double*>(reinterpret_cast<const double*>(A.data)), A.stride};  // the solver does not write G
}

}  // namespace

template <class T>
struct DeviceHsvd<T>::Parts {
  HsvdOptions options;
  jacobi::SolverPlan plan;
  std::unique_ptr<jacobi::DeviceSolver> solver;
};

template <class T>
std::size_t DeviceHsvd<T>::workspace_bytes(Index m, Index n, const HsvdOptions& options) {
  HsvdOptions on_cuda = options;
  return jacobi::workspace_bytes(checked_plan(is_complex<T>, m, n, on_cuda));
}

template <class T>
DeviceHsvd<T>::DeviceHsvd(Index m, Index n, const HsvdOptions& options, void* stream, void* workspace)
    : parts_(new Parts{options, {}, {}}) {
  parts_->plan = checked_plan(is_complex<T>, m, n, parts_->options);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  parts_->solver = on_cuda<jacobi::make_cuda_solver>(parts_->plan, workspace, CallerStream{stream});
}

template <class T>
DeviceHsvdResult DeviceHsvd<T>::run(MatrixView<const T> G, const std::vector<int>& J, MatrixView<T> U,
                                    MatrixView<T> V) {
  const jacobi::SolverPlan& plan = parts_->plan;
  require_shape("G", G, plan.rows, plan.n), require_shape("U", U, plan.rows, plan.n);
  if (plan.compute_v) require_shape("V", V, plan.n, plan.n);
  return jacobi::decompose(*parts_->solver, plan, caller_matrix(G), J, parts_->options, caller_matrix(U),
                           caller_matrix(V));
}

template class DeviceHsvd<double>;
template class DeviceHsvd<std::complex<double>>;

}  // namespace pivotlab
