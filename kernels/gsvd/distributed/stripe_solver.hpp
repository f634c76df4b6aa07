// Interface between the outermost level and the algorithm of one rank, which holds two stripes of F, G and Z, sweeps
// over both, and sends and receives a stripe.
#pragma once

#include "kernels/gsvd/distributed/checkpoint.hpp"
#include "kernels/gsvd/distributed/stripe_plan.hpp"
#include "kernels/gsvd/shared/noise.hpp"
#include "kernels/gsvd/shared/pair.hpp"

#include <pivotlab/distributed_gsvd.hpp>

#include <memory>
#include <vector>

namespace pivotlab {

/// How n columns are cut: 2s stripes of equal width, a multiple of the block width w (section 4.1.2).
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
  Index columns() const { return 2 * width; }  ///< of a rank
  /// Columns of the bordered pair that two stripes consist of.
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
  bool own;  ///< belongs to the user's pair, not to the border
};

/// Two stripes on one rank, the first 0 and the second 1; columns are numbered from 0 through both.
template <class T>
class StripeSolver {
 public:
  using R = RealOf<T>;
  virtual ~StripeSolver() = default;

  virtual void prescale() = 0;
  /// Sweeps over both stripes, at most `max_sweeps`, until one had no big transformations: appended to `sweeps`.
  /// Returns whether it came to that.
  virtual bool sweep(int max_sweeps, std::vector<SweepCounters>& sweeps) = 0;
  /// One sweep over the pairs of a block column of each stripe alone.
  virtual void sweep_across(std::vector<SweepCounters>& sweeps) = 0;

  /// Memory of the stripe at a place, for the transport to send.
  virtual std::vector<Piece> outgoing(int place) = 0;
  /// To receive into while the stripe at that place is sent: spare memory, or that stripe's own.
  virtual std::vector<Piece> incoming(int place) = 0;
  /// Brings the kept stripe and the received one to their places.
  virtual void rearrange(const StripeMove& move) = 0;

  /// Both stripes in the host's memory, piece after piece: to be written down, and to be filled with what was.
  virtual void save(const VisitPiece& write) = 0;
  virtual void load(const VisitPiece& read) = 0;

  /// Columns of F that are not zero and that the bound does not tell from noise.
  virtual std::vector<Index> doubtful_columns() = 0;
  virtual void clear_columns(const std::vector<Index>& columns) = 0;
  /// U, V and Z in place of F, G and Z.
  virtual std::vector<ColumnOfResult<R>> extract(const PairScaling& scaling) = 0;
  /// Columns of F, G or Z, the first `rows` of each.
  virtual Matrix<T> columns(Part part, const std::vector<Index>& columns, Index rows) = 0;
};

/// The input of a solver; all of it but F and G outlives the solver.
template <class T>
struct StripeProblem {
  const StripeLayout& layout;
  const DistributedGsvdOptions& options;
  PivotPair stripes;                   ///< those of this rank
  MatrixView<const T> F, G;            ///< bordered and scaled, columns of both stripes
  const RoundingNoise<T>& noise;       ///< of F, as far as this rank knows it
  const NoiseBound<RealOf<T>>& bound;  ///< of all of F
  const PairScaling& scaling;
};

template <class T>
std::unique_ptr<StripeSolver<T>> make_host_stripes(const StripeProblem<T>& problem);
/// On the `device`-th GPU, or emulated. `in_place`: a stripe is received into the memory of the one sent.
template <class T>
std::unique_ptr<StripeSolver<T>> make_device_stripes(const StripeProblem<T>& problem, int device, bool in_place);

/// The options of the single-GPU algorithm on two stripes.
inline GsvdOptions stripe_options(const DistributedGsvdOptions& options) {
  return {.variant = options.variant.inner,
          .backend = options.backend,
          .max_outer_sweeps = options.max_stripe_sweeps,
          .max_inner_sweeps = options.max_inner_sweeps,
          .threads = options.threads};
}

}  // namespace pivotlab
