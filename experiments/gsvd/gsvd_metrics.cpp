// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/gsvd/gsvd_errors.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_probes.hpp>
#include <experiments/gsvd/host_measurements.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <kernels/numerics/order.hpp>
#include <kernels/verification/device/gsvd_judge.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/refine.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <tuple>

namespace pivotlab::experiments {
namespace {

double tolerance(Index m, Index n) {
  return 20.0 * static_cast<double>(std::max(m, n)) * ulp;
}

/// Returns the largest value, or NaN if one is NaN.
double largest(const std::vector<double>& values) {
  return largest_component<double>(values);
}

/// Returns x/y, elementwise.
std::vector<double> quotients(std::vector<double> x, const std::vector<double>& y) {
  std::ranges::transform(x, y, x.begin(), relative);
  return x;
}

// ---- One side: F with U and Σ_F, or G with V and Σ_G ----

struct SideMetrics {
  double residual = not_a_number, residual_z = not_a_number, backward = not_a_number, orthogonality = not_a_number;
  double growth = not_a_number;
  double ratio_residual = not_a_number, ratio_orthogonality = not_a_number;  ///< DGSVTS3's
  std::vector<double> reach;                                                 ///< |u_j|ᵀ|F'||z'_j|
};

/// ‖Z‖_F in units of 2^exponent.
struct NormOfZ {
  double value;
  int exponent;
};

/// ‖F·Z − U·Σ_F‖_F/(‖F‖_F‖Z‖_F) from the errors of columns with Z'.
double residual_with_z(std::vector<double> errors, const SideMeasurements& side, const std::vector<int>& exponents_of_z,
                       const NormOfZ& Z) {
  if (errors.empty()) return 0;
  const int top = *std::ranges::max_element(exponents_of_z);
  for (std::size_t j = 0; j < errors.size(); ++j) errors[j] = std::ldexp(errors[j], exponents_of_z[j] - top);
  return std::ldexp(relative(norm<double>(errors), side.norm_of_a * Z.value), top - Z.exponent);
}

/// Returns what is proved of both sides, if exact products have measured both.
std::optional<JudgeProof> proof_of(const GsvdMeasurements& measured, const std::vector<int>& exponents_of_z,
                                   const NormOfZ& Z) {
  JudgeProof proof{.residual_error = 0, .orthogonality_error = 0};
  for (const SideMeasurements* side : {&measured.f, &measured.g}) {
    if (side->error_bounds.empty()) return std::nullopt;
    proof.moduli = std::max(proof.moduli, side->moduli);
    raise_to(proof.residual_error, residual_with_z(side->error_bounds, *side, exponents_of_z, Z));
    raise_to(*proof.orthogonality_error, side->orthogonality_bound);
  }
  return proof;
}

/// Σ_j ‖x_j‖·weight_j/‖F‖_F, x_jᵀ the rows of X; 1 for F = 0.
double growth(const std::vector<double>& x_norms, const SideMeasurements& side) {
  if (side.norm_of_a == 0) return 1;
  return std::transform_reduce(side.weights.begin(), side.weights.end(), x_norms.begin(), 0.0) / side.norm_of_a;
}

SideMetrics judge_side(const SideMeasurements& side, Index m, Index n, const GsvdMeasurements& all,
                       const std::vector<int>& exponents_of_z, const NormOfZ& Z) {
  const auto rows = static_cast<double>(m), larger = std::max(rows, static_cast<double>(n));
  SideMetrics metrics;
  metrics.residual_z = residual_with_z(side.errors, side, exponents_of_z, Z);
  metrics.backward = largest(quotients(side.errors, side.weights));
  metrics.orthogonality = side.orthogonality;
  metrics.ratio_orthogonality = relative(side.orthogonality_1, rows * ulp);
  metrics.reach = side.reach;
  if (all.x_norms.size() == side.errors.size()) {
    metrics.residual = relative(side.error_with_x, side.norm_of_a);
    metrics.growth = growth(all.x_norms, side);
    metrics.ratio_residual = relative(side.rotated_error_1, larger * side.norm_1_of_a * ulp);
  }
  return metrics;
}

// ---- Σ ----

/// max |σ_F² + σ_G² − 1|, for a whole result or for a rank's part, which has all σ.
template <class Result>
double sum_error(const Result& result) {
  Quad error = 0;
  for (std::size_t j = 0; j < result.sigma_f.size(); ++j) {
    const Quad f = result.sigma_f[j], g = result.sigma_g[j];
    error = std::max(error, Quad(abs(f * f + g * g - 1)));
  }
  return static_cast<double>(error);
}

/// max |σ − σ_F/σ_G|/(σ_F/σ_G)
template <class Result>
double ratio_error(const Result& result) {
  std::vector<double> errors;
  for (std::size_t j = 0; j < result.sigma.size(); ++j) {
    const Quad ratio = Quad(result.sigma_f[j]) / result.sigma_g[j];
    errors.push_back(result.sigma[j] == ratio ? 0.0 : static_cast<double>(Quad(abs(result.sigma[j] - ratio)) / ratio));
  }
  return largest(errors);
}

/// |u_j|ᵀ|F||z_j|/σ_G,j + σ_j·|v_j|ᵀ|G||z_j|/σ_G,j
template <class T>
std::vector<double> sigma_conditions(const GivenPair<T>& given, const SideMetrics& f_metrics,
                                     const SideMetrics& g_metrics, const std::vector<double>& sigma) {
  const std::vector<double>& sigma_g = given.g.sigma;
  std::vector<double> conditions;
  for (std::size_t j = 0; j < sigma.size(); ++j)
    conditions.push_back(std::ldexp(f_metrics.reach[j] / sigma_g[j], given.scaling.f - given.scaling.g) +
                         sigma[j] * (g_metrics.reach[j] / sigma_g[j]));
  return conditions;
}

/// Holds what σ are compared with.
struct SigmaReference {
  std::vector<Quad> sigma;            ///< empty: unknown
  std::vector<bool> determined = {};  ///< in the same order, descending; empty: all are
  Reference kind = Reference::construction;
};

/// Returns the true σ, or those that a refinement of the result's vectors proves, where it costs no more than the judge
/// and the solver has not refined them itself.
template <class T>
SigmaReference reference_for(const Pair<T>& pair, const GsvdResult<T>& result, int threads,
                             const GsvdMetrics& metrics) {
  const Index n = pair.F.cols();
  const bool on_gpu = metrics.device == JudgeDevice::gpu,
             is_cheap = on_gpu || std::max(pair.F.rows(), pair.G.rows()) <= quad_judgement_limit;
  if (!pair.sigma.empty()) return {pair.sigma};
  if (result.refinement.used || !is_cheap || result.Z.rows() != n || result.Z.cols() != n) return {};
  try {
    const auto backend = on_gpu ? Backend::cuda : Backend::host;
    const Refined<T> refined =
        refine_gsvd<T>(pair.F, pair.G, result.Z, {.backend = backend, .threads = threads, .vectors = false});
    SigmaReference reference{{}, refined.determined, Reference::refined};
    for (std::size_t j = 0; j < refined.values.size(); ++j)
      reference.sigma.push_back(std::isfinite(refined.values[j]) ? Quad(refined.values[j]) + Quad(refined.values_lo[j])
                                                                 : Quad(std::numeric_limits<double>::infinity()));
    return reference;
  } catch (const InputError&) {  // elements that a refinement does not take
    return {};
  }
}

/// Returns whether there are as many σ, and as many infinite ones, as true ones.
bool has_ranks_of(const std::vector<Quad>& truth, const std::vector<double>& sigma) {
  const auto is_infinite = [](const auto& x) {
    using std::isinf;
    return isinf(x);
  };
  return truth.size() == sigma.size() &&
         std::ranges::count_if(truth, is_infinite) == std::ranges::count_if(sigma, is_infinite);
}

/// Sets sigma_error and, for σ known by construction and their conditions, sigma_backward; nothing without true σ or
/// with other ranks.
void compare_with_truth(const SigmaReference& reference, const std::vector<double>& sigma,
                        const std::vector<double>& conditions, GsvdMetrics& metrics) {
  if (reference.sigma.empty() || !has_ranks_of(reference.sigma, sigma)) return;
  std::vector<Quad> truth = reference.sigma;
  const std::vector<Index> order = descending_indices(sigma);
  std::ranges::sort(truth, std::greater{});

  std::vector<double> relative, backward;
  for (std::size_t k = 0; k < order.size(); ++k) {
    if (!reference.determined.empty() && !reference.determined[k]) continue;
    const Quad error = sigma[order[k]] == truth[k] ? Quad(0) : Quad(abs(sigma[order[k]] - truth[k]));
    if (truth[k] > 0 && isfinite(truth[k])) relative.push_back(static_cast<double>(error / truth[k]));
    if (!conditions.empty()) backward.push_back(error == 0 ? 0.0 : static_cast<double>(error / conditions[order[k]]));
  }
  metrics.reference = reference.kind, metrics.known = std::ssize(relative);
  if (relative.empty() && !reference.determined.empty()) return;
  metrics.sigma_error = largest(relative);
  if (!conditions.empty() && reference.kind == Reference::construction) metrics.sigma_backward = largest(backward);
}

// ---- The verdict ----

GsvdBounds bounds_for(Index m_f, Index m_g, Index n, double growth_f, double growth_g) {
  const double f = tolerance(m_f, n), g = tolerance(m_g, n), sigma = std::max(f, g);
  return {.residual_f = f * growth_f,
          .residual_g = g * growth_g,
          .residual_fz = f,
          .residual_gz = g,
          .backward_f = f,
          .backward_g = g,
          .orthogonality_u = f,
          .orthogonality_v = g,
          .sigma_sum = sigma,
          .sigma_ratio = sigma,
          .sigma_backward = sigma,
          .growth_f = growth_f,
          .growth_g = growth_g};
}

void give_verdict(GsvdMetrics& metrics, bool is_singular = false) {
  metrics.message = (is_singular ? "Z is singular, " : "") + describe_failures(gsvd_metric_rows(), metrics);
  metrics.verdict = metrics.message.empty() ? Status::passed : Status::incorrect;
}

// ---- The judge ----

template <class T>
void check_shapes(const Pair<T>& pair, const GsvdResult<T>& result) {
  const Index n = pair.F.cols();
  const auto has_shape = [](const Matrix<T>& A, Index rows, Index cols) {
    return A.rows() == rows && A.cols() == cols;
  };
  const auto has_n = [n](const auto& values) { return std::ssize(values) == n; };
  if (!has_shape(result.U, pair.F.rows(), n) || !has_shape(result.V, pair.G.rows(), n) || !has_shape(result.Z, n, n) ||
      !has_n(result.sigma_f) || !has_n(result.sigma_g) || !has_n(result.sigma) || std::ssize(pair.sigma) > n)
    throw std::invalid_argument("judge_gsvd: the factors' shapes do not fit the pair");
}

template <class T>
void check_shapes(const Pair<T>& pair, const AnyGsvdResult<T>& result) {
  const Index n = pair.F.cols(), r = result.r;
  const auto has_shape = [](const Matrix<T>& A, Index rows, Index cols) {
    return A.rows() == rows && A.cols() == cols;
  };
  const auto has_r = [r](const auto& values) { return std::ssize(values) == r; };
  if (!has_shape(result.U, pair.F.rows(), r) || !has_shape(result.V, pair.G.rows(), r) || !has_shape(result.Z, n, r) ||
      !has_shape(result.R, r, r) || !has_shape(result.Q, n, n) || !has_r(result.sigma_f) || !has_r(result.sigma_g) ||
      !has_r(result.sigma) || result.k + result.l != r || std::ssize(pair.sigma) > n)
    throw std::invalid_argument("judge_gsvd: the factors' shapes do not fit the pair");
}

/// Names what is wrong with a result before any number is computed from it.
enum class Defect : char { none, not_finite, negative };

/// `is_finite`: whether all numbers of the result are finite, but for σ where they may be infinite.
template <class Result>
Defect defect_of(const Result& result, bool is_finite) {
  if (!is_finite) return Defect::not_finite;
  const bool is_negative = std::ranges::any_of(
      std::array{&result.sigma_f, &result.sigma_g, &result.sigma},
      [](const auto* values) { return std::ranges::any_of(*values, [](double sigma) { return sigma < 0; }); });
  return is_negative ? Defect::negative : Defect::none;
}

template <class Result>
bool is_finite(const Result& result, int threads) {
  for (const auto* A : {&result.U, &result.V, &result.Z})
    if (!std::isfinite(largest_component(*A, threads))) return false;
  return std::ranges::all_of(std::array{&result.sigma_f, &result.sigma_g, &result.sigma},
                             [](const auto* values) { return std::isfinite(largest(*values)); });
}

/// σ may be infinite where σ_G = 0.
template <class T>
bool is_valid(const AnyGsvdResult<T>& result, int threads) {
  for (const auto* A : {&result.U, &result.V, &result.Z, &result.R, &result.Q})
    if (!std::isfinite(largest_component(*A, threads))) return false;
  bool valid = std::isfinite(largest(result.sigma_f)) && std::isfinite(largest(result.sigma_g));
  for (std::size_t j = 0; j < result.sigma.size(); ++j)
    valid &= std::isfinite(result.sigma[j]) || (result.sigma_g[j] == 0 && result.sigma[j] > 0);
  return valid;
}

/// Estimates are numbers of at least 0; without an estimate there are none.
template <class T>
bool has_valid_estimates(const AnyGsvdResult<T>& result) {
  if (!result.sigma_error.empty() && result.sigma_error.size() != result.sigma.size())
    throw std::invalid_argument("judge_gsvd: sigma_error does not have as many elements as sigma");
  return std::ranges::all_of(result.sigma_error, [](double error) { return error >= 0; });
}

/// Measures on a GPU, if there is one and the pair is large enough.
template <class T>
GsvdMeasurements measure(const GivenPair<T>& given, const JudgeOptions& options, int threads, GsvdMetrics& metrics) {
  const Index size = std::max(given.f.A.rows(), given.g.A.rows());
  if (may_prove({.precision = options.precision}, size, device_judgement_order))
    if (std::optional<GsvdMeasurements> measurements = measure_on_gpus(given.f, given.g, given.Z)) {
      metrics.device = JudgeDevice::gpu;
      return *std::move(measurements);
    }
  const ScaledPair<T> pair = scaled(given, threads);
  return metrics.precision == JudgePrecision::quad ? measure_on_host<Quad, T>(pair.f, pair.g, pair.Z, threads)
                                                   : measure_on_host<DoubleDouble, T>(pair.f, pair.g, pair.Z, threads);
}

template <class T>
GsvdMeasurements measure(const GivenPair<T>& given, const AnyGsvdResult<T>& result, int threads,
                         const GsvdMetrics& metrics) {
  const ScaledPair<T> pair = scaled(given, threads);
  return metrics.precision == JudgePrecision::quad
             ? measure_on_host<Quad, T>(pair.f, pair.g, pair.Z, result.R, result.Q, threads)
             : measure_on_host<DoubleDouble, T>(pair.f, pair.g, pair.Z, result.R, result.Q, threads);
}

template <class T>
void judge_finite(const Pair<T>& pair, const GsvdResult<T>& result, const GivenPair<T>& given,
                  const GsvdMeasurements& measured, int threads, GsvdMetrics& metrics) {
  const Index m_f = pair.F.rows(), m_g = pair.G.rows(), n = pair.F.cols();
  const int exponent = exponent_of(result.Z, threads);
  const NormOfZ norm_of_z{frobenius_norm(result.Z, exponent, threads), exponent};
  if (const auto proof = proof_of(measured, given.Z.exponents, norm_of_z)) metrics.set_proof(*proof);
  const SideMetrics on_f = judge_side(measured.f, m_f, n, measured, given.Z.exponents, norm_of_z),
                    on_g = judge_side(measured.g, m_g, n, measured, given.Z.exponents, norm_of_z);

  metrics.residual_f = on_f.residual;
  metrics.residual_g = on_g.residual;
  metrics.residual_fz = on_f.residual_z;
  metrics.residual_gz = on_g.residual_z;
  metrics.backward_f = on_f.backward;
  metrics.backward_g = on_g.backward;
  metrics.orthogonality_u = on_f.orthogonality;
  metrics.orthogonality_v = on_g.orthogonality;
  metrics.sigma_sum = sum_error(result);
  metrics.sigma_ratio = ratio_error(result);
  compare_with_truth(reference_for(pair, result, threads, metrics), result.sigma,
                     sigma_conditions(given, on_f, on_g, result.sigma), metrics);
  metrics.dgsvts3 = {on_f.ratio_residual,
                     on_g.ratio_residual,
                     on_f.ratio_orthogonality,
                     on_g.ratio_orthogonality,
                     relative(measured.unitarity_1, static_cast<double>(n) * ulp),
                     std::ranges::is_sorted(result.sigma, std::greater{}) ? 0.0 : 1 / ulp};
  metrics.bounds = bounds_for(m_f, m_g, n, on_f.growth, on_g.growth);
  give_verdict(metrics, std::ssize(measured.x_norms) < result.Z.cols());
}

/// `truth` may be empty.
template <class Result>
void judge_by_probes(const ProbedErrors& errors, const std::vector<Quad>& truth, const Result& result,
                     GsvdMetrics& metrics) {
  metrics.probes = probe_count, metrics.precision = JudgePrecision::double_double;
  metrics.residual_fz = errors.residual_fz, metrics.residual_gz = errors.residual_gz;
  metrics.orthogonality_u = errors.orthogonality_u, metrics.orthogonality_v = errors.orthogonality_v;
  metrics.sigma_sum = sum_error(result), metrics.sigma_ratio = ratio_error(result);
  compare_with_truth({truth}, result.sigma, {}, metrics);
  GsvdBounds& bounds = metrics.bounds;
  bounds = bounds_for(result.U.rows(), result.V.rows(), result.Z.rows(), not_a_number, not_a_number);
  bounds.residual_f = bounds.residual_g = bounds.backward_f = bounds.backward_g = bounds.sigma_backward =
      std::numeric_limits<double>::infinity();
  give_verdict(metrics);
}

/// Judges σ alone, of a result that lacks factors; there is no verdict unless σ is wrong.
template <class T>
void judge_sigma(const Pair<T>& pair, const GsvdResult<T>& result, GsvdMetrics& metrics) {
  const auto has_all = [n = pair.F.cols()](const auto& values) { return std::ssize(values) == n; };
  if (!has_all(result.sigma) || !has_all(result.sigma_f) || !has_all(result.sigma_g))
    throw std::invalid_argument("judge_gsvd: there are not as many sigma as columns");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const GsvdBounds usual = bounds_for(pair.F.rows(), pair.G.rows(), pair.F.cols(), not_a_number, not_a_number);
  metrics.bounds = {infinity, infinity, infinity, infinity, infinity, infinity, infinity, infinity};
  metrics.bounds.sigma_sum = usual.sigma_sum, metrics.bounds.sigma_ratio = usual.sigma_ratio;
  metrics.bounds.sigma_backward = infinity;
  metrics.sigma_sum = sum_error(result), metrics.sigma_ratio = ratio_error(result);
  compare_with_truth({pair.sigma}, result.sigma, {}, metrics);
  give_verdict(metrics);
  std::string missing;
  for (const auto& [name, factor] : {std::pair("U", &result.U), std::pair("V", &result.V), std::pair("Z", &result.Z)})
    if (factor->size() == 0) missing += (missing.empty() ? "" : ", ") + std::string(name);
  skip_without(missing, metrics);
}

/// Returns the least of the leading pivots and the largest of the others.
std::pair<std::optional<double>, std::optional<double>> nearest_pivots(const std::vector<double>& pivots, Index rank) {
  std::pair<std::optional<double>, std::optional<double>> nearest;
  const auto rejected = pivots.begin() + std::min(rank, std::ssize(pivots));
  if (rejected != pivots.begin()) nearest.first = *std::min_element(pivots.begin(), rejected);
  if (rejected != pivots.end()) nearest.second = *std::max_element(rejected, pivots.end());
  return nearest;
}

template <class T>
ReductionFacts reduction_facts(const AnyGsvdResult<T>& result) {
  ReductionFacts facts{.k = result.k,
                       .l = result.l,
                       .r = result.r,
                       .tolerance_f = result.tolerance_f,
                       .tolerance_g = result.tolerance_g,
                       .core_fallback = result.core_fallback};
  std::tie(facts.accepted_f, facts.rejected_f) = nearest_pivots(result.pivots_f, result.k);
  std::tie(facts.accepted_g, facts.rejected_g) = nearest_pivots(result.pivots_g, result.l);
  return facts;
}

void judge_defect(Defect defect, Index m_f, Index m_g, Index n, GsvdMetrics& metrics) {
  metrics.bounds = bounds_for(m_f, m_g, n, not_a_number, not_a_number);
  metrics.verdict = Status::incorrect;
  metrics.message = defect == Defect::negative ? "a singular value is negative" : "the result contains NaN or Inf";
}

template <class T>
GsvdMetrics judge_any(const Pair<T>& pair, const AnyGsvdResult<T>& result, const JudgeOptions& options) {
  check_shapes(pair, result);
  const Index size = std::max({pair.F.rows(), pair.G.rows(), pair.F.cols()});
  const int threads = threads_for(options, size);
  GsvdMetrics metrics;
  if (result.reduced) metrics.reduction = reduction_facts(result);
  metrics.precision = precision_for(options, size);
  if (const Defect defect = defect_of(result, is_valid(result, threads)); defect != Defect::none) {
    judge_defect(defect, pair.F.rows(), pair.G.rows(), pair.F.cols(), metrics);
  } else {
    const GivenPair<T> given = given_pair(pair, result, threads);
    judge_finite(pair, result, given, measure(given, result, threads, metrics), threads, metrics);
  }
  return metrics;
}

template <class T>
GsvdMetrics judge_with_estimates(const Pair<T>& pair, const AnyGsvdResult<T>& result, bool by_z,
                                 const JudgeOptions& options) {
  GsvdMetrics metrics =
      by_z ? judge_gsvd(pair, static_cast<const GsvdResult<T>&>(result), options) : judge_any(pair, result, options);
  if (!has_valid_estimates(result)) {
    metrics.verdict = Status::incorrect;
    metrics.message = "sigma_error contains NaN or negative numbers, which are no estimates";
  }
  return metrics;
}

}  // namespace

template <class T>
Index full_judgement_limit_of(const Pair<T>& pair) {
  if (pair.sigma.empty() || std::max(pair.F.rows(), pair.G.rows()) <= full_judgement_limit) return full_judgement_limit;
  return std::max(full_judgement_limit, largest_order_on_gpus(is_complex<T>));
}

template <class T>
GsvdMetrics judge_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, const JudgeOptions& options) {
  const Index size = std::max(pair.F.rows(), pair.G.rows());
  const int threads = threads_for(options, size);
  GsvdMetrics metrics;
  metrics.precision = precision_for(options, size);
  const bool is_partial = pair.F.cols() > 0 && (result.U.size() == 0 || result.V.size() == 0 || result.Z.size() == 0);
  if (!is_partial) check_shapes(pair, result);
  if (const Defect defect = defect_of(result, is_partial || is_finite(result, threads)); defect != Defect::none) {
    judge_defect(defect, pair.F.rows(), pair.G.rows(), pair.F.cols(), metrics);
  } else if (is_partial) {
    judge_sigma(pair, result, metrics);
  } else if (size > options.full_limit.value_or(full_judgement_limit_of(pair))) {
    judge_by_probes(probe_gsvd(pair, result, threads), pair.sigma, result, metrics);
  } else {
    const GivenPair<T> given = given_pair(pair, result, threads);
    judge_finite(pair, result, given, measure(given, options, threads, metrics), threads, metrics);
  }
  return metrics;
}

