// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigensolver in two stages on matrices of the GPU: the time of each step by events, residual and
// orthogonality by products, and cuSOLVER's Xsyevd beside it.
//
//   two_stage_benchmark --type d,z --n 1000,4096,9728 --kind random,clusters,graded --repetitions 3 --tridiagonal
//   own,library --two-stages
//
// Divide and conquer is our own or cuSOLVER's Xstedc, if it has it. Small matrices are reduced at once.
// Norms are Frobenius norms; both errors are multiples of n·2⁻⁵³. "digest" is that of eigenvalues and vectors.
#include "kernels/exec/device_matrix.hpp"
#include "kernels/libraries/cublas.hpp"
#include "kernels/libraries/cusolver.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pivotlab;
using cuda::check;
using cuda::DeviceMatrix;

struct Request {
  std::vector<std::string> types{"d"};
  std::vector<Index> orders{1000, 4096};
  std::vector<std::string> kinds{"random"}, tridiagonal{"own", "library"};
  int repetitions = 3;
  Index vectors = -1;
  bool library = false, two_stages = false;
};

/// Marks on a stream, and the milliseconds between them, summed by name.
class Marks {
 public:
  explicit Marks(cudaStream_t stream) : stream_(stream) {}
  void restart() { names_.clear(), flops_.clear(), set("start", 0); }
  void set(std::string_view name, double flops) {
    if (names_.size() == events_.size()) {
      events_.push_back(nullptr);
      check(cudaEventCreate(&events_.back()), "cudaEventCreate");
    }
    check(cudaEventRecord(events_[names_.size()], stream_), "cudaEventRecord");
    names_.emplace_back(name), flops_.push_back(flops);
  }
  struct Step {
    std::string name;
    double flops, milliseconds;
  };
  std::vector<Step> steps() {
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    std::vector<Step> steps;
    for (std::size_t i = 1; i < names_.size(); ++i) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, events_[i - 1], events_[i]), "cudaEventElapsedTime");
      auto step = std::ranges::find(steps, names_[i], &Step::name);
      if (step == steps.end()) step = steps.insert(step, {names_[i], 0, 0});
      step->flops += flops_[i], step->milliseconds += milliseconds;
    }
    return steps;
  }

 private:
  cudaStream_t stream_;
  std::vector<cudaEvent_t> events_;
  std::vector<std::string> names_;
  std::vector<double> flops_;
};

double total(const std::vector<Marks::Step>& steps) {
  double sum = 0;
  for (const Marks::Step& step : steps) sum += step.milliseconds;
  return sum;
}

/// Makes a Hermitian matrix: random; ones; zero; identity; graded, D·R·D with D over 16 decades; clusters, of few
/// distinct columns; tiny, a random block beside another 1e-159 times as large; wilkinson.
template <class T>
Matrix<T> matrix(const std::string& kind, Index n) {
  Matrix<T> A(n, n);
  const auto at = [&](Index i, Index j) {
    std::uint64_t x = static_cast<std::uint64_t>(i * n + j) * 0x9e3779b97f4a7c15u + 1;
    for (int k = 0; k < 3; ++k) x ^= x >> 29, x *= 0xbf58476d1ce4e5b9u, x ^= x >> 32;
    const double random = static_cast<double>(static_cast<std::int64_t>(x)) * 0x1p-63;
    const auto decade = [&](Index k) {
      return std::pow(10.0, -16.0 * static_cast<double>(k) / static_cast<double>(n));
    };
    if (kind == "ones") return 1.0;
    if (kind == "zero") return 0.0;
    if (kind == "identity") return i == j ? 1.0 : 0.0;
    if (kind == "graded") return random * decade(i) * decade(j);
    if (kind == "clusters") return 1.0 + (i % 8 == j % 8 ? static_cast<double>(1 + i % 8) : 0.0) + 1e-13 * random;
    if (kind == "tiny") return (i < n / 2) == (j < n / 2) ? random * (i < n / 2 ? 1.0 : 1e-159) : 0.0;
    if (kind == "huge") return random * 1e300;
    if (kind == "nan") return i == n / 2 && j == n / 3 ? std::nan("") : random;
    if (kind == "wilkinson")
      return i == j ? std::fabs(static_cast<double>(i) - 0.5 * static_cast<double>(n)) : i == j + 1;
    if (kind != "random") throw std::runtime_error("no matrices of the kind " + kind);
    return random;
  };
#pragma omp parallel for schedule(static, 16)
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      T x(at(i, j));
      if constexpr (is_complex<T>)
        if (i > j) x.imag(at(j, i));
      A(i, j) = x, A(j, i) = conjugate(x);
    }
  return A;
}

