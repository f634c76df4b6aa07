// SPDX-License-Identifier: BSD-3-Clause
// The blocked one-sided Hari–Zimmermann algorithm on the host. Novaković & Singer, sections 2.3–2.5 and 3.
//
//   border F, G to n = 2w·k;  Z := I (prescaled variants: F, G, Z := F·Z₀, G·Z₀, Z₀)
//   for every outer sweep, every step of the outer strategy, all pivot block pairs (p, q) of the step at once:
//     F̂, Ĝ := factors of [F_p F_q], [G_p G_q]              (tile_factor.hpp)
//     Ẑ := pointwise algorithm on (F̂, Ĝ), columns rescaled   (pointwise.hpp)
//     [F_p F_q], [G_p G_q], [Z_p Z_q] := …·Ẑ                 (skipped if Ẑ = I)
//   columns of F that consist of rounding noise become zero after every sweep
//   stop after a sweep without big transformations;  rescale F, G, Z by columns between sweeps
//   U Σ_F := F, V Σ_G := G
//
// Each tile is computed by one thread, and tiles of a step share nothing: the result does not depend on the number of
// threads.
#pragma once

#include "kernels/gsvd/host/pointwise.hpp"
#include "kernels/gsvd/host/tile_columns.hpp"
#include "kernels/gsvd/shared/convergence.hpp"
#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/numerics/threads.hpp"
#include "support/timer.hpp"

#include <omp.h>
#include <exception>
#include <memory>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/interrupt.hpp>
#include <span>

namespace pivotlab {

/// The counters of one tile.
struct TileCounters {
  PointwiseCounters pointwise;
  int qr_factors = 0;
};

/// Transforms tiles of order k = 2w. Each thread has its own solver.
template <class T>
class TileSolver {
 public:
  using R = RealOf<T>;

  TileSolver(const GsvdVariant& variant, const StrategyTable& inner, int max_sweeps)
      : variant_(variant),
        max_sweeps_(max_sweeps),
        algorithm_(inner, variant),
        F_(inner.order, inner.order),
        G_(inner.order, inner.order),
        Z_(inner.order, inner.order),
        square_(inner.order, inner.order),
        columns_(variant.width) {}

  /// Transforms one pivot block pair: columns [p, p + w) and [q, q + w) of F, G and Z.
  TileCounters process(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, Index p, Index q);

 private:
  typename TileColumns<T>::Factor factor(MatrixView<const T> Y, Index p, Index q, SplitMatrix<T>& factor) {
    const auto result = columns_.factor(Y, p, q, variant_.factor, square_);
    factor.assign(square_.view());
    return result;
  }

  /// Rescales the tile's factors by Θ of section 2.4.
  void rescale() {
    for (Index j = 0; j < Z_.cols(); ++j) {
      const R squared = squared_norm<false>(F_, j) + squared_norm<false>(G_, j);
      Z_.scale_column(j, R(1) / square_root(squared));
    }
  }

  GsvdVariant variant_;
  int max_sweeps_;
  PointwiseAlgorithm<T> algorithm_;
  SplitMatrix<T> F_, G_, Z_;  // the tile's factors and its transformation
  Matrix<T> square_;          // k × k: factor, then transformation
  TileColumns<T> columns_;
};

template <class T>
TileCounters TileSolver<T>::process(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, Index p, Index q) {
  TileCounters counters;
  counters.qr_factors += factor(F, p, q, F_).replaced;
  const auto g = factor(G, p, q, G_);
  counters.qr_factors += g.replaced;
  Z_.set_identity();
  counters.pointwise =
      algorithm_.run(F_, G_, Z_, max_sweeps_, variant_.prescaled && g.independence > safe_independence<R>());
  if (counters.pointwise.identity()) return counters;

  rescale();
  Z_.copy_to(square_);
  for (const auto& Y : {F, G, Z}) columns_.multiply(Y, p, q, square_);
  return counters;
}

// gsvd.cpp instantiates this template, which takes half a minute to compile.
extern template TileCounters TileSolver<double>::process(MatrixView<double>, MatrixView<double>, MatrixView<double>,
                                                         Index, Index);
extern template TileCounters TileSolver<std::complex<double>>::process(MatrixView<std::complex<double>>,
                                                                       MatrixView<std::complex<double>>,
                                                                       MatrixView<std::complex<double>>, Index, Index);

/// Iterates on a bordered pair until convergence. F, G and Z have `order` columns each and are overwritten.
template <class T>
class BlockedAlgorithm {
 public:
  using R = RealOf<T>;

