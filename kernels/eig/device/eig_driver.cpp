// SPDX-License-Identifier: BSD-3-Clause
// Host driver of the decomposition on a device: scaling, plan, and conversion of the result.
#include "kernels/eig/device/eig_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/eig/device/solver_plan.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::eig_detail {
namespace {

using eig_device::DeviceSolver;
using eig_device::Which;
using Complex = std::complex<double>;

/// Returns the exponent by which A is scaled before it is balanced on the device, up to where sums of its elements are
/// still finite.
int import_exponent(double largest) {
  constexpr int room = 20;
  return std::numeric_limits<double>::max_exponent - room - exponent_of(largest);
}

/// Appends a sweep to the history. `diagonal` has n complex numbers.
void append(const eig_device::Norms& norms, const double* diagonal, Index n, double seconds,
            IterationResult<double>& result) {
  EigSweep<double> sweep;
  sweep.norm = std::sqrt(norms.squared);
  sweep.lower = std::sqrt(norms.lower_squared);
  sweep.largest_tau = norms.largest_tau;
  sweep.seconds = seconds;
  result.history.push_back(sweep);
  result.off_squared.push_back(norms.off_squared);
  result.diagonal.emplace_back();
  for (Index k = 0; k < n; ++k) result.diagonal.back().emplace_back(diagonal[2 * k], diagonal[2 * k + 1]);
}

Balance balance_of(int exponent, const int* d, Index n) {
  Balance balance{exponent, {d, d + n}};
  if (std::ranges::count(balance.d, 0) == n) balance.d.clear();
  return balance;
}

SplitComplex<double> exported(DeviceSolver& solver, Which which, Index n) {
  SplitComplex<double> result(n, n);
  solver.export_matrix(which, result.re(0), result.im(0));
  return result;
}

eig_device::Scaling scaling_of(const eig_device::SolverPlan& plan, double largest, bool triangular) {
  const bool balance = plan.balance && largest > 0 && !triangular;
  return {balance, balance ? import_exponent(largest) : 0};
}

/// Iterates, and finds right vectors if they are requested; all matrices stay on the device.
DeviceDecomposition<double> decompose_imported(DeviceSolver& solver, const eig_device::SolverPlan& plan,
                                               const eig_device::Scaling& scaling) {
  const eig_device::IterationResult iteration = solver.iterate();
  DeviceDecomposition<double> result;
  result.iteration.converged = iteration.converged;
  for (const eig_device::SweepRecord& record : iteration.history)
    append(record.norms, record.diagonal.data(), plan.n, record.seconds, result.iteration);
  result.balance = balance_of(scaling.exponent + iteration.exponent, iteration.d.data(), plan.n);
  result.compute_seconds = iteration.compute_seconds;
  if (plan.vectors) result.compute_seconds += solver.find_vectors();
  return result;
}

template <class MakeSolver>
DeviceDecomposition<double> decompose(MatrixView<const Complex> A, const EigOptions& options,
                                      const MakeSolver& make_solver) {
  const Index n = A.cols;
  const eig_device::SolverPlan plan = eig_device::make_plan(n, options);
  const auto scaling = scaling_of(plan, largest_part<double>(A), is_upper_triangular<double>(A));
  const std::unique_ptr<DeviceSolver> solver = make_solver(plan);
  solver->import_matrix(reinterpret_cast<const double*>(A.data), A.stride, scaling);
  DeviceDecomposition<double> result = decompose_imported(*solver, plan, scaling);
  if (plan.vectors) result.right = exported(*solver, Which::right, n);
  result.iterate = exported(*solver, Which::iterate, n);
  if (options.triangular_form || options.variant.finish) result.similarity.E = exported(*solver, Which::E, n);
  if (plan.inverse_basis) result.similarity.inverse_transposed = exported(*solver, Which::inverse_transposed, n);
  return result;
}

/// Extracts matrix k of [matrix][re, im][n × n].
SplitComplex<double> extracted(const std::vector<double>& matrices, Index k, Index n) {
  if (matrices.empty()) return {};
  SplitComplex<double> result(n, n);
  std::copy_n(matrices.data() + 2 * k * n * n, n * n, result.re(0));
  std::copy_n(matrices.data() + (2 * k + 1) * n * n, n * n, result.im(0));
  return result;
}

/// Extracts the decomposition of matrix k of a batch.
DeviceDecomposition<double> extracted(const eig_device::BatchOutput& batch, const eig_device::BatchPlan& plan,
                                      Index k) {
  const Index n = plan.n;
  const int sweeps = batch.sweeps[k];
  DeviceDecomposition<double> result;
  result.balance = balance_of(batch.exponent[k], batch.d.data() + k * n, n);
  result.iteration.converged = sweeps >= 0;
  for (Index s = 0; s <= (sweeps < 0 ? -1 - sweeps : sweeps); ++s) {
    const double* found = batch.history.data() + (s * plan.count + k) * (eig_device::norms_doubles + 2 * n);
    append({found[0], found[1], found[2], found[3], found[4]}, found + eig_device::norms_doubles, n, 0,
           result.iteration);
  }
  result.iterate = extracted(batch.iterate, k, n);
  result.similarity = {extracted(batch.E, k, n), extracted(batch.inverse_transposed, k, n)};
  result.right = extracted(batch.right, k, n);
  result.compute_seconds = batch.compute_seconds / plan.count;
  return result;
}

void require_device() {
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
}

}  // namespace

