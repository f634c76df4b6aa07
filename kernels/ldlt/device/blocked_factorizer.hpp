// SPDX-License-Identifier: BSD-3-Clause
// Rook and partial pivoting, and factorization without a search: the sequence of kernel launches.
//
//   import A
//   SearchedPanel:   the columns of a panel
//   ExchangePanel:   its interchanges
//   UpdateTrailing:  the next one's triangle
//   export M to the host or to a matrix in device memory
//
// Without a search the butterfly mixes the triangle first (MixRows), and panels, recorded once, have two chunks of
// columns:
//
//   UnsearchedPanel:   the first chunk
//   UpdateTrailing:    the columns of the second one
//   UnsearchedPanel:   the second chunk
//   UpdateTrailing:    the triangle, by both, which reads and writes it half as often
//
// The host reads the state after a number of panels. A panel that searches many columns takes several kernels; the two
// that follow do nothing if it is not full. Device memory: half of A, and O(n) more.
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/exec/workspace.hpp"
#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/device/device_factors.hpp"
#include "kernels/ldlt/device/device_matrix.hpp"
#include "kernels/ldlt/device/mix_rows.hpp"
#include "kernels/ldlt/device/panel_exchange.hpp"
#include "kernels/ldlt/device/searched_panel.hpp"
#include "kernels/ldlt/device/trailing_update.hpp"
#include "kernels/ldlt/device/unsearched_panel.hpp"

#include <algorithm>
#include <optional>
#include <pivotlab/interrupt.hpp>
#include <stdexcept>
#include <utility>

namespace pivotlab::ldlt_device {

template <class Executor, class T, bool hermitian>
class BlockedFactorizer final : public DeviceFactorizer<T> {
  using Memory = WithWorkspace<Executor>;
  using Search = SearchedPanel<T, hermitian>;
  using Update = UpdateTrailing<T, hermitian>;

 public:
  /// Takes its memory from the arena, if there is one.
  template <class... ExecutorArguments>
  BlockedFactorizer(const FactorizationPlan& plan, const std::optional<Arena>& arena, ExecutorArguments&&... arguments)
      : executor_(arena, std::forward<ExecutorArguments>(arguments)...),
        plan_(plan),
        strips_(static_cast<int>(Strips<T>::count(plan.order))),
        update_blocks_(static_cast<int>(std::clamp<std::int64_t>(Update::most_tiles(strips_), 1, most_update_blocks))),
        blocks_(std::clamp(plan.design.resident_blocks.value_or(executor_.multiprocessors()), 1,
                           PanelMail<T>::most_blocks)),
        least_rows_(plan.design.resident_blocks ? 1 : 128),
        matrix_(executor_, plan.order),
        first_(executor_),
        second_(executor_),
        panel_(executor_, strips_),
        exchanged_(executor_, strips_),
        searched_(executor_.template allocate<T>(SearchedColumns<T>::slots * padded_rows())),
        place_(executor_.template allocate<std::int32_t>(padded_rows())),
        mail_(executor_.template allocate<NumberedDouble>(static_cast<std::size_t>(PanelMail<T>::count(plan.order)))),
        gave_up_(executor_.template allocate<int>(1)),
        largest_(executor_.template allocate<Found>(static_cast<std::size_t>(update_blocks_))),
        factors_(executor_, plan.order),
        butterfly_(executor_.template allocate<double>(static_cast<std::size_t>(plan.butterfly.size()))),
        recording_(executor_.record([&] { record_unsearched_panels(); })) {}

  /// Returns the bytes taken from the arena.
  std::size_t workspace_bytes() const { return executor_.used(); }

  DeviceTriangle<T>& matrix() override { return matrix_; }

  Elimination<T> eliminate(double largest, double) override {
    clear(largest);
    executor_.upload(butterfly_.data(), plan_.butterfly.data(), butterfly_.size());
    const auto start = stopwatch_.mark();
    const Progress progress = plan_.order == 0                   ? Progress{}
                              : plan_.pivoting == Pivoting::none ? factor_without_search()
                                                                 : factor_with_search();
    const auto end = stopwatch_.mark();
    Elimination<T> result = factors_.download(executor_, progress.stages);
    result.compute_seconds = stopwatch_.seconds(start, end);
    result.rank = plan_.order;
    if (progress.phase == Phase::refused) result.refused_at = progress.k;
    return result;
  }

