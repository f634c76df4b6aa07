// SPDX-License-Identifier: BSD-3-Clause
// Batches of small real matrices against loops over single calls, microseconds a matrix. On a GPU: pivotlab's own plans
// and both forms of cuSOLVER's Xgeev, one matrix after the other, of a sample. On the host: LAPACK in a parallel loop,
// each matrix by one thread.
//
//   batch_loop_benchmark --n 16,32,64,128 --count 10000 --sample 50
//   batch_loop_benchmark --host --count 500
#include "kernels/exec/cuda_error.hpp"
#include "kernels/libraries/blas.hpp"
#include "kernels/libraries/lapack.hpp"
#include "kernels/numerics/threads.hpp"

#include <pivotlab/baselines.hpp>
#include <pivotlab/batch.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/device_gsvd.hpp>
#include <pivotlab/device_ldlt.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iostream>
#include <memory>
#include <random>
#include <vector>

namespace {

using namespace pivotlab;
using cuda::check;

constexpr int repetitions = 3;

/// The same calls for memory of the host and of a GPU.
template <class T>
class Memory {
 public:
  Memory(bool on_gpu, std::size_t count) : on_gpu_(on_gpu) {
    if (on_gpu)
      check(cudaMalloc(&data_, count * sizeof(T)), "cudaMalloc");
    else
      data_ = ::operator new(count * sizeof(T));
  }
  Memory(const Memory&) = delete;
  ~Memory() {
    if (on_gpu_)
      cudaFree(data_);
    else
      ::operator delete(data_);
  }
  T* data() const { return static_cast<T*>(data_); }

 private:
  bool on_gpu_;
  void* data_ = nullptr;
};

class Benchmark {
 public:
  Benchmark(Index order, Index matrices, Index of_loop, bool on_gpu)
      : n(order),
        count(matrices),
        sample(std::min(of_loop, count)),
        gpu(on_gpu),
        A(gpu, n * n * count),
        F(gpu, n * n * count),
        G(gpu, n * n * count),
        U(gpu, n * n * count),
        V(gpu, n * n * count),
        Z(gpu, n * n * count),
        numbers(gpu, 4 * n * count),
        integers(gpu, (n + 4) * count),
        workspace(gpu, eigh_batch_workspace<double>(n, count)) {
    std::mt19937_64 generator(static_cast<unsigned>(n));
    std::normal_distribution<double> normal;
    for (auto* given : {&symmetric, &f, &g}) {
      given->resize(n * n * own);
      for (double& x : *given) x = normal(generator);
    }
    for (Index k = 0; k < own; ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) symmetric[(k * n + i) * n + j] = symmetric[(k * n + j) * n + i];
    fill(symmetric, A), fill(f, F), fill(g, G);
  }

  void run() { ldlt(), eigh(), svd(), eig(), gsvd(); }

 private:
  /// Some matrices, repeated.
  void fill(const std::vector<double>& from, const Memory<double>& to) const {
    for (Index k = 0; k < count; k += own)
      copy_numbers(from.data(), n * n * std::min(own, count - k), to.data() + k * n * n);
  }
  template <class Number>
  void copy_numbers(const Number* from, Index size, Number* to) const {
    if (gpu)
      check(cudaMemcpy(to, from, sizeof(Number) * size, cudaMemcpyDefault), "cudaMemcpy");
    else
      std::copy_n(from, size, to);
  }
  MatrixBatch<double> batch(const Memory<double>& memory) const { return {memory.data(), n, n, n, n * n, count}; }
  MatrixView<double> matrix(const Memory<double>& memory, Index k) const {
    return {memory.data() + k * n * n, n, n, n};
  }
  MatrixView<const double> given(const std::vector<double>& matrices, Index k) const {
    return {matrices.data() + k % own * n * n, n, n, n};
  }
  template <class Options>
  Options options() const {
    Options all;
    all.backend = gpu ? Backend::cuda : Backend::host;
    return all;
  }
  void print(const std::string& name, double seconds, Index matrices, const std::string& remark = "") const {
    fmt::print("{:>4} {:<28}{:>12.3f}  {}\n", n, name, 1e6 * seconds / static_cast<double>(matrices), remark);
    std::cout.flush();
  }

