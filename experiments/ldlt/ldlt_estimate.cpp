// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/ldlt/ldlt.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/problems/symmetrics.hpp>
#include <kernels/verification/device/ldlt_judge.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

/// Seconds per n³ of a real matrix on one core, measured at n = 500 … 2000. Parallel work is divided by the cores.
constexpr double kGenerate = 7e-9;       // a prescribed spectrum, in quad
constexpr double kGenerateEntry = 3e-8;  // per n²: all other generators
constexpr double kVariant = 3.5e-10;
constexpr double kLapack = 4e-11, kLapackPacked = 1.5e-10;
constexpr double kJudgeQuad = 1e-8;  // up to n = 128
constexpr double kJudgeDoubleDouble = 3.5e-10;
constexpr double kGjg = 1.2e-7;                                 // in quad and double quad
constexpr double kComplex = 4;                                  // ratio of complex and real times
constexpr double kCusolver = 1.3e-13, kCusolverLatency = 3e-5;  // per n³ and per n on an H200
constexpr double kComplete = 5e-13, kCompleteLatency = 2.2e-5;
constexpr double kBlocked = 2.3e-14, kBlockedLatency = 1.1e-5;
constexpr double kCudaGenerate = 4e-12;                       // from n = 512 on
constexpr double kCudaJudge = 1e-13, kCudaJudgeEntry = 8e-9;  // per n³ and, for the copy to the GPU, per n²
constexpr double kEmulation = 200;  // ratio of the times of emulated kernels and the host's algorithm

bool has_gpu() {
  return !find_gpus().devices.empty();
}

double judge_seconds(double n, double work, bool complex) {
  if (n <= quad_judgement_limit) return kJudgeQuad * work / default_threads();
  if (n >= ldlt_device_judgement_order && has_gpu())
    return kCudaJudge * work + kCudaJudgeEntry * (complex ? 2 : 1) * n * n;
  return kJudgeDoubleDouble * work / default_threads();
}

double solve_seconds_on_gpu(const LdltCase& wanted, double work) {
  const auto n = static_cast<double>(wanted.n);
  if (!wanted.variant) return kCusolver * work + kCusolverLatency * n;
  const bool complete = wanted.variant->pivoting == Pivoting::complete;
  return complete ? kComplete * work + kCompleteLatency * n : kBlocked * work + kBlockedLatency * n;
}

double solve_seconds(const LdltCase& wanted, double work) {
  if (wanted.on_gpu()) return solve_seconds_on_gpu(wanted, work);
  if (wanted.variant) return (wanted.backend == "emulation" ? kEmulation : 1) * kVariant * work / wanted.threads;
  return (wanted.storage == LdltStorage::packed ? kLapackPacked : kLapack) * work / wanted.threads;
}

}  // namespace

Estimate estimate_ldlt(const LdltCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const bool complex = wanted.type == ScalarType::z;
  const double work = (complex ? kComplex : 1) * n * n * n;
  const double generation = n >= 512 && has_gpu() ? kCudaGenerate : kGenerate / default_threads();
  const bool spectrum = has_spectrum(wanted);

  Estimate estimate;
  estimate.generate_s = kGenerateEntry * n * n + (spectrum ? generation * work : 0);
  estimate.solve_s = solve_seconds(wanted, work);
  estimate.judge_s = judge_seconds(n, work, complex);
  if (wanted.gjg) estimate.judge_s += kGjg * work / default_threads();
  // A; the working copy with M, or LAPACK's storage; the judge's tiles, or A − τI and its factors; while A is
  // generated, quad numbers of four words.
  const double scalar = complex ? 16 : 8, tiles = 1024 * n;
  estimate.bytes = scalar * std::max((wanted.variant ? 4 : 3) * n * n + tiles, (spectrum ? 13.0 : 2.0) * n * n);
  if (wanted.gjg) estimate.bytes += scalar * 24 * n * n;  // A, M, G twice and their products, in quad
  // A triangle, panels and columns, or LAPACK's storage with cuSOLVER's workspace; then the judge's A, M, M·D and
  // slices of it.
  const double solver_elements = wanted.variant ? 0.5 * n * n + 256 * n : 2 * n * n;
  const double judge_elements =
      n < ldlt_device_judgement_order ? 0 : 2 * n * n + n * n / 2 + 4 * n * std::min(n / 2, 8192.0);
  if (wanted.on_gpu()) estimate.gpu_bytes = scalar * std::max(solver_elements, judge_elements);
  return estimate;
}

}  // namespace pivotlab::experiments
