// SPDX-License-Identifier: BSD-3-Clause
// KernelBench on any executor.
#pragma once

#include "benchmarks/gsvd_kernels.hpp"
#include "kernels/exec/stopwatch.hpp"
#include "kernels/gsvd/device/block_step.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pivotlab::benchmarks {

/// Fills matrices with uniform numbers in (−1, 1): columns are nearly orthogonal, but every pivot pair needs a
/// transformation.
template <class Stored>
struct FillRandom {
  struct Arguments {
    Stored* x;
    std::int64_t count;
    std::uint64_t seed;
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const std::int64_t all = std::int64_t(context.blocks()) * threads;
    for (std::int64_t i = std::int64_t(context.block()) * threads + context.thread(); i < a.count; i += all)
      a.x[i] =
          static_cast<Stored>(static_cast<double>(mixed(a.seed + static_cast<std::uint64_t>(i)) >> 11) * 0x1p-52 - 1.0);
  }

 private:
  /// SplitMix64 (Steele, Lea and Flood, 2014).
  PIVOTLAB_DEVICE static std::uint64_t mixed(std::uint64_t i) {
    std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
};

template <class Executor, class Shape>
class KernelBenchOn final : public KernelBench {
 public:
  explicit KernelBenchOn(const device::SolverPlan& plan)
      : plan_(plan),
        F_(executor_, Shape::complex, plan.order, plan.order),
        G_(executor_, Shape::complex, plan.order, plan.order),
        Z_(executor_, Shape::complex, plan.order, plan.order),
        step_(executor_, plan_, F_.planes(), G_.planes(), Z_.planes()),
        digits_(executor_, plan_.columns),
        pairs_(executor_.template allocate<PivotPair>(step_.tiles())),
        total_(executor_.template allocate<device::TileCounters>(1)) {
    executor_.upload(pairs_.data(), plan.outer_strategy.pairs.data(), pairs_.size());
    for (int i = 0; plan.first_in_single && i < 3; ++i)
      rough_.emplace_back(executor_, Shape::complex, plan.order, plan.order);
    fill();
    if (plan.factor != device::FactorKind::qr) {
      launch(Kernel::gram);
      launch(Kernel::cholesky_factor);
    }
    launch(Kernel::qr_factor);
    step_.zero_counters();
    launch(Kernel::diagonalize_tile);
    step_.sum_counters(total_.data());
    executor_.synchronize();
  }

  KernelTiming time(Kernel kernel, int launches) override {
    if (kernel == Kernel::qr_factor) launches = 1;  // it takes long for all tiles and is rare
    const auto recording = executor_.record([&] {
      for (int i = 0; i < launches; ++i) launch(kernel);
    });
    fill();  // restores the numbers, which shrink with each launch, and keeps the GPU busy until the timed launches
    const auto start = stopwatch_.mark();
    executor_.replay(recording);
    const auto end = stopwatch_.mark();
    executor_.synchronize();
    device::TileCounters total;
    executor_.download(&total, total_.data(), 1);
    return {stopwatch_.seconds(start, end) / launches, static_cast<int>(total.max_inner_sweeps)};
  }

 private:
  void fill() {
    std::uint64_t seed = 0;
    for (const auto* matrix : {&F_, &G_, &Z_}) fill(matrix->planes(), seed);
    for (const auto& matrix : rough_) fill(matrix.planes(), seed);
  }

  template <class Stored>
  void fill(const device::PlanesOf<Stored>& Y, std::uint64_t& seed) {
    const std::int64_t count = plan_.order * plan_.order;
    for (int part = 0; part < Shape::parts; ++part, seed += static_cast<std::uint64_t>(count))
      executor_.template launch<FillRandom<Stored>>(static_cast<int>(std::min<std::int64_t>(1056, (count + 255) / 256)),
                                                    0, {Y.plane(part), count, seed});
  }

  void launch(Kernel kernel) {
    switch (kernel) {
      case Kernel::gram:
        return plan_.first_in_single ? step_.gram(pairs_.data(), {rough(0), rough(1)}) : step_.gram(pairs_.data());
      case Kernel::cholesky_factor:
        return step_.cholesky(pairs_.data());
      case Kernel::qr_factor:
        return step_.qr(pairs_.data());
      case Kernel::diagonalize_tile:
        return step_.diagonalize();
      case Kernel::post_multiply:
        return plan_.first_in_single ? step_.post_multiply(pairs_.data(), {rough(0), rough(1), rough(2)}, digits_)
                                     : step_.post_multiply(pairs_.data());
    }
  }

  const device::PlanesOf<float>& rough(int i) const { return rough_[i].planes(); }

  Executor executor_;
  Stopwatch<Executor> stopwatch_{executor_};
  device::SolverPlan plan_;
  device::PlaneMatrix<Executor> F_, G_, Z_;
  std::vector<device::PlaneMatrix<Executor, float>> rough_;  // F, G, Z in single precision
  device::BlockStep<Executor, Shape> step_;
  device::DigitMemory<Executor, Shape> digits_;
  Buffer<PivotPair> pairs_;
  Buffer<device::TileCounters> total_;
};

template <class Executor>
std::unique_ptr<KernelBench> make_kernel_bench(const device::SolverPlan& plan) {
  return device::with_shape(plan, [&]<class Shape>(Shape) -> std::unique_ptr<KernelBench> {
    return std::make_unique<KernelBenchOn<Executor, Shape>>(plan);
  });
}

}  // namespace pivotlab::benchmarks
