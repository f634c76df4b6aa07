// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting: the sequence of kernel launches.
//
//   import A;  d := diag(A), its largest element
//   record, once, a number of stages:  Scan: units in which the largest element may be; large real matrices only
//                                      Search: the largest element below the diagonal
//                                      Eliminate: the pivot, its interchanges, C·P⁻¹, d
//   replay until the reduced matrix is empty, or zero, or fits in shared memory
//   EliminateResident: all stages of what is left
//   export M to the host or to a matrix in device memory
//
// After each replay the host reads one flag: whether the factorization is complete. Device memory: half of A, an eighth
// for the steering copy, and O(n) more.
#pragma once

#include "kernels/exec/stopwatch.hpp"
#include "kernels/exec/workspace.hpp"
#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/device/device_factors.hpp"
#include "kernels/ldlt/device/device_matrix.hpp"
#include "kernels/ldlt/device/eliminate.hpp"
#include "kernels/ldlt/device/resident_stages.hpp"

#include <algorithm>
#include <optional>
#include <pivotlab/interrupt.hpp>
#include <utility>

namespace pivotlab::ldlt_device {

template <class Executor, class T, bool hermitian, bool steered>
class CompleteFactorizer final : public DeviceFactorizer<T> {
  using Memory = WithWorkspace<Executor>;
  static constexpr int slots = steered ? 16 : is_complex<T> ? 6 : 8;
  using Scan = ldlt_device::Scan<slots>;
  using Search = ldlt_device::Search<T, slots, steered>;
  using Eliminate = ldlt_device::Eliminate<T, hermitian, slots>;

 public:
  /// Takes its memory from the arena, if there is one.
  template <class... ExecutorArguments>
  CompleteFactorizer(const FactorizationPlan& plan, const std::optional<Arena>& arena, ExecutorArguments&&... arguments)
      : executor_(arena, std::forward<ExecutorArguments>(arguments)...),
        plan_(plan),
        strips_(Strips<T>::count(plan.order)),
        row_blocks_(blocks_for(plan.order, Eliminate::threads)),
        search_blocks_(blocks_for_units(Search::warps, most_search_blocks)),
        scan_blocks_(blocks_for_units(Scan::warps, most_scan_blocks)),
        first_(executor_, plan.order, row_blocks_),
        second_(executor_, plan.order, row_blocks_),
        matrix_(executor_, plan.order, first_.view().diagonal),
        largest_(executor_.template allocate<Candidate<T>>(static_cast<std::size_t>(search_blocks_))),
        copy_(executor_.template allocate<std::uint16_t>(for_steering(Strips<T>::offset(strips_)))),
        of_units_(executor_.template allocate<std::int32_t>(for_steering(Units(strips_, 0).count()))),
        of_blocks_(executor_.template allocate<std::int32_t>(for_steering(scan_blocks_))),
        factors_(executor_, plan.order),
        resident_(executor_, plan.order, plan.design),
        recording_(executor_.record([&] { record_stages(); })) {}

  /// Returns the bytes taken from the arena.
  std::size_t workspace_bytes() const { return executor_.used(); }

  DeviceTriangle<T>& matrix() override { return matrix_; }

  Elimination<T> eliminate(double, double tolerance) override {
    for (const auto* generation : {&first_, &second_}) generation->clear(executor_);
    factors_.clear(executor_);
    executor_.synchronize();
    State state;
    const auto start = stopwatch_.mark();
    if (plan_.order > 0) {
      executor_.template launch<Begin<T>>(row_blocks_, Begin<T>::shared_bytes,
                                          {plan_.order, tolerance, first_.view(), steered ? slots : 0});
      while (state.done == 0 && !resident_.suits(plan_.order - state.k)) {
        throw_if_interrupted();
        executor_.replay(recording_);
        executor_.download(&state, first_.view().state, 1);
      }
      if (state.done == 0) {
        resident_.run(A(), first_.view(), state, plan_.alpha, factors_.view());
        executor_.download(&state, first_.view().state, 1);
      }
    }
    const auto end = stopwatch_.mark();
    Elimination<T> result = factors_.download(executor_, state.stages);
    result.compute_seconds = stopwatch_.seconds(start, end);
    result.rank = rank_ = state.k;
    result.remainder = state.remainder;
    return result;
  }

