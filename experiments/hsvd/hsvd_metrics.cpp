// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/j_orthogonality.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/metrics/probing.hpp>
#include <experiments/metrics/residual_reference.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/numerics/order.hpp>
#include <kernels/verification/device/proved_errors.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pivotlab/error.hpp>

namespace pivotlab::experiments {
namespace {

template <class T>
class HsvdJudge {
 public:
  HsvdJudge(const Matrix<T>& G, const std::vector<int>& J, const HsvdTruth& truth, const HsvdResult<T>& result,
            const JudgeOptions& options, HsvdMetrics& metrics)
      : J_(J),
        truth_(truth),
        r_(result),
        threads_(threads_for(options, G.rows())),
        may_prove_(experiments::may_prove(options, G.rows())),
        metrics_(metrics),
        exponent_(exponent_of(G, threads_)),
        G_(scaled_copy<T>(G, exponent_, threads_)),
        norms_(column_norms(r_.V, threads_)) {
    if (has_both())
      for (Index j = 0; j < r_.V.cols(); ++j) sigma_.push_back(nearest_sigma(j));
  }

  template <class E>
  void judge() {
    const double m = static_cast<double>(G_.rows()), n = static_cast<double>(G_.cols());
    if (G_.cols() == 0) {
      metrics_.residual = metrics_.orthogonality = metrics_.j_orthogonality = 0;
    } else if (prove()) {
    } else if (metrics_.probes > 0) {
      estimate<E>();
    } else {
      if (has_both()) {
        const Matrix<T> error = residual<E>();
        metrics_.residual = relative(frobenius_norm(error, threads_), frobenius_norm(G_, threads_));
        residuals_ = proved_columns(error, r_.U);
      }
      const Matrix<T> U = given_columns();
      if (has_u()) {
        const Matrix<T> error = j_unitary_error<E>(U, ones(U.rows()), ones(U.cols()), threads_);
        metrics_.orthogonality = frobenius_norm(error);
        for (Index j = 0; j < error.cols(); ++j) excess_of_u_.push_back(std::real(error(j, j)));
      }
      if (has_v()) {
        const Matrix<T> error = j_unitary_error<E>(r_.V, J_, r_.J, threads_);
        std::vector<double> diagonal;
        for (Index j = 0; j < error.cols(); ++j) diagonal.push_back(std::real(error(j, j)));
        measure_v(frobenius_norm(error), diagonal);
      }
    }
    metrics_.residual_ratio = relative(metrics_.residual, m * ulp);
    metrics_.orthogonality_ratio = relative(metrics_.orthogonality, m * ulp);
    metrics_.j_orthogonality_ratio = relative(metrics_.j_orthogonality, n * ulp);
    if (!r_.estimate.empty()) measure_estimates();
    if (truth_.sigma.size() == r_.sigma.size() && !truth_.sigma.empty())
      compare(truth_, Reference::extended);
    else if (const HsvdTruth quotients = rayleigh_quotients(); !quotients.sigma.empty())
      compare(quotients, Reference::residuals);
    if (r_.estimate.empty()) metrics_.bounds.error_per_estimate = std::numeric_limits<double>::infinity();
    HsvdBounds& bounds = metrics_.bounds;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!has_both()) bounds.residual_ratio = infinity;
    if (!has_u()) bounds.orthogonality_ratio = infinity;
    if (!has_v()) bounds.j_orthogonality_ratio = infinity;
    judge_by_bounds(hsvd_metric_rows(), metrics_);
    skip_without(has_both() ? "" : has_u() ? "V" : has_v() ? "U" : "U, V", metrics_);
    if (metrics_.verdict != Status::passed || G_.cols() == 0) return;
    if (metrics_.j_orthogonality * largest_square() < 0.5) return;
    metrics_.verdict = Status::incorrect;
    metrics_.message = "V is so large that rounding errors hide V*JV = J': the decomposition is not determined";
  }

