// Measures what a user of the GPU waits for beside the algorithm: wall time of calls with matrices of the host, their
// compute time, and the parts of the difference that can be measured by themselves.
//
//   wall_time_benchmark --order 22283
#include "kernels/exec/cuda_error.hpp"
#include "kernels/exec/staged_copy.hpp"
#include "support/timer.hpp"

#include <pivotlab/gsvd.hpp>
#include <pivotlab/gsvd_tangent.hpp>
#include <pivotlab/ldlt.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdint>
#include <functional>

namespace {

using namespace pivotlab;

/// Calls the function twice, and prints the wall time of each call and the compute time that it returns.
void measure(const std::string& name, const std::function<double()>& function) {
  for (int call = 1; call <= 2; ++call) {
    const Timer timer;
    const double compute = function();
    const double wall = timer.seconds();
    fmt::print("{:<44} {:>6} {:>9.3f} {:>9.3f} {:>9.3f}\n", name, call, wall, compute, wall - compute);
  }
}

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

void copies() {
  constexpr Index n = 16384;
  constexpr std::size_t bytes = std::size_t(n) * n * sizeof(double);
  const Matrix<double> from = numbers(n, false);
  void* device = nullptr;
  cuda::check(cudaMalloc(&device, bytes), "cudaMalloc");
  const auto copy = [&](void* to, const void* source, cudaMemcpyKind kind) {
    cuda::copy(to, source, bytes, kind, nullptr);
    return 0.0;
  };
  measure("upload of 2.1 GB", [&] { return copy(device, from.data(), cudaMemcpyHostToDevice); });
  measure("download of 2.1 GB to new memory", [&] {
    Matrix<double> to = Matrix<double>::uninitialized(n, n);
    return copy(to.data(), device, cudaMemcpyDeviceToHost);
  });
  Matrix<double> to(n, n);
  measure("download of 2.1 GB to the same memory", [&] { return copy(to.data(), device, cudaMemcpyDeviceToHost); });
  cudaFree(device);
}

void factorizations(Index n) {
  const Matrix<double> A = numbers(n, true);
  LdltOptions options;
  options.variant = parse_ldlt_variant("LDLT-RK");
  options.backend = Backend::cuda;
  measure(fmt::format("ldlt, rook, n = {}", n), [&] { return ldlt<double>(A, options).compute_seconds; });
  std::vector<PackedTriangle<double>> packed;
  for (int call = 0; call < 2; ++call) packed.push_back(pack<double>(A, InputTriangle::lower));
  measure("the same of a packed triangle", [&] {
    PackedTriangle<double> triangle = std::move(packed.back());
    packed.pop_back();
    return ldlt<double>(std::move(triangle), options).compute_seconds;
  });
}

/// One sweep is enough: what is measured does not depend on their number.
void decompositions(Index n) {
  const Matrix<double> F = numbers(n, false);
  Matrix<double> G = F;
  for (Index j = 0; j < n; ++j) G(j, j) += 50;
  const auto options = [](const char* variant) {
    GsvdOptions chosen;
    chosen.variant = parse_gsvd_variant(variant).variant;
    chosen.backend = Backend::cuda;
    chosen.max_outer_sweeps = 1;
    return chosen;
  };
  measure(fmt::format("one sweep of gsvd, n = {}", n),
          [&] { return gsvd<double>(F, G, options("DHZ0-(ME-FB-ME);w=32")).compute_seconds; });
  measure(fmt::format("gsvd_tangent, n = {}", n), [&] {
    return gsvd_tangent<double>(F, G, {.variant = {}, .backend = Backend::cuda, .estimate_errors = false})
        .compute_seconds;
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Wall time beside compute time of calls with matrices of the host");
  Index order = 22283;
  app.add_option("--order", order, "Order of the symmetric matrix")->capture_default_str();
  CLI11_PARSE(app, argc, argv);
  try {
    fmt::print("{:<44} {:>6} {:>9} {:>9} {:>9}\n", "", "call", "wall s", "compute s", "rest s");
    measure("start of CUDA", [] {
      cuda::check(cudaFree(nullptr), "cudaFree");
      return 0.0;
    });
    copies();
    for (const Index n : {256, 1024, 9728}) decompositions(n);
    factorizations(order);
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
