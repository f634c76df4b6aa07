// SPDX-License-Identifier: BSD-3-Clause
// Batches of small real or complex matrices against loops over single calls, microseconds a matrix. On a GPU:
// pivotlab's own plans and cuSOLVER's Xgeev, Xgesvdp and xSYTRF, one matrix after the other, of a sample. On the host:
// LAPACK in a parallel loop, each matrix by one thread.
//
//   batch_loop_benchmark --n 16,32,64,128 --count 10000 --sample 50
//   batch_loop_benchmark --type z
//   batch_loop_benchmark --host --count 500
//
// batch_torch.py runs this program and PyTorch's functions, and prints one table.
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

template <class T>
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
        workspace(gpu, eigh_batch_workspace<T>(n, count)) {
    std::mt19937_64 generator(static_cast<unsigned>(n));
    std::normal_distribution<double> normal;
    for (auto* given : {&symmetric, &f, &g}) {
      given->resize(n * n * own);
      for (T& x : *given) x = random(generator, normal);
    }
    for (Index k = 0; k < own; ++k)
      for (Index j = 0; j < n; ++j)
        for (Index i = j; i < n; ++i) {
          const T x = symmetric[(k * n + j) * n + i];
          symmetric[(k * n + i) * n + j] = conjugate(x);
          if (i == j) symmetric[(k * n + j) * n + i] = T(real_part(x));
        }
    fill(symmetric, A), fill(f, F), fill(g, G);
  }

  void run() { ldlt(), eigh(), svd(), eig(), gsvd(); }

 private:
  static T random(std::mt19937_64& generator, std::normal_distribution<double>& normal) {
    const double x = normal(generator);
    if constexpr (is_complex<T>)
      return {x, normal(generator)};
    else
      return x;
  }
  /// Some matrices, repeated.
  void fill(const std::vector<T>& from, const Memory<T>& to) const {
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
  MatrixBatch<T> batch(const Memory<T>& memory) const { return {memory.data(), n, n, n, n * n, count}; }
  MatrixView<T> matrix(const Memory<T>& memory, Index k) const { return {memory.data() + k * n * n, n, n, n}; }
  MatrixView<const T> given(const std::vector<T>& matrices, Index k) const {
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
        Matrix<T> B(n, n), C(n, n), D(n, n);
        std::vector<double> values(2 * n);
#pragma omp for schedule(dynamic)
        for (Index k = 0; k < count; ++k) solve(k, B, C, D, values.data());
      }
    });
    print("  LAPACK " + name, loop, count, fmt::format("{:.2f} batches", loop / static_cast<double>(count) / of_batch));
  }
  void copy(const std::vector<T>& from, Index k, Matrix<T>& to) const {
    std::copy_n(given(from, k).data, n * n, to.data());
  }

  void ldlt() {
    const Memory<T> diagonals(gpu, 2 * n * count);
    const LdltBatch<T> result{batch(U),
                              diagonals.data(),
                              diagonals.data() + n * count,
                              integers.data(),
                              integers.data() + n * count,
                              integers.data() + (n + 3) * count};
    for (const auto& [pivoting, name] : {std::pair{Pivoting::complete, "ldlt complete"},
                                         std::pair{Pivoting::rook, "ldlt rook"},
                                         {Pivoting::partial, "ldlt partial"}}) {
      auto chosen = options<LdltBatchOptions>();
      chosen.variant.pivoting = pivoting;
      time_batch(name, result.status, [&] { ldlt_batch<T>(batch(A), result, chosen); });
      if (!gpu) continue;
      DeviceLdlt<T> plan(n, {.variant = chosen.variant});
      time_loop("loop of DeviceLdlt, " + std::string(name + 5),
                [&](Index k) { return plan.run(matrix(A, k), matrix(V, k)), 0.0; });
    }
    if constexpr (!is_complex<T>)  // cuSOLVER has no Hermitian one
      if (gpu)
        time_loop("xSYTRF", [&](Index k) {
          return factor_with_baseline<T>("cusolver:dsytrf", given(symmetric, k), Matrix<T>(n, 0)).compute_seconds;
        });
    if (gpu) return;
    const lapack::Routine<char, lapack_int, T*, lapack_int, lapack_int*> sytrf(is_complex<T> ? "zhetrf" : "dsytrf");
    time_lapack("xSYTRF", [&](Index k, Matrix<T>& B, Matrix<T>&, Matrix<T>&, double*) {
      std::vector<lapack_int> pivots(n);
      copy(symmetric, k, B), sytrf('L', lapack::size(n), B.data(), lapack::size(n), pivots.data());
    });
  }

  void eigh() {
    const EighBatch<T> result{numbers.data(), numbers.data() + n * count, batch(U), integers.data()};
    time_batch("eigh", result.status,
               [&] { eigh_batch<T>(batch(A), result, workspace.data(), options<EighBatchOptions>()); });
    time_lapack("xSYEVD", [&](Index k, Matrix<T>& B, Matrix<T>&, Matrix<T>&, double* values) {
      copy(symmetric, k, B), lapack::heevd<T>(Triangle::lower, B, values);
    });
  }

  void svd() {
    const HsvdBatch<T> result{numbers.data(), nullptr, nullptr, batch(U), batch(V), integers.data()};
    time_batch("svd", result.status, [&] { hsvd_batch<T>(batch(F), nullptr, result, options<JacobiBatchOptions>()); });
    if (gpu)
      for (const char* routine : {"gesvdp", "gesvdj"})
        time_loop(std::string("xG") + (routine + 1), [&](Index k) {
          return solve_svd_with_baseline<T>(std::string("cusolver:") + (is_complex<T> ? "z" : "d") + routine,
                                            given(f, k))
              .compute_seconds;
        });
    time_lapack("xGESDD", [&](Index k, Matrix<T>& B, Matrix<T>& C, Matrix<T>& D, double* values) {
      copy(f, k, B), lapack::gesdd<T>(B, values, C, D);
    });
  }

  void eig() {
    using Complex = std::complex<double>;
    const Memory<Complex> values(gpu, n * count), vectors(gpu, n * n * count);
    const Memory<char> work(gpu, eig_batch_workspace(n, count) + 1);
    const EigBatch result{values.data(), {vectors.data(), n, n, n, n * n, count}, integers.data()};
    time_batch("eig", result.status, [&] { eig_batch<T>(batch(F), result, work.data(), options<BatchOptions>()); });
    for (const char* form : {"", ";mixed"}) {
      const std::string name = std::string("cusolver:") + (is_complex<T> ? "z" : "d") + "geev" + form;
      if (gpu)
        time_loop(std::string("Xgeev") + form,
                  [&](Index k) { return solve_eig_with_baseline<T>(name, given(f, k)).compute_seconds; });
    }
    time_lapack("xGEEV", [&](Index k, Matrix<T>& B, Matrix<T>& C, Matrix<T>& D, double* w) {
      copy(f, k, B);
      if constexpr (is_complex<T>)
        lapack::geev<T>(B, D.view().cols_range(0, 0), C, reinterpret_cast<T*>(w));
      else
        lapack::geev<T>(B, D.view().cols_range(0, 0), C, w, w + n);
    });
  }

  void gsvd() {
    const GsvdBatch<T> result{
        numbers.data(), numbers.data() + n * count, numbers.data() + 2 * n * count, batch(U), batch(V), batch(Z),
        integers.data()};
    time_batch("gsvd", result.status, [&] { gsvd_batch<T>(batch(F), batch(G), result, options<GsvdBatchOptions>()); });
    if (gpu) {
      DeviceGsvd<T> plan(n, n, n);
      const Memory<char> own_work(gpu, plan.workspace_bytes());
      time_loop("loop of DeviceGsvd", [&](Index k) {
        plan.run(matrix(F, k), matrix(G, k), {matrix(U, k), matrix(V, k), matrix(Z, k), {}}, own_work.data());
        return 0.0;
      });
      time_loop("loop of gsvd(), its kernels", [&](Index k) {
        return pivotlab::gsvd<T>(given(f, k), given(g, k), {.variant = {}, .backend = Backend::cuda}).compute_seconds;
      });
    }
    time_lapack("xGGSVD3", [&](Index k, Matrix<T>& B, Matrix<T>& C, Matrix<T>& D, double* values) {
      Matrix<T> left(n, n), right(n, n);
      lapack_int infinite = 0, finite = 0;
      copy(f, k, B), copy(g, k, C);
      lapack::ggsvd3<T>(B, C, infinite, finite, values, values + n, left, right, D);
    });
  }

  static constexpr Index own = 256;
  const Index n, count, sample;
  const bool gpu;
  double of_batch = 0;
  std::vector<T> symmetric, f, g;
  Memory<T> A, F, G, U, V, Z;
  Memory<double> numbers;
  Memory<int> integers;
  Memory<char> workspace;
};

}  // namespace

