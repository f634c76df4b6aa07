// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization on the host against LAPACK's, for random matrices, with as many threads as
// OpenMP has.
//
//   ldlt_host_benchmark --benchmark_filter='Factor/.*/4000'     one order, all solvers
//   ldlt_host_benchmark --benchmark_filter='Stages|Panels'      order from which on panels are faster
//   ldlt_host_benchmark --benchmark_filter='BP|Pass'            complete pivoting and the limit of memory
//
// Time is that of the factorization alone. Counters:
//
//   flops   n³/3 (complex: four times as many) a second
//   bytes   a second that complete pivoting reads and writes, the reduced triangle once per stage; compare with
//           Pass, a read-and-write pass over a packed triangle of that order
#include "kernels/ldlt/host/factorizer.hpp"

#include <pivotlab/baselines.hpp>
#include <pivotlab/ldlt.hpp>

#include <benchmark/benchmark.h>

#include <random>
#include <string>

namespace {

using namespace pivotlab;
using benchmark::Counter;

template <class T>
Matrix<T> random_hermitian(Index n) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      if constexpr (is_complex<T>)
        A(i, j) = i == j ? T(normal(generator)) : T(normal(generator), normal(generator));
      else
        A(i, j) = normal(generator);
      A(j, i) = conjugate(A(i, j));
    }
  return A;
}

template <class T>
double flops(Index n) {
  const auto order = static_cast<double>(n);
  return (is_complex<T> ? 4 : 1) * order * order * order / 3;
}

template <class T>
void factor(benchmark::State& state, const std::string& name) {
  const Index n = state.range(0);
  const Matrix<T> A = random_hermitian<T>(n), B(n, 1);
  const bool baseline = name.find(':') != std::string::npos;
  LdltOptions options;
  if (!baseline) options.variant = parse_ldlt_variant(name);
  double seconds = 0, bytes = 0;
  for (auto _ : state) {
    double once = 0;
    if (baseline) {
      once = factor_with_baseline<T>(name, A, B).compute_seconds;
    } else {
      const auto f = ldlt<T>(A, options);
      once = f.compute_seconds;
      for (const auto& stage : f.stages) {
        const auto order = static_cast<double>(n - stage.first - stage.size);
        bytes += order * (order + 1) * sizeof(T);
      }
    }
    state.SetIterationTime(once);
    seconds += once;
  }
  const auto runs = static_cast<double>(state.iterations());
  state.counters["flops"] = Counter(flops<T>(n) * runs / seconds, Counter::kDefaults);
  if (!baseline && options.variant.pivoting == Pivoting::complete)
    state.counters["bytes"] = Counter(bytes / seconds, Counter::kDefaults);
}

/// Times one order stage by stage or by panels.
template <class T, bool panels>
void with(benchmark::State& state, Pivoting pivoting) {
  const PackedTriangle<T> A = pack<T>(random_hermitian<T>(state.range(0)), InputTriangle::lower);
  const LdltOptions options{.variant = {.pivoting = pivoting}};
  for (auto _ : state) {
    double seconds = 0;
    if constexpr (panels) {
      seconds = ldlt_detail::factor_in_panels<true>(ldlt_detail::lower_triangle(A), options).compute_seconds;
    } else {
      PackedTriangle<T> copy = A;
      seconds = ldlt_detail::Factorizer<T, PackedTriangle<T>, true>(copy, options).run().compute_seconds;
    }
    state.SetIterationTime(seconds);
  }
}

void pass(benchmark::State& state) {
  PackedTriangle<double> A(state.range(0));
  double* a = A.elements().data();
  const Index count = std::ssize(A.elements());
  for (auto _ : state) {
#pragma omp parallel for simd schedule(static)
    for (Index i = 0; i < count; ++i) a[i] = a[i] * 0.5 + 1;
    benchmark::ClobberMemory();
  }
  const auto bytes = static_cast<double>(2 * count * Index(sizeof(double)) * Index(state.iterations()));
  state.counters["bytes"] = Counter(bytes, Counter::kIsRate);
}

const bool registered = [] {
  const auto in_milliseconds = [](benchmark::internal::Benchmark* b) {
    b->UseManualTime()->Unit(benchmark::kMillisecond);
  };
  const auto all = [&](const std::string& name, auto scalar, std::initializer_list<Index> orders) {
    using T = decltype(scalar);
    const std::string type = is_complex<T> ? "z/" : "d/";
    for (const Index n : orders)
      benchmark::RegisterBenchmark(("Factor/" + type + name).c_str(), factor<T>, name)->Arg(n)->Apply(in_milliseconds);
  };
  for (const char* name : {"LDLT-BK", "lapack:dsytrf", "LDLT-RK", "lapack:dsytrf_rook"})
    all(name, double(), {500, 1000, 2000, 4000});
  for (const char* name : {"LDLT-BK", "lapack:zhetrf", "LDLT-RK", "lapack:zhetrf_rook"})
    all(name, std::complex<double>(), {500, 1000, 2000});
  all("LDLT-BP", double(), {500, 1000, 2000});
  all("LDLT-BP", std::complex<double>(), {500, 1000});
  for (const Index n : {500, 1000, 2000})
    benchmark::RegisterBenchmark("Pass", pass)->Arg(n)->UseRealTime()->Unit(benchmark::kMicrosecond);
  for (const Index n : {32, 48, 64, 96, 128, 192, 256})
    for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
      const std::string name = std::string(to_string(pivoting));
      const auto one = [&](const std::string& kind, auto* function) {
        benchmark::RegisterBenchmark((kind + name).c_str(), function, pivoting)
            ->Arg(n)
            ->UseManualTime()
            ->Unit(benchmark::kMicrosecond);
      };
      one("Stages/d/", with<double, false>);
      one("Panels/d/", with<double, true>);
      one("Stages/z/", with<std::complex<double>, false>);
      one("Panels/z/", with<std::complex<double>, true>);
    }
  return true;
}();

}  // namespace
