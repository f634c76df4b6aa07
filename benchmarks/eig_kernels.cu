// SPDX-License-Identifier: BSD-3-Clause
#include "benchmarks/eig_kernels.hpp"

#include "kernels/eig/device/solver.hpp"
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/exec/cuda_stopwatch.hpp"

namespace pivotlab::benchmarks {
namespace {

using namespace eig_device;

/// Returns uniform numbers in (−1, 1) by SplitMix64 (Steele, Lea and Flood, 2014).
double uniform(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

template <int b, class R>
class Bench final : public EigKernelBench {
 public:
  explicit Bench(const SolverPlan& plan)
      : plan_(plan),
        A_(executor_, plan.order),
        E_(executor_, plan.order),
        sweep_(executor_, plan_, A_.planes(), E_.planes(), {}),
        random_(A_.size()) {
    for (std::size_t i = 0; i < random_.size(); ++i) random_[i] = R(uniform(i));
  }

  double seconds(EigKernel kernel) override {
    constexpr int launches = 16;
    const auto recording = executor_.record([&] {
      for (int i = 0; i < launches; ++i) launch(kernel, i % sweep_.rounds());
    });
    for (const auto* X : {&A_, &E_}) executor_.upload(X->planes().re, random_.data(), random_.size());
    for (const int round : {0, 1})  // computes the operands of each kernel and warms up the GPU
      launch(EigKernel::whole_round, round % sweep_.rounds());
    const auto start = stopwatch_.mark();
    executor_.replay(recording);
    const auto end = stopwatch_.mark();
    executor_.synchronize();
    return stopwatch_.seconds(start, end) / launches;
  }

 private:
  void launch(EigKernel kernel, int round) {
    const bool all = kernel == EigKernel::whole_round;
    if (all || kernel == EigKernel::form_gram) sweep_.form_gram(round);
    if (all || kernel == EigKernel::sweep_tile) sweep_.sweep_tiles(round);
    if (all || kernel == EigKernel::accumulate_tile) sweep_.accumulate(round);
    if (all || kernel == EigKernel::apply_transformations) sweep_.apply(round);
  }

  CudaExecutor executor_;
  Stopwatch<CudaExecutor> stopwatch_{executor_};
  SolverPlan plan_;
  DeviceMatrix<CudaExecutor, R> A_, E_;
  BlockedSweep<CudaExecutor, b, R> sweep_;
  std::vector<R> random_;
};

template <class R>
std::unique_ptr<EigKernelBench> make_bench(const SolverPlan& plan) {
  if (plan.block == 8) return std::make_unique<Bench<8, R>>(plan);
  if (plan.block == 32) return std::make_unique<Bench<32, R>>(plan);
  return std::make_unique<Bench<16, R>>(plan);
}

}  // namespace

std::unique_ptr<EigKernelBench> make_eig_kernel_bench(const SolverPlan& plan) {
  return plan.first_in_single ? make_bench<float>(plan) : make_bench<double>(plan);
}

}  // namespace pivotlab::benchmarks