template <class T>
double norm(const DeviceMatrix<T>& A, double scale = 1) {
  Matrix<T> host(A.rows(), A.cols());
  A.download(host, nullptr);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (Index j = 0; j < A.cols(); ++j)
    for (const T& x : host.view().col(j)) sum += std::norm(x * scale);
  return std::sqrt(sum);
}

/// Prints ‖A·X − X·Λ‖/(‖A‖·n·ε) and ‖XᴴX − I‖/(n·ε).
template <class T>
void judge(const cuda::Cublas& blas, const Matrix<T>& A, const DeviceMatrix<T>& X, const std::vector<double>& lambda) {
  const Index n = A.rows();
  const double unit = static_cast<double>(n) * 0x1p-53;
  Matrix<T> scaled(n, n), eye(n, n);
  double largest = 0;
  for (Index i = 0; i < A.size(); ++i) largest = std::max(largest, std::abs(A.data()[i]));
  const double scale = largest == 0 ? 1 : std::ldexp(1.0, -std::ilogb(largest));
  X.download(scaled, nullptr);
  for (Index j = 0; j < n; ++j) {
    for (T& x : scaled.view().col(j)) x *= lambda[static_cast<std::size_t>(j)] * scale;
    eye(j, j) = 1;
  }
  Matrix<T> A_scaled = A;
  for (Index i = 0; i < A.size(); ++i) A_scaled.data()[i] *= scale;
  const DeviceMatrix<T> a(A_scaled, nullptr), difference(scaled, nullptr), gram(eye, nullptr);
  blas.gemm<T>(Op::none, Op::none, 1, a, X, -1, difference);
  blas.gemm<T>(Op::adjoint, Op::none, 1, X, X, -1, gram);
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  const double size = norm(a);
  fmt::print("residual {:.3f}, orthogonality {:.3f}, ascending {}\n", norm(difference) / (size == 0 ? 1 : size) / unit,
             norm(gram) / unit, std::ranges::is_sorted(lambda));
}

template <class T>
std::uint64_t digest(const Matrix<T>& X, const std::vector<double>& lambda) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](double x) { hash = (hash ^ std::bit_cast<std::uint64_t>(x)) * 1099511628211u; };
  for (Index i = 0; i < X.size(); ++i) {
    add(std::real(X.data()[i]));
    if constexpr (is_complex<T>) add(std::imag(X.data()[i]));
  }
  for (const double x : lambda) add(x);
  return hash;
}