int main(int argc, char** argv) try {
  std::vector<Index> orders{16, 32, 64, 128};
  Index count = 10000, sample = 50;
  bool host = false;
  std::string type = "d";
  CLI::App app("Batches of small matrices against loops over single calls");
  app.add_option("--n", orders, "Orders of the matrices")->delimiter(',');
  app.add_option("--count", count, "Matrices of a batch");
  app.add_option("--sample", sample, "Matrices of a loop on a GPU");
  app.add_option("--type", type, "d: real, z: complex")->check(CLI::IsMember({"d", "z"}));
  app.add_flag("--host", host, "Batches of the host against LAPACK in a parallel loop");
  CLI11_PARSE(app, argc, argv);
  if (const std::string why = why_no_device(); !host && !why.empty()) {
    std::cerr << "batch_loop_benchmark: " << why << "\n";
    return 1;
  }
  fmt::print("{}, {} {} matrices; microseconds a matrix\n",
             host ? std::to_string(thread_count(0)) + " threads of the host" : list_devices().front().name, count,
             type == "z" ? "complex" : "real");
  for (const Index n : orders)
    if (type == "z")
      Benchmark<std::complex<double>>(n, count, sample, !host).run();
    else
      Benchmark<double>(n, count, sample, !host).run();
} catch (const std::exception& error) {
  std::cerr << "batch_loop_benchmark: " << error.what() << "\n";
  return 1;
}
