// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by tangent reduction on matrices of the GPU: the time of each step by events, and what the result is worth.
//
//   tangent_benchmark --n 9728 --generator random --variant 'DGT-(auto)' --repetitions 3
//   tangent_benchmark --n 9728 --generator 'graded;g=8' --variant 'DGT-(L);groups=on' --estimates
//
// "rate" is flops over time. Residuals and orthogonality are estimated by one random vector of the host.
#include "kernels/exec/cuda_error.hpp"
#include "kernels/gsvd/tangent/device/tangent_driver.hpp"
#include "kernels/numerics/zeros.hpp"

#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd_tangent.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cmath>
#include <iostream>
#include <random>

namespace {

using namespace pivotlab;
using cuda::check;

struct Request {
  Index n = 4096;
  std::string generator = "random", variant = "DGT-(auto)";
  int repetitions = 3;
  bool estimates = false;
};

struct StepTime {
  std::string name;
  double flops, milliseconds;
};

/// Marks on a stream; the events live as long as the process.
class Marks {
 public:
  explicit Marks(cudaStream_t stream) : stream_(stream) {}
  void restart() { marks_.clear(), used_ = 0; }
  void set(std::string_view name, double flops) {
    if (used_ == events_.size()) {
      events_.push_back(nullptr);
      check(cudaEventCreate(&events_.back()), "cudaEventCreate");
    }
    check(cudaEventRecord(events_[used_], stream_), "cudaEventRecord");
    marks_.push_back({std::string(name), flops, 0});
    ++used_;
  }
  std::vector<StepTime> times() {
    check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    std::vector<StepTime> times;
    for (std::size_t i = 1; i < used_; ++i) {
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, events_[i - 1], events_[i]), "cudaEventElapsedTime");
      times.push_back({marks_[i].name, marks_[i].flops, milliseconds});
    }
    return times;
  }

 private:
  cudaStream_t stream_;
  std::vector<cudaEvent_t> events_;
  std::vector<StepTime> marks_;
  std::size_t used_ = 0;
};

template <class T>
T* allocate(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  return static_cast<T*>(memory);
}

template <class T>
Matrix<T> download(MatrixView<T> A) {
  Matrix<T> result = zeros<T>(A.rows, A.cols);
  check(cudaMemcpy(result.data(), A.data, static_cast<std::size_t>(result.size()) * sizeof(T), cudaMemcpyDeviceToHost),
        "cudaMemcpy");
  return result;
}

template <class T>
using Vector = std::vector<T>;

/// A·x, or Aᴴ·x.
template <class T>
Vector<T> product(const Matrix<T>& A, const Vector<T>& x, bool adjoint) {
  Vector<T> y(static_cast<std::size_t>(adjoint ? A.cols() : A.rows()));
  if (adjoint) {
#pragma omp parallel for
    for (Index j = 0; j < A.cols(); ++j) {
      T sum(0);
      for (Index i = 0; i < A.rows(); ++i) sum += conjugate(A(i, j)) * x[static_cast<std::size_t>(i)];
      y[static_cast<std::size_t>(j)] = sum;
    }
  } else {
#pragma omp parallel for
    for (Index first = 0; first < A.rows(); first += 512)
      for (Index j = 0; j < A.cols(); ++j)
        for (Index i = first; i < std::min(A.rows(), first + 512); ++i)
          y[static_cast<std::size_t>(i)] += A(i, j) * x[static_cast<std::size_t>(j)];
  }
  return y;
}

template <class T>
double norm(const Vector<T>& x) {
  double sum = 0;
  for (const T& value : x) sum += std::norm(value);
  return std::sqrt(sum);
}

/// ‖W·diag(σ)·x − A·Z·x‖/(‖A·Z·x‖) and ‖WᴴW·x − x‖, of a random x: the latter is about ‖WᴴW − I‖_F.
template <class T>
void judge(const char* name, const Matrix<T>& A, const Matrix<T>& W, const Matrix<T>& Z,
           const std::vector<double>& sigma) {
  std::mt19937_64 generator(1);
  std::normal_distribution<double> normal;
  Vector<T> x(sigma.size()), scaled;
  for (T& value : x) value = T(normal(generator));
  for (std::size_t j = 0; j < x.size(); ++j) scaled.push_back(x[j] * sigma[j]);
  Vector<T> image = product(A, product(Z, x, false), false), difference = product(W, scaled, false);
  for (std::size_t i = 0; i < image.size(); ++i) difference[i] -= image[i];
  Vector<T> gram = product(W, product(W, x, false), true);
  for (std::size_t j = 0; j < x.size(); ++j) gram[j] -= x[j];
  fmt::print("{}: residual {:.1e}, orthogonality {:.1e}\n", name, norm(difference) / norm(image), norm(gram));
}

