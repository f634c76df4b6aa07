// SPDX-License-Identifier: BSD-3-Clause
// The multi-GPU algorithm, as seen by one rank. Novaković & Singer, Algorithm 6.
//
//   agree on the parameters; check, scale and border the columns of both stripes;  Z := the rank's columns of I
//   for every outermost sweep, every step of the outermost strategy:
//     post the receive of the stripe for the next step
//     run the single-GPU algorithm on both stripes: to convergence (FB), or one sweep (BO); pairs=once: after the
//       first step one sweep over the pairs across both
//     exchange one stripe, keep the other                        (stripe_plan.hpp)
//   columns of F that consist of rounding noise become zero after every sweep; a checkpoint may follow (checkpoint.hpp)
//   stop after a sweep in which no rank had big transformations or exchanges (shared/convergence.hpp)
//   U Σ_F := F, V Σ_G := G;  the order of all σ determines the columns of each rank
#include "kernels/gsvd/distributed/checkpoint.hpp"
#include "kernels/gsvd/distributed/staged_transport.hpp"
#include "kernels/gsvd/distributed/stripe_solver.hpp"
#include "kernels/gsvd/distributed/together.hpp"
#include "kernels/gsvd/host/solver.hpp"
#include "kernels/gsvd/shared/backward_error.hpp"
#include "kernels/gsvd/shared/convergence.hpp"
#include "kernels/gsvd/shared/rank.hpp"
#include "kernels/numerics/order.hpp"
#include "kernels/numerics/threads.hpp"
#include "support/timer.hpp"

#include <fmt/format.h>

#include <complex>
#include <numeric>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

/// Returns the columns of two stripes that belong to the pair; they are the first ones of each stripe.
std::vector<Index> own_columns(const StripeLayout& layout, const PivotPair& stripes) {
  std::vector<Index> columns = layout.columns_of(stripes);
  std::erase_if(columns, [&](Index c) { return c >= layout.n; });
  return columns;
}

template <class T>
std::string parameters(MatrixView<const T> F, MatrixView<const T> G, Index n, const DistributedGsvdOptions& o) {
  return fmt::format("{} on {}, m_F={}, m_G={}, n={}, at most {}/{}/{} sweeps",
                     to_string(o.variant, is_complex<T> ? ScalarType::z : ScalarType::d), to_string(o.backend), F.rows,
                     G.rows, n, o.max_outermost_sweeps, o.max_stripe_sweeps, o.max_inner_sweeps);
}

std::string describe(const CheckpointOptions& checkpoint) {
  if (checkpoint.path.empty()) return "";
  return fmt::format(", checkpoints every {} sweeps and {} s", checkpoint.every_sweeps, checkpoint.every_seconds);
}

template <class T>
std::uint64_t checksum_of(MatrixView<const T> F, MatrixView<const T> G) {
  Checksum sum;
  for (const auto& A : {F, G})
    for (Index j = 0; j < A.cols; ++j) sum.add(A.col(j).data(), A.col(j).size_bytes());
  return sum.value();
}

/// Measures the seconds of work() and adds them.
template <class Work>
auto timed(double& seconds, Work&& work) {
  const ScopeTimer timer(seconds);
  return work();
}

/// Throws unless all ranks pass the same text.
void require_same(Transport& transport, const std::string& mine) {
  const std::vector<std::string> all = gather_texts(transport, mine);
  for (std::size_t r = 1; r < all.size(); ++r)
    if (all[r] != all[0])
      throw SharedInputError(
          fmt::format("rank {}: it was given {}, but rank 0 {}; start all ranks with the same", r, all[r], all[0]));
}

/// The computation of one rank, from its columns of F and G to its columns of the decomposition.
template <class T>
class Rank {
 public:
  using R = RealOf<T>;

  Rank(Transport& transport, MatrixView<const T> F, MatrixView<const T> G, Index n,
       const DistributedGsvdOptions& options)
      : transport_(transport),
        options_(options),
        F_(F),
        G_(G),
        layout_(n, options.variant.inner, transport.size()),
        plan_(options.variant.outermost, transport.size()),
        stripes_(plan_.held()[transport.rank()]),
        columns_(own_columns(layout_, stripes_)),
        threads_(thread_count(options.threads)) {}

