#include <experiments/eigh/eigh_estimate.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/engine/environment.hpp>

#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per n³ on one core; for a variant, per n³ and sweep. Parallel work is divided by the cores.
constexpr double prescribed = 1.5e-7, truth = 3e-6, sweep = 1e-9, lapack = 3e-9;
constexpr double judge_quad = 1e-7, judge_double_double = 6e-9;
constexpr double emulation = 300;  // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per n³ and per n of a sweep on a GPU: supposed, twice the floor and 3 µs per column; none has been measured.
constexpr double gpu_sweep = 3.5e-13, gpu_latency = 3e-6;

double solve_seconds(const EighCase& wanted) {
  const double n = static_cast<double>(wanted.n), cube = n * n * n * (wanted.type == ScalarType::z ? 3 : 1);
  if (!wanted.variant) return lapack * cube;
  const double sweeps = wanted.variant->spectral ? 2 : 5 + 0.5 * std::log2(n + 1);
  if (wanted.on_gpu()) return sweeps * (gpu_sweep * cube + gpu_latency * n);
  return (wanted.backend == "emulation" ? emulation : 1) * sweeps * sweep * cube / wanted.threads;
}

}  // namespace

Estimate estimate_eigh(const EighCase& wanted) {
  const double n = static_cast<double>(wanted.n), cube = n * n * n;
  const bool quad = wanted.n <= quad_judgement_limit;
  Estimate estimate;
  estimate.generate_s = prescribed * cube / default_threads();
  if (wanted.n <= eigh_truth_order) estimate.generate_s += truth * cube * (wanted.type == ScalarType::z ? 3 : 1);
  estimate.solve_s = solve_seconds(wanted);
  estimate.judge_s = (quad ? judge_quad : judge_double_double) * cube / default_threads();
  // A and its copies, G, V, U; the judge's products in extended precision and slices of them.
  estimate.bytes = (wanted.type == ScalarType::z ? 16 : 8) * n * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = (wanted.type == ScalarType::z ? 16 : 8) * n * n * 8;
  return estimate;
}

}  // namespace pivotlab::experiments