template <class T>
GsvdMetrics judge_gsvd(const Pair<T>& pair, const AnyGsvdResult<T>& result, const JudgeOptions& options) {
  return judge_with_estimates(pair, result, !result.reduced && result.R.size() == 0, options);
}

template <class T>
GsvdMetrics judge_gsvd_by_z(const Pair<T>& pair, const AnyGsvdResult<T>& result, const JudgeOptions& options) {
  return judge_with_estimates(pair, result, !result.reduced, options);
}

template <class T>
GsvdMetrics judge_gsvd(Transport& transport, const PairPart<T>& pair, const GsvdStripes<T>& result, int threads) {
  GsvdMetrics metrics;
  metrics.precision = JudgePrecision::double_double;
  const Defect own = defect_of(result, is_finite(result, threads));
  const std::vector<char> defects = gather_values<char>(transport, static_cast<char>(own));
  if (const auto found = std::ranges::find_if(defects, [](char defect) { return defect != 0; }); found != defects.end())
    judge_defect(static_cast<Defect>(*found), result.U.rows(), result.V.rows(), pair.n, metrics);
  else
    judge_by_probes(probe_gsvd(transport, pair, result, threads), pair.columns.sigma, result, metrics);
  return metrics;
}

template Index full_judgement_limit_of(const Pair<double>&);
template Index full_judgement_limit_of(const Pair<std::complex<double>>&);
template GsvdMetrics judge_gsvd(const Pair<double>&, const GsvdResult<double>&, const JudgeOptions&);
template GsvdMetrics judge_gsvd(const Pair<std::complex<double>>&, const GsvdResult<std::complex<double>>&,
                                const JudgeOptions&);
template GsvdMetrics judge_gsvd(const Pair<double>&, const AnyGsvdResult<double>&, const JudgeOptions&);
template GsvdMetrics judge_gsvd(const Pair<std::complex<double>>&, const AnyGsvdResult<std::complex<double>>&,
                                const JudgeOptions&);
template GsvdMetrics judge_gsvd_by_z(const Pair<double>&, const AnyGsvdResult<double>&, const JudgeOptions&);
template GsvdMetrics judge_gsvd_by_z(const Pair<std::complex<double>>&, const AnyGsvdResult<std::complex<double>>&,
                                     const JudgeOptions&);
template GsvdMetrics judge_gsvd(Transport&, const PairPart<double>&, const GsvdStripes<double>&, int);
template GsvdMetrics judge_gsvd(Transport&, const PairPart<std::complex<double>>&,
                                const GsvdStripes<std::complex<double>>&, int);

}  // namespace pivotlab::experiments
