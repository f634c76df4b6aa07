// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization on a GPU, for random matrices.
//
//   ldlt_benchmark                                               everything
//   ldlt_benchmark --benchmark_filter='LDLT-BP/d/22283'          one pivoting, scalar and order
//
// Names: variant/scalar/order; d real, z Hermitian, s complex symmetric; d+ and d- real with ±4·√(n/3), twice the
// largest eigenvalue, added to the diagonal: all +, or alternately + and −. Time is that of the elimination alone, by
// CUDA events. Counters:
//
//   read_of_peak   of complete pivoting: bytes of the reduced triangle, once per stage, per second over an H200's peak
//   flops_of_peak  of the others: n³/3 operations, complex four times as many, a second over an H200's peak
//   pivots_2x2     number of 2×2 pivots
//   refused        1 if rook pivoting was taken after an elimination without a search; the time has both
//   error          ‖A·x − Pᵀ·U·M·D·M*·Uᵀ·P·x‖∞ / (n·ε·‖A‖∞·‖x‖∞) for a random x; a run with more than 1 has failed
#include "experiments/engine/peaks.hpp"
#include "kernels/ldlt/shared/butterfly.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <string>
#include <vector>

namespace {

using namespace pivotlab;
using ldlt_detail::multiply;
using ldlt_detail::multiply_add;

constexpr const experiments::GpuPeaks& peaks = *experiments::find_peaks("NVIDIA H200");

/// Returns uniform numbers in (−1, 1) by SplitMix64 (Steele, Lea and Flood, 2014).
double uniform(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1.0;
}

template <class T>
T random_scalar(std::uint64_t i) {
  if constexpr (is_complex<T>)
    return T(uniform(2 * i), uniform(2 * i + 1));
  else
    return uniform(i);
}

/// Returns the lower triangle of a random matrix, always the same one for an order, with a multiple of ±1 added to its
/// diagonal.
template <class T>
Matrix<T> random_triangle(Index n, Symmetry symmetry, double even, double odd) {
  Matrix<T> A(n, n);
#pragma omp parallel for schedule(dynamic, 16)
  for (Index j = 0; j < n; ++j) {
    for (Index i = j; i < n; ++i) A(i, j) = random_scalar<T>(static_cast<std::uint64_t>(i + j * n));
    if (symmetry == Symmetry::hermitian) A(j, j) = T(real_part(A(j, j)));
    A(j, j) += T(j % 2 == 0 ? even : odd);
  }
  return A;
}

template <class T>
T across(const T& x, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

/// Computes A·x from the lower triangle.
template <class T>
std::vector<T> product(const Matrix<T>& A, const std::vector<T>& x, Symmetry symmetry) {
  const Index n = A.rows();
  std::vector<T> y(x.size());
  for (Index j = 0; j < n; ++j) {
    T row = multiply(A(j, j), x[j]);
    for (Index i = j + 1; i < n; ++i) {
      y[i] = multiply_add(A(i, j), x[j], y[i]);
      row = multiply_add(across(A(i, j), symmetry), x[i], row);
    }
    y[j] += row;
  }
  return y;
}

/// Computes U·M·D·M*·Uᵀ·v.
template <class T>
std::vector<T> product(const LdltFactorization<T>& f, std::vector<T> v) {
  const Index n = f.order();
  ldlt_detail::apply_butterfly<T>(f.butterfly, true, {v.data(), n, 1, n});
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i) v[j] = multiply_add(across(f.M(i, j), f.symmetry), v[i], v[j]);
  std::vector<T> w(v.size());
  for (Index i = 0; i < n; ++i) {
    w[i] = multiply_add(f.diagonal[i], v[i], w[i]);
    if (f.subdiagonal[i] == T(0)) continue;
    w[i + 1] = multiply(f.subdiagonal[i], v[i]);
    w[i] = multiply_add(across(f.subdiagonal[i], f.symmetry), v[i + 1], w[i]);
  }
  for (Index j = n - 1; j >= 0; --j)  // columns to the left have not changed w[j] yet
    for (Index i = j + 1; i < n; ++i) w[i] = multiply_add(f.M(i, j), w[j], w[i]);
  ldlt_detail::apply_butterfly<T>(f.butterfly, false, {w.data(), n, 1, n});
  return w;
}

template <class T>
double error_of(const Matrix<T>& A, const LdltFactorization<T>& f) {
  const auto n = static_cast<std::size_t>(A.rows());
  std::vector<T> x(n), v(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = random_scalar<T>(i + (std::uint64_t(1) << 60));
  for (std::size_t i = 0; i < n; ++i) v[i] = x[f.permutation[i]];
  const std::vector<T> y = product(A, x, f.symmetry), w = product(f, v);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < n; ++i) {
    difference = std::max(difference, ldlt_detail::modulus(T(y[f.permutation[i]] - w[i])));
    size = std::max(size, ldlt_detail::modulus(x[i]));
  }
  return difference / (static_cast<double>(n) * std::numeric_limits<double>::epsilon() * f.norm_inf * size);
}

/// Returns the bytes of the reduced triangle, summed over the stages.
template <class T>
double bytes_read(const LdltFactorization<T>& f) {
  double elements = 0;
  for (const auto& stage : f.stages) {
    const auto order = static_cast<double>(f.order() - stage.first);
    elements += order * (order - 1) / 2;
  }
  return elements * sizeof(T);
}

template <class T>
void run(benchmark::State& state, const std::string& variant, Symmetry symmetry, double even, double odd) {
  const Index n = state.range(0);
  const LdltOptions options{.variant = parse_ldlt_variant(variant),
                            .backend = Backend::cuda,
                            .symmetry = symmetry,
                            .triangle = InputTriangle::lower};
  try {
    const double shift = 4 * std::sqrt(static_cast<double>(n) / 3);
    const Matrix<T> A = random_triangle<T>(n, symmetry, even * shift, odd * shift);
    ldlt<T>(A.view().block(0, 0, std::min<Index>(n, 64), std::min<Index>(n, 64)), options);  // loads the kernels
    LdltFactorization<T> f;
    double seconds = 0;
    for (auto _ : state) {
      f = ldlt<T>(A, options);
      state.SetIterationTime(f.compute_seconds);
      seconds += f.compute_seconds;
    }
    seconds /= static_cast<double>(state.iterations());
    const auto order = static_cast<double>(n);
    const double flops = (is_complex<T> ? 8 : 2) * order * order * order / 6;
    if (options.variant.pivoting == Pivoting::complete)
      state.counters["read_of_peak"] = bytes_read(f) / seconds / peaks.bytes_per_second;
    else
      state.counters["flops_of_peak"] = flops / seconds / peaks.flops_per_second;
    state.counters["pivots_2x2"] = static_cast<double>(f.pivots(2));
    if (options.variant.pivoting == Pivoting::none) state.counters["refused"] = f.refusal.empty() ? 0 : 1;
    const double error = error_of(A, f);
    state.counters["error"] = error;
    if (!(error <= 1)) state.SkipWithError("the factors are wrong");
  } catch (const std::exception& error) {
    state.SkipWithError(error.what());
  }
}

template <class T>
void register_all(const char* scalar, Symmetry symmetry, const std::vector<Index>& orders, double even = 0,
                  double odd = 0) {
  for (const std::string variant : {"LDLT-BP", "LDLT-RK", "LDLT-BK", "LDLT-RBT", "LDLT-RBT;depth=0"})
    for (const Index n : orders)
      benchmark::RegisterBenchmark((variant + "/" + scalar).c_str(), run<T>, variant, symmetry, even, odd)
          ->Arg(n)
          ->Iterations(n > 10000 ? 1 : 3)
          ->UseManualTime()
          ->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  if (const std::string why = why_no_device(); !why.empty()) {
    std::fprintf(stderr, "ldlt_benchmark: %s\n", why.c_str());
    return 1;
  }
  register_all<double>("d", Symmetry::hermitian, {256, 500, 1000, 1024, 2048, 2500, 4096, 6245, 10000, 16706, 22283});
  register_all<double>("d+", Symmetry::hermitian, {1024, 4096, 10000, 22283}, 1, 1);
  register_all<double>("d-", Symmetry::hermitian, {1024, 4096, 10000, 22283}, 1, -1);
  register_all<std::complex<double>>("z", Symmetry::hermitian, {500, 1000, 1700, 4096});
  register_all<std::complex<double>>("s", Symmetry::symmetric, {1000, 4096});
  benchmark::AddCustomContext("device", list_devices().front().name);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