template <class T>
void run(const Request& request) {
  const AnyPair any = generate_pair({.generator = request.generator, .type = scalar_type<T>, .n = request.n});
  const auto& pair = std::get<Pair<T>>(any);
  const Index n = pair.F.cols(), m_f = pair.F.rows(), m_g = pair.G.rows();
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream), "cudaStreamCreate");
  Marks marks(stream);
  tangent::DeviceTangent<T> plan({m_f, m_g, n}, parse_tangent_variant(request.variant).variant, stream,
                                 [&](std::string_view step, double flops) { marks.set(step, flops); });
  const auto matrix = [](Index rows, Index cols) {
    return MatrixView<T>{allocate<T>(static_cast<std::size_t>(rows * cols)), rows, cols, rows};
  };
  const MatrixView<T> F = matrix(m_f, n), G = matrix(m_g, n);
  for (const auto& [from, to] : {std::pair(&pair.F, F), std::pair(&pair.G, G)})
    check(cudaMemcpy(to.data, from->data(), static_cast<std::size_t>(from->size()) * sizeof(T), cudaMemcpyHostToDevice),
          "cudaMemcpy");
  const tangent::Factors<T> factors{matrix(m_f, n), matrix(m_g, n), matrix(n, n), {}};
  void* const workspace = allocate<unsigned char>(plan.workspace_bytes());
  fmt::print("{} {}, n = {}, workspace {:.2f} GB\n", request.variant, request.generator, n,
             1e-9 * static_cast<double>(plan.workspace_bytes()));

  tangent::Outcome outcome;
  std::vector<StepTime> best;
  double shortest = 0;
  for (int repetition = 0; repetition <= request.repetitions; ++repetition) {
    marks.restart();
    marks.set("start", 0);
    outcome = plan.run(F, G, factors, request.estimates, workspace);
    std::vector<StepTime> times = marks.times();
    double total = 0;
    for (const StepTime& step : times) total += step.milliseconds;
    fmt::print("{} {}: {:.1f} ms{}\n", repetition == 0 ? "warm-up" : "run", repetition, total,
               outcome.reason.empty() ? "" : ", " + outcome.reason);
    if (repetition > 0 && (best.empty() || total < shortest)) best = std::move(times), shortest = total;
  }
  const TangentReport& report = outcome.report;
  fmt::print("path {}, span of the diagonal {:.1e}, of the columns {:.1e}, {} groups\n", to_string(report.path),
             report.diagonal_span, report.column_span, report.groups.size());
  for (const TangentStep& step : report.steps)
    fmt::print("  {}: cosine {:.1e}, angle {:.1e}, |E| {:.1e}, {} pairs, {} strong\n",
               step.kind == TangentStep::Kind::newton     ? "newton"
               : step.kind == TangentStep::Kind::interval ? "interval"
                                                          : "end",
               step.largest_cosine, step.largest_angle, step.norm, step.pairs, step.strong);
  fmt::print("{:<48} {:>10} {:>8}\n", "step", "ms", "TF/s");
  for (const StepTime& step : best)
    fmt::print("{:<48} {:>10.2f} {:>8}\n", step.name, step.milliseconds,
               step.flops > 0 ? fmt::format("{:.1f}", 1e-9 * step.flops / step.milliseconds) : "-");
  fmt::print("{:<48} {:>10.2f}\n", "total", shortest);
  if (outcome.breakdown != tangent::Breakdown::none) return;

  const Matrix<T> Z = download(factors.Z);
  judge("F", pair.F, download(factors.U), Z, outcome.sigma_f);
  judge("G", pair.G, download(factors.V), Z, outcome.sigma_g);
  double error = 0, estimate = 0, ratio = 0;
  for (std::size_t j = 0; j < outcome.sigma_error.size(); ++j) estimate = std::max(estimate, outcome.sigma_error[j]);
  for (std::size_t j = 0; j < pair.sigma.size(); ++j) {
    const double e = std::fabs(static_cast<double>((Quad(outcome.sigma[j]) - pair.sigma[j]) / pair.sigma[j]));
    error = std::max(error, e);
    if (!outcome.sigma_error.empty()) ratio = std::max(ratio, e / outcome.sigma_error[j]);
  }
  if (!outcome.sigma_error.empty()) fmt::print("largest error estimate {:.1e}\n", estimate);
  if (!pair.sigma.empty())
    fmt::print("largest error of sigma {:.1e}, largest quotient by its estimate {:.2f}\n", error, ratio);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("The GSVD by tangent reduction on a GPU, step by step");
  Request request;
  app.add_option("--n", request.n, "Order")->capture_default_str();
  app.add_option("--generator", request.generator, "Kind of pairs")->capture_default_str();
  app.add_option("--variant", request.variant, "Variant; its letter gives the scalar type")->capture_default_str();
  app.add_option("--repetitions", request.repetitions, "Timed runs")->capture_default_str();
  app.add_flag("--estimates", request.estimates, "Estimate the errors of sigma, too");
  CLI11_PARSE(app, argc, argv);
  try {
    if (parse_tangent_variant(request.variant).type == ScalarType::d)
      run<double>(request);
    else
      run<std::complex<double>>(request);
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
}
