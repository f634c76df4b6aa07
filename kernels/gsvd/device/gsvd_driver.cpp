// SPDX-License-Identifier: BSD-3-Clause
// Host driver of the device solver: checks, scaling, plan, and the decomposition in the caller's storage.
#include "kernels/gsvd/device/gsvd_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/gsvd/device/solver_plan.hpp"
#include "kernels/gsvd/shared/backward_error.hpp"
#include "kernels/gsvd/shared/exact_rank.hpp"
#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/rank.hpp"
#include "kernels/numerics/first_touch.hpp"
#include "kernels/numerics/threads.hpp"

#include <complex>
#include <optional>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

using device::ColumnResult;
using device::Which;

/// Returns the columns that belong to the pair, in order of descending σ.
std::vector<int> descending_columns(const std::vector<ColumnResult>& columns) {
  std::vector<int> order;
  for (std::size_t j = 0; j < columns.size(); ++j)
    if (columns[j].own != 0) order.push_back(static_cast<int>(j));
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return columns[a].sigma > columns[b].sigma; });
  return order;
}

template <class T>
void export_to(Matrix<T>& target, device::DeviceSolver& solver, Which which, const std::vector<int>& order) {
  solver.export_columns(which, order, target.rows(), reinterpret_cast<double*>(target.data()), target.rows());
}

template <class T>
Matrix<T> exported(device::DeviceSolver& solver, Which which, const std::vector<int>& order, Index rows) {
  auto result = Matrix<T>::uninitialized(rows, static_cast<Index>(order.size()));
  export_to(result, solver, which, order);
  return result;
}

// Judges the columns for which the device's bound does not suffice, as the host backend does.

template <class T>
std::vector<int> noise_among(const std::vector<int>& doubtful, device::DeviceSolver& solver,
                             const RoundingNoise<T>& noise, MatrixView<const T> F, int threads) {
  const auto f = exported<T>(solver, Which::U, doubtful, F.rows), z = exported<T>(solver, Which::Z, doubtful, F.cols);
  std::vector<int> columns;
  for (const Index j : noise_columns<T>(noise, f, z, threads)) columns.push_back(doubtful[j]);
  return columns;
}

template <class T>
bool has_full_rank(const std::vector<Index>& doubtful, MatrixView<const T> G, const GsvdResult<T>& r, int threads) {
  if (!doubtful.empty()) {
    const RoundingNoise<T> noise(G);
    if (std::ranges::any_of(doubtful, [&](Index j) {
          return noise.shows_dependence(r.V.view().col(j), r.sigma_g[j], r.Z.view().col(j));
        }))
      return false;
  }
  return gsvd_detail::confirmed_rank(G, r.Z, threads) == G.cols;
}

template <class T, class MakeSolver>
GsvdResult<T> solve(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options,
                    MakeSolver&& make_solver) {
  require_valid(options.variant);
  const int threads = thread_count(options.threads);
  const PairScaling scaling = check_pair<T>(F, G, threads);
  device::SolverPlan plan = device::make_plan(is_complex<T>, F.rows, G.rows, F.cols, options);
  plan.row_exponents = scaling.columns, plan.f_exponent = scaling.f;
  const auto solver = make_solver(plan);
  Matrix<T> scaled_f, scaled_g;
  MatrixView<const T> start_f = F, start_g = G;
  if (!scaling.columns.empty()) {
    scaled_f = Matrix<T>(F), scaled_g = Matrix<T>(G);
    apply_scaling<T>(scaling, scaled_f, scaled_g);
    start_f = scaled_f, start_g = scaled_g;
  }
  solver->import_pair(reinterpret_cast<const double*>(start_f.data), start_f.stride,
                      reinterpret_cast<const double*>(start_g.data), start_g.stride);

  GsvdResult<T> result;
  result.U = Matrix<T>::uninitialized(F.rows, F.cols), result.V = Matrix<T>::uninitialized(G.rows, F.cols);
  result.Z = Matrix<T>::uninitialized(F.cols, F.cols);
  std::optional<RoundingNoise<T>> noise;  // made on first use
  const device::IterationResult iteration = [&] {
    const FirstTouch touch(threads, result.U, result.V, result.Z);
    return solver->iterate([&](const std::vector<int>& doubtful) {
      if (!noise) noise.emplace(start_f);
      return noise_among<T>(doubtful, *solver, *noise, start_f, threads);
    });
  }();
  const std::vector<int> order = descending_columns(iteration.columns);
  if (static_cast<Index>(order.size()) != F.cols)  // NaN has spread
    throw InputError(describe_deficiency(F, G, threads));

  export_to(result.U, *solver, Which::U, order);
  export_to(result.V, *solver, Which::V, order);
  export_to(result.Z, *solver, Which::Z, order);
  std::vector<Index> doubtful;
  for (const int j : order) {
    const ColumnResult& column = iteration.columns[j];
    if (column.significant == 0) doubtful.push_back(static_cast<Index>(result.sigma.size()));
    result.sigma_f.push_back(column.sigma_f);
    result.sigma_g.push_back(column.sigma_g);
    result.sigma.push_back(column.sigma);
  }
  for (const device::SweepResult& sweep : iteration.sweeps)
    result.sweeps.push_back({sweep.counters.transformations, sweep.counters.big, sweep.counters.swaps,
                             sweep.counters.skipped_tiles, sweep.counters.qr_tiles,
                             static_cast<int>(sweep.counters.max_inner_sweeps), sweep.seconds, sweep.in_single});
  result.compute_seconds = iteration.compute_seconds;
  complete_columns<T>(result.U, options.threads);
  require_range(scaling, result);
  if (!has_full_rank<T>(doubtful, G, result, threads)) throw InputError(describe_deficiency(F, G, threads));
  if (options.compute_x) result.X = inverse_of_z<T>(F, G, result.U, result.V, result);
  judge_convergence(iteration.converged, options, result);
  if (!scaling.columns.empty()) gsvd_detail::verify(F, G, threads, result);  // elements of Z may have underflowed
  return result;
}

}  // namespace

template <class T>
GsvdResult<T> gsvd_emulated(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options, LaneOrder order) {
  return solve<T>(F, G, options, [order](const auto& plan) { return device::make_emulated_solver(plan, order); });
}

template <class T>
GsvdResult<T> gsvd_on_cuda(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  return solve<T>(F, G, options, [](const auto& plan) { return on_cuda<device::make_cuda_solver>(plan); });
}

template decltype(gsvd_emulated<double>) gsvd_emulated<double>;
template decltype(gsvd_emulated<std::complex<double>>) gsvd_emulated<std::complex<double>>;
template decltype(gsvd_on_cuda<double>) gsvd_on_cuda<double>;
template decltype(gsvd_on_cuda<std::complex<double>>) gsvd_on_cuda<std::complex<double>>;

}  // namespace pivotlab
