// SPDX-License-Identifier: BSD-3-Clause
// Measures what a user of the GPU waits for beside the algorithm: wall time of calls with matrices of the host, their
// compute time, and the steps of a call one by one. Prints JSON.
//
//   wall_time_benchmark --order 22283
#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/staged_copy.hpp"
#include "kernels/gsvd/device/device_solver.hpp"
#include "kernels/gsvd/device/solver_plan.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/ldlt/device/device_factorizer.hpp"
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/numerics/first_touch.hpp"
#include "support/timer.hpp"

#include <pivotlab/eigh.hpp>
#include <pivotlab/ghsvd.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/gsvd_tangent.hpp>
#include <pivotlab/ldlt.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <thread>

namespace {

using namespace pivotlab;

/// Collects rows of the output.
class Report {
 public:
  /// Calls the function twice, and adds the wall time of each call and the compute time that it returns.
  void measure(const std::string& name, const std::function<double()>& function) {
    for (int call = 1; call <= 2; ++call) {
      const Timer timer;
      const double compute = function();
      const double wall = timer.seconds();
      add(fmt::format(R"({{"name": "{}", "call": {}, "wall_s": {:.6f}, "compute_s": {:.6f}}})", name, call, wall,
                      compute));
    }
  }

  void add(std::string row) { rows_.push_back(std::move(row)); }

  void print() const {
    cudaDeviceProp device{};
    cuda::check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    fmt::print("{{\n \"context\": {{\"device\": \"{}\", \"cores\": {}}},\n \"calls\": [\n  {}\n ]\n}}\n", device.name,
               std::thread::hardware_concurrency(), fmt::join(rows_, ",\n  "));
  }

 private:
  std::vector<std::string> rows_;
};

/// The steps of one call, each by its own timer.
class Steps {
 public:
  template <class Work>
  auto operator()(const char* name, Work&& work) {
    const Timer timer;
    if constexpr (std::is_void_v<decltype(work())>) {
      work();
      add(name, timer.seconds());
    } else {
      auto result = work();
      add(name, timer.seconds());
      return result;
    }
  }
  std::string row(const std::string& name) const {
    return fmt::format(R"({{"name": "{}", "steps_s": {{{}}}}})", name, fmt::join(seconds_, ", "));
  }

 private:
  void add(const char* name, double seconds) { seconds_.push_back(fmt::format(R"("{}": {:.6f})", name, seconds)); }
  std::vector<std::string> seconds_;
};

/// Reproducible numbers in (−1, 1), symmetric on request.
Matrix<double> numbers(Index n, bool symmetric) {
  Matrix<double> A(n, n);
#pragma omp parallel for schedule(dynamic, 16)
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      const Index row = symmetric ? std::max(i, j) : i, col = symmetric ? std::min(i, j) : j;
      std::uint64_t z = static_cast<std::uint64_t>(row) * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(col + 1);
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      A(i, j) = static_cast<double>(static_cast<std::int64_t>(z ^ (z >> 31))) * 0x1p-63;
    }
  return A;
}

void copies(Report& report) {
  constexpr Index n = 16384;
  constexpr std::size_t bytes = std::size_t(n) * n * sizeof(double);
  const Matrix<double> from = numbers(n, false);
  void* device = nullptr;
  cuda::check(cudaMalloc(&device, bytes), "cudaMalloc");
  const auto copy = [&](void* to, const void* source, cudaMemcpyKind kind) {
    cuda::copy(to, source, bytes, kind, nullptr);
    return 0.0;
  };
  report.measure("upload of 2.1 GB", [&] { return copy(device, from.data(), cudaMemcpyHostToDevice); });
  report.measure("download of 2.1 GB to new memory", [&] {
    Matrix<double> to = Matrix<double>::uninitialized(n, n);
    return copy(to.data(), device, cudaMemcpyDeviceToHost);
  });
  Matrix<double> to(n, n);
  report.measure("download of 2.1 GB to the same memory",
                 [&] { return copy(to.data(), device, cudaMemcpyDeviceToHost); });
  cudaFree(device);
}

/// The steps of ldlt() with a matrix (kernels/ldlt/device/ldlt_driver.cpp), without touching memory of M before the
/// elimination.
Steps steps_of_ldlt(const Matrix<double>& A, const LdltOptions& options) {
  const Index n = A.rows();
  Steps step;
  const auto factorizer =
      step("set-up", [&] { return ldlt_device::make_cuda_factorizer<double>(factorization_plan<double>(n, options)); });
  step("upload and check", [&] { factorizer->matrix().import_dense({A, true, true}); });
  step("norms", [&] { factorizer->matrix().row_sizes(); });
  Matrix<double> M(n, n);
  step("compute", [&] {
    const FirstTouch touch(options.threads, M);
    factorizer->eliminate(1, 0);
  });
  step("download", [&] { factorizer->export_m(M.data()); });
  return step;
}

