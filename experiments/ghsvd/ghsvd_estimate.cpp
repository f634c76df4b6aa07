#include <experiments/engine/environment.hpp>
#include <experiments/ghsvd/ghsvd.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>

#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per (m_F + m_G)·n² on one core, measured at n = 256 and 512 with m_F = m_G = 2n; for the iterations, per
/// sweep and (rows)·n². Parallel work is divided by the threads.
constexpr double reduction_and_vectors = 2e-9, factor_in_quad = 1.7e-8, factor_in_double = 5e-10, one_sweep = 1.3e-9,
                 by_lapack = 1e-9;
constexpr double true_values = 1.2e-6, judge_in_quad = 1e-7, judge_in_double_double = 1e-8;
constexpr double as_emulated = 300;  // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per n³ and per n of a sweep on a GPU, with W, as for the eigensolver; other steps count as two sweeps.
constexpr double gpu_sweep = 5e-13, gpu_latency = 3e-6;

double expected_solve_seconds(const GhsvdCase& wanted, double size) {
  if (!wanted.variant) return by_lapack * size / wanted.threads;
  const double n = static_cast<double>(wanted.n), sweeps = 5 + 0.5 * std::log2(n + 1);
  if (wanted.variant->method == GhsvdMethod::hari_zimmermann)
    return 2 * sweeps * one_sweep * (size + n * n * n) / wanted.threads;
  const bool extended = wanted.variant->precision == TangentPrecision::extended;
  const double in_quad = extended ? factor_in_quad * size / wanted.threads : 0;  // on every backend by the host
  if (wanted.on_gpu()) return in_quad + (sweeps + 2) * (gpu_sweep * size + gpu_latency * n);
  const double slowdown = wanted.backend == "emulation" ? as_emulated : 1;
  const double factor = extended ? 0 : factor_in_double * size;
  return in_quad +
         (reduction_and_vectors * size + slowdown * (factor + sweeps * one_sweep * n * n * n)) / wanted.threads;
}

}  // namespace

Estimate estimate_ghsvd(const GhsvdCase& wanted) {
  const double n = static_cast<double>(wanted.n),
               rows = static_cast<double>(wanted.m_f) + static_cast<double>(wanted.m_g);
  const double size = rows * n * n * (wanted.type == ScalarType::z ? 3 : 1);
  const bool quad = std::max(wanted.m_f, wanted.m_g) <= quad_judgement_limit;
  Estimate estimate;
  if (wanted.n <= ghsvd_truth_order) estimate.generate_s = true_values * size / default_threads();
  estimate.solve_s = expected_solve_seconds(wanted, size);
  estimate.judge_s = (quad ? judge_in_quad : judge_in_double_double) * size / default_threads();
  // F, G and their copies, U, V, Z, T in double-double; the judge's products and slices of them.
  const double bytes = wanted.type == ScalarType::z ? 16 : 8;
  estimate.bytes = bytes * (rows + n) * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = bytes * n * (4 * rows + 15 * n);
  return estimate;
}

}  // namespace pivotlab::experiments
