// SPDX-License-Identifier: BSD-3-Clause
// Complete pivoting: all stages of a triangle that fits in shared memory, or the last ones of a larger one.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/device/resident_elimination.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pivotlab::ldlt_device {

/// Moves the rows of columns of M that were eliminated before, a block of threads a column: row first + i becomes what
/// row first + source[i] was.
template <class T>
struct PermuteRows {
  struct Arguments {
    Strips<T> A;
    int first;
    const int* source;
  };
  static constexpr int threads = 256, min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int count = static_cast<int>(a.A.order) - a.first;
    const auto column = context.template shared<T>(0, count);
    for (int i = context.thread(); i < count; i += threads) column[i] = a.A.at(a.first + i, context.block());
    context.sync();
    for (int i = context.thread(); i < count; i += threads) a.A.at(a.first + i, context.block()) = column[a.source[i]];
  }
};

template <class Memory, class T, bool hermitian>
class ResidentStages {
  using Body = EliminateResident<T, hermitian>;

 public:
  /// For matrices of this order.
  ResidentStages(Memory& executor, std::int64_t order, const Design& design)
      : executor_(executor),
        blocks_(std::clamp(design.resident_blocks.value_or(executor.multiprocessors()), 0, most_blocks)),
        most_order_(
            std::min(find_most_order(executor.most_shared_bytes()), design.resident_order.value_or(most_order))),
        mail_(executor.template allocate<NumberedDouble>(static_cast<std::size_t>(
            ResidentGrid<T>::make(static_cast<int>(std::min<std::int64_t>(order, most_order)), most_blocks)
                .mail_words()))),
        source_(executor.template allocate<int>(static_cast<std::size_t>(std::min<std::int64_t>(order, most_order)))),
        gave_up_(executor.template allocate<int>(1)) {}

  /// Returns whether a triangle of this order fits.
  bool suits(std::int64_t order) const { return order <= most_order_; }

  /// Eliminates what is left from row k on, after so many stages.
  void run(const Strips<T>& A, const Generation<T>& now, const State& state, double alpha,
           const FactorsView<T>& factors) {
    const auto grid = ResidentGrid<T>::make(static_cast<int>(A.order - state.k), blocks_);
    executor_.fill_zero(mail_.data(), mail_.size());
    executor_.fill_zero(gave_up_.data(), 1);
    executor_.template launch<Body>(grid.blocks(), grid.shared_bytes,
                                    {A, now, grid, alpha, factors, mail_.data(), gave_up_.data()});
    int gave_up = 0;
    executor_.download(&gave_up, gave_up_.data(), 1);
    if (gave_up != 0)
      throw std::runtime_error("complete pivoting: blocks of the GPU have waited for one another for seconds");
    if (state.k > 0) permute_left(A, now, state, factors);
  }

 private:
  /// The multiprocessors of an H200; larger grids have not run.
  static constexpr int most_blocks = 132;
  /// Larger than what fits in the shared memory of these.
  static constexpr int most_order = 3072;

  int find_most_order(int shared_bytes) const {
    int order = 0;
    for (int step = most_order / 2; blocks_ > 0 && step > 0; step /= 2)
      if (ResidentGrid<T>::make(order + step, blocks_).shared_bytes <= shared_bytes) order += step;
    return order;
  }

  void permute_left(const Strips<T>& A, const Generation<T>& now, const State& before, const FactorsView<T>& factors) {
    State after;
    executor_.download(&after, now.state, 1);
    std::vector<StageRecord> stages(after.stages - before.stages);
    executor_.download(stages.data(), factors.stages + before.stages, stages.size());
    std::vector<int> source(A.order - before.k);
    std::iota(source.begin(), source.end(), 0);
    for (const StageRecord& stage : stages)
      for (int s = 0; s < stage.size; ++s)
        std::swap(source[stage.first + s - before.k], source[stage.pivot[s] - before.k]);
    executor_.upload(source_.data(), source.data(), source.size());
    executor_.template launch<PermuteRows<T>>(static_cast<int>(before.k), static_cast<int>(source.size() * sizeof(T)),
                                              {A, static_cast<int>(before.k), source_.data()});
  }

  Memory& executor_;
  int blocks_, most_order_;
  Buffer<NumberedDouble> mail_;
  Buffer<int> source_, gave_up_;
};

}  // namespace pivotlab::ldlt_device