void factorizations(Report& report, Index n) {
  const Matrix<double> A = numbers(n, true);
  LdltOptions options;
  options.backend = Backend::cuda;
  for (const int threads : {0, 1})
    for (const char* variant : {"LDLT-RK", "LDLT-RK;equilibrate=on", "LDLT-RBT"}) {
      options.variant = parse_ldlt_variant(variant);
      options.threads = threads;
      const std::string name = fmt::format("ldlt, {}, n = {}{}", variant, n, threads == 1 ? ", one thread" : "");
      report.measure(name, [&] { return ldlt<double>(A, options).compute_seconds; });
    }
  options.variant = parse_ldlt_variant("LDLT-RK");
  options.threads = 0;
  std::vector<PackedTriangle<double>> packed;
  for (int call = 0; call < 2; ++call) packed.push_back(pack<double>(A, InputTriangle::lower));
  const std::string name = fmt::format("ldlt, LDLT-RK, n = {}", n);
  const auto next = [&] {
    PackedTriangle<double> triangle = std::move(packed.back());
    packed.pop_back();
    return triangle;
  };
  report.measure(name + ", packed triangle", [&] { return ldlt<double>(next(), options).compute_seconds; });
  report.add(steps_of_ldlt(A, options).row(name));
}

/// The steps of gsvd() (kernels/gsvd/device/gsvd_driver.cpp).
Steps steps_of_gsvd(const Matrix<double>& F, const Matrix<double>& G, const GsvdOptions& options) {
  const Index n = F.cols();
  Steps step;
  step("check", [&] { check_pair<double>(F, G, thread_count(options.threads)); });
  const auto solver =
      step("set-up", [&] { return device::make_cuda_solver(device::make_plan(false, n, n, n, options)); });
  step("upload", [&] { solver->import_pair(F.data(), n, G.data(), n); });
  std::array<Matrix<double>, 3> factors;
  for (auto& factor : factors) factor = Matrix<double>::uninitialized(n, n);
  step("compute", [&] {
    const FirstTouch touch(options.threads, factors[0], factors[1], factors[2]);
    solver->iterate([](const std::vector<int>&) { return std::vector<int>(); });
  });
  std::vector<int> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  step("download", [&] {
    for (const auto which : {device::Which::U, device::Which::V, device::Which::Z})
      solver->export_columns(which, order, n, factors[static_cast<std::size_t>(which)].data(), n);
  });
  return step;
}

// One sweep is enough: what is measured does not depend on their number.

void decompositions(Report& report, Index n) {
  const Matrix<double> F = numbers(n, false);
  Matrix<double> G = F;
  for (Index j = 0; j < n; ++j) G(j, j) += 50;
  GsvdOptions options;
  options.variant = parse_gsvd_variant("DHZ0-(ME-FB-ME);w=32").variant;
  options.backend = Backend::cuda;
  options.max_outer_sweeps = 1;
  const std::string name = fmt::format("gsvd, n = {}, one sweep", n);
  report.measure(name, [&] { return gsvd<double>(F, G, options).compute_seconds; });
  report.add(steps_of_gsvd(F, G, options).row(name));
  report.measure(fmt::format("gsvd_tangent, n = {}", n), [&] {
    return gsvd_tangent<double>(F, G, {.variant = {}, .backend = Backend::cuda, .estimate_errors = false})
        .compute_seconds;
  });
}

void jacobi_methods(Report& report, Index n) {
  const Matrix<double> A = numbers(n, true), F = numbers(n, false);
  const std::string order = fmt::format(", n = {}, one sweep", n);
  report.measure("eigh" + order, [&] {
    return eigh<double>(A, {.variant = parse_eigh_variant("HEV-RK-ME-BO"), .backend = Backend::cuda, .max_sweeps = 1})
        .compute_seconds;
  });
  report.measure("hsvd" + order, [&] {
    return hsvd<double>(F, {}, {.variant = parse_hsvd_variant("HSVD-ME-BO"), .backend = Backend::cuda, .max_sweeps = 1})
        .compute_seconds;
  });
  const GhsvdOptions options{
      .variant = parse_ghsvd_variant("GHSVD-TR-ME-BO;precision=working"), .backend = Backend::cuda, .max_sweeps = 1};
  report.measure("ghsvd" + order, [&] { return ghsvd<double>(F, A, {}, options).compute_seconds; });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Wall time beside compute time of calls with matrices of the host");
  Index order = 22283;
  app.add_option("--order", order, "Order of the symmetric matrix")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    Report report;
    report.measure("start of CUDA", [] {
      cuda::check(cudaFree(nullptr), "cudaFree");
      return 0.0;
    });
    copies(report);
    for (const Index n : {256, 1024, 9728}) decompositions(report, n);
    for (const Index n : {1024, 9728}) jacobi_methods(report, n);
    factorizations(report, order);
    report.print();
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
