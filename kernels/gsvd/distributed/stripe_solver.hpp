// SPDX-License-Identifier: BSD-3-Clause
// Interface between the outermost level and the algorithm of one rank, which holds two stripes of F, G and Z, does
// sweeps over both, and sends and receives a stripe.
#pragma once

#include "kernels/gsvd/distributed/checkpoint.hpp"
#include "kernels/gsvd/distributed/stripe_plan.hpp"
#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"

#include <pivotlab/distributed_gsvd.hpp>

#include <memory>
#include <vector>

namespace pivotlab {

/// Partition of n columns into 2s stripes of equal width, a multiple of the block width w (section 4.1.2).
struct StripeLayout {
  Index n = 0;
  Index order = 0;  ///< n with the border
  Index width = 0;  ///< of a stripe
  int ranks = 1;

  StripeLayout(Index columns, const GsvdVariant& variant, int number_of_ranks) : n(columns), ranks(number_of_ranks) {
    const Index multiple = 2 * Index(variant.width) * ranks;
    order = (n + multiple - 1) / multiple * multiple;
    width = order / (2 * ranks);
  }

  Index border() const { return order - n; }
  Index columns() const { return 2 * width; }  ///< columns of a rank
  /// Returns the columns of two stripes in the bordered pair.
  std::vector<Index> columns_of(const PivotPair& stripes) const {
    std::vector<Index> result;
    for (const std::uint32_t stripe : {stripes.p, stripes.q})
      for (Index j = 0; j < width; ++j) result.push_back(stripe * width + j);
    return result;
  }
};

enum class Part { F, G, Z };

/// The results of the extraction of one column of the decomposition.
template <class R>
struct ColumnOfResult {
  R sigma_f, sigma_g, sigma;
  bool own;  ///< belongs to the pair, not to the border
};

/// Two stripes on one rank, numbered 0 and 1; columns are numbered from 0 through both.
template <class T>
class StripeSolver {
 public:
  using R = RealOf<T>;
  virtual ~StripeSolver() = default;

  virtual void prescale() = 0;
  /// Does at most `max_sweeps` sweeps over both stripes, until a sweep has no big transformations, and appends their
  /// counters to `sweeps`. Returns whether there was such a sweep.
  virtual bool sweep(int max_sweeps, std::vector<SweepCounters>& sweeps) = 0;
  /// Does one sweep over the pairs with one block column of each stripe.
  virtual void sweep_across(std::vector<SweepCounters>& sweeps) = 0;

  /// Returns the memory of the stripe at a place, from which the transport sends.
  virtual std::vector<Piece> outgoing(int place) = 0;
  /// Returns the memory to receive into while the stripe at that place is sent: spare memory, or that stripe's own.
  virtual std::vector<Piece> incoming(int place) = 0;
  /// Moves the kept stripe and the received one to their places.
  virtual void rearrange(const StripeMove& move) = 0;

  /// Passes both stripes in host memory, piece after piece, to be written to a file or to be filled from one.
  virtual void save(const VisitPiece& write) = 0;
  virtual void load(const VisitPiece& read) = 0;

  /// Returns the columns of F that are not zero and that the bound does not distinguish from noise.
  virtual std::vector<Index> doubtful_columns() = 0;
  virtual void clear_columns(const std::vector<Index>& columns) = 0;
  /// Computes U, V and Z in place of F, G and Z.
  virtual std::vector<ColumnOfResult<R>> extract(const PairScaling& scaling) = 0;
  /// Returns the first `rows` rows of columns of F, G or Z.
  virtual Matrix<T> columns(Part part, const std::vector<Index>& columns, Index rows) = 0;
};

/// The input of a solver. F and G may be released after construction; everything else must outlive the solver.
template <class T>
struct StripeProblem {
  const StripeLayout& layout;
  const DistributedGsvdOptions& options;
  PivotPair stripes;                   ///< stripes of this rank
  MatrixView<const T> F, G;            ///< bordered and scaled, columns of both stripes
  const RoundingNoise<T>& noise;       ///< noise of F, as far as this rank knows F
  const NoiseBound<RealOf<T>>& bound;  ///< of the whole F
  const PairScaling& scaling;
};

template <class T>
std::unique_ptr<StripeSolver<T>> make_host_stripes(const StripeProblem<T>& problem);
/// Makes a solver on the `device`-th GPU, or an emulated one. `in_place`: a stripe is received into the memory of the
/// sent one.
template <class T>
std::unique_ptr<StripeSolver<T>> make_device_stripes(const StripeProblem<T>& problem, int device, bool in_place);

/// Returns the options of the single-GPU algorithm on two stripes.
inline GsvdOptions stripe_options(const DistributedGsvdOptions& options) {
  return {.variant = options.variant.inner,
          .backend = options.backend,
          .max_outer_sweeps = options.max_stripe_sweeps,
          .max_inner_sweeps = options.max_inner_sweeps,
          .threads = options.threads};
}

}  // namespace pivotlab