  Strips<T> triangle() const override { return matrix_.view(); }

  double export_m(T* M) override { return matrix_.export_m(M, rank_); }
  void export_m(MatrixView<T> M) override { matrix_.export_m(M, rank_); }

 private:
  /// Two blocks of 256 threads on each multiprocessor of an H200, as many as their registers allow.
  static constexpr std::int64_t most_search_blocks = 264;
  static constexpr std::int64_t most_scan_blocks = 396;  ///< three of these
  /// Largest number of stages of a replay; even, so that each replay begins with the same generation.
  static constexpr std::int64_t most_stages = 128;

  class OwnedGeneration {
   public:
    OwnedGeneration(Memory& executor, std::int64_t order, int row_blocks)
        : stride_(Strips<T>::count(order) * strip_rows),
          state_(executor.template allocate<State>(1)),
          diagonal_(executor.template allocate<T>(static_cast<std::size_t>(order))),
          m_(executor.template allocate<T>(static_cast<std::size_t>(slots * stride_))),
          minus_w_(executor.template allocate<T>(static_cast<std::size_t>(slots * stride_))),
          diagonal_largest_(executor.template allocate<Candidate<T>>(static_cast<std::size_t>(row_blocks))) {}

    Generation<T> view() const {
      return {state_.data(), diagonal_.data(), m_.data(), minus_w_.data(), stride_, diagonal_largest_.data()};
    }
    /// Sets the pending columns to zero with their padding, which remains zero.
    void clear(Memory& executor) const {
      executor.fill_zero(m_.data(), m_.size());
      executor.fill_zero(minus_w_.data(), minus_w_.size());
    }

   private:
    std::int64_t stride_;
    Buffer<State> state_;
    Buffer<T> diagonal_, m_, minus_w_;
    Buffer<Candidate<T>> diagonal_largest_;
  };

  static int blocks_for(std::int64_t items, int items_of_block) {
    return static_cast<int>((items + items_of_block - 1) / items_of_block);
  }
  int blocks_for_units(int units_of_block, std::int64_t most) const {
    return static_cast<int>(std::clamp<std::int64_t>(blocks_for(Units(strips_, 0).count(), units_of_block), 1, most));
  }
  static std::size_t for_steering(std::int64_t count) { return steered ? static_cast<std::size_t>(count) : 0; }
  Strips<T> A() const { return matrix_.view(); }
  Steering steering() const {
    return {{steered ? copy_.data() : nullptr},
            of_units_.data(),
            of_blocks_.data(),
            scan_blocks_,
            LdltVariant{.alpha = plan_.alpha}.multiplier_bound()};
  }

  void record_stages() {
    const std::int64_t stages = std::min(most_stages, (plan_.order + 1) / 2 * 2);
    Generation<T> from = first_.view(), to = second_.view();
    for (std::int64_t s = 0; s < stages; ++s) {
      if constexpr (steered)
        executor_.template launch<Scan>(scan_blocks_, Scan::shared_bytes, {strips_, from, steering()});
      executor_.template launch<Search>(search_blocks_, Search::shared_bytes, {A(), from, largest_.data(), steering()});
      executor_.template launch<Eliminate>(
          row_blocks_, Eliminate::shared_bytes,
          {A(), from, to, largest_.data(), search_blocks_, plan_.alpha, factors_.view(), steering().copy});
      std::swap(from, to);
    }
  }

  Memory executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  FactorizationPlan plan_;
  std::int64_t strips_;
  int row_blocks_, search_blocks_, scan_blocks_;
  OwnedGeneration first_, second_;
  DeviceMatrix<Memory, T, hermitian> matrix_;
  Buffer<Candidate<T>> largest_;
  Buffer<std::uint16_t> copy_;
  Buffer<std::int32_t> of_units_, of_blocks_;
  DeviceFactors<Memory, T> factors_;
  ResidentStages<Memory, T, hermitian> resident_;
  typename Executor::Recording recording_;
  std::int64_t rank_ = 0;
};

}  // namespace pivotlab::ldlt_device