 private:
  bool has_u() const { return r_.U.rows() == G_.rows(); }
  bool has_v() const { return r_.V.rows() == G_.cols(); }
  bool has_both() const { return has_u() && has_v(); }

  static std::vector<int> ones(Index n) { return std::vector<int>(n, 1); }

  /// Returns σ_j in units of 2^exponent. Below the normal numbers σ_j stands for all numbers up to one unit from it: of
  /// these it is the one with the least residual.
  double nearest_sigma(Index j) const {
    const double sigma = r_.sigma[j];
    if (sigma >= std::numeric_limits<double>::min()) return times_power_of_two(sigma, -exponent_);
    constexpr double unit = std::numeric_limits<double>::denorm_min();
    double quotient = 0, square = 0;
    for (Index i = 0; i < G_.rows(); ++i) {
      T gv(0);
      for (Index l = 0; l < G_.cols(); ++l) gv += G_(i, l) * r_.V(l, j);
      quotient += std::real(conjugate(r_.U(i, j)) * gv), square += std::norm(r_.U(i, j));
    }
    if (square > 0) quotient /= square;
    const double least = sigma > 0 ? times_power_of_two(sigma - unit, -exponent_) : 0;
    return std::clamp(quotient, least, std::max(least, times_power_of_two(sigma + unit, -exponent_)));
  }

  /// Returns the columns of U that are given: a column of zeros where σ = 0 is none.
  Matrix<T> given_columns() const {
    std::vector<Index> given;
    for (Index j = 0; j < r_.U.cols(); ++j)
      if (r_.sigma[j] > 0 || std::ranges::any_of(r_.U.col(j), [](const T& x) { return x != T(0); })) given.push_back(j);
    Matrix<T> U(r_.U.rows(), std::ssize(given));
    for (Index j = 0; j < U.cols(); ++j) std::ranges::copy(r_.U.col(given[j]), U.col(j).begin());
    return U;
  }

  /// (G·V − U·Σ)·D⁻¹
  template <class E>
  Matrix<T> residual() const {
    const Matrix<E> GV = product<E>(G_, r_.V, threads_);
    Matrix<T> error(G_.rows(), G_.cols());
    for (Index j = 0; j < G_.cols(); ++j) {
      const E sigma = extend<E>(T(sigma_[j]));
      for (Index i = 0; i < G_.rows(); ++i)
        error(i, j) = round_to_double<T>(E(GV(i, j) - extend<E>(r_.U(i, j)) * sigma)) / norms_[j];
    }
    return error;
  }

  double largest_square_or_0() const { return norms_.empty() ? 0 : largest_square(); }

  double largest_square() const {
    const double longest = *std::ranges::max_element(norms_);
    return longest * longest;
  }

  template <class E>
  void estimate() {
    if (has_both())
      metrics_.residual =
          relative(probed_residual<E>(G_, r_.V, r_.U, sigma_, norms_, threads_), frobenius_norm(G_, threads_));
    const Matrix<T> U = given_columns();
    if (has_u())
      metrics_.orthogonality = U.cols() == 0 ? 0 : probed_orthogonality<E>(U, ones(U.rows()), ones(U.cols()), threads_);
    if (has_v()) metrics_.j_orthogonality = probed_orthogonality<E>(r_.V, J_, r_.J, threads_) / largest_square();
  }

  /// Measures V by the norm of V*·J·V − J' and its diagonal.
  void measure_v(double error, const std::vector<double>& diagonal) {
    const double square = largest_square();
    metrics_.j_orthogonality = error / square;
    double sum = 0;
    for (std::size_t j = 0; j < diagonal.size(); ++j) sum += r_.J[j] * diagonal[j];
    excess_of_v_ = diagonal;
    metrics_.drift = std::abs(sum) / (static_cast<double>(diagonal.size()) * square);
  }

