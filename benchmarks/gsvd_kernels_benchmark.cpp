// SPDX-License-Identifier: BSD-3-Clause
// The kernels of a block step on a GPU, one by one, as fractions of the GPU's peaks, and whole decompositions.
//
//   gsvd_kernels_benchmark                                            everything
//   gsvd_kernels_benchmark --benchmark_filter='Gram/.*/9728'          one kernel at one order
//   gsvd_kernels_benchmark --benchmark_filter='w=32(;mixed)?/'        with and without sweeps in single precision
//   gsvd_kernels_benchmark --benchmark_out=kernels.json --benchmark_out_format=json
//
// Names: kernel/variant/order, with `mixed` in single precision; Decomposition/variant/order. Time is one launch's, all
// tiles of a step, or all of the iteration, by CUDA events. Counters:
//
//   bytes_of_peak, flops_of_peak   compulsory traffic and useful operations a second over an H200's peaks; data in
//                                  the L2 cache (n = 1024) may exceed the first
//   ns_per_step                    of DiagonalizeTile: a step of the inner strategy in all tiles
//   inner_sweeps                   of DiagonalizeTile
//   sweeps, in_single              of a decomposition, and those of them in single precision
//   seconds_in_single              their time
#include "benchmarks/gsvd_kernels.hpp"
#include "experiments/engine/peaks.hpp"
#include "kernels/gsvd/device/solver_plan.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/gsvd.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pivotlab;
using benchmarks::Kernel;

constexpr const experiments::GpuPeaks& peaks = *experiments::find_peaks("NVIDIA H200");

struct Work {
  double bytes, flops;
};

/// Returns the compulsory work of one launch. Complex operations count as their real operations.
Work work(Kernel kernel, const device::SolverPlan& plan) {
  const auto n = static_cast<double>(plan.order);
  const double k = 2 * plan.width, tiles = n / k, parts = plan.complex ? 2 : 1;
  const double multiply_add = plan.complex ? 8 : 2;
  const double stored = plan.first_in_single ? 4 : 8;
  const double matrix = stored * parts * n * n, factor = 8 * parts * k * k;
  switch (kernel) {
    case Kernel::gram:  // half of a product, of F and of G
      return {2 * matrix, 2 * tiles * multiply_add / 2 * n * k * k};
    case Kernel::cholesky_factor:
      return {2 * tiles * 2 * factor, 2 * tiles * multiply_add / 6 * k * k * k};
    case Kernel::qr_factor:
      return {2 * matrix, 2 * tiles * multiply_add * (n * k * k - k * k * k / 3)};
    case Kernel::diagonalize_tile:
      return {tiles * (2 * factor + 8 * parts * parts * k * k), 0};
    case Kernel::post_multiply:  // F, G and Z, read and written
      return {3 * 2 * matrix, 3 * tiles * multiply_add * n * k * k};
  }
  return {};
}

/// Returns the bench of a plan. The last one is kept, because the library calls a benchmark several times.
benchmarks::KernelBench& bench_of(const std::string& variant, Index n, const device::SolverPlan& plan) {
  static std::string kept_name;
  static std::unique_ptr<benchmarks::KernelBench> kept;
  const std::string name = variant + "/" + std::to_string(n);
  if (kept_name != name) {
    kept.reset();  // released first, to save memory
    kept_name.clear();
    kept = benchmarks::make_cuda_kernel_bench(plan);
    kept_name = name;
  }
  return *kept;
}

