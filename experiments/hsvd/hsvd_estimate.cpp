#include <experiments/engine/environment.hpp>
#include <experiments/hsvd/hsvd_estimate.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>

#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per m·n² on one core; for a variant, per m·n² and sweep. Parallel work is divided by the cores.
constexpr double prescribed_values = 1.5e-7, true_values = 3e-6, one_sweep = 1.3e-9, by_lapack = 5e-9;
constexpr double judge_in_quad = 1e-7, judge_in_double_double = 6e-9;
constexpr double as_emulated = 300;  // ratio of the times of emulated kernels and the host's algorithm

double expected_solve_seconds(const HsvdCase& wanted, double size) {
  if (!wanted.variant) return by_lapack * size;
  const double sweeps = 5 + 0.5 * std::log2(static_cast<double>(wanted.n) + 1);
  return (wanted.backend == "emulation" ? as_emulated : 1) * sweeps * one_sweep * size / wanted.threads;
}

}  // namespace

Estimate estimate_hsvd(const HsvdCase& wanted) {
  const double m = static_cast<double>(wanted.m), n = static_cast<double>(wanted.n);
  const double bytes = wanted.type == ScalarType::z ? 16 : 8, size = m * n * n;
  const double scaled_size = size * (wanted.type == ScalarType::z ? 3 : 1);
  const bool quad = wanted.m <= quad_judgement_limit;
  Estimate estimate;
  if (wanted.generator.starts_with("spectrum")) estimate.generate_s = prescribed_values * size / default_threads();
  if (wanted.m <= hsvd_truth_rows) estimate.generate_s += true_values * scaled_size;
  estimate.solve_s = expected_solve_seconds(wanted, scaled_size);
  estimate.judge_s = (quad ? judge_in_quad : judge_in_double_double) * size / default_threads();
  // G and its copies, U, V; the judge's products in extended precision and slices of them.
  estimate.bytes = bytes * m * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = bytes * m * n * 6;
  return estimate;
}

}  // namespace pivotlab::experiments
