#include <experiments/eigh/eigh.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/engine/environment.hpp>
#include <experiments/metrics/probing.hpp>
#include <experiments/problems/symmetrics.hpp>

#include <cmath>

namespace pivotlab::experiments {
namespace {

/// Seconds per n³ on one core; for a variant, per n³ and sweep. Parallel work is divided by the cores.
constexpr double prescribed = 1.5e-7, truth = 1e-6, sweep = 1e-9, lapack = 3e-9;
constexpr double judge_quad = 1e-7, judge_double_double = 6e-9;
constexpr double judge_by_probes = 1e-6, entry = 3e-8;  // per n²; all generators without prescribed eigenvalues
constexpr double emulation = 300;  // ratio of the times of emulated kernels and the host's algorithm
/// Seconds per n³ and per n of a sweep on a GPU: supposed, twice the floor and 3 µs per column; none has been measured.
constexpr double gpu_sweep = 3.5e-13, gpu_latency = 3e-6;
/// Seconds per n³ on an H200: of xSYEVD measured at n = 9728, of xSYEVJ supposed as those of xGESVDJ; and per n².
constexpr double cusolver_direct = 9e-13, cusolver_jacobi = 1e-10, cusolver_latency = 3e-8;

double solve_seconds(const EighCase& wanted) {
  const double n = static_cast<double>(wanted.n), cube = n * n * n * (wanted.type == ScalarType::z ? 3 : 1);
  if (wanted.backend == "cusolver")
    return (wanted.solver.ends_with("evj") ? cusolver_jacobi : cusolver_direct) * cube + cusolver_latency * n * n;
  if (!wanted.variant) return lapack * cube;
  const double sweeps = wanted.variant->spectral ? 2 : 5 + 0.5 * std::log2(n + 1);
  if (wanted.on_gpu()) {
    const double preconditioner = wanted.variant->spectral ? cusolver_direct * cube + cusolver_latency * n * n : 0;
    return preconditioner + sweeps * (gpu_sweep * cube + gpu_latency * n);
  }
  return (wanted.backend == "emulation" ? emulation : 1) * sweeps * sweep * cube / wanted.threads;
}

bool prescribes_eigenvalues(const EighCase& wanted) {
  return is_slow_symmetric(wanted) || wanted.generator.starts_with("quasidefinite") ||
         wanted.generator.find("core=conditioned") != std::string::npos;
}

double judge_seconds(double n) {
  if (n > jacobi_judgement_limit) return judge_by_probes * n * n;
  return (n <= quad_judgement_limit ? judge_quad : judge_double_double) * n * n * n;
}

}  // namespace

Estimate estimate_eigh(const EighCase& wanted) {
  const double n = static_cast<double>(wanted.n), cube = n * n * n;
  const bool quad = wanted.n <= quad_judgement_limit;
  Estimate estimate;
  estimate.generate_s = prescribes_eigenvalues(wanted) ? prescribed * cube / default_threads() : entry * n * n;
  if (wanted.n <= eigh_truth_order) estimate.generate_s += truth * cube * (wanted.type == ScalarType::z ? 3 : 1);
  estimate.solve_s = solve_seconds(wanted);
  estimate.judge_s = judge_seconds(n) / default_threads();
  // A and its copies, G, V, U; the judge's products in extended precision and slices of them.
  estimate.bytes = (wanted.type == ScalarType::z ? 16 : 8) * n * n * (quad ? 24 : 14);
  if (wanted.on_gpu()) estimate.gpu_bytes = (wanted.type == ScalarType::z ? 16 : 8) * n * n * 8;
  return estimate;
}

}  // namespace pivotlab::experiments