  BlockedAlgorithm(const GsvdOptions& options, Index order)
      : options_(options),
        outer_(make_strategy_table(options.variant.outer, order / options.variant.width)),
        inner_(make_strategy_table(options.variant.inner, 2 * options.variant.width)),
        threads_(thread_count(options.threads)) {
    const int max_inner = options.variant.blocking == Blocking::BO ? 1 : options.max_inner_sweeps;
    for (int t = 0; t < threads_; ++t)
      solvers_.push_back(std::make_unique<TileSolver<T>>(options.variant, inner_, max_inner));
  }

  static Index order_multiple(const GsvdVariant& variant) { return 2 * variant.width; }

  /// Returns whether the last sweep was free of big transformations. `noise` belongs to F.
  bool run(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, const RoundingNoise<T>& noise,
           std::vector<SweepCounters>& sweeps) {
    prescale(F, G, Z);
    return iterate(outer_, F, G, Z, noise, options_.max_outer_sweeps, sweeps);
  }

  /// Applies Z₀ of the prescaled variants.
  void prescale(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z) const {
    if (!options_.variant.prescaled) return;
    const auto norm_of_g = [](R, R g) { return g; };
    options_.variant.enhanced_dots ? scale_columns<true>(F, G, Z, norm_of_g) : scale_columns<false>(F, G, Z, norm_of_g);
  }

  /// Returns the table of the outer strategy.
  const StrategyTable& all_pairs() const { return outer_; }

  /// Does up to `max_sweeps` sweeps over the `pairs` of block columns. With all pairs and a prescaled pair this is the
  /// same as run(). Z may have more rows than columns.
  bool iterate(const StrategyTable& pairs, MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z,
               const RoundingNoise<T>& noise, int max_sweeps, std::vector<SweepCounters>& sweeps) {
    for (int count = 0; count < max_sweeps; ++count) {
      sweeps.push_back(sweep(pairs, F, G, Z));
      for (const Index j : noise_columns<T>(noise, F, Z, threads_)) std::ranges::fill(F.col(j), T(0));
      if (gsvd_detail::has_converged(std::span(sweeps).last(static_cast<std::size_t>(count) + 1))) return true;
      scale_columns<false>(F, G, Z, [](R f, R g) { return R(f + g); });
    }
    return false;
  }

 private:
  SweepCounters sweep(const StrategyTable& table, MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z) {
    const Timer timer;
    SweepCounters counters;
    std::vector<TileCounters> tiles(table.order / 2);
    const Index w = options_.variant.width;
    for (Index s = 0; s < table.steps; ++s) {
      const auto pairs = table.step(s);
      throw_if_interrupted();
      std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) num_threads(std::min <std::size_t>(threads_, pairs.size()))
      for (std::size_t l = 0; l < pairs.size(); ++l) try {
          tiles[l] = solvers_[omp_get_thread_num()]->process(F, G, Z, pairs[l].p * w, pairs[l].q * w);
        } catch (...) {
#pragma omp critical
          error = std::current_exception();
        }
      if (error) std::rethrow_exception(error);
      for (const auto& tile : tiles) {
        counters.transformations += tile.pointwise.transformations;
        counters.big += tile.pointwise.big;
        counters.swaps += tile.pointwise.swaps;
        counters.skipped_tiles += tile.pointwise.identity();
        counters.qr_tiles += tile.qr_factors;
        counters.max_inner_sweeps = std::max(counters.max_inner_sweeps, tile.pointwise.sweeps);
      }
    }
    counters.seconds = timer.seconds();
    return counters;
  }

  /// Divides column j of F, G and Z by √weight(‖f_j‖², ‖g_j‖²). The text scales Z alone between sweeps; scaling all
  /// three keeps F·Z₀ = F true also for ill-conditioned pairs.
  template <bool enhanced, class Weight>
  void scale_columns(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, Weight weight) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (Index j = 0; j < Z.cols; ++j) {
      const R squared = weight(squared_norm<enhanced, T>(F, j), squared_norm<enhanced, T>(G, j));
      if (squared == R(1)) continue;
      const R factor = R(1) / square_root(squared);
      for (const auto& Y : {F, G, Z}) as_eigen(Y).col(j) *= factor;
    }
  }

  GsvdOptions options_;
  StrategyTable outer_, inner_;
  int threads_;
  std::vector<std::unique_ptr<TileSolver<T>>> solvers_;
};

}  // namespace pivotlab
