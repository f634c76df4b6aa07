// SPDX-License-Identifier: BSD-3-Clause
// Batches of small Hermitian matrices in the memory of a GPU, against cuSOLVER's batched routines: microseconds a
// matrix, medians of repetitions by CUDA events. The bits of some matrices are compared with those of the emulation.
//
//   batch_eigh_benchmark                                 everything
//   batch_eigh_benchmark --n 256 --count 1000 --repetitions 3
#include "batch_timing.hpp"

#include "kernels/libraries/cusolver.hpp"

#include <pivotlab/batch.hpp>
#include <pivotlab/scalar_traits.hpp>

#include <fmt/format.h>

#include <cmath>
#include <complex>
#include <iostream>
#include <random>
#include <string>

namespace {

using namespace pivotlab;
using cuda::check;
using Complex = std::complex<double>;

template <class T>
class Benchmark {
 public:
  Benchmark(Index order, Index matrices, int repeat)
      : n(order),
        count(matrices),
        repetitions(repeat),
        A(n * n * count),
        X(n * n * count),
        numbers(2 * n * count),
        status(count) {
    std::mt19937_64 generator(static_cast<unsigned>(n));
    std::normal_distribution<double> normal;
    const Index own = std::min<Index>(count, 256);  // these are repeated
    given.resize(n * n * own);
    for (Index k = 0; k < own; ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
          T x(normal(generator));
          if constexpr (is_complex<T>)
            if (i > j) x.imag(normal(generator));
          given[(k * n + j) * n + i] = x;
          given[(k * n + i) * n + j] = conjugate(x);
        }
    for (Index k = 0; k < count; k += own)
      check(cudaMemcpy(A.data() + k * n * n, given.data(), sizeof(T) * n * n * std::min(own, count - k),
                       cudaMemcpyHostToDevice),
            "cudaMemcpy");
  }

  void run() {
    const EighVariant accurate = eigh_variant_of_batches(), fast{.pivoting = Pivoting::none};
    eigh("HEV-RK-ME-PT", accurate, true), eigh("HEV-RK-ME-PT, values", accurate, false);
    eigh("HEV-2STAGE, values", fast, false), eigh("HEV-2STAGE", fast, true);
    time_library(n, "syevjBatched", [&] { syevj_batched(); });
    time_library(n, "XsyevBatched", [&] { xsyev_batched(); });
  }

 private:
  static MatrixBatch<T> batch(T* data, Index n, Index matrices) { return {data, n, n, n, n * n, matrices}; }
  void print(const std::string& name, double ms, const std::string& remark) const {
    fmt::print("{:>4} {} {:<24}{:>12.4f}  {}\n", n, is_complex<T> ? "complex" : "real   ", name,
               1e3 * ms / static_cast<double>(count), remark);
    std::cout.flush();
  }

  void eigh(const std::string& name, const EighVariant& variant, bool vectors) {
    EighBatchOptions options;
    options.backend = Backend::cuda, options.variant = variant;
    const Device<unsigned char> workspace(eigh_batch_workspace<T>(n, count, variant));
    EighBatch<T> result{numbers.data(), numbers.data() + n * count, {}, status.data()};
    if (vectors || n > 64) result.U = batch(X.data(), n, count);
    if (!vectors && is_two_stage(variant)) result.U = {};
    const double ms = median_ms(
        repetitions, [] {}, [&] { eigh_batch<T>(batch(A.data(), n, count), result, workspace.data(), options); });
    values = numbers.first(n);
    const std::vector<int> all = status.first(count);
    const std::string bits = n <= most_emulated || is_two_stage(variant) ? compare(result, options) : "";
    print(name, ms, fmt::format("{}{} not passed", bits, count - std::ranges::count(all, 0)));
  }
  std::string compare(const EighBatch<T>& result, EighBatchOptions options) const {
    std::vector<double> lambda(n * sample), work(eigh_batch_workspace<T>(n, sample, options.variant) / sizeof(double));
    std::vector<T> U(n * n * sample);
    std::vector<int> emulated_status(sample);
    options.backend = Backend::emulation;
    EighBatch<T> emulated{lambda.data(), nullptr, {}, emulated_status.data()};
    if (result.U.data != nullptr) emulated.U = batch(U.data(), n, sample);
    std::vector<T> matrices = given;
    eigh_batch<T>(batch(matrices.data(), n, sample), emulated, work.data(), options);
    const bool same = numbers.first(n * sample) == lambda && (result.U.data == nullptr || X.first(n * n * sample) == U);
    return same ? "bits of the emulation, " : "OTHER BITS THAN THE EMULATION, ";
  }