void run(benchmark::State& state, Kernel kernel, const std::string& variant) {
  const Index n = state.range(0);
  const NamedGsvdVariant named = parse_gsvd_variant(variant);
  const device::SolverPlan plan = device::make_plan(named.type == ScalarType::z, n, n, n, {.variant = named.variant});
  try {
    benchmarks::KernelBench& bench = bench_of(variant, n, plan);
    double seconds = 0;
    int inner_sweeps = 0;
    bench.time(kernel);  // loads the kernel
    for (auto _ : state) {
      const benchmarks::KernelTiming timing = bench.time(kernel);
      state.SetIterationTime(timing.seconds);
      seconds += timing.seconds;
      inner_sweeps = timing.inner_sweeps;
    }
    seconds /= static_cast<double>(state.iterations());
    const Work of_launch = work(kernel, plan);
    state.counters["bytes_of_peak"] = of_launch.bytes / seconds / peaks.bytes_per_second;
    if (of_launch.flops > 0) state.counters["flops_of_peak"] = of_launch.flops / seconds / peaks.flops_per_second;
    if (kernel == Kernel::diagonalize_tile) {
      state.counters["inner_sweeps"] = inner_sweeps;
      state.counters["ns_per_step"] = 1e9 * seconds / (inner_sweeps * static_cast<double>(plan.inner_strategy.steps));
    }
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

/// Returns a matrix of uniform numbers in (−1, 1), whose diagonal is larger by √n, so that its condition is moderate.
template <class T>
Matrix<T> random_matrix(Index n, std::uint64_t seed) {
  auto A = Matrix<T>::uninitialized(n, n);
  auto* const parts = reinterpret_cast<double*>(A.data());
  const Index count = A.size() * static_cast<Index>(sizeof(T) / sizeof(double));
  constexpr Index piece = 1 << 16;
#pragma omp parallel for
  for (Index first = 0; first < count; first += piece) {
    std::mt19937_64 generator(seed + static_cast<std::uint64_t>(first));
    for (Index i = first; i < std::min(first + piece, count); ++i)
      parts[i] = static_cast<double>(generator() >> 11) * 0x1p-52 - 1;
  }
  for (Index j = 0; j < n; ++j) A(j, j) += T(std::sqrt(static_cast<double>(n)));
  return A;
}

template <class T>
void decompose(benchmark::State& state, const GsvdVariant& variant) {
  const Index n = state.range(0);
  const Matrix<T> F = random_matrix<T>(n, 1), G = random_matrix<T>(n, 2);
  GsvdResult<T> result;
  for (auto _ : state) {
    result = gsvd<T>(F, G, {.variant = variant, .backend = Backend::cuda});
    state.SetIterationTime(result.compute_seconds);
    if (result.status != Status::passed) return state.SkipWithError(result.message.c_str());
  }
  state.counters["sweeps"] = static_cast<double>(result.sweeps.size());
  for (const SweepCounters& sweep : result.sweeps) {
    state.counters["in_single"] += sweep.in_single;
    state.counters["seconds_in_single"] += sweep.in_single ? sweep.seconds : 0;
  }
}

void run_whole(benchmark::State& state, const std::string& variant) {
  const NamedGsvdVariant named = parse_gsvd_variant(variant);
  try {
    named.type == ScalarType::z ? decompose<std::complex<double>>(state, named.variant)
                                : decompose<double>(state, named.variant);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

void register_kernel(Kernel kernel, const std::string& name, const std::string& pattern,
                     const std::vector<Index>& orders = {1024, 4096, 9728}) {
  for (const std::string& variant : expand_pattern(pattern))
    for (const Index n : orders)
      benchmark::RegisterBenchmark((name + "/" + variant).c_str(), run, kernel, variant)
          ->Arg(n)
          ->UseManualTime()
          ->Unit(benchmark::kMicrosecond);
}

void register_all() {
  for (const std::string type : {"D", "Z"}) {
    register_kernel(Kernel::gram, "Gram", type + "HZ0-(ME-FB-ME);w={16,32}{,;mixed}");
    register_kernel(Kernel::cholesky_factor, "CholeskyFactor",
                    type + "HZ0-(ME-FB-ME);w={16,32};factor={cholesky,pivoted}");
    // This factors all tiles, which a solver never does. One order suffices; 9728 takes minutes.
    register_kernel(Kernel::qr_factor, "QrFactor", type + "HZ0-(ME-FB-ME);w={16,32};factor=qr", {1024});
    register_kernel(Kernel::diagonalize_tile, "DiagonalizeTile", type + "HZ{0,3}-(ME-{BO,FB}-ME);w={16,32}");
    register_kernel(Kernel::post_multiply, "PostMultiply", type + "HZ0-(ME-FB-ME);w={16,32}{,;mixed}");
    for (const std::string& variant : expand_pattern(type + "HZ0-(ME-FB-ME);w=32{,;mixed}"))
      benchmark::RegisterBenchmark(("Decomposition/" + variant).c_str(), run_whole, variant)
          ->ArgsProduct({{1024, 4096, 9728}})
          ->UseManualTime()
          ->Iterations(2)
          ->Unit(benchmark::kMillisecond);
  }
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  if (const std::string why = why_no_device(); !why.empty()) {
    std::fprintf(stderr, "gsvd_kernels_benchmark: %s\n", why.c_str());
    return 1;
  }
  register_all();
  benchmark::AddCustomContext("device", list_devices().front().name);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