  /// Measures in full by exact products on a GPU; returns false without one or without U and V, or where the bounds do
  /// not settle the verdict.
  bool prove() {
    if (!may_prove_ || !has_both()) return false;
    const Matrix<T> U = given_columns();
    auto residual = residual_on_gpu(G_, false, r_.V, r_.U, std::vector<T>(sigma_.begin(), sigma_.end()));
    if (!residual) return false;
    const auto of_u = orthogonality_on_gpu(U), of_v = orthogonality_on_gpu(r_.V, J_, r_.J);
    if (!of_u || !of_v) return false;
    for (std::size_t j = 0; j < norms_.size(); ++j) residual->norms[j] /= norms_[j], residual->bounds[j] /= norms_[j];
    for (std::size_t j = 0; j < norms_.size(); ++j) residual->products[j] /= norms_[j];
    const double error = norm<double>(residual->norms), bound = norm<double>(residual->bounds),
                 size = frobenius_norm(G_, threads_), square = largest_square();
    const double m = static_cast<double>(G_.rows()) * ulp, n = static_cast<double>(G_.cols()) * ulp;
    const HsvdBounds& bounds = metrics_.bounds;
    if (!is_settled(error, bound, bounds.residual_ratio * m * size) ||
        !is_settled(of_u->frobenius, of_u->bound, bounds.orthogonality_ratio * m) ||
        !is_settled(of_v->frobenius, of_v->bound, bounds.j_orthogonality_ratio * n * square))
      return false;
    residuals_ = *std::move(residual), excess_of_u_ = of_u->diagonal;
    metrics_.residual = relative(error, size), metrics_.orthogonality = of_u->frobenius;
    measure_v(of_v->frobenius, of_v->diagonal);
    metrics_.probes = 0;
    metrics_.set_proof({proof_moduli, relative(bound, size), std::max(of_u->bound, of_v->bound / square)});
    return true;
  }

  bool is_noise(std::size_t j) const { return !r_.estimate.empty() && 10 * r_.estimate[j] >= 1; }

  void measure_estimates() {
    metrics_.largest_estimate = *std::ranges::max_element(r_.estimate);
    metrics_.undetermined = 0;
    for (std::size_t j = 0; j < r_.estimate.size(); ++j) *metrics_.undetermined += is_noise(j);
  }

  /// Returns columns in the order J'·σ² descending; other solvers may have another order.
  std::vector<Index> descending_order() const {
    const auto key = [&](Index j) { return r_.J[j] * r_.sigma[j]; };
    return sorted_indices(std::ssize(r_.sigma), [&](Index a, Index b) { return key(a) > key(b); });
  }

