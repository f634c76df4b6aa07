// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic SVD on the host: sweeps of the three forms.
#pragma once

#include "kernels/jacobi/host/blocked.hpp"
#include "kernels/jacobi/host/qr_preconditioner.hpp"
#include "kernels/jacobi/shared/problem.hpp"
#include "support/timer.hpp"
#include "variants/orderings/strategy.hpp"

#include <omp.h>
#include <exception>
#include <memory>
#include <pivotlab/interrupt.hpp>

namespace pivotlab::jacobi {

/// Iterates on whole columns, and returns whether they are orthogonal. V is empty or a square matrix.
template <class T>
bool iterate_by_pairs(Problem<T>& problem, MatrixView<T> V, const HsvdOptions& options, int threads,
                      std::vector<HsvdSweep>& sweeps) {
  const StrategyTable table = make_strategy_table(options.variant.strategy, problem.G.cols());
  SplitMatrix<T> g(problem.G.rows(), problem.G.cols()), v(V.rows, V.cols);
  g.assign(problem.G.view()), v.assign(V);
  PointwiseIteration<T> iteration(table, rules_of<RealOf<T>>(options.variant, problem.G.rows()), threads);
  std::vector<RealOf<T>> noise(problem.noise.size());
  for (std::size_t j = 0; j < noise.size(); ++j) noise[j] = squared_norm<false>(g, static_cast<Index>(j));
  const auto sweep = [&]() -> HsvdSweep {
    const Timer timer;
    const PointwiseCounters c = iteration.run(g, V.cols > 0 ? &v : nullptr, problem.J, noise, 1);
    return {.transformations = c.transformations,
            .big = c.big,
            .hyperbolic = c.hyperbolic,
            .clamped = c.clamped,
            .null_columns = c.null_columns,
            .max_inner_sweeps = 1,
            .largest_cosine = c.largest_cosine,
            .largest_tan = c.largest_tan,
            .largest_tanh = c.largest_tanh,
            .seconds = timer.seconds()};
  };
  const bool orthogonal = sweep_until_orthogonal<RealOf<T>>(problem.rows, options, sweeps, sweep, [&] {
    g.copy_to(problem.G);
    return largest_cosine<T>(problem.G.view(), threads);
  });
  g.copy_to(problem.G), v.copy_to(V);
  std::ranges::transform(noise, problem.noise.begin(), noise_norm<RealOf<T>>);
  return orthogonal;
}

/// Sets the columns of G that are not larger than their noise to zero, and returns their number.
template <class T>
std::uint64_t clear_noise(MatrixView<T> G, std::span<const RealOf<T>> noise, int threads) {
  const auto norms = column_norms<T>(G, threads);
  std::uint64_t cleared = 0;
  for (Index j = 0; j < G.cols; ++j) {
    if (norms[j] == RealOf<T>(0) || norms[j] > noise[j]) continue;
    std::ranges::fill(G.col(j), T(0));
    ++cleared;
  }
  return cleared;
}

/// Iterates by tiles, and returns whether the columns are orthogonal.
template <class T>
bool iterate_by_tiles(Problem<T>& problem, MatrixView<T> V, const HsvdOptions& options, int threads,
                      std::vector<HsvdSweep>& sweeps) {
  const Index w = options.variant.width;
  const MatrixView<T> G = problem.G;
  const StrategyTable outer = make_strategy_table(options.variant.strategy, G.cols / w);
  const StrategyTable inner = make_strategy_table(options.variant.strategy, 2 * w);
  std::vector<std::unique_ptr<TileSolver<T>>> solvers;
  for (int t = 0; t < threads; ++t)
    solvers.push_back(std::make_unique<TileSolver<T>>(options.variant, inner, options.max_inner_sweeps));
  std::vector<HsvdSweep> tiles(outer.order / 2);
  const auto sweep = [&] {
    const Timer timer;
    HsvdSweep sum;
    for (Index s = 0; s < outer.steps; ++s) {
      throw_if_interrupted();
      const auto pairs = outer.step(s);
      std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) num_threads(std::min <std::size_t>(threads, pairs.size()))
      for (std::size_t l = 0; l < pairs.size(); ++l) try {
          tiles[l] =
              solvers[omp_get_thread_num()]->process(G, V, problem.J, problem.noise, pairs[l].p * w, pairs[l].q * w);
        } catch (...) {
#pragma omp critical
          error = std::current_exception();
        }
      if (error) std::rethrow_exception(error);
      for (const HsvdSweep& tile : tiles) add(sum, tile);
    }
    sum.null_columns = clear_noise<T>(G, problem.noise, threads);
    sum.seconds = timer.seconds();
    return sum;
  };
  return sweep_until_orthogonal<RealOf<T>>(problem.rows, options, sweeps, sweep,
                                           [&] { return largest_cosine<T>(G, threads); });
}

template <class T>
HsvdResult<T> iterate(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  const int threads = thread_count(options.threads);
  const bool by_pairs = options.variant.form == JacobiForm::PT;
  Problem<T> problem = make_problem(G, J, by_pairs ? 2 : 2 * options.variant.width, threads);
  HsvdResult<T> result;
  const Timer timer;
  Matrix<T> V = options.compute_v ? Matrix<T>::identity(problem.G.cols()) : Matrix<T>();
  bool orthogonal = true;
  if (G.cols > 0)
    orthogonal = (by_pairs ? iterate_by_pairs<T> : iterate_by_tiles<T>)(problem, V, options, threads, result.sweeps);
  finish<T>(problem, V.view(), threads, result);
  judge_convergence(orthogonal, options, result);
  result.compute_seconds = timer.seconds();
  return result;
}

template <class T>
HsvdResult<T> hsvd_on_host(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  require_valid(options);
  if (!options.variant.qrp || G.cols == 0) return iterate<T>(G, J, options);
  const Timer timer;
  const QrPreconditioner<T> preconditioner(G, J, thread_count(options.threads));
  const Matrix<T> L = preconditioner.L();
  HsvdResult<T> result = iterate<T>(L, J, options);
  preconditioner.take_back(L, options.compute_v, result);
  result.compute_seconds = timer.seconds();
  return result;
}

/// Returns whether squares in the iteration on G, or on its factor L, are normal numbers of T.
template <class T>
bool fits_the_range(MatrixView<const T> G, const HsvdVariant& variant, int threads) {
  constexpr int widest = widest_range<RealOf<T>>(), rounding = 64;
  const Grading grading = grading_of(G, threads);
  return grading.columns <= widest && (!variant.qrp || grading.columns + grading.rows <= widest - rounding);
}

}  // namespace pivotlab::jacobi
