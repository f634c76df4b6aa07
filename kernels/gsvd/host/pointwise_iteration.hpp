// SPDX-License-Identifier: BSD-3-Clause
// The pointwise algorithm on whole columns, without blocks, Gram matrices or factorizations: the method of section 2.1,
// and the reference for the blocked algorithm.
#pragma once

#include "kernels/gsvd/host/blocked.hpp"
#include "kernels/gsvd/shared/convergence.hpp"
#include "support/timer.hpp"

#include <pivotlab/interrupt.hpp>

namespace pivotlab {

template <class T>
class PointwiseIteration {
 public:
  PointwiseIteration(const GsvdOptions& options, Index order)
      : options_(options), strategy_(make_strategy_table(options.variant.outer, order)) {}

  static Index order_multiple(const GsvdVariant&) { return 2; }

  bool run(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, const RoundingNoise<T>& noise,
           std::vector<SweepCounters>& sweeps) {
    SplitMatrix<T> f(F.rows, F.cols), g(G.rows, G.cols), z(Z.rows, Z.cols);
    f.assign(F), g.assign(G), z.assign(Z);
    PointwiseAlgorithm<T> algorithm(strategy_, options_.variant);
    bool converged = false;
    while (!converged && static_cast<int>(sweeps.size()) < options_.max_outer_sweeps) {
      throw_if_interrupted();
      const Timer timer;
      const PointwiseCounters c = algorithm.run(f, g, z, 1, options_.variant.prescaled);
      sweeps.push_back({.transformations = c.transformations,
                        .big = c.big,
                        .swaps = c.swaps,
                        .max_inner_sweeps = 1,
                        .seconds = timer.seconds()});
      converged = gsvd_detail::has_converged(sweeps);
      f.copy_to(F), z.copy_to(Z);
      for (const Index j : noise_columns<T>(noise, F, Z, 1)) std::ranges::fill(F.col(j), T(0));
      f.assign(F);
    }
    g.copy_to(G);
    return converged;
  }

 private:
  GsvdOptions options_;
  StrategyTable strategy_;
};

}  // namespace pivotlab