  /// Returns Rayleigh quotients of (0 G; G* 0), whose eigenvalues are ±σ and zeros, with the vectors (u_j; v_j), for
  /// J = I; nothing where there are no residuals, columns of U are missing, or a σ is no normal number. With R = G·V −
  /// U·Σ the lower part of a residual is G*·U − V·Σ = V⁻*·(Σ·(U*U − I) − (V*V − I)·Σ + R*U). σ of G·V are within ‖R‖ of
  /// those of U·Σ, and factors next to unitary ones change them by their orthogonality (Ostrowski).
  HsvdTruth rayleigh_quotients() const {
    const auto count = r_.sigma.size();
    const double tau_u = metrics_.orthogonality, tau_v = metrics_.j_orthogonality * largest_square_or_0();
    if (residuals_.norms.empty() || excess_of_u_.size() != count || excess_of_v_.size() != count || !(tau_u < 0.1) ||
        !(tau_v < 0.1) || std::ranges::count(J_, 1) != std::ssize(J_) ||
        std::ranges::any_of(r_.sigma, [](double sigma) { return sigma < std::numeric_limits<double>::min(); }))
      return {};
    const double whole = 1.1 * (norm<double>(residuals_.norms) + norm<double>(residuals_.bounds)),  // D ≈ I
        largest = *std::ranges::max_element(sigma_), rounding = static_cast<double>(G_.rows() + 16) * ulp;
    const std::vector<Index> order = descending_order();
    RayleighQuotients q{.enclosure = ((tau_u + tau_v) * largest + whole) / (1 - tau_v)};
    for (const Index j : order) {
      const double sigma = sigma_[j], length = norms_[j], product = 2 * residuals_.products[j] * length,
                   excess = sigma * (excess_of_u_[j] - excess_of_v_[j]), size = 2 + excess_of_u_[j] + excess_of_v_[j];
      const double upper = (residuals_.norms[j] + residuals_.bounds[j]) * length,
                   lower = (largest * tau_u + sigma * tau_v + 1.1 * whole) / (1 - tau_v);
      q.values.push_back(sigma);
      q.changes.push_back((product + excess) / size);
      q.residuals.push_back(std::hypot(upper, lower) / std::sqrt(2 - tau_u - tau_v));
      q.rounding.push_back(2 * residuals_.bounds[j] * length + rounding * (upper + sigma * (tau_u + tau_v)));
    }
    q.next = G_.rows() > G_.cols() ? 0 : -q.values.back();
    const std::vector<double> bounds = bounds_of(q);
    HsvdTruth truth;
    for (std::size_t k = 0; k < count; ++k) {
      truth.sigma.push_back(Quad(r_.sigma[order[k]]) + ldexp(Quad(q.changes[k]), exponent_));
      truth.errors.push_back(ldexp(Quad(bounds[k]), exponent_));
      truth.determined.push_back(is_known(q.values[k], q.changes[k], bounds[k]));
    }
    return truth;
  }

  /// Compares with true values in the same order.
  void compare(const HsvdTruth& truth, Reference reference) {
    const std::vector<Index> order = descending_order();
    metrics_.reference = reference;
    metrics_.known = std::ranges::count(truth.determined, true);
    double largest = 0, error = 0, relative_error = 0, per_estimate = 0;
    for (std::size_t k = 0; k < order.size(); ++k) {
      const std::size_t j = order[k];
      const Quad exact = truth.sigma[k], unknown = truth.errors.empty() ? Quad(0) : truth.errors[k];
      const Quad apart = abs(Quad(r_.sigma[j]) - exact);
      const Quad difference = apart > unknown ? Quad(apart - unknown) : Quad(0);  // at least
      raise_to(largest, static_cast<double>(exact));
      raise_to(error, static_cast<double>(difference));
      if (!truth.determined[k]) continue;
      if (exact == 0) {
        if (r_.sigma[j] > 0 && !r_.estimate.empty() && !is_noise(j)) per_estimate = 1 / r_.estimate[j];
        continue;
      }
      raise_to(relative_error, static_cast<double>(Quad(difference / exact)));
      if (r_.estimate.empty() || is_noise(j)) continue;
      const Quad of_square = difference * (Quad(r_.sigma[j]) + exact) / (exact * exact);
      if (of_square != 0) raise_to(per_estimate, static_cast<double>(of_square) / r_.estimate[j]);
    }
    metrics_.sigma_error = relative(error, largest);
    metrics_.relative_error = relative_error;
    if (!r_.estimate.empty()) metrics_.error_per_estimate = per_estimate;
  }

