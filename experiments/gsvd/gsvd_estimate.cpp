// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/engine/environment.hpp>
#include <experiments/engine/gpu.hpp>
#include <experiments/gsvd/gsvd.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/over_ranks.hpp>
#include <experiments/problems/pairs.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per n³ of a square real pair on one core, measured at n = 128…512. Parallel work is divided by the cores.
constexpr double kGenerate = 5e-8;     // in quad
constexpr double kVariant = 2e-8;      // about ten sweeps; twice as much with enhanced dots or unscaled columns
constexpr double kGgsvd3 = 1.5e-7;     // level-1 rotations, which are not parallel
constexpr double kDirect = 3e-9;       // QR + SVD, Cholesky + eigenvectors
constexpr double kJudgeQuad = 1.5e-7;  // up to n = 128
constexpr double kJudgeDoubleDouble = 2e-8;
constexpr double kJudgeByProbes = 1.1e-7;  // per n²
constexpr double kRandom = 6e-8;           // per n², generation from random numbers
constexpr double kTruth = 5e-6;            // σ in 200 digits
constexpr double kComplex = 3;             // ratio of complex and real times

/// Seconds per n³ and per n² on an H200.
constexpr double kCuda = 8e-12, kCudaLatency = 7e-8;
constexpr double kCudaTangent = 2e-12;
constexpr double kCusolverDirect = 2.4e-12, kCusolverJacobi = 1e-10, kCusolverLatency = 3e-8;
/// Seconds per n³ in double-double on an H200. The GPU generates the paper's pairs and judges all results above the
/// limit of quad.
constexpr double kCudaGenerate = 1.2e-11, kCudaJudge = 2e-11;
/// Ratio of the times of emulated kernels and the host's algorithm.
constexpr double kEmulation = 200;

bool has(const std::string& name, const char* part) {
  return name.find(part) != std::string::npos;
}

double gpu_seconds(const GsvdCase& wanted, double work) {
  const double squares = std::pow(work, 2.0 / 3);
  if (wanted.variant) return kCuda * work + kCudaLatency * squares;
  if (wanted.tangent) return kCudaTangent * work + kCusolverLatency * squares;
  return (has(wanted.solver, "gesvdj") ? kCusolverJacobi : kCusolverDirect) * work + kCusolverLatency * squares;
}

/// Returns the elements in GPU memory. A variant transforms F, G and Z in place; with `mixed` there are copies of them
/// in single precision, another matrix, and exact products of all columns with some 17 bytes, complex 51, for an
/// element of both factors, and four times as much for 2048 columns of the result. cuSOLVER keeps F and G beside U and
/// V and needs workspace.
double gpu_elements(const GsvdCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const auto rows = static_cast<double>(wanted.m_f) + static_cast<double>(wanted.m_g);
  if (!wanted.variant) return (2 * rows + 6 * n) * n;
  if (!wanted.variant->mixed) return (rows + n) * n;
  const auto most = static_cast<double>(std::max(wanted.m_f, wanted.m_g));
  const double bytes = wanted.type == ScalarType::z ? 51.0 / 16 : 17.0 / 8;  // relative to those of an element
  return (rows + n) * n + (most + 1.5 * n) * n + bytes * ((most + n) * n + 4 * most * std::min(n, 2048.0));
}

double generation_seconds(const GsvdCase& wanted, double work) {
  if (wanted.is_from_files()) return 0;
  const bool rounded = has(wanted.generator, "truth=rounded");
  const double truth = rounded || (is_drawn(wanted) && has_computed_truth(wanted)) ? kTruth * work : 0;
  if (is_drawn(wanted)) return kRandom / default_threads() * std::pow(work, 2.0 / 3) + truth;
  const bool on_gpu = wanted.generator.starts_with("paper") && !find_gpus().devices.empty();
  return (on_gpu ? kCudaGenerate : kGenerate / default_threads()) * work + truth;
}

double judgement_seconds(const GsvdCase& wanted, Index size, double work) {
  const bool knows_sigma = !wanted.is_from_files() && !wanted.generator.starts_with("random");
  if (size > full_judgement_limit && (!knows_sigma || find_gpus().devices.empty()))
    return kJudgeByProbes / default_threads() * std::pow(work, 2.0 / 3);
  if (size <= quad_judgement_limit) return kJudgeQuad / default_threads() * work;
  return (find_gpus().devices.empty() ? kJudgeDoubleDouble / default_threads() : kCudaJudge) * work;
}

double solve_rate(const GsvdCase& wanted) {
  if (wanted.variant) return (wanted.backend == "emulation" ? kEmulation : 1) * kVariant / wanted.threads;
  if (wanted.tangent) return kDirect / wanted.threads;
  return has(wanted.solver, "ggsvd3") ? kGgsvd3 : kDirect / wanted.threads;
}

int ranks_of(const GsvdCase& wanted) {
  return wanted.over_ranks ? wanted.over_ranks->ranks : 1;
}

/// Adds the memory of the ranks, which hold F and G twice during the solution (the whole and their columns), and the
/// true Σ.
void add_memory_of_ranks(const GsvdCase& wanted, double pair, Estimate& estimate) {
  const DistributedMemory memory =
      distributed_gsvd_memory(wanted.type, wanted.m_f, wanted.m_g, wanted.n, ranks_of(wanted), options_of_ranks(wanted),
                              goes_through_host(wanted));
  estimate.bytes = std::max(estimate.bytes, 2 * pair + ranks_of(wanted) * static_cast<double>(memory.host));
  if (wanted.on_gpu()) estimate.gpu_bytes = static_cast<double>(memory.device);
}

}  // namespace

Estimate estimate_gsvd(const GsvdCase& wanted) {
  const auto n = static_cast<double>(wanted.n);
  const auto rows = static_cast<double>(wanted.m_f) + static_cast<double>(wanted.m_g);
  const double complex_factor = wanted.type == ScalarType::z ? kComplex : 1;
  // The work is proportional to the rows of F, G and Z; it is n³ for a square pair.
  const double work = complex_factor * n * n * (rows + n) / 3;
  const Index size = std::max({wanted.m_f, wanted.m_g, wanted.n});

  Estimate estimate;
  estimate.generate_s = generation_seconds(wanted, work);
  estimate.solve_s = wanted.on_gpu() ? gpu_seconds(wanted, work) / ranks_of(wanted) : solve_rate(wanted) * work;
  estimate.judge_s = judgement_seconds(wanted, size, work);
  // F, G; U, V, Z with a working copy, or the copy of one by ranks; and the judge's X and products with two or, in
  // quad, four words an element.
  const double scalar = wanted.type == ScalarType::z ? 16 : 8;
  const double pair = rows * n, factors = rows * n + n * n;
  const double judged = size > full_judgement_limit ? 0 : (size <= quad_judgement_limit ? 4 : 2) * (factors + n * n);
  const bool in_quad = !wanted.is_from_files() && !is_drawn(wanted);
  const double generated = in_quad ? 4 * (pair + 3 * n * n) : 0;
  // The reduction keeps F and G, scaled and rotated, Q and the blocks beside the solver's working copy.
  const double copies = wanted.over_ranks ? 4.0 / 3 : wanted.has_few_rows() ? 4 : 2;
  estimate.bytes = scalar * std::max(pair + copies * factors + judged, pair + generated);
  if (wanted.on_gpu()) estimate.gpu_bytes = scalar * gpu_elements(wanted);
  if (wanted.over_ranks) add_memory_of_ranks(wanted, scalar * pair, estimate);
  return estimate;
}

}  // namespace pivotlab::experiments
