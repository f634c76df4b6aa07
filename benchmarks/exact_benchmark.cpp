// SPDX-License-Identifier: BSD-3-Clause
// Exact products on a GPU: time and error by number of moduli, beside cuBLAS's product in double and its emulation of
// it.
//
//   exact_benchmark --n 1000,4096,9728 --type d,z --moduli 14,16,17,18,20,22
//   exact_benchmark --n 9728 --panels 1024,2048,4096 --moduli 16      which panels are fast
//
// Times are medians of events around a call. Errors are the largest of sampled entries, in units of (|A||B|)_ij,
// against products in long integers; A and B are Gaussian.
#include "kernels/exact/plan.hpp"
#include "kernels/exec/cuda_error.hpp"
#include "kernels/libraries/cublas.hpp"
#include "tests/exact/exact_data.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <pivotlab/error.hpp>

namespace {

using namespace pivotlab;
using cuda::check;

struct Request {
  std::vector<Index> n{1000, 4096, 9728}, panels{0};
  std::vector<int> moduli{14, 16, 17, 18, 20, 22};
  std::string types = "d,z";
  int repetitions = 3, samples = 4;
  bool balance = false;
};

struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};

template <class T>
class OnDevice {
 public:
  OnDevice(Index rows, Index cols) : rows_(rows), cols_(cols) {
    void* memory = nullptr;
    check(cudaMalloc(&memory, sizeof(T) * static_cast<std::size_t>(rows * cols)), "cudaMalloc");
    memory_.reset(memory);
  }
  MatrixView<T> view() const { return {static_cast<T*>(memory_.get()), rows_, cols_, rows_}; }
  void upload(const Matrix<T>& A) {
    check(cudaMemcpy(memory_.get(), A.data(), sizeof(T) * static_cast<std::size_t>(A.size()), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  }
  T at(Index i, Index j) const {
    T x;
    check(cudaMemcpy(&x, view().data + i + j * rows_, sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
    return x;
  }

 private:
  Index rows_, cols_;
  std::unique_ptr<void, Free> memory_;
};

/// Returns Gaussian numbers that depend on the place alone.
template <class T>
Matrix<T> gaussian(Index n, std::uint64_t seed) {
  auto A = Matrix<T>::uninitialized(n, n);
#pragma omp parallel for
  for (Index j = 0; j < n; ++j) {
    std::mt19937_64 engine(seed + static_cast<std::uint64_t>(j));
    std::normal_distribution<double> normal;
    auto* numbers = reinterpret_cast<double*>(A.data() + j * n);
    for (Index i = 0; i < n * static_cast<Index>(sizeof(T) / sizeof(double)); ++i) numbers[i] = normal(engine);
  }
  return A;
}

/// Measures times between marks on the default stream.
class Marks {
 public:
  void set(std::string_view name) {
    if (used_ == events_.size()) {
      events_.push_back(nullptr);
      check(cudaEventCreate(&events_.back()), "cudaEventCreate");
      names_.emplace_back();
    }
    names_[used_] = name;
    check(cudaEventRecord(events_[used_++], nullptr), "cudaEventRecord");
  }
  /// Returns milliseconds by name, and of all as "", since the last call.
  std::map<std::string, double> times() {
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::map<std::string, double> times;
    for (std::size_t i = 1; i < used_; ++i) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, events_[i - 1], events_[i]), "cudaEventElapsedTime");
      times[names_[i]] += milliseconds;
      times[""] += milliseconds;
    }
    used_ = 0;
    return times;
  }

 private:
  std::vector<cudaEvent_t> events_;
  std::vector<std::string> names_;
  std::size_t used_ = 0;
};

/// Returns the times of the median of some calls, after one that is not measured.
template <class Call>
std::map<std::string, double> median(Marks& marks, int repetitions, Call&& call) {
  std::vector<std::map<std::string, double>> all;
  for (int r = 0; r <= repetitions; ++r) {
    marks.set("start");
    call();
    marks.set("end");
    auto times = marks.times();
    if (r > 0) all.push_back(std::move(times));
  }
  const auto by_total = [](const auto& x, const auto& y) { return x.at("") < y.at(""); };
  std::ranges::nth_element(all, all.begin() + repetitions / 2, by_total);
  return all[static_cast<std::size_t>(repetitions / 2)];
}

/// Holds sampled entries of a product.
template <class T>
struct Sample {
  Index i, j;
  test::LongComplex exact;
  double size;  ///< (|A||B|)_ij
};

template <class T>
std::vector<Sample<T>> samples_of(const Matrix<T>& A, const Matrix<T>& B, int side) {
  const Index n = A.rows();
  std::vector<Sample<T>> samples(static_cast<std::size_t>(side * side));
#pragma omp parallel for
  for (int s = 0; s < side * side; ++s) {
    const Index i = s % side * 7919 % n, j = s / side * 6007 % n;
    const ExactFactor<T> a(A.view().block(i, 0, 1, n)), b(B.view().block(0, j, n, 1));
    double size = 0;
    for (Index k = 0; k < n; ++k) size += std::abs(A(i, k)) * std::abs(B(k, j));
    samples[static_cast<std::size_t>(s)] = {i, j, test::exact_entries<T>(a, b)[0], size};
  }
  return samples;
}

/// Returns log₂ of the largest error in units of |A||B|, and of error over bound.
template <class T>
std::string error_of(const std::vector<Sample<T>>& samples, const OnDevice<T>& hi, const OnDevice<T>* lo,
                     const OnDevice<double>* bounds) {
  double largest = 0, of_bound = 0;
  for (const Sample<T>& s : samples) {
    const T h = hi.at(s.i, s.j), l = lo ? lo->at(s.i, s.j) : T(0);
    // Above 2⁻⁵⁰⁰ the square of the error, in units of 2⁻⁴²⁹⁶, is a double after a shift.
    const test::Long squared = test::squared_error(s.exact, h, l) >> (2 * test::unit_of_product - 900);
    const double error = std::ldexp(std::sqrt(static_cast<double>(squared)), -450);
    largest = std::max(largest, error / s.size);
    if (bounds) of_bound = std::max(of_bound, error / (bounds->at(s.i, s.j) + 0x1p-104 * std::abs(h)));
  }
  const std::string size = largest > 0 ? fmt::format("2^{:.1f}", std::log2(largest)) : "0";
  return bounds ? fmt::format("{:>8} {:>8.3f}", size, of_bound) : fmt::format("{:>8}", size);
}

template <class T>
void time_cublas(cublasHandle_t handle, cublasComputeType_t type, const char* name, Marks& marks,
                 const Request& request, const OnDevice<T>& A, const OnDevice<T>& B, const OnDevice<T>& C,
                 const std::vector<Sample<T>>& samples, double& milliseconds) {
  const T one = 1, zero = 0;
  const auto n = static_cast<int>(A.view().rows);
  constexpr auto data = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  milliseconds = median(marks, request.repetitions, [&] {
                   status = cuda::cublas_routines().gemm_ex(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one,
                                                            A.view().data, data, n, B.view().data, data, n, &zero,
                                                            C.view().data, data, n, type, CUBLAS_GEMM_DEFAULT);
                 }).at("");
  if (status != CUBLAS_STATUS_SUCCESS)
    return fmt::print("{:<18} not available (status {})\n", name, static_cast<int>(status));
  const double flops = (is_complex<T> ? 8.0 : 2.0) * std::pow(static_cast<double>(n), 3);
  fmt::print("{:<18} {:9.2f} ms {:6.1f} TF/s                                   {}\n", name, milliseconds,
             1e-9 * flops / milliseconds, error_of<T>(samples, C, nullptr, nullptr));
}

template <class T>
void run(const Request& request, Index n) {
  fmt::print("\n{} n = {}\n", is_complex<T> ? "complex" : "real", n);
  OnDevice<T> A(n, n), B(n, n), hi(n, n), lo(n, n);
  OnDevice<double> bounds(n, n);
  std::vector<Sample<T>> samples;
  {
    const Matrix<T> host_a = gaussian<T>(n, 1), host_b = gaussian<T>(n, 1u << 20);
    A.upload(host_a), B.upload(host_b);
    samples = samples_of(host_a, host_b, request.samples);
  }
  Marks marks;
  cublasHandle_t handle = nullptr;
  check(cuda::cublas_routines().create(&handle), "cublasCreate");
  double in_double = 0, emulated = 0;
  time_cublas(handle, CUBLAS_COMPUTE_64F, "cuBLAS double", marks, request, A, B, hi, samples, in_double);
  try {
    using SetStrategy = int(cublasHandle_t, int);
    static_cast<SetStrategy*>(cuda::cublas_symbol("cublasSetEmulationStrategy"))(handle, 2);  // eager
    time_cublas(handle, static_cast<cublasComputeType_t>(79), "cuBLAS emulation", marks, request, A, B, hi, samples,
                emulated);
  } catch (const NotSupported& error) {
    fmt::print("cuBLAS emulation   {}\n", error.what());
  }
  check(cuda::cublas_routines().destroy(handle), "cublasDestroy");

  fmt::print("{:>3} {:>6} {:>9} {:>8} | {:>8} {:>8} {:>8} {:>8} | {:>8} {:>8} {:>8} {:>8}\n", "N", "panel", "ms",
             "of dbl", "scales", "residues", "products", "numbers", "10^15/s", "error", "of bound", "proved");
  for (const int moduli : request.moduli)
    for (const Index panel : request.panels) try {
        const exact::Plan plan = exact::plan_of(n, n, n, is_complex<T> ? 2 : 1,
                                                {.moduli = moduli, .balance = request.balance, .panel = panel});
        const auto product = exact::make_cuda_product(plan, nullptr, {nullptr});
        product->observe([&](std::string_view step) { marks.set(step); });
        const ExactFactor<T> a(MatrixView<const T>(A.view())), b(MatrixView<const T>(B.view()));
        auto times = median(marks, request.repetitions, [&] {
          product->run(exact::operand_of(a, true), exact::operand_of(b, false), {},
                       exact::target_of<T>({.hi = hi.view(), .lo = lo.view()}));
        });
        product->bound_entries(bounds.view());
        const double bound = product->report().bound();
        const double operations = (is_complex<T> ? 6.0 : 2.0) * moduli * std::pow(static_cast<double>(n), 3);
        fmt::print("{:>3} {:>6} {:>9.2f} {:>8.2f} | {:>8.2f} {:>8.2f} {:>8.2f} {:>8.2f} | {:>8.2f} {} {:>8}\n", moduli,
                   panel, times[""], times[""] / in_double, times["scales"], times["residues"], times["products"],
                   times["numbers"], 1e-12 * operations / times["products"], error_of<T>(samples, hi, &lo, &bounds),
                   bound > 0 ? fmt::format("2^{:.1f}", std::log2(bound)) : "exact");
        std::fflush(stdout);
      } catch (const std::bad_alloc&) {
        fmt::print("{:>3} {:>6} too little memory\n", moduli, panel);
      }
}

}  // namespace

int main(int argc, char** argv) {
  Request request;
  CLI::App app("Exact products on a GPU: time and error by number of moduli");
  app.add_option("--n", request.n, "orders")->delimiter(',');
  app.add_option("--moduli", request.moduli, "numbers of moduli, 8 to 26")->delimiter(',');
  app.add_option("--panels", request.panels, "columns of a panel; 0: chosen")->delimiter(',');
  app.add_option("--type", request.types, "d, z, or d,z");
  app.add_option("--repetitions", request.repetitions, "measured calls");
  app.add_option("--samples", request.samples, "rows and columns of sampled entries");
  app.add_flag("--balance", request.balance, "scale the inner index");
  CLI11_PARSE(app, argc, argv);
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
  fmt::print("{}\n", device.name);
  for (const Index n : request.n) {
    try {
      if (request.types.find('d') != std::string::npos) run<double>(request, n);
      if (request.types.find('z') != std::string::npos) run<std::complex<double>>(request, n);
    } catch (const std::bad_alloc&) {
      fmt::print("n = {}: too little memory\n", n);
    }
  }
}