  Strips<T> triangle() const override { return matrix_.view(); }

  double export_m(T* M) override { return matrix_.export_m(M, plan_.order); }
  void export_m(MatrixView<T> M) override { matrix_.export_m(M, plan_.order); }

 private:
  /// Sets everything but the triangle to the state before the first panel.
  void clear(double largest_element) {
    panel_.clear(executor_);
    exchanged_.clear(executor_);
    factors_.clear(executor_);
    executor_.fill_zero(mail_.data(), mail_.size());
    executor_.fill_zero(gave_up_.data(), 1);
    std::vector<Found> largest(largest_.size(), Found::none());
    largest[0].size = largest_element;
    executor_.upload(largest_.data(), largest.data(), largest.size());
    const Progress progress{.phase = plan_.order == 0 ? Phase::done : Phase::begin};
    executor_.upload(first_.view().progress, &progress, 1);
    std::int32_t front[PanelColumns<T>::most];
    for (int t = 0; t < PanelColumns<T>::most; ++t) front[t] = t;
    executor_.upload(first_.view().front, front, PanelColumns<T>::most);
    executor_.synchronize();
  }

  /// One block for each multiprocessor of an H200.
  static constexpr std::int64_t most_update_blocks = 132;
  /// The host reads the state after so many panels; a kernel ends after so many searches. A panel of a random matrix
  /// needs about 150.
  static constexpr int most_rounds = 24, most_unsearched_rounds = 128, most_steps = 1024;

  class OwnedGeneration {
   public:
    explicit OwnedGeneration(Memory& executor)
        : progress_(executor.template allocate<Progress>(1)),
          front_(executor.template allocate<std::int32_t>(PanelColumns<T>::most)) {}
    PanelGeneration view() const { return {progress_.data(), front_.data()}; }

   private:
    Buffer<Progress> progress_;
    Buffer<std::int32_t> front_;
  };

  class OwnedPanel {
   public:
    OwnedPanel(Memory& executor, int strips)
        : stride_(std::int64_t(strips + 1) * strip_rows), m_(allocate(executor)), minus_w_(allocate(executor)) {}
    Panel<T> view() const { return {{m_.data(), stride_}, {minus_w_.data(), stride_}}; }
    void clear(Memory& executor) const {
      executor.fill_zero(m_.data(), m_.size());
      executor.fill_zero(minus_w_.data(), minus_w_.size());
    }

   private:
    Buffer<double> allocate(Memory& executor) const {
      constexpr int planes = PanelColumns<T>::most * PanelColumns<T>::parts;
      return executor.template allocate<double>(static_cast<std::size_t>(planes * stride_));
    }
    std::int64_t stride_;
    Buffer<double> m_, minus_w_;
  };

  std::size_t padded_rows() const { return static_cast<std::size_t>(strips_) * strip_rows; }

  void mix() {
    const std::int64_t n = plan_.order;
    for (int level = static_cast<int>(plan_.butterfly.cols() / 2) - 1; level >= 0; --level) {
      const double* cosines = butterfly_.data() + 2 * level * n;
      executor_.template launch<MixRows<T, hermitian>>(static_cast<int>(MixRows<T, hermitian>::blocks(n)), 0,
                                                       {matrix_.view(), cosines, cosines + n, level});
    }
  }

