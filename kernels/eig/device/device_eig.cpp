// The host's side of the decomposition on a device: scale, plan, and the result in the host's form.
#include "kernels/eig/device/device_eig.hpp"

#include "kernels/eig/device/plan.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::eig_detail {
namespace {

using eig_device::DeviceSolver;
using eig_device::Which;
using Complex = std::complex<double>;

/// By how much A is scaled before it is balanced on the device: up to where sums of its elements still are numbers.
int import_exponent(double largest) {
  constexpr int room = 64;
  return std::numeric_limits<double>::max_exponent - room - exponent_of(largest);
}

IterationResult<double> to_host(const eig_device::IterationResult& device) {
  IterationResult<double> result;
  result.converged = device.converged;
  for (const eig_device::SweepRecord& record : device.history) {
    const eig_device::Norms& norms = record.norms;
    EigSweep<double> sweep;
    sweep.norm = std::sqrt(norms.squared);
    sweep.lower = std::sqrt(norms.lower_squared);
    sweep.largest_tau = norms.largest_tau;
    sweep.seconds = record.seconds;
    result.history.push_back(sweep);
    result.off_squared.push_back(norms.off_squared);
    result.diagonal.emplace_back();
    for (std::size_t k = 0; k < record.diagonal.size(); k += 2)
      result.diagonal.back().emplace_back(record.diagonal[k], record.diagonal[k + 1]);
  }
  return result;
}

SplitComplex<double> exported(DeviceSolver& solver, Which which, Index n) {
  SplitComplex<double> result(n, n);
  solver.export_matrix(which, result.re(0), result.im(0));
  return result;
}

template <class MakeSolver>
DeviceDecomposition decompose(MatrixView<const Complex> A, const EigOptions& options, const MakeSolver& make_solver) {
  const Index n = A.cols;
  eig_device::SolverPlan plan = eig_device::make_plan(n, options);
  const double largest = largest_part<double>(A);
  plan.balance = plan.balance && largest > 0 && !is_upper_triangular<double>(A);
  plan.import_exponent = plan.balance ? import_exponent(largest) : 0;
  const std::unique_ptr<DeviceSolver> solver = make_solver(plan);
  solver->import_matrix(reinterpret_cast<const double*>(A.data), A.stride);

  const eig_device::IterationResult iteration = solver->iterate();
  DeviceDecomposition result;
  result.iteration = to_host(iteration);
  result.balance = {plan.import_exponent + iteration.exponent, iteration.d};
  if (std::ranges::count(result.balance.d, 0) == n) result.balance.d.clear();
  result.compute_seconds = iteration.compute_seconds;
  if (plan.vectors) {
    result.compute_seconds += solver->find_vectors();
    result.right = exported(*solver, Which::right, n);
  }
  result.iterate = exported(*solver, Which::iterate, n);
  if (options.triangular_form) result.similarity.E = exported(*solver, Which::E, n);
  if (plan.inverse_basis) result.similarity.inverse_transposed = exported(*solver, Which::inverse_transposed, n);
  return result;
}

}  // namespace

DeviceDecomposition decompose_emulated(MatrixView<const Complex> A, const EigOptions& options, LaneOrder order) {
  return decompose(A, options, [order](const auto& plan) { return eig_device::make_emulated_solver(plan, order); });
}

DeviceDecomposition decompose_on_cuda(MatrixView<const Complex> A, const EigOptions& options) {
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
  return decompose(A, options, [](const auto& plan) { return eig_device::make_cuda_solver(plan); });
}

}  // namespace pivotlab::eig_detail
