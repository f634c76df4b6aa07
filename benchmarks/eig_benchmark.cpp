// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of Gaussian matrices on a GPU: eigenvalues and right vectors.
//
//   eig_benchmark                                                       everything
//   eig_benchmark --benchmark_filter='ZEIG-\(RR\);b=16/1024'            one variant and order
//   eig_benchmark --benchmark_filter='SweepTile'                        one kernel of a round
//   eig_benchmark --benchmark_filter='^ZEIG-\(RR\);b=16(;mixed)?/'      with and without sweeps in single precision
//
// Names: variant/order, batch/variant/order/count, kernel/variant/order. Times are device times by CUDA events: from
// the imported matrix to eigenvalues and vectors in device memory; for kernels, one launch;
// those of a variant with `mixed` are in single precision. Counters:
//
//   sweeps     to convergence
//   round_us   microseconds of a round, from the sweeps' times
//   rest       the share of the time that is not in sweeps: balancing, eigenvectors; with `mixed` the last sweep in
//              single precision includes E⁻¹·A·E
//   residual   ‖A·V − V·Λ‖_F/‖A‖_F; a run with more than 1e-14·n has failed
//   wall       seconds of the whole call, with copies and checks
#include "benchmarks/eig_kernels.hpp"
#include "kernels/eig/device/solver_plan.hpp"
#include "support/timer.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/eig.hpp>
#include <pivotlab/error.hpp>

#include <benchmark/benchmark.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pivotlab;
using benchmarks::EigKernel;
using Complex = std::complex<double>;

Matrix<Complex> gaussian(Index rows, Index cols) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  Matrix<Complex> A(rows, cols);
  for (Index i = 0; i < A.size(); ++i) {
    const double re = normal(generator), im = normal(generator);
    A.data()[i] = {re, im};
  }
  return A;
}

/// Computes ‖A·V − V·Λ‖_F/‖A‖_F; for many pairs it is scaled up from every 16th column.
double residual(MatrixView<const Complex> A, const EigResult<double>& result) {
  const Index n = A.cols, step = n > 64 ? 16 : 1;
  double squares = 0, size = 0;
#pragma omp parallel for schedule(static) reduction(+ : squares)
  for (Index k = 0; k < n; k += step) {
    std::vector<Complex> r(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) r[i] = -result.eigenvalues[k] * result.V(i, k);
    for (Index j = 0; j < n; ++j) {
      const Complex x = result.V(j, k);
      for (Index i = 0; i < n; ++i)
        r[i] += Complex(A(i, j).real() * x.real() - A(i, j).imag() * x.imag(),
                        A(i, j).real() * x.imag() + A(i, j).imag() * x.real());
    }
    for (const Complex& x : r) squares += std::norm(x);
  }
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) size += std::norm(A(i, j));
  return std::sqrt(squares * static_cast<double>(step) / size);
}

void report(benchmark::State& state, double value, Index n) {
  state.counters["residual"] = value;
  if (!(value <= 1e-14 * static_cast<double>(n))) state.SkipWithError("the pairs are wrong");
}

