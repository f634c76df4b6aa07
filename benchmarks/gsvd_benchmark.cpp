// SPDX-License-Identifier: BSD-3-Clause
// The GSVD and its baselines on the paper's pairs, and the phases of a tile with their rates.
//
//   gsvd_benchmark --benchmark_filter='Solve/.*/512'      one order, all solvers
//   gsvd_benchmark --benchmark_filter=Tile                 the phases alone
//
// "flops" is a rate: compare it with that of Product, a large matrix product on the same machine.
#include "kernels/gsvd/host/pointwise.hpp"
#include "kernels/gsvd/host/tile_factor.hpp"

#include <pivotlab/baselines.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <map>
#include <random>

namespace {

using namespace pivotlab;
using benchmark::Counter;

template <class T>
const Pair<T>& paper_pair(Index n) {
  static std::map<Index, AnyPair> pairs;
  auto& pair = pairs[n];
  if (std::get_if<Pair<T>>(&pair) == nullptr || std::get<Pair<T>>(pair).F.cols() != n)
    pair = generate_pair({.generator = "paper", .type = scalar_type<T>, .n = n});
  return std::get<Pair<T>>(pair);
}

template <class T>
void Solve(benchmark::State& state, const std::string& name) {
  const auto& pair = paper_pair<T>(state.range(0));
  const bool baseline = name.find(':') != std::string::npos;
  std::size_t sweeps = 0;
  for (auto _ : state) {
    const GsvdResult<T> r = baseline ? solve_gsvd_with_baseline<T>(name, pair.F, pair.G, 0)
                                     : gsvd<T>(pair.F, pair.G, {.variant = parse_gsvd_variant(name).variant});
    if (r.status != Status::passed) state.SkipWithError(r.message.c_str());
    state.SetIterationTime(r.compute_seconds);
    sweeps = r.sweeps.size();
  }
  if (sweeps > 0) state.counters["sweeps"] = static_cast<double>(sweeps);
}

template <class T>
Matrix<T> random_matrix(Index m, Index n) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  Matrix<T> A(m, n);
  std::generate_n(A.data(), A.size(), [&] {
    if constexpr (is_complex<T>)
      return T(normal(generator), normal(generator));
    else
      return normal(generator);
  });
  return A;
}

// Returns the flops of a multiplication and an addition: two for real numbers, eight for complex ones.
template <class T>
constexpr double multiply_add = is_complex<T> ? 8 : 2;

template <class T>
void Product(benchmark::State& state) {
  const Index n = state.range(0);
  const auto A = random_matrix<T>(n, n), B = random_matrix<T>(n, n);
  Matrix<T> C(n, n);
  for (auto _ : state) {
    multiply<T>(C.view(), A, B);
    benchmark::DoNotOptimize(C.data());
  }
  state.counters["flops"] = Counter(multiply_add<T> * n * n * n, Counter::kIsIterationInvariantRate);
}

template <class T>
void TileGram(benchmark::State& state) {
  const Index k = state.range(0), m = 256;
  const auto Y = random_matrix<T>(m, k);
  Matrix<T> A(k, k);
  for (auto _ : state) {
    add_gram<T>(A.view(), adjoint(Y));
    benchmark::DoNotOptimize(A.data());
  }
  state.counters["flops"] = Counter(multiply_add<T> / 2 * m * k * k, Counter::kIsIterationInvariantRate);
}

template <class T>
void TileProduct(benchmark::State& state) {
  const Index k = state.range(0), m = 256;
  const auto Y = random_matrix<T>(m, k), Z = random_matrix<T>(k, k);
  Matrix<T> C(m, k);
  for (auto _ : state) {
    multiply<T>(C.view(), Y, Z);
    benchmark::DoNotOptimize(C.data());
  }
  state.counters["flops"] = Counter(multiply_add<T> * m * k * k, Counter::kIsIterationInvariantRate);
}

template <class T>
void TileCholesky(benchmark::State& state) {
  const Index k = state.range(0);
  const auto Y = random_matrix<T>(2 * k, k);
  const Matrix<T> gram = product_of<T>(adjoint(Y), Y);
  Matrix<T> A(k, k);
  for (auto _ : state) {
    A = gram;
    benchmark::DoNotOptimize(cholesky<T>(A.view()));
  }
  state.counters["flops"] = Counter(multiply_add<T> / 6 * k * k * k, Counter::kIsIterationInvariantRate);
}

template <class T>
void TileSweep(benchmark::State& state) {
  const Index k = state.range(0);
  const auto strategy = make_strategy_table(Strategy::ME, k);
  PointwiseAlgorithm<T> algorithm(strategy, {});
  Matrix<T> start = random_matrix<T>(k, k);
  for (Index j = 0; j < k; ++j) start(j, j) += T(3);
  SplitMatrix<T> F(k, k), G(k, k), Z(k, k);
  for (auto _ : state) {
    F.assign(start.view()), G.assign(start.view()), Z.set_identity();
    benchmark::DoNotOptimize(algorithm.run(F, G, Z, 1, true));
  }
  state.counters["pairs"] = Counter(static_cast<double>(k * (k - 1) / 2), Counter::kIsIterationInvariantRate);
}

[[maybe_unused]] const bool registered = [] {
  fix_eigen_blocking();
  const auto solve = [](const std::string& name, auto type, std::initializer_list<Index> orders) {
    for (const Index n : orders)
      benchmark::RegisterBenchmark(("Solve/" + name).c_str(), Solve<decltype(type)>, name)
          ->Arg(n)
          ->UseManualTime()
          ->Unit(benchmark::kSecond)
          ->Iterations(n >= 1024 ? 1 : 3);
  };
  for (const auto& name : expand_pattern("DHZ0-(ME-{FB,BO}-ME);w={16,32}")) solve(name, double(), {256, 512, 1024});
  for (const auto& name : expand_pattern("ZHZ0-(ME-{FB,BO}-ME);w={16,32}"))
    solve(name, std::complex<double>(), {256, 512});
  for (const auto& baseline : list_gsvd_baselines(ScalarType::d)) solve(baseline.name, double(), {256, 512, 1024});
  for (const auto& baseline : list_gsvd_baselines(ScalarType::z))
    solve(baseline.name, std::complex<double>(), {256, 512});
  return true;
}();

BENCHMARK(Product<double>)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(Product<std::complex<double>>)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK(TileGram<double>)->Arg(32)->Arg(64)->Arg(128);
BENCHMARK(TileGram<std::complex<double>>)->Arg(32)->Arg(64);
BENCHMARK(TileProduct<double>)->Arg(32)->Arg(64)->Arg(128);
BENCHMARK(TileProduct<std::complex<double>>)->Arg(32)->Arg(64);
BENCHMARK(TileCholesky<double>)->Arg(32)->Arg(64)->Arg(128);
BENCHMARK(TileCholesky<std::complex<double>>)->Arg(32)->Arg(64);
BENCHMARK(TileSweep<double>)->Arg(32)->Arg(64)->Arg(128);
BENCHMARK(TileSweep<std::complex<double>>)->Arg(32)->Arg(64);

}  // namespace