  /// Returns the median of the wall times of run().
  double seconds(const std::function<void()>& run) const {
    std::vector<double> times;
    for (int r = 0; r <= repetitions; ++r) {
      const auto begin = std::chrono::steady_clock::now();
      run();
      if (gpu) check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      if (r > 0) times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::ranges::sort(times);
    return times[times.size() / 2];
  }

  void time_batch(const std::string& name, const int* status, const std::function<void()>& run) {
    of_batch = seconds(run) / static_cast<double>(count);
    std::vector<int> all(count);
    copy_numbers(status, count, all.data());
    print(name + ", batch", of_batch, 1, fmt::format("{} not passed", count - std::ranges::count(all, 0)));
  }

  /// Calls solve(k), of which a call may tell its own seconds, for the sample one after the other.
  void time_loop(const std::string& name, const std::function<double(Index)>& solve) const {
    try {
      solve(0);
      double own_seconds = 0;
      const auto begin = std::chrono::steady_clock::now();
      for (Index k = 0; k < sample; ++k) own_seconds += solve(k);
      check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
      const double loop = own_seconds > 0 ? own_seconds : wall;
      print("  " + name, loop, sample, fmt::format("{:.0f} batches", loop / static_cast<double>(sample) / of_batch));
    } catch (const std::exception& error) {
      fmt::print("{:>4}   {:<26}{:>12}  {}\n", n, name, "-", error.what());
    }
  }

  /// Calls solve(k, A, B, C), with matrices to work in, for all matrices side by side.
  template <class Solve>
  void time_lapack(const std::string& name, const Solve& solve) const {
    if (gpu) return;
    const lapack::BlasThreads one(1);
    const double loop = seconds([&] {
#pragma omp parallel num_threads(thread_count(0))
      {
        Matrix<double> B(n, n), C(n, n), D(n, n);
        std::vector<double> values(2 * n);
#pragma omp for schedule(dynamic)
        for (Index k = 0; k < count; ++k) solve(k, B, C, D, values.data());
      }
    });
    print("  LAPACK " + name, loop, count, fmt::format("{:.2f} batches", loop / static_cast<double>(count) / of_batch));
  }
  void copy(const std::vector<double>& from, Index k, Matrix<double>& to) const {
    std::copy_n(given(from, k).data, n * n, to.data());
  }

  void ldlt() {
    const LdltBatch<double> result{batch(U),
                                   numbers.data(),
                                   numbers.data() + n * count,
                                   integers.data(),
                                   integers.data() + n * count,
                                   integers.data() + (n + 3) * count};
    for (const auto& [pivoting, name] : {std::pair{Pivoting::complete, "ldlt complete"},
                                         std::pair{Pivoting::rook, "ldlt rook"},
                                         {Pivoting::partial, "ldlt partial"}}) {
      auto chosen = options<LdltBatchOptions>();
      chosen.variant.pivoting = pivoting;
      time_batch(name, result.status, [&] { ldlt_batch<double>(batch(A), result, chosen); });
      if (!gpu) continue;
      DeviceLdlt<double> plan(n, {.variant = chosen.variant});
      time_loop("loop of DeviceLdlt", [&](Index k) { return plan.run(matrix(A, k), matrix(V, k)), 0.0; });
    }
    if (gpu) return;
    const lapack::Routine<char, lapack_int, double*, lapack_int, lapack_int*> sytrf("dsytrf");
    time_lapack("dsytrf", [&](Index k, Matrix<double>& B, Matrix<double>&, Matrix<double>&, double*) {
      std::vector<lapack_int> pivots(n);
      copy(symmetric, k, B), sytrf('L', lapack::size(n), B.data(), lapack::size(n), pivots.data());
    });
  }

  void eigh() {
    const EighBatch<double> result{numbers.data(), numbers.data() + n * count, batch(U), integers.data()};
    time_batch("eigh", result.status,
               [&] { eigh_batch<double>(batch(A), result, workspace.data(), options<JacobiBatchOptions>()); });
    time_lapack("dsyevd", [&](Index k, Matrix<double>& B, Matrix<double>&, Matrix<double>&, double* values) {
      copy(symmetric, k, B), lapack::heevd<double>(Triangle::lower, B, values);
    });
  }

  void svd() {
    const HsvdBatch<double> result{numbers.data(), nullptr, nullptr, batch(U), batch(V), integers.data()};
    time_batch("svd", result.status,
               [&] { hsvd_batch<double>(batch(F), nullptr, result, options<JacobiBatchOptions>()); });
    time_lapack("dgesdd", [&](Index k, Matrix<double>& B, Matrix<double>& C, Matrix<double>& D, double* values) {
      copy(f, k, B), lapack::gesdd<double>(B, values, C, D);
    });
  }

  void eig() {
    using Complex = std::complex<double>;
    const Memory<Complex> values(gpu, n * count), vectors(gpu, n * n * count);
    const Memory<char> work(gpu, eig_batch_workspace(n, count) + 1);
    const EigBatch result{values.data(), {vectors.data(), n, n, n, n * n, count}, integers.data()};
    time_batch("eig", result.status,
               [&] { eig_batch<double>(batch(F), result, work.data(), options<BatchOptions>()); });
    for (const char* name : {"cusolver:dgeev", "cusolver:dgeev;mixed"})
      if (gpu)
        time_loop(name, [&](Index k) { return solve_eig_with_baseline<double>(name, given(f, k)).compute_seconds; });
    time_lapack("dgeev", [&](Index k, Matrix<double>& B, Matrix<double>& C, Matrix<double>& D, double* w) {
      copy(f, k, B), lapack::geev<double>(B, D.view().cols_range(0, 0), C, w, w + n);
    });
  }

  void gsvd() {
    const GsvdBatch<double> result{
        numbers.data(), numbers.data() + n * count, numbers.data() + 2 * n * count, batch(U), batch(V), batch(Z),
        integers.data()};
    time_batch("gsvd", result.status,
               [&] { gsvd_batch<double>(batch(F), batch(G), result, options<GsvdBatchOptions>()); });
    if (gpu) {
      DeviceGsvd<double> plan(n, n, n);
      const Memory<char> own_work(gpu, plan.workspace_bytes());
      time_loop("loop of DeviceGsvd", [&](Index k) {
        plan.run(matrix(F, k), matrix(G, k), {matrix(U, k), matrix(V, k), matrix(Z, k), {}}, own_work.data());
        return 0.0;
      });
      time_loop("loop of gsvd(), its kernels", [&](Index k) {
        return pivotlab::gsvd<double>(given(f, k), given(g, k), {.variant = {}, .backend = Backend::cuda})
            .compute_seconds;
      });
    }
    time_lapack("dggsvd3", [&](Index k, Matrix<double>& B, Matrix<double>& C, Matrix<double>& D, double* values) {
      Matrix<double> left(n, n), right(n, n);
      lapack_int infinite = 0, finite = 0;
      copy(f, k, B), copy(g, k, C);
      lapack::ggsvd3<double>(B, C, infinite, finite, values, values + n, left, right, D);
    });
  }

  static constexpr Index own = 256;
  const Index n, count, sample;
  const bool gpu;
  double of_batch = 0;
  std::vector<double> symmetric, f, g;
  Memory<double> A, F, G, U, V, Z, numbers;
  Memory<int> integers;
  Memory<char> workspace;
};

}  // namespace

int main(int argc, char** argv) try {
  std::vector<Index> orders{16, 32, 64, 128};
  Index count = 10000, sample = 50;
  bool host = false;
  CLI::App app("Batches of small matrices against loops over single calls");
  app.add_option("--n", orders, "Orders of the matrices")->delimiter(',');
  app.add_option("--count", count, "Matrices of a batch");
  app.add_option("--sample", sample, "Matrices of a loop on a GPU");
  app.add_flag("--host", host, "Batches of the host against LAPACK in a parallel loop");
  CLI11_PARSE(app, argc, argv);
  if (const std::string why = why_no_device(); !host && !why.empty()) {
    std::cerr << "batch_loop_benchmark: " << why << "\n";
    return 1;
  }
  fmt::print("{}, {} matrices; microseconds a matrix\n",
             host ? std::to_string(thread_count(0)) + " threads of the host" : list_devices().front().name, count);
  for (const Index n : orders) Benchmark(n, count, sample, !host).run();
} catch (const std::exception& error) {
  std::cerr << "batch_loop_benchmark: " << error.what() << "\n";
  return 1;
}