std::vector<DeviceDecomposition<double>> decompose_batch(MatrixView<const Complex> A, const EigOptions& options,
                                                         LaneOrder order) {
  if (options.backend == Backend::cuda) require_device();
  const Index n = A.rows, count = A.cols / n;
  const Matrix<Complex> dense(A);
  std::vector<DeviceDecomposition<double>> results;
  constexpr Index at_once = 4096;  // bounds the memory of the histories
  for (Index first = 0; first < count; first += at_once) {
    const eig_device::BatchPlan plan = eig_device::make_batch_plan(n, std::min(at_once, count - first), options);
    const auto* from = reinterpret_cast<const double*>(&dense(0, first * n));
    const eig_device::BatchOutput batch = options.backend == Backend::cuda
                                              ? on_cuda<eig_device::decompose_batch_on_cuda>(plan, from)
                                              : eig_device::decompose_batch_emulated(plan, from, order);
    for (Index k = 0; k < plan.count; ++k) results.push_back(extracted(batch, plan, k));
  }
  return results;
}

DeviceEigResult solve_given(DeviceSolver& solver, const eig_device::SolverPlan& plan, const eig_device::GivenMatrix& A,
                            double* V, std::int64_t stride) {
  double largest = 0, below = 0;
  const std::vector<eig_device::ColumnSize> columns = solver.measure(A);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (!(columns[j].largest <= std::numeric_limits<double>::max()))
      throw InputError("matrix A: column " + std::to_string(j + 1) +
                       " has an element that is not finite; remove NaN and Inf from the input");
    largest = std::max(largest, columns[j].largest);
    below = std::max(below, columns[j].below);
  }
  const auto scaling = scaling_of(plan, largest, below == 0);
  solver.import_given(A, scaling);
  const DeviceDecomposition<double> decomposition = decompose_imported(solver, plan, scaling);
  const std::vector<Complex>& lambda = decomposition.iteration.diagonal.back();
  const int exponent = decomposition.balance.exponent;
  const std::vector<Index> positions = descending(lambda);
  DeviceEigResult result;
  for (const Index k : positions) result.eigenvalues.push_back(times_power_of_two(lambda[k], -exponent));
  store_history(decomposition.iteration, lambda, exponent, result);
  result.compute_seconds = decomposition.compute_seconds;
  if (plan.vectors) solver.export_vectors({positions.begin(), positions.end()}, V, stride);
  return result;
}

DeviceDecomposition<double> decompose_emulated(MatrixView<const Complex> A, const EigOptions& options,
                                               LaneOrder order) {
  return decompose(A, options, [order](const auto& plan) { return eig_device::make_emulated_solver(plan, order); });
}

DeviceDecomposition<double> decompose_on_cuda(MatrixView<const Complex> A, const EigOptions& options) {
  require_device();
  return decompose(A, options,
                   [](const auto& plan) { return on_cuda<eig_device::make_cuda_solver>(plan, nullptr, std::nullopt); });
}

}  // namespace pivotlab::eig_detail