  /// The largest difference of the first matrix's values, relative to the largest one.
  std::string difference() const {
    std::vector<double> theirs = numbers.first(n), own = values;
    std::ranges::sort(own), std::ranges::sort(theirs);
    double most = 0, size = 0;
    for (Index j = 0; j < n; ++j)
      most = std::max(most, std::abs(own[j] - theirs[j])), size = std::max(size, std::abs(own[j]));
    return fmt::format("values differ by {:.1e}", most / size);
  }

  void syevj_batched() {
    const cuda::Cusolver solver(nullptr);
    const auto& all = cuda::cusolver_routines();
    syevjInfo_t info = nullptr;
    check(all.create_syevj_info(&info), "create");
    const auto solve = [&]<class Number, class Size, class Solve>(Number*, Size* size, Solve* solve_all) {
      auto* const x = reinterpret_cast<Number*>(X.data());
      int length = 0;
      const auto matrices = static_cast<int>(count), order = static_cast<int>(n);
      check(size(solver.handle(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, x, order, numbers.data(),
                 &length, info, matrices),
            "bufferSize");
      const Device<T> work(length);
      return median_ms(
          repetitions, [&] { X.copy(A); },
          [&] {
            check(solve_all(solver.handle(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order, x, order,
                            numbers.data(), reinterpret_cast<Number*>(work.data()), length, status.data(), info,
                            matrices),
                  "syevjBatched");
          });
    };
    double ms = 0;
    if constexpr (is_complex<T>) {
      decltype(cusolverDnZheevjBatched_bufferSize)* size = cuda::cusolver_symbol("cusolverDnZheevjBatched_bufferSize");
      decltype(cusolverDnZheevjBatched)* all_matrices = cuda::cusolver_symbol("cusolverDnZheevjBatched");
      ms = solve(static_cast<cuDoubleComplex*>(nullptr), size, all_matrices);
    } else {
      decltype(cusolverDnDsyevjBatched_bufferSize)* size = cuda::cusolver_symbol("cusolverDnDsyevjBatched_bufferSize");
      decltype(cusolverDnDsyevjBatched)* all_matrices = cuda::cusolver_symbol("cusolverDnDsyevjBatched");
      ms = solve(static_cast<double*>(nullptr), size, all_matrices);
    }
    all.destroy_syevj_info(info);
    print("cuSOLVER syevjBatched", ms, difference());
  }

  void xsyev_batched() {
    const cuda::Cusolver solver(nullptr);
    const auto& all = cuda::cusolver_routines();
    constexpr cudaDataType type = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
    cusolverDnParams_t parameters = nullptr;
    check(all.create_params(&parameters), "create");
    decltype(cusolverDnXsyevBatched_bufferSize)* size = cuda::cusolver_symbol("cusolverDnXsyevBatched_bufferSize");
    decltype(cusolverDnXsyevBatched)* solve_all = cuda::cusolver_symbol("cusolverDnXsyevBatched");
    std::size_t bytes = 0, host_bytes = 0;
    check(size(solver.handle(), parameters, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, type, X.data(), n,
               CUDA_R_64F, numbers.data(), type, &bytes, &host_bytes, count),
          "bufferSize");
    const Device<unsigned char> work(bytes);
    std::vector<char> host(host_bytes + 1);
    const double ms = median_ms(
        repetitions, [&] { X.copy(A); },
        [&] {
          check(solve_all(solver.handle(), parameters, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, type,
                          X.data(), n, CUDA_R_64F, numbers.data(), type, work.data(), bytes, host.data(), host_bytes,
                          status.data(), count),
                "XsyevBatched");
        });
    all.destroy_params(parameters);
    print("cuSOLVER XsyevBatched", ms, difference());
  }

  static constexpr Index sample = 2, most_emulated = 128;
  const Index n, count;
  const int repetitions;
  std::vector<T> given;
  std::vector<double> values;
  Device<T> A, X;
  Device<double> numbers;
  Device<int> status;
};

}  // namespace

int main(int argc, char** argv) {
  return time_batches(argc, argv, {16, 32, 64, 128, 256}, 3, [](Index n, Index count, int repetitions) {
    Benchmark<double>(n, count, repetitions).run();
    Benchmark<Complex>(n, count, repetitions).run();
  });
}