  GsvdStripes<T> solve() {
    in_agreement(transport_, [this] { check_columns(); });
    const PairScaling scaling = agreed_scaling();
    const Matrix<T> start_f = bordered_stripes(F_, scaling, scaling.f);
    const std::vector<Index> all_columns = layout_.columns_of(stripes_);
    const NoiseBound<R> bound = agreed_bound(start_f, all_columns, layout_.order);
    const RoundingNoise<T> noise(start_f, all_columns, bound);
    in_agreement(transport_, [&] {
      solver_ =
          make_solver({layout_, options_, stripes_, start_f, bordered_stripes(G_, scaling, 0), noise, bound, scaling});
    });

    Progress progress;
    const std::uint64_t pair = options_.checkpoint.path.empty() ? 0 : checksum_of(F_, G_);
    Checkpoints checkpoints(transport_, options_.checkpoint, parameters(F_, G_, layout_.n, options_), pair);
    const bool converged = iterate(noise, checkpoints, progress);
    const auto columns = timed(progress.compute_seconds, [&] { return solver_->extract(scaling); });

    GsvdStripes<T> result;
    result.resumed_after = progress.resumed_after;
    result.sweeps = std::move(progress.sweeps), result.steps = std::move(progress.steps);
    result.compute_seconds = std::ranges::max(gather_values(transport_, progress.compute_seconds));
    store(columns, result);
    in_agreement(transport_, [&] { require_range(scaling, result); });
    require_full_rank_of_g(result);
    result.status = converged ? Status::passed : Status::not_converged;
    if (!converged)
      result.message = fmt::format("big transformations remained after {} outermost sweeps", result.sweeps.size());
    if (!scaling.columns.empty()) verify(result);  // elements of Z may have underflowed
    checkpoints.remove();
    return result;
  }

 private:
  void check_columns() const {
    for (const auto& [name, A] : {std::pair{'F', F_}, std::pair{'G', G_}})
      if (A.cols != static_cast<Index>(columns_.size()))
        throw InputError(
            fmt::format("matrix {}: rank {} of {} has {} columns of it; it begins with {}, see "
                        "stripe_columns()",
                        name, transport_.rank(), transport_.size(), A.cols, columns_.size()));
  }