template <class T>
void run(const Request& request, const std::string& kind, Index n, two_stage::TridiagonalSolver tridiagonal) {
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  Marks marks(stream);
  const auto solver = two_stage::make_cuda_eigensolver<T>(
      stream, [&](std::string_view step, double flops) { marks.set(step, flops); },
      {tridiagonal, request.two_stages ? two_stage::Reduction::two_stages : two_stage::Reduction::fastest});
  const Matrix<T> A = matrix<T>(kind, n);
  const DeviceMatrix<T> given(A, stream), X(n, n);
  const auto values = cuda::allocate<double>(n);
  const std::size_t bytes = solver->workspace_bytes(n);
  const auto workspace = cuda::allocate<unsigned char>(static_cast<Index>(bytes));
  fmt::print("\n{} {} n = {}, tridiagonal matrix by {}, workspace {:.2f} n^2 numbers\n",
             is_complex<T> ? "complex" : "real", kind, n,
             tridiagonal == two_stage::TridiagonalSolver::own ? "own kernels" : "Xstedc",
             static_cast<double>(bytes) / sizeof(T) / static_cast<double>(n) / static_cast<double>(n));
  std::vector<Marks::Step> best;
  std::vector<double> lambda(static_cast<std::size_t>(n));
  Matrix<T> vectors(n, n);
  std::uint64_t first = 0;
  for (int repetition = 0; repetition <= request.repetitions; ++repetition) {
    cuda::copy<T>(given.view(), X.view(), stream);
    marks.restart();
    const auto outcome = solver->solve(X.view(), values.data(), workspace.data(),
                                       {.vectors = request.vectors != 0, .count = request.vectors});
    std::vector<Marks::Step> steps = marks.steps();
    if (outcome != two_stage::Outcome::converged) {
      fmt::print("outcome {}\n", static_cast<int>(outcome));
      return;
    }
    check(cudaMemcpy(lambda.data(), values.data(), lambda.size() * sizeof(double), cudaMemcpyDeviceToHost),
          "cudaMemcpy");
    if (repetition < 2) {
      X.download(vectors, stream);
      const std::uint64_t now = digest(vectors, lambda);
      if (repetition == 0) first = now;
      if (now != first) fmt::print("BITS DIFFER\n");
    }
    fmt::print("{} {:.2f} ms  ", repetition == 0 ? "first" : "", total(steps));
    if (repetition > 0 && (best.empty() || total(steps) < total(best))) best = std::move(steps);
  }
  fmt::print("\n");
  const cuda::Cublas blas(nullptr);
  if (request.vectors < 0) judge(blas, A, X, lambda);
  for (const Marks::Step& step : best)
    fmt::print("  {:<28} {:>9.2f} ms {:>6}\n", step.name, step.milliseconds,
               step.flops > 0 ? fmt::format("{:.1f}", 1e-9 * step.flops / step.milliseconds) : "");
  fmt::print("  {:<28} {:>9.2f} ms\n", "total", total(best));
  if (!request.library) return;
  const cuda::Cusolver library(stream);
  const auto work = library.heevd_bytes(X.view());
  const auto device = cuda::allocate<std::byte>(static_cast<Index>(work.device));
  const auto info = cuda::allocate<int>(1);
  std::vector<std::byte> host(work.host);
  for (int repetition = 0; repetition < 3; ++repetition) {
    cuda::copy<T>(given.view(), X.view(), stream);
    cuda::DeviceStopwatch stopwatch(stream);
    library.heevd(X.view(), values.data(), {device.data(), work.device}, host, info.data());
    fmt::print("Xsyevd {:.2f} ms  ", 1e3 * stopwatch.stop());
  }
  std::vector<double> theirs(lambda.size());
  check(cudaMemcpy(theirs.data(), values.data(), theirs.size() * sizeof(double), cudaMemcpyDeviceToHost), "cudaMemcpy");
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i)
    difference = std::max(difference, std::fabs(lambda[i] - theirs[i])),
    largest = std::max(largest, std::fabs(theirs[i]));
  fmt::print("difference of eigenvalues {:.3f}; ", difference / largest / static_cast<double>(n) / 0x1p-53);
  judge(blas, A, X, theirs);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The Hermitian eigensolver in two stages on a GPU, step by step");
  Request request;
  app.add_option("--type", request.types, "d: real, z: complex")->delimiter(',')->capture_default_str();
  app.add_option("--n", request.orders, "Orders")->delimiter(',')->capture_default_str();
  app.add_option("--kind", request.kinds, "Kinds of matrices")->delimiter(',')->capture_default_str();
  app.add_option("--tridiagonal", request.tridiagonal, "own: own divide and conquer, library: cuSOLVER's Xstedc")
      ->delimiter(',')
      ->check(CLI::IsMember({"own", "library"}))
      ->capture_default_str();
  app.add_option("--vectors", request.vectors,
                 "How many eigenvectors, from the first one on; 0: eigenvalues alone, -1: all")
      ->capture_default_str();
  app.add_option("--repetitions", request.repetitions, "Timed runs")->capture_default_str();
  app.add_flag("--library", request.library, "Run Xsyevd, too");
  app.add_flag("--two-stages", request.two_stages, "Take two stages also for small matrices");
  CLI11_PARSE(app, argc, argv);
  try {
    for (const std::string& kind : request.kinds)
      for (const Index n : request.orders)
        for (const std::string& type : request.types)
          for (const std::string& solver : request.tridiagonal) {
            (type == "z" ? run<std::complex<double>> : run<double>)(request, kind, n,
                                                                    solver == "own"
                                                                        ? two_stage::TridiagonalSolver::own
                                                                        : two_stage::TridiagonalSolver::library);
            std::fflush(stdout);
          }
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