  /// Records all panels or, of a large matrix, an equal part of them.
  void record_unsearched_panels() {
    if (plan_.pivoting != Pivoting::none) return;
    const int columns = PanelColumns<T>::most;
    const auto panels = static_cast<int>((plan_.order + columns - 1) / columns);
    const int replays = (panels + most_unsearched_rounds - 1) / most_unsearched_rounds;
    const int rounds = replays == 0 ? 0 : (panels + replays - 1) / replays;
    using Unsearched = UnsearchedPanel<T, hermitian>;
    using Whole = UpdateTrailing<T, hermitian, 2>;
    const auto blocks = static_cast<int>(Unsearched::most_blocks(plan_.order));
    const auto tiles = static_cast<int>(std::max<std::int64_t>(Update::most_tiles(strips_, true), 1));
    const PanelGeneration from = first_.view(), to = second_.view();
    for (int round = 0; round < rounds; ++round) {
      for (const int chunk : {0, 1}) {
        executor_.template launch<Unsearched>(
            blocks, Unsearched::shared_bytes,
            {matrix_.view(), exchanged_.view(), from, to, largest_.data(), update_blocks_, factors_.view(), chunk});
        if (chunk == 0)
          executor_.template launch<Update>(tiles, Update::shared_bytes,
                                            {matrix_.view(), exchanged_.view(), to, from, nullptr, false});
        else
          executor_.template launch<Whole>(update_blocks_, Whole::shared_bytes,
                                           {matrix_.view(), exchanged_.view(), to, from, largest_.data(), false});
      }
    }
  }

  Progress factor_without_search() {
    Progress progress;
    mix();
    do {
      throw_if_interrupted();
      executor_.replay(recording_);
      executor_.download(&progress, first_.view().progress, 1);
    } while (progress.phase != Phase::done && progress.phase != Phase::refused);
    return progress;
  }

  Progress factor_with_search() {
    Progress progress;
    bool is_wide = false;  // of the panel that has been begun
    do {
      throw_if_interrupted();
      const std::int64_t rows = plan_.order - progress.begin;
      if (progress.phase == Phase::begin)
        is_wide = rows >= plan_.design.wide_panels_from.value_or(8192 / PanelColumns<T>::parts);
      const int columns = is_wide ? PanelColumns<T>::most : PanelColumns<T>::count;
      for (int round = 0; round < std::min<std::int64_t>((rows + columns - 1) / columns, most_rounds); ++round)
        is_wide ? factor_panel<2>() : factor_panel<1>();
      executor_.download(&progress, first_.view().progress, 1);
      int gave_up = 0;
      executor_.download(&gave_up, gave_up_.data(), 1);
      if (gave_up != 0) throw std::runtime_error("a panel: blocks of the GPU have waited for one another for seconds");
    } while (progress.phase != Phase::done);
    return progress;
  }

  /// Factors a panel, or a part of it, and updates the triangle.
  template <int chunks>
  void factor_panel() {
    using Exchange = ExchangePanel<T, hermitian, chunks>;
    using Trailing = UpdateTrailing<T, hermitian, chunks>;
    const PanelGeneration from = first_.view(), to = second_.view();
    executor_.template launch<Search>(blocks_, Search::shared_bytes,
                                      {matrix_.view(),
                                       panel_.view(),
                                       {searched_.data(), static_cast<std::int64_t>(padded_rows())},
                                       place_.data(),
                                       from,
                                       to,
                                       chunks * PanelColumns<T>::count,
                                       largest_.data(),
                                       update_blocks_,
                                       least_rows_,
                                       most_steps,
                                       {plan_.pivoting, plan_.alpha},
                                       factors_.view(),
                                       {mail_.data()},
                                       gave_up_.data()});
    executor_.template launch<Exchange>(strips_, Exchange::shared_bytes,
                                        {matrix_.view(), panel_.view(), exchanged_.view(), place_.data(), to});
    executor_.template launch<Trailing>(update_blocks_, Trailing::shared_bytes,
                                        {matrix_.view(), exchanged_.view(), to, from, largest_.data(), true});
  }

  Memory executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  FactorizationPlan plan_;
  int strips_, update_blocks_, blocks_, least_rows_;
  DeviceMatrix<Memory, T, hermitian> matrix_;
  OwnedGeneration first_, second_;
  OwnedPanel panel_, exchanged_;
  Buffer<T> searched_;
  Buffer<std::int32_t> place_;
  Buffer<NumberedDouble> mail_;
  Buffer<int> gave_up_;
  Buffer<Found> largest_;
  DeviceFactors<Memory, T> factors_;
  Buffer<double> butterfly_;
  typename Executor::Recording recording_;
};

}  // namespace pivotlab::ldlt_device
