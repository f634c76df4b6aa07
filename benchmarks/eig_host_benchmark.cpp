// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition on the host against LAPACK's zgeev, eigenvalues and right vectors of random complex matrices,
// with as many threads as OpenMP has.
//
//   eig_host_benchmark --benchmark_filter='Eig/.*/512'     one order, all solvers
//   eig_host_benchmark --benchmark_filter='Product'        the limit of the blocked form's products
//
// Time is that of the algorithm alone. Counters:
//
//   sweeps   of the iteration
//   sweep    seconds per sweep
//   flops    of a sweep, 60·n³ real ones by blocks (H, K 8·n³, three products of 12·n³ or, E, of as many, and inner
//            sweeps), a second; compare it with Product, one thread's real products of that shape, times the threads
#include "kernels/libraries/lapack.hpp"
#include "kernels/numerics/eigen.hpp"
#include "support/timer.hpp"

#include <pivotlab/eig.hpp>

#include <benchmark/benchmark.h>

#include <random>
#include <string>

namespace {

using namespace pivotlab;
using benchmark::Counter;
using Complex = std::complex<double>;

Matrix<Complex> gaussian(Index n) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  Matrix<Complex> A(n, n);
  for (Index i = 0; i < A.size(); ++i) {
    const double re = normal(generator), im = normal(generator);
    A.data()[i] = {re, im};
  }
  return A;
}

void decompose(benchmark::State& state, const std::string& name) {
  const Index n = state.range(0);
  const Matrix<Complex> A = gaussian(n);
  const EigOptions options{.variant = parse_eig_variant(name)};
  double sweeps = 0, seconds = 0;
  for (auto _ : state) {
    const auto result = eig<Complex>(A, options);
    state.SetIterationTime(result.compute_seconds);
    for (const auto& sweep : result.history) seconds += sweep.seconds;
    sweeps += result.sweeps();
  }
  const auto order = static_cast<double>(n);
  state.counters["sweeps"] = Counter(sweeps / static_cast<double>(state.iterations()));
  state.counters["sweep"] = Counter(seconds / sweeps);
  state.counters["flops"] = Counter(60 * order * order * order * sweeps / seconds);
}

void zgeev(benchmark::State& state) {
  const Index n = state.range(0);
  const Matrix<Complex> A = gaussian(n);
  Matrix<Complex> V(n, n);
  std::vector<Complex> values(static_cast<std::size_t>(n));
  for (auto _ : state) {
    Matrix<Complex> copy = A;
    const Timer timer;
    lapack::geev<Complex>(copy, MatrixView<Complex>{nullptr, n, 0, n}, V, values.data());
    state.SetIterationTime(timer.seconds());
  }
}

/// Times the product of a strip of 256 rows and a square of order 2b.
void product(benchmark::State& state) {
  const Index s = state.range(0), rows = 256;
  EigenMatrix<double> X = EigenMatrix<double>::Random(rows, s), M = EigenMatrix<double>::Random(s, s), Y(rows, s);
  for (auto _ : state) {
    Y.noalias() = X * M;
    benchmark::DoNotOptimize(Y.data());
  }
  const auto flops = static_cast<double>(2 * rows * s * s) * static_cast<double>(state.iterations());
  state.counters["flops"] = Counter(flops, Counter::kIsRate);
}

const bool registered = [] {
  const auto in_milliseconds = [](benchmark::internal::Benchmark* b) {
    b->UseManualTime()->Unit(benchmark::kMillisecond);
  };
  for (const Index n : {64, 128, 256, 512, 1024}) {
    for (const char* name : {"ZEIG-(RR);b=8", "ZEIG-(RR);b=16", "ZEIG-(RR);b=32", "ZEIG-(ME);b=16",
                             "ZEIG-(RR);b=16;refine", "ZEIG-(RR);fused", "ZEIG-(RR)"}) {
      const bool by_blocks = std::string(name).find(";b=") != std::string::npos;
      if (!by_blocks && n > 512) continue;
      benchmark::RegisterBenchmark((std::string("Eig/") + name).c_str(), decompose, name)
          ->Arg(n)
          ->Apply(in_milliseconds);
    }
    if (lapack::available()) benchmark::RegisterBenchmark("Eig/lapack:zgeev", zgeev)->Arg(n)->Apply(in_milliseconds);
  }
  for (const Index s : {16, 32, 64}) benchmark::RegisterBenchmark("Product", product)->Arg(s);
  return true;
}();

}  // namespace
