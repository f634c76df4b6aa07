#include <experiments/eig/eig.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/metrics/judging.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per n³ on one core; for a variant, per n³ and sweep. Parallel work is divided by the cores.
constexpr double kPrescribed = 1.5e-7;              // prescribed eigenvalues, in quad
constexpr double kGenerateEntry = 3e-8;             // per n²: all other generators
constexpr double kTruth = 3e-7, kLongTruth = 2e-5;  // in double-double, in 100 digits
constexpr double kPointSweep = 1.5e-8, kBlockedSweep = 1e-8;
constexpr double kLapack = 3e-9;
constexpr double kJudgeQuad = 1e-7, kJudgeDoubleDouble = 6e-9, kMatch = 1e-8;
constexpr double kGpu = 1e-10, kGpuLatency = 2e-5;  // per n³ and, for the rounds, per n of a sweep on an H200
constexpr double kCusolver = 6e-11, kCusolverLatency = 2e-4;
constexpr double kEmulation = 300;  // ratio of the times of emulated kernels and the host's algorithm

bool prescribes(const std::string& generator) {
  return std::ranges::any_of(
      std::initializer_list<const char*>{"normal", "similarity", "repeated", "defective", "hermitian", "unitary"},
      [&](const char* kind) { return generator.starts_with(kind); });
}

bool computes_truth(const EigCase& wanted) {
  if (wanted.is_from_files()) return wanted.n <= file_truth_order;
  if (wanted.generator.find("truth=none") != std::string::npos) return false;
  return wanted.generator.find("truth=computed") != std::string::npos ||
         (wanted.n <= 128 && !prescribes(wanted.generator));
}

double generate_seconds(const EigCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  double seconds = kGenerateEntry * n * n;
  if (!wanted.is_from_files() && prescribes(wanted.generator)) seconds += kPrescribed * n * n * n / default_threads();
  if (computes_truth(wanted)) seconds += (wanted.n <= 32 ? kLongTruth : kTruth) * n * n * n;
  return seconds;
}

/// Returns a typical number of sweeps for order n.
double sweeps(double n) {
  return 7 + 1.5 * std::log2(n + 1);
}

double solve_seconds(const EigCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const double cube = n * n * n;
  if (wanted.backend == "cusolver") return kCusolver * cube + kCusolverLatency * n;
  if (!wanted.variant) return kLapack * cube * (wanted.type == ScalarType::z ? 4 : 1);
  if (wanted.on_gpu()) return sweeps(n) * (kGpu * cube + kGpuLatency * n);
  const double rate = wanted.variant->form == EigForm::blocked ? kBlockedSweep : kPointSweep;
  return (wanted.backend == "emulation" ? kEmulation : 1) * sweeps(n) * rate * cube / wanted.threads;
}

}  // namespace

Estimate estimate_eig(const EigCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const double cube = n * n * n;
  const bool quad = wanted.n <= quad_judgement_limit;

  Estimate estimate;
  estimate.generate_s = generate_seconds(wanted);
  estimate.solve_s = solve_seconds(wanted);
  estimate.judge_s = (quad ? kJudgeQuad : kJudgeDoubleDouble) * cube * (wanted.left ? 2 : 1) / default_threads() +
                     (computes_truth(wanted) || prescribes(wanted.generator) ? kMatch * cube : 0);
  // A, its copy, E, W, vectors; the judge's products in extended precision and slices of them.
  estimate.bytes = 16 * n * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = 16 * n * n * 8;
  return estimate;
}

}  // namespace pivotlab::experiments
