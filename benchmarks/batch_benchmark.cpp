// SPDX-License-Identifier: BSD-3-Clause
// Batches of small real matrices in the memory of a GPU, against cuSOLVER's batched routines: microseconds a matrix,
// medians of repetitions by CUDA events. The bits of some matrices are compared with those of the emulation. Those of
// Hermitian matrices are in batch_eigh_benchmark.
//
//   batch_benchmark                                 everything
//   batch_benchmark --n 32 --count 1000 --repetitions 3
#include "batch_timing.hpp"

#include "kernels/libraries/cusolver.hpp"

#include <pivotlab/batch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iostream>
#include <random>
#include <vector>

namespace {

using namespace pivotlab;
using cuda::check;

class Benchmark {
 public:
  Benchmark(Index order, Index matrices, int repeat)
      : n(order),
        count(matrices),
        repetitions(repeat),
        A(n * n * count),
        G(n * n * count),
        X(n * n * count),
        Y(n * n * count),
        numbers(3 * n * count),
        integers(5 * n * count + 4 * count) {
    // Some matrices, repeated.
    std::mt19937_64 generator(static_cast<unsigned>(n));
    std::normal_distribution<double> normal;
    const Index own = std::min<Index>(count, 256);
    given.resize(n * n * own), general.resize(n * n * own);
    for (Index k = 0; k < own; ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
          general[(k * n + j) * n + i] = normal(generator);
          if (i >= j) given[(k * n + i) * n + j] = given[(k * n + j) * n + i] = normal(generator);
        }
    for (Index k = 0; k < count; k += own) {
      const std::size_t bytes = sizeof(double) * n * n * std::min(own, count - k);
      check(cudaMemcpy(A.data() + k * n * n, given.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
      check(cudaMemcpy(G.data() + k * n * n, general.data(), bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    check(cudaMalloc(&library_work, library_bytes), "cudaMalloc");
  }
  ~Benchmark() { cudaFree(library_work); }

  void run() {
    for (const auto& [pivoting, name] : {std::pair{Pivoting::complete, "ldlt complete"},
                                         std::pair{Pivoting::rook, "ldlt rook"},
                                         {Pivoting::partial, "ldlt partial"}})
      factor(pivoting, name);
    solve();
    svd(true), svd(false);
    if (n <= 32)
      time_library(n, "gesvdjBatched", [&] { gesvdj_batched(); });
    else
      time_library(n, "gesvdaStridedBatched", [&] { gesvda_batched(); });
    eig();
  }

 private:
  MatrixBatch<double> batch(double* data, Index matrices) const { return {data, n, n, n, n * n, matrices}; }
  LdltBatch<double> factors(double* M, double* D, int* permutation, Index matrices) const {
    int* inertia = permutation + n * matrices;
    return {batch(M, matrices), D, D + n * matrices, permutation, inertia, inertia + 3 * matrices};
  }
  void print(const std::string& name, double ms, const std::string& remark) const {
    fmt::print("{:>4} {:<24}{:>12.4f}  {}\n", n, name, 1e3 * ms / static_cast<double>(count), remark);
    std::cout.flush();
  }
  std::string statuses(const int* status) const {
    std::vector<int> all(count);
    check(cudaMemcpy(all.data(), status, sizeof(int) * count, cudaMemcpyDeviceToHost), "cudaMemcpy");
    const auto others = count - std::ranges::count(all, 0);
    return others == 0 ? "all passed" : fmt::format("{} NOT PASSED", others);
  }
  static std::string same_bits(bool same) { return same ? "bits of the emulation" : "OTHER BITS THAN THE EMULATION"; }

  void factor(Pivoting pivoting, const std::string& name) {
    LdltBatchOptions options;
    options.variant.pivoting = pivoting, options.backend = Backend::cuda;
    const auto result = factors(X.data(), numbers.data(), integers.data(), count);
    const double ms = median_ms(
        repetitions, [] {}, [&] { ldlt_batch<double>(batch(A.data(), count), result, options); });
    std::vector<double> M(n * n * sample), D(2 * n * sample);
    std::vector<int> P(n * sample + 4 * sample);
    options.backend = Backend::emulation;
    ldlt_batch<double>(batch(given.data(), sample), factors(M.data(), D.data(), P.data(), sample), options);
    const std::vector<double> on_device = X.first(n * n * sample), d = numbers.first(n * sample);
    const std::vector<int> permutation = integers.first(n * sample);
    print(name, ms,
          same_bits(on_device == M && std::equal(d.begin(), d.end(), D.begin()) &&
                    std::equal(permutation.begin(), permutation.end(), P.begin())) +
              ", " + statuses(result.status));
  }

  void solve() {
    BatchOptions options{Backend::cuda};
    const auto result = factors(X.data(), numbers.data(), integers.data(), count);
    MatrixBatch<double> B = batch(Y.data(), count);
    B.cols = 1;
    const double ms = median_ms(
        repetitions, [&] { Y.copy(G); }, [&] { solve_batch<double>(result, B, options); });
    const std::vector<double> x = Y.first(n);
    double residual = 0, size = 0;
    for (Index i = 0; i < n; ++i) {
      double sum = -general[i];
      for (Index j = 0; j < n; ++j) sum += given[i + j * n] * x[j], size = std::max(size, std::abs(x[j]));
      residual = std::max(residual, std::abs(sum));
    }
    print("solve, 1 column", ms, fmt::format("residual {:.1e} of |x|, ", residual / size) + statuses(result.status));
  }

  void svd(bool vectors) {
    JacobiBatchOptions options;
    options.backend = Backend::cuda;
    HsvdBatch<double> result{numbers.data(), nullptr, nullptr, {}, {}, integers.data()};
    const bool needs_u = vectors || n > 128;  // whose columns are then in its memory
    if (needs_u) result.U = batch(X.data(), count);
    if (vectors) result.V = batch(Y.data(), count);
    const double ms = median_ms(
        repetitions, [] {}, [&] { hsvd_batch<double>(batch(G.data(), count), nullptr, result, options); });
    std::vector<double> values(n * sample), U(n * n * sample), V(n * n * sample);
    std::vector<int> status(sample);
    options.backend = Backend::emulation;
    HsvdBatch<double> emulated{values.data(), nullptr, nullptr, {}, {}, status.data()};
    if (needs_u) emulated.U = batch(U.data(), sample);
    if (vectors) emulated.V = batch(V.data(), sample);
    hsvd_batch<double>(batch(general.data(), sample), nullptr, emulated, options);
    sigma = numbers.first(n * sample);
    print(vectors ? "svd" : "svd, values", ms,
          same_bits(sigma == values && (!vectors || (X.first(n * n * sample) == U && Y.first(n * n * sample) == V))) +
              ", " + statuses(result.status));
  }

  /// The largest difference of the first values, relative to the largest one.
  std::string difference(std::vector<double> own) const {
    std::vector<double> theirs = numbers.first(n);
    own.resize(n);
    std::ranges::sort(own), std::ranges::sort(theirs);
    double most = 0, size = 0;
    for (Index j = 0; j < n; ++j)
      most = std::max(most, std::abs(own[j] - theirs[j])), size = std::max(size, std::abs(own[j]));
    return fmt::format("values differ by {:.1e}", most / size);
  }

  void require_workspace(std::size_t bytes) const {
    if (bytes > library_bytes) throw std::runtime_error("it needs more than the benchmark's workspace");
  }

  void gesvdj_batched() {
    const cuda::Cusolver solver(nullptr);
    const auto& all = cuda::cusolver_routines();
    gesvdjInfo_t info = nullptr;
    check(all.create_gesvdj_info(&info), "create");
    decltype(cusolverDnDgesvdjBatched_bufferSize)* size = cuda::cusolver_symbol("cusolverDnDgesvdjBatched_bufferSize");
    decltype(cusolverDnDgesvdjBatched)* solve_all = cuda::cusolver_symbol("cusolverDnDgesvdjBatched");
    int length = 0;
    const auto matrices = static_cast<int>(count), order = static_cast<int>(n);
    double* const V = static_cast<double*>(library_work);
    double* const work = V + n * n * count;
    check(size(solver.handle(), CUSOLVER_EIG_MODE_VECTOR, order, order, X.data(), order, numbers.data(), Y.data(),
               order, V, order, &length, info, matrices),
          "bufferSize");
    require_workspace(sizeof(double) * (length + n * n * count));
    const double ms = median_ms(
        few(), [&] { X.copy(G); },
        [&] {
          check(solve_all(solver.handle(), CUSOLVER_EIG_MODE_VECTOR, order, order, X.data(), order, numbers.data(),
                          Y.data(), order, V, order, work, length, integers.data(), info, matrices),
                "gesvdjBatched");
        });
    all.destroy_gesvdj_info(info);
    print("  cuSOLVER gesvdjBatched", ms, difference(sigma));
  }

  void gesvda_batched() {
    const cuda::Cusolver solver(nullptr);
    decltype(cusolverDnDgesvdaStridedBatched_bufferSize)* size =
        cuda::cusolver_symbol("cusolverDnDgesvdaStridedBatched_bufferSize");
    decltype(cusolverDnDgesvdaStridedBatched)* solve_all = cuda::cusolver_symbol("cusolverDnDgesvdaStridedBatched");
    int length = 0;
    const auto matrices = static_cast<int>(count), order = static_cast<int>(n);
    const long long distance = n * n;
    double* const V = static_cast<double*>(library_work);
    double* const work = V + n * n * count;
    check(size(solver.handle(), CUSOLVER_EIG_MODE_VECTOR, order, order, order, X.data(), order, distance,
               numbers.data(), order, Y.data(), order, distance, V, order, distance, &length, matrices),
          "bufferSize");
    require_workspace(sizeof(double) * (length + n * n * count));
    const double ms = median_ms(
        few(), [&] { X.copy(G); },
        [&] {
          check(solve_all(solver.handle(), CUSOLVER_EIG_MODE_VECTOR, order, order, order, X.data(), order, distance,
                          numbers.data(), order, Y.data(), order, distance, V, order, distance, work, length,
                          integers.data(), nullptr, matrices),
                "gesvdaStridedBatched");
        });
    print("  cuSOLVER gesvdaStrided", ms, difference(sigma));
  }

  /// General matrices, real ones and complex ones with these as both parts of different elements.
  void eig() {
    using Complex = std::complex<double>;
    auto* const work = static_cast<Complex*>(library_work);
    Complex* const V = work + 2 * n * n * count;
    Complex* const own = V + n * n * count;
    Complex* const values = own + n * n * count;
    require_workspace(sizeof(Complex) * (4 * n + 1) * n * count);
    check(cudaMemcpy2D(own, 2 * sizeof(double), G.data(), sizeof(double), sizeof(double), n * n * count,
                       cudaMemcpyDeviceToDevice),
          "cudaMemcpy2D");
    check(cudaMemcpy2D(reinterpret_cast<double*>(own) + 1, 2 * sizeof(double), A.data(), sizeof(double), sizeof(double),
                       n * n * count, cudaMemcpyDeviceToDevice),
          "cudaMemcpy2D");
    BatchOptions options;
    options.backend = Backend::cuda;
    for (const bool vectors : {true, false}) {
      EigBatch result{.eigenvalues = values, .status = integers.data()};
      if (vectors) result.V = {V, n, n, n, n * n, count};
      const double real = median_ms(
          few(), [] {}, [&] { eig_batch<double>(batch(G.data(), count), result, work, options); });
      print(vectors ? "eig, real" : "eigvals, real", real, statuses(result.status));
      const double ms = median_ms(
          few(), [] {},
          [&] {
            eig_batch<Complex>({own, n, n, n, n * n, count}, result, work, options);
          });
      print(vectors ? "eig, complex" : "eigvals, complex", ms, statuses(result.status));
    }
  }

  int few() const { return std::min(repetitions, 3); }

  static constexpr Index sample = 2;
  static constexpr std::size_t library_bytes = std::size_t(20) << 30;
  const Index n, count;
  const int repetitions;
  std::vector<double> given, general, sigma;
  Device<double> A, G, X, Y, numbers;
  Device<int> integers;
  void* library_work = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
  return time_batches(argc, argv, {16, 32, 64, 128}, 7,
                      [](Index n, Index count, int repetitions) { Benchmark(n, count, repetitions).run(); });
}