  const std::vector<int>& J_;
  const HsvdTruth& truth_;
  const HsvdResult<T>& r_;
  int threads_;
  bool may_prove_;
  HsvdMetrics& metrics_;
  int exponent_;
  Matrix<T> G_;                                    // in units of 2^exponent
  std::vector<double> norms_;                      // of the columns of V
  std::vector<double> sigma_;                      // in units of 2^exponent
  ProvedColumns residuals_;                        // of (G·V − U·Σ)·D⁻¹ in the same units, if it was computed
  std::vector<double> excess_of_u_, excess_of_v_;  // diagonals of U*U − I and V*J·V − J'
};

/// Returns why a result is no decomposition at all; empty if it may be one.
template <class T>
std::string mistake_of(const HsvdResult<T>& r, int threads) {
  if (!std::isfinite(largest_component<double>(r.sigma)) || !std::isfinite(largest_component(r.U, threads)) ||
      !std::isfinite(largest_component(r.V, threads)))
    return "the result contains NaN or Inf";
  if (std::ranges::any_of(r.sigma, [](double sigma) { return sigma < 0; })) return "a singular value is negative";
  if (std::ranges::any_of(r.estimate, [](double estimate) { return !(estimate >= 0); }))
    return "an error estimate is negative or NaN";
  return "";
}

/// Throws InputError for shapes that do not fit.
template <class T>
void require_shapes(const Matrix<T>& G, const std::vector<int>& J, const HsvdResult<T>& r) {
  const Index m = G.rows(), n = G.cols(), k = std::min(m, n);
  const auto require = [&](const char* name, Index rows, Index cols, Index right_rows, Index right_cols) {
    if (rows != right_rows || cols != right_cols)
      throw InputError(
          fmt::format("result: {} is {} x {}, must be {} x {} for a {} x {} matrix; judge a result of this "
                      "matrix",
                      name, rows, cols, right_rows, right_cols, m, n));
  };
  require("J of the problem", std::ssize(J), 1, n, 1);
  require("sigma", std::ssize(r.sigma), 1, k, 1);
  require("J", std::ssize(r.J), 1, k, 1);
  if (!r.estimate.empty()) require("estimate", std::ssize(r.estimate), 1, k, 1);
  if (r.U.size() > 0) require("U", r.U.rows(), r.U.cols(), m, k);
  if (r.V.size() > 0) require("V", r.V.rows(), r.V.cols(), n, k);
  if (m < n && std::ranges::adjacent_find(J, std::ranges::not_equal_to()) != J.end())
    throw InputError(
        "problem: it has fewer rows than columns and both signs, which is not judged; append rows of zeros");
}

/// Returns the decomposition of the adjoint, G*·U = V·Σ: with fewer rows than columns it proves more than G·V = U·Σ.
template <class T>
HsvdResult<T> adjoint_of(const HsvdResult<T>& r) {
  HsvdResult<T> result = r;
  std::swap(result.U, result.V);
  return result;
}

}  // namespace

template <class T>
HsvdMetrics judge_hsvd(const Matrix<T>& G, const std::vector<int>& J, const HsvdTruth& truth,
                       const HsvdResult<T>& result, const JudgeOptions& options) {
  require_shapes(G, J, result);
  if (G.rows() < G.cols()) {
    Matrix<T> adjoint(G.cols(), G.rows());
    for (Index j = 0; j < G.cols(); ++j)
      for (Index i = 0; i < G.rows(); ++i) adjoint(j, i) = conjugate(G(i, j));
    return judge_hsvd(adjoint, std::vector<int>(G.rows(), J.front()), truth, adjoint_of(result), options);
  }
  const Index m = G.rows();
  HsvdMetrics metrics;
  metrics.precision = precision_for(options, m);
  if (m > options.full_limit.value_or(jacobi_judgement_limit)) metrics.probes = probe_count;
  metrics.message = mistake_of(result, threads_for(options, m));
  if (!metrics.message.empty()) return metrics;
  judge_in<T>(metrics.precision, HsvdJudge<T>(G, J, truth, result, options, metrics));
  return metrics;
}

template HsvdMetrics judge_hsvd(const Matrix<double>&, const std::vector<int>&, const HsvdTruth&,
                                const HsvdResult<double>&, const JudgeOptions&);
template HsvdMetrics judge_hsvd(const Matrix<std::complex<double>>&, const std::vector<int>&, const HsvdTruth&,
                                const HsvdResult<std::complex<double>>&, const JudgeOptions&);

}  // namespace pivotlab::experiments