  /// Gathers the elements of all ranks in the order of the columns of the whole pair; columns of the border are 0.
  std::vector<R> gather_by_column(const std::vector<R>& mine, const std::vector<Index>& columns, Index size) const {
    std::vector<R> padded(size, R(0));
    for (std::size_t j = 0; j < columns.size(); ++j) padded[columns[j]] = mine[j];
    const std::vector<R> all = gather_vectors<R>(transport_, padded);
    std::vector<R> result(padded.size(), R(0));
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k] != R(0)) result[k % result.size()] = all[k];
    return result;
  }

  PairScaling agreed_scaling() const {
    std::vector<R> f, g;
    in_agreement(transport_, [&] {
      f = detail::largest_parts(F_, 'F', threads_, columns_);
      g = detail::largest_parts(G_, 'G', threads_, columns_);
    });
    f = gather_by_column(f, columns_, layout_.n), g = gather_by_column(g, columns_, layout_.n);
    PairScaling scaling;
    in_agreement(transport_, [&] { scaling = find_scaling(f, g); });
    return scaling;
  }

  /// Computes Y·2^exponent·diag(2^scaling.columns), with the columns and rows of the border (section 3.1).
  Matrix<T> bordered_stripes(MatrixView<const T> Y, const PairScaling& scaling, int exponent) const {
    const std::vector<Index> columns = layout_.columns_of(stripes_);
    // The pair's columns are the first ones of each stripe.
    const Index own_in_first = std::clamp<Index>(layout_.n - stripes_.p * layout_.width, 0, layout_.width);
    auto result = Matrix<T>::uninitialized(Y.rows + layout_.border(), layout_.columns());
#pragma omp parallel for num_threads(threads_)
    for (Index at = 0; at < result.cols(); ++at) {
      const Index column = columns[at];
      // among this rank's columns
      const Index place = at < layout_.width ? at : own_in_first + at - layout_.width;
      const bool own = column < layout_.n;
      const auto target = result.col(at);
      const auto rest = own ? std::ranges::copy(Y.col(place), target.begin()).out : target.begin();
      std::fill(rest, target.end(), T(0));
      if (!own) result(Y.rows + column - layout_.n, at) = T(1);
      if (!own || scaling.columns.empty()) continue;
      for (T& y : target) y = times_power_of_two(y, scaling.columns[column] + exponent);
    }
    return result;
  }

  /// Returns the bound of the whole matrix; `part` consists of its given columns.
  NoiseBound<R> agreed_bound(MatrixView<const T> part, const std::vector<Index>& columns, Index order) const {
    NoiseBound<R> bound;
    bound.level = noise_level<R>(part.rows, order);
    bound.rows = gather_columns(transport_, row_magnitudes<T>(part, threads_)).rowwise().maxCoeff();
    const auto mine = column_magnitudes<T>(part, bound.rows, threads_);
    const std::vector<R> all = gather_by_column({mine.begin(), mine.end()}, columns, order);
    bound.columns = Eigen::Map<const typename NoiseBound<R>::Vector>(all.data(), order);
    return bound;
  }

  std::unique_ptr<StripeSolver<T>> make_solver(const StripeProblem<T>& problem) {
    if (options_.backend == Backend::host) return make_host_stripes(problem);
    const bool on_gpu = options_.backend == Backend::cuda, through_host = !transport_.reaches_devices();
    if (const std::string why = on_gpu ? why_no_device() : ""; !why.empty())
      throw NotSupported("backend 'cuda': " + why);
    const int device = on_gpu ? device_of(transport_) : 0;
    if (through_host) staged_ = over_host(transport_, on_gpu ? make_cuda_staging(device) : make_host_staging());
    return make_device_stripes(problem, device, through_host);
  }
  /// Returns the transport for stripes.
  Transport& carrier() {
    return staged_ ? *staged_ : transport_;
  }

  bool iterate(const RoundingNoise<T>& noise, Checkpoints& checkpoints, Progress& progress) {
    if (checkpoints.resume(progress, [this](const VisitPiece& read) { solver_->load(read); })) {
      for (std::size_t step = 0; step < progress.sweeps.size() * static_cast<std::size_t>(plan_.steps()); ++step)
        plan_.advance();
    }
    gather_values(transport_, 0);  // a barrier: all ranks begin at once
    if (progress.sweeps.empty()) timed(progress.compute_seconds, [this] { solver_->prescale(); });
    while (static_cast<int>(progress.sweeps.size()) < options_.max_outermost_sweeps) {
      if (timed(progress.compute_seconds, [&] { return outermost_sweep(noise, progress); })) return true;
      checkpoints.save(progress, [this](const VisitPiece& write) { solver_->save(write); });
    }
    return false;
  }

  /// Does one outermost sweep. Returns whether the iteration has converged.
  bool outermost_sweep(const RoundingNoise<T>& noise, Progress& progress) {
    if (layout_.ranks == 1) {  // this rank holds both stripes
      solver_->sweep(1, progress.sweeps);
    } else {
      progress.sweeps.push_back(sum_over_ranks(sweep(progress.steps)));
      clear_noise(noise);
    }
    return gsvd_detail::has_converged(progress.sweeps);
  }

  /// Does one outermost sweep and returns this rank's counters.
  SweepCounters sweep(std::vector<StepSeconds>& steps) {
    const int max_sweeps = options_.variant.stripes == Blocking::FB ? options_.max_stripe_sweeps : 1;
    const Timer whole;
    std::vector<SweepCounters> local;
    for (Index step = 0; step < plan_.steps(); ++step) {
      const Timer timer;
      const StripeMove move = plan_.advance()[transport_.rank()];
      if (move.exchanges) carrier().expect(move.from, solver_->incoming(1 - move.kept));
      if (options_.variant.pairs_once && step > 0)
        solver_->sweep_across(local);
      else
        solver_->sweep(max_sweeps, local);
      const double computed = timer.seconds();
      const std::size_t bytes = move.exchanges ? exchange(move) : 0;
      solver_->rearrange(move);
      steps.push_back({computed, timer.seconds() - computed, bytes});
    }
    SweepCounters total = std::accumulate(local.begin(), local.end(), SweepCounters{}, &Rank::sum);
    total.seconds = whole.seconds();
    return total;
  }

  std::size_t exchange(const StripeMove& move) {
    const std::vector<Piece> outgoing = solver_->outgoing(1 - move.kept);
    carrier().exchange(move.to, outgoing);
    return std::accumulate(outgoing.begin(), outgoing.end(), std::size_t(0),
                           [](std::size_t bytes, const Piece& piece) { return bytes + piece.bytes; });
  }

  static SweepCounters sum(const SweepCounters& a, const SweepCounters& b) {
    return {a.transformations + b.transformations,
            a.big + b.big,
            a.swaps + b.swaps,
            a.skipped_tiles + b.skipped_tiles,
            a.qr_tiles + b.qr_tiles,
            std::max(a.max_inner_sweeps, b.max_inner_sweeps),
            std::max(a.seconds, b.seconds)};
  }
  SweepCounters sum_over_ranks(const SweepCounters& mine) const {
    const auto all = gather_values(transport_, mine);
    return std::accumulate(all.begin(), all.end(), SweepCounters{}, &Rank::sum);
  }

  void clear_noise(const RoundingNoise<T>& noise) {
    const std::vector<Index> doubtful = solver_->doubtful_columns();
    const Matrix<T> f = solver_->columns(Part::F, doubtful, F_.rows + layout_.border()),
                    z = solver_->columns(Part::Z, doubtful, layout_.order);
    std::vector<Index> cleared;
    for (const Index k : noise_together<T>(transport_, noise, f, z, std::vector<R>(doubtful.size(), R(1))))
      cleared.push_back(doubtful[k]);
    solver_->clear_columns(cleared);
  }

  /// Stores this rank's columns of U, V and Z in their order among all columns, and all σ.
  void store(const std::vector<ColumnOfResult<R>>& local, GsvdStripes<T>& result) {
    const std::vector<ColumnOfResult<R>> all = gather_vectors<ColumnOfResult<R>>(transport_, local);
    const auto place = [this](Index k) {  // in the order of the stripes
      const PivotPair& pair = plan_.held()[k / layout_.columns()];
      const Index j = k % layout_.columns();
      return j < layout_.width ? pair.p * layout_.width + j : pair.q * layout_.width + j - layout_.width;
    };
    std::vector<Index> order =  // of the columns of all ranks
        sorted_indices(std::ssize(all), [&](Index a, Index b) { return place(a) < place(b); });
    std::erase_if(order, [&](Index k) { return !all[k].own; });
    sort_indices(order, [&](Index a, Index b) { return all[a].sigma > all[b].sigma; });
    if (std::ssize(order) != layout_.n)  // NaN has spread
      throw SharedInputError(deficiency());

    std::vector<Index> mine;
    for (Index k = 0; k < layout_.n; ++k) {
      const ColumnOfResult<R>& column = all[order[k]];
      result.sigma_f.push_back(column.sigma_f);
      result.sigma_g.push_back(column.sigma_g);
      result.sigma.push_back(column.sigma);
      if (order[k] / std::ssize(local) != transport_.rank()) continue;
      result.columns.push_back(k);
      mine.push_back(order[k] % std::ssize(local));
    }
    result.U = solver_->columns(Part::F, mine, F_.rows);
    result.V = solver_->columns(Part::G, mine, G_.rows);
    result.Z = solver_->columns(Part::Z, mine, layout_.n);
    solver_.reset();
    if (layout_.ranks == 1)
      complete_columns<T>(result.U, threads_);
    else
      complete_columns_together<T>(transport_, result.U);
  }

  void require_full_rank_of_g(const GsvdStripes<T>& result) const {
    const RoundingNoise<T> noise(G_, columns_, agreed_bound(G_, columns_, layout_.n));
    const auto size_of = [&](Index j) -> const R& { return result.sigma_g[result.columns[j]]; };
    std::vector<char> in_doubt(result.columns.size());
#pragma omp parallel for num_threads(threads_)
    for (Index j = 0; j < result.V.cols(); ++j)
      in_doubt[j] = noise.may_contain(result.V.col(j), size_of(j), result.Z.col(j));
    std::vector<Index> doubtful;
    std::vector<R> sizes;
    for (Index j = 0; j < result.V.cols(); ++j) {
      if (in_doubt[j] == 0) continue;
      doubtful.push_back(j);
      sizes.push_back(size_of(j));
    }
    const auto count = static_cast<Index>(doubtful.size());
    Matrix<T> v(G_.rows, count), z(layout_.n, count);
    permute_columns<T>(result.V, doubtful, v);
    permute_columns<T>(result.Z, doubtful, z);
    const auto mine = static_cast<Index>(noise_together<T>(transport_, noise, v, z, sizes).size());
    if (std::ranges::max(gather_values(transport_, mine)) > 0) throw SharedInputError(deficiency());
  }

  /// Gives the result the status incorrect on all ranks if backward errors of columns of any rank exceed their bounds;
  /// each rank gathers F and G for it.
  void verify(GsvdStripes<T>& result) const {
    GsvdResult<T> mine;
    mine.status = result.status, mine.Z = result.Z;
    for (const Index j : result.columns) {
      mine.sigma_f.push_back(result.sigma_f[j]);
      mine.sigma_g.push_back(result.sigma_g[j]);
    }
    gsvd_detail::verify<T>(whole(F_), whole(G_), result.U, result.V, threads_, mine);
    const std::vector<Status> all = gather_values(transport_, mine.status);
    if (std::ranges::find(all, Status::incorrect) == all.end()) return;
    result.status = Status::incorrect;
    result.message = mine.message.empty() ? "backward errors of another rank exceed their bounds" : mine.message;
  }

  /// Returns the message for a deficient G on all ranks; each rank gathers F and G for it.
  std::string deficiency() const {
    if (layout_.n > rank_order_limit) return describe_deficiency(layout_.n);
    return describe_deficiency<T>(whole(F_), whole(G_), threads_);
  }
  Matrix<T> whole(MatrixView<const T> part) const {
    using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
    Vector elements = Vector::Zero(part.rows * layout_.n);
    for (Index j = 0; j < part.cols; ++j) elements.segment(columns_[j] * part.rows, part.rows) = as_eigen(part).col(j);
    elements = pivotlab::sum_over_ranks(transport_, elements);
    Matrix<T> A(part.rows, layout_.n);
    std::copy_n(elements.data(), elements.size(), A.data());
    return A;
  }

  Transport& transport_;
  const DistributedGsvdOptions& options_;
  MatrixView<const T> F_, G_;  // this rank's columns, as passed by the caller
  StripeLayout layout_;
  StripePlan plan_;
  PivotPair stripes_;  // the stripes at the beginning
  std::vector<Index> columns_;
  int threads_;
  std::unique_ptr<StripeSolver<T>> solver_;
  std::unique_ptr<Transport> staged_;  // if the transport does not reach the devices
};

}  // namespace

std::vector<Index> stripe_columns(Index n, const DistributedVariant& variant, int ranks, int rank) {
  require_valid(variant.inner);
  const StripePlan plan(variant.outermost, ranks);
  return own_columns(StripeLayout(n, variant.inner, ranks), plan.held()[rank]);
}

template <class T>
GsvdStripes<T> gsvd_distributed(Transport& transport, MatrixView<const T> F, MatrixView<const T> G, Index n,
                                const DistributedGsvdOptions& options) {
  require_same(transport, parameters(F, G, n, options) + describe(options.checkpoint));
  in_agreement(transport, [&] {
    require_valid(options.variant.inner);
    if (options.variant.inner.refine)
      throw InputError("option refine: it is not for several ranks; take a variant without refine");
    require_shapes(F.rows, G.rows, n);
  });
  return Rank<T>(transport, F, G, n, options).solve();
}

template decltype(gsvd_distributed<double>) gsvd_distributed<double>;
template decltype(gsvd_distributed<std::complex<double>>) gsvd_distributed<std::complex<double>>;

}  // namespace pivotlab