void run_whole(benchmark::State& state, const std::string& variant) {
  const Index n = state.range(0);
  const EigOptions options{.variant = parse_eig_variant(variant), .backend = Backend::cuda};
  try {
    const Matrix<Complex> A = gaussian(n, n);
    eig<Complex>(gaussian(64, 64), options);  // loads the kernels
    EigResult<double> result;
    double wall = 0, in_sweeps = 0;
    for (auto _ : state) {
      const Timer timer;
      result = eig<Complex>(A, options);
      wall = timer.seconds();
      state.SetIterationTime(result.compute_seconds);
    }
    for (const auto& sweep : result.history) in_sweeps += sweep.seconds;
    const EigVariant& v = options.variant;
    const Index players = v.form == EigForm::blocked ? (n + 2 * v.block - 1) / (2 * v.block) * 2 : n + n % 2;
    state.counters["sweeps"] = result.sweeps();
    state.counters["round_us"] =
        1e6 * in_sweeps / static_cast<double>(result.sweeps() * std::max<Index>(1, players - 1));
    state.counters["rest"] = 1 - in_sweeps / result.compute_seconds;
    state.counters["wall"] = wall;
    report(state, residual(A, result), n);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

void run_batch(benchmark::State& state, const std::string& variant) {
  const Index n = state.range(0), count = state.range(1);
  const EigOptions options{.variant = parse_eig_variant(variant), .backend = Backend::cuda};
  try {
    const Matrix<Complex> A = gaussian(n, n * count);
    std::vector<EigResult<double>> results;
    double wall = 0;
    for (auto _ : state) {
      const Timer timer;
      results = eig_batched<Complex>(A, options);
      wall = timer.seconds();
      double seconds = 0;
      for (const auto& result : results) seconds += result.compute_seconds;
      state.SetIterationTime(seconds);
    }
    int most = 0;
    double worst = 0;
    for (Index k = 0; k < count; ++k) {
      most = std::max(most, results[k].sweeps());
      if (k % 16 == 0) worst = std::max(worst, residual(A.view().cols_range(k * n, n), results[k]));
    }
    state.counters["sweeps"] = most;
    state.counters["wall"] = wall;
    report(state, worst, n);
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

/// Returns the bench of a plan. The last one is kept, because the library calls a benchmark several times.
benchmarks::EigKernelBench& bench_of(const std::string& variant, Index n) {
  static std::string kept_name;
  static std::unique_ptr<benchmarks::EigKernelBench> kept;
  const std::string name = variant + "/" + std::to_string(n);
  if (kept_name != name) {
    kept.reset();  // released first, to save memory
    kept_name.clear();
    kept = benchmarks::make_eig_kernel_bench(eig_device::make_plan(n, {.variant = parse_eig_variant(variant)}));
    kept_name = name;
  }
  return *kept;
}

void run_kernel(benchmark::State& state, EigKernel kernel, const std::string& variant) {
  try {
    auto& bench = bench_of(variant, state.range(0));
    bench.seconds(kernel);  // loads the kernel
    for (auto _ : state) state.SetIterationTime(bench.seconds(kernel));
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

void register_all() {
  const auto whole = [](const std::string& variant, const std::vector<Index>& orders) {
    for (const Index n : orders)
      benchmark::RegisterBenchmark(variant.c_str(), run_whole, variant)
          ->Arg(n)
          ->Iterations(n <= 512 ? 3 : 2)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
  };
  whole("ZEIG-(RR);b=16", {256, 512, 1000, 1024, 2048, 4096});
  whole("ZEIG-(RR);b=16;mixed", {256, 512, 1000, 1024, 2048, 4096});
  whole("ZEIG-(RR);b=8", {256, 512, 1024});
  whole("ZEIG-(RR);b=32", {256, 512, 1024, 2048});
  whole("ZEIG-(RR);b=32;mixed", {1024, 2048, 4096});
  whole("ZEIG-(RR);fused", {256, 512, 1024});
  whole("ZEIG-(RR)", {256, 512, 1024});
  for (const Index n : {16, 32, 64})
    benchmark::RegisterBenchmark("batch/ZEIG-(RR);fused", run_batch, "ZEIG-(RR);fused")
        ->Args({n, 1000})
        ->Iterations(3)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  const std::pair<EigKernel, const char*> kernels[] = {{EigKernel::form_gram, "FormGram"},
                                                       {EigKernel::sweep_tile, "SweepTile"},
                                                       {EigKernel::accumulate_tile, "AccumulateTile"},
                                                       {EigKernel::apply_transformations, "ApplyTransformations"},
                                                       {EigKernel::whole_round, "WholeRound"}};
  for (const std::string variant :
       {"ZEIG-(RR);b=16", "ZEIG-(RR);b=8", "ZEIG-(RR);b=32", "ZEIG-(RR);b=16;mixed", "ZEIG-(RR);b=32;mixed"})
    for (const Index n : {256, 512, 1024, 2048, 4096})
      for (const auto& [kernel, name] : kernels)
        benchmark::RegisterBenchmark((std::string(name) + "/" + variant).c_str(), run_kernel, kernel, variant)
            ->Arg(n)
            ->Iterations(3)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  if (const std::string why = why_no_device(); !why.empty()) {
    std::fprintf(stderr, "eig_benchmark: %s\n", why.c_str());
    return 1;
  }
  register_all();
  benchmark::AddCustomContext("device", list_devices().front().name);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
