// SPDX-License-Identifier: BSD-3-Clause
// Driver of the device solver: checks, scaling, order of the columns, sweeps, and the result in the caller's storage.
#include "kernels/jacobi/device/hsvd_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/numerics/first_touch.hpp"
#include "support/timer.hpp"
#include "variants/orderings/strategy.hpp"

#include <complex>
#include <pivotlab/error.hpp>

namespace pivotlab::jacobi {
namespace {

HsvdSweep sweep_of(const SweepResult& sweep) {
  const TileCounters& c = sweep.counters;
  return {.transformations = c.transformations,
          .big = c.big,
          .hyperbolic = c.hyperbolic,
          .clamped = c.clamped,
          .skipped_tiles = c.skipped_tiles,
          .qr_tiles = c.qr_tiles,
          .null_columns = sweep.null_columns,
          .max_inner_sweeps = static_cast<int>(c.max_inner_sweeps),
          .largest_cosine = c.largest_cosine,
          .largest_tan = c.largest_tan,
          .largest_tanh = c.largest_tanh,
          .seconds = sweep.seconds};
}

std::vector<int> as_ints(const std::vector<Index>& indices) {
  return {indices.begin(), indices.end()};
}

template <class T, class MakeSolver>
HsvdResult<T> decompose_host_matrix(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options,
                                    MakeSolver&& make_solver) {
  const SolverPlan plan = make_plan(is_complex<T>, G.rows, G.cols, options);
  require_shapes(G.rows, G.cols, J);
  const int threads = thread_count(options.threads);
  detail::largest_parts(G, 'G', threads);  // its errors name the element
  HsvdResult<T> result;
  result.U = Matrix<T>::uninitialized(G.rows, G.cols);
  if (options.compute_v) result.V = Matrix<T>::uninitialized(G.cols, G.cols);
  if (G.cols == 0) {
    result.status = Status::passed;
    return result;
  }
  const std::unique_ptr<DeviceSolver> solver = make_solver(plan);
  const CallerMatrix exchange = solver->exchange_u();
  const CallerMatrix V = options.compute_v ? solver->exchange_v() : CallerMatrix{};
  solver->upload(exchange, reinterpret_cast<const double*>(G.data), G.stride, G.rows);
  DeviceHsvdResult values = [&] {
    const FirstTouch touch(threads, result.U, result.V);
    return decompose(*solver, plan, exchange, J, options, exchange, V);
  }();
  solver->download(reinterpret_cast<double*>(result.U.data()), G.rows, exchange, G.rows);
  if (options.compute_v) solver->download(reinterpret_cast<double*>(result.V.data()), G.cols, V, G.cols);
  complete_columns<T>(result.U, threads);
  result.status = values.status;
  result.message = std::move(values.message);
  result.sigma = std::move(values.sigma);
  result.J = std::move(values.J);
  result.estimate = std::move(values.estimate);
  result.sweeps = std::move(values.sweeps);
  result.compute_seconds = values.compute_seconds;
  return result;
}

}  // namespace

SolverPlan make_plan(bool complex, Index m, Index n, const HsvdOptions& options) {
  require_valid(options);
  const HsvdVariant& variant = options.variant;
  const std::string backend = "backend '" + std::string(to_string(options.backend)) + "': ";
  if (variant.form == JacobiForm::PT)
    throw NotSupported(backend + "the kernels have the forms FB and BO; take the backend host for PT");
  if (variant.qrp) throw NotSupported(backend + "the kernels have no qrp; take the backend host");
  const bool nested = variant.width == 64 && !complex;
  if (variant.width != 16 && variant.width != 32 && !nested)
    throw NotSupported(backend + "w=" + std::to_string(variant.width) +
                       ": the kernels have block widths 16, 32 and, for real numbers, 64");
  const Index tile = 2 * variant.width, inner_tile = nested ? variant.width : tile;
  SolverPlan plan;
  plan.complex = complex;
  plan.width = variant.width;
  plan.rows = m, plan.n = n, plan.order = bordered(std::max<Index>(n, 1), tile);
  plan.compute_v = options.compute_v;
  plan.outer_strategy = make_strategy_table(variant.strategy, plan.order / variant.width);
  plan.inner_strategy = make_strategy_table(variant.strategy, inner_tile);
  plan.factor = variant.factor == TileFactor::qr ? device::FactorKind::qr : device::FactorKind::cholesky;
  plan.fix = variant.fix;
  plan.rules = rules_of<double>(variant, inner_tile);
  plan.max_inner_sweeps = variant.form == JacobiForm::BO ? 1 : options.max_inner_sweeps;
  return plan;
}

DeviceHsvdResult decompose(DeviceSolver& solver, const SolverPlan& plan, const CallerMatrix& G,
                           const std::vector<int>& J, const HsvdOptions& options, const CallerMatrix& U,
                           const CallerMatrix& V) {
  require_shapes(plan.rows, plan.n, J);
  const Timer timer;
  const std::vector<double> largest = solver.largest_parts(G);
  for (std::size_t j = 0; j < largest.size(); ++j)
    if (!(largest[j] <= std::numeric_limits<double>::max()))
      throw InputError("matrix G: column " + std::to_string(j + 1) +
                       " has an element that is not finite; remove NaN and Inf from the input");
  const int exponent = scaling_exponent(largest);
  const std::vector<double> given = solver.norms(G, exponent);
  const std::vector<Index> columns = order_of_columns(given, J);
  std::vector<double> signs(plan.order, 1.0), noise(signs.size(), 1.0);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (is_negative(J, columns[j])) signs[j] = -1;
    noise[j] = given[columns[j]];
  }
  for (double& x : noise) x *= std::numeric_limits<double>::epsilon();
  solver.import_matrix(G, exponent, as_ints(columns), signs, noise);

  DeviceHsvdResult result;
  const bool orthogonal = sweep_until_orthogonal<double>(
      plan.rows, options, result.sweeps, [&] { return sweep_of(solver.sweep()); },
      [&] { return solver.largest_cosine(); });
  const std::vector<double> norms = solver.column_norms();
  signs.resize(norms.size());
  const std::vector<int> order = as_ints(store_values(norms, signs, solver.column_noise(), exponent, result));
  judge_convergence(orthogonal, options, result);
  solver.export_u(order, norms, U);
  if (plan.compute_v) solver.export_v(order, as_ints(columns), V);
  solver.synchronize();
  result.compute_seconds = timer.seconds();
  return result;
}

template <class T>
HsvdResult<T> hsvd_emulated(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options,
                            LaneOrder order) {
  return decompose_host_matrix<T>(G, J, options,
                                  [order](const SolverPlan& plan) { return make_emulated_solver(plan, order); });
}

template <class T>
HsvdResult<T> hsvd_on_cuda(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  return decompose_host_matrix<T>(
      G, J, options, [](const SolverPlan& plan) { return on_cuda<make_cuda_solver>(plan, nullptr, std::nullopt); });
}

using Complex = std::complex<double>;
template decltype(hsvd_emulated<double>) hsvd_emulated<double>;
template decltype(hsvd_emulated<Complex>) hsvd_emulated<Complex>;
template HsvdResult<double> hsvd_on_cuda(MatrixView<const double>, const std::vector<int>&, const HsvdOptions&);
template HsvdResult<Complex> hsvd_on_cuda(MatrixView<const Complex>, const std::vector<int>&, const HsvdOptions&);

}  // namespace pivotlab::jacobi
