#include <experiments/engine/environment.hpp>
#include <experiments/hsvd/hsvd.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/probing.hpp>

#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per m·n² on one core; for a variant, per m·n² and sweep. Parallel work is divided by the cores.
constexpr double prescribed_values = 1.5e-7, true_values = 3e-6, one_sweep = 1.3e-9, by_lapack = 5e-9;
constexpr double judge_in_quad = 1e-7, judge_in_double_double = 6e-9;
constexpr double judge_with_probes = 1.4e-6;  // per m·n
constexpr double as_emulated = 300;           // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per m·n² and per n of a sweep on a GPU: supposed, twice the floor and 3 µs per column; none has been
/// measured.
constexpr double sweep_on_gpu = 3.5e-13, latency_on_gpu = 3e-6;
/// Seconds per m·n² and per m·n on an H200, measured as parts of the GSVD's baselines.
constexpr double polar_on_gpu = 2.4e-12, jacobi_on_gpu = 1e-10, latency_of_cusolver = 3e-8;

double expected_solve_seconds(const HsvdCase& wanted, double size) {
  const double n = static_cast<double>(wanted.n);
  if (wanted.backend == "cusolver")
    return (wanted.solver.ends_with("vdj") ? jacobi_on_gpu : polar_on_gpu) * size + latency_of_cusolver * size / n;
  if (!wanted.variant) return by_lapack * size;
  const double sweeps = 5 + 0.5 * std::log2(n + 1);
  if (wanted.on_gpu()) return sweeps * (sweep_on_gpu * size + latency_on_gpu * n);
  return (wanted.backend == "emulation" ? as_emulated : 1) * sweeps * one_sweep * size / wanted.threads;
}

double judge_seconds(double m, double n) {
  if (m > jacobi_judgement_limit) return judge_with_probes * m * n;
  return (m <= quad_judgement_limit ? judge_in_quad : judge_in_double_double) * m * n * n;
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
  estimate.judge_s = judge_seconds(m, n) / default_threads();
  // G and its copies, U, V; the judge's products in extended precision and slices of them.
  estimate.bytes = bytes * m * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = bytes * m * n * 6;
  return estimate;
}

}  // namespace pivotlab::experiments
