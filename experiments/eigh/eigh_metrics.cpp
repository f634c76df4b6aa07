// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/metrics/j_orthogonality.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/metrics/probing.hpp>
#include <experiments/metrics/residual_reference.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/verification/device/proved_errors.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace pivotlab::experiments {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A·U − U·Λ
template <class E, class T>
Matrix<T> residual_of(const Matrix<T>& A, const EighResult<T>& r, const std::vector<double>& values, int threads) {
  const Matrix<E> AU = product<E>(A, r.U, threads);
  Matrix<T> error(A.rows(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      error(i, j) = round_to_double<T>(E(AU(i, j) - extend<E>(r.U(i, j)) * extend<E>(T(values[j]))));
  return error;
}

int sign_of(const Quad& x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

/// The reason why a result cannot be judged by numbers, or is wrong without them; empty if there is none.
template <class T>
std::string describe_defects(const EighResult<T>& r, int threads) {
  if (!std::isfinite(largest_component<double>(r.eigenvalues)) || !std::isfinite(largest_component(r.U, threads)) ||
      !std::isfinite(largest_component<double>(r.estimate)))
    return "the result contains NaN or Inf";
  if (std::ranges::any_of(r.estimate, [](double estimate) { return estimate < 0; }))
    return "an error estimate is negative";
  if (!std::ranges::is_sorted(r.eigenvalues, std::greater()) && !std::ranges::is_sorted(r.eigenvalues))
    return "the eigenvalues are neither in descending nor in ascending order";
  const Inertia& given = r.inertia;
  const auto positive = std::ranges::count_if(r.eigenvalues, [](double x) { return x > 0; });
  const auto negative = std::ranges::count_if(r.eigenvalues, [](double x) { return x < 0; });
  const Index all = std::ssize(r.eigenvalues);
  if (given != Inertia{} && given != Inertia{positive, negative, all - positive - negative})
    return "the inertia is not that of the eigenvalues";
  return "";
}

/// Returns a result in ascending order in descending order.
template <class T>
EighResult<T> reversed(EighResult<T> r) {
  std::ranges::reverse(r.eigenvalues), std::ranges::reverse(r.estimate), std::reverse(r.noise.begin(), r.noise.end());
  for (Index j = 0; j < r.U.cols() / 2; ++j) std::ranges::swap_ranges(r.U.col(j), r.U.col(r.U.cols() - 1 - j));
  return r;
}

template <class T>
class EighJudge {
 public:
  EighJudge(const Matrix<T>& A, const EighTruth& truth, const EighResult<T>& result, const JudgeOptions& options,
            EighMetrics& metrics)
      : truth_(truth),
        r_(result),
        threads_(threads_for(options, A.rows())),
        may_prove_(may_prove(options, A.rows())),
        metrics_(metrics),
        exponent_(exponent_of(A, threads_)),
        A_(scaled_copy<T>(A, exponent_, threads_)) {
    for (const double value : r_.eigenvalues) values_.push_back(times_power_of_two(value, -exponent_));
    norm_ = frobenius_norm(A_, threads_);
    const double least =
        norm_ > 0 ? std::ldexp(1.0, std::numeric_limits<double>::min_exponent - 53 - exponent_) / norm_ : 0;
    const auto n = static_cast<double>(std::max<Index>(A_.rows(), 1));
    tolerance_ = std::max(n * ulp, std::sqrt(n) * least);
    const Index order = is_complex<T> ? 2 * A.rows() : A.rows();
    if (truth_.eigenvalues.empty() && r_.U.size() == 0 && order <= jacobi_judgement_limit)
      truth_ = eigh_truth_in_double(A, exponent_);
  }

  template <class E>
  void judge() {
    if (r_.U.size() > 0) {
      if (!prove()) measure_vectors<E>();
      metrics_.residual_ratio = *metrics_.residual / tolerance_;
      metrics_.orthogonality_ratio = *metrics_.orthogonality / order_ulp();
    }
    Quad trace = 0;
    for (Index k = 0; k < A_.rows(); ++k) trace += Quad(values_[k]) - Quad(std::real(A_(k, k)));
    metrics_.trace_error = relative(std::abs(static_cast<double>(trace)), norm_);
    if (!r_.estimate.empty()) measure_estimates();
    if (truth_.eigenvalues.empty() && !residuals_.norms.empty())
      refer_to_residuals();
    else if (!truth_.eigenvalues.empty())
      metrics_.reference = r_.U.size() == 0 && A_.rows() > eigh_truth_order ? Reference::working : Reference::extended;
    if (!truth_.eigenvalues.empty()) compare();
    if (r_.estimate.empty()) metrics_.bounds.error_per_estimate = metrics_.bounds.wrong_signs = infinity;
    judge_by_bounds(eigh_metric_rows(), metrics_);
    if (A_.rows() > 0 && r_.U.size() == 0 && truth_.eigenvalues.empty()) {
      metrics_.message = "not judged: eigenvalues without eigenvectors of a matrix of this order";
      metrics_.verdict = Status::skipped;
    }
  }

 private:
  double order_ulp() const { return static_cast<double>(std::max<Index>(A_.rows(), 1)) * ulp; }

  template <class E>
  void measure_vectors() {
    const std::vector<int> ones(values_.size(), 1);
    const std::vector<double> unscaled(values_.size(), 1.0);
    if (metrics_.probes > 0) {
      metrics_.residual = relative(probed_residual<E>(A_, r_.U, r_.U, values_, unscaled, threads_), norm_);
      metrics_.orthogonality = probed_orthogonality<E>(r_.U, ones, ones, threads_);
    } else {
      residuals_ = proved_columns(residual_of<E>(A_, r_, values_, threads_), r_.U);
      metrics_.residual = relative(norm<double>(residuals_.norms), norm_);
      metrics_.orthogonality = frobenius_norm(j_unitary_error<E>(r_.U, ones, ones, threads_));
    }
  }

  /// Takes Rayleigh quotients for the true eigenvalues. With K = U*U = I + E, ‖E‖ ≤ τ, and R = A·U − U·Λ these are the
  /// eigenvalues of the pencil (S, K), S = U*AU = Λ + (ΛE + EΛ)/2 + (U*R + R*U)/2, so by the theorems of Weyl and
  /// Ostrowski within (2τ·‖Λ‖ + √(1 + τ)·‖R‖)/(1 − τ) of those of Λ.
  void refer_to_residuals() {
    const double tau = *metrics_.orthogonality,
                 whole = norm<double>(residuals_.norms) + norm<double>(residuals_.bounds);
    if (!(tau < 0.1)) return;
    RayleighQuotients q{.values = values_};
    q.enclosure = (2 * tau * largest_component<double>(values_) + std::sqrt(1 + tau) * whole) / (1 - tau);
    const double rounding = static_cast<double>(A_.rows() + 8) * ulp;
    const std::vector<double> lengths = column_norms(r_.U, threads_);
    for (std::size_t j = 0; j < values_.size(); ++j) {
      const double square = std::pow(lengths[j], 2);
      q.changes.push_back(residuals_.products[j] / square);
      q.residuals.push_back((residuals_.norms[j] + residuals_.bounds[j]) / std::sqrt(1 - tau));
      q.rounding.push_back(2 * residuals_.bounds[j] + rounding * q.residuals[j]);
    }
    const std::vector<double> bounds = bounds_of(q);
    for (std::size_t j = 0; j < values_.size(); ++j) {
      truth_.eigenvalues.push_back(Quad(r_.eigenvalues[j]) + ldexp(Quad(q.changes[j]), exponent_));
      truth_.errors.push_back(ldexp(Quad(bounds[j]), exponent_));
      truth_.determined.push_back(is_known(values_[j], q.changes[j], bounds[j]));
    }
    metrics_.reference = Reference::residuals;
  }

  /// Measures in full by exact products on a GPU; returns false without one, or where their bounds do not settle the
  /// verdict.
  bool prove() {
    if (!may_prove_) return false;
    auto residual = residual_on_gpu(A_, false, r_.U, r_.U, std::vector<T>(values_.begin(), values_.end()));
    if (!residual) return false;
    const auto orthogonality = orthogonality_on_gpu(r_.U);
    if (!orthogonality) return false;
    const double error = norm<double>(residual->norms), bound = norm<double>(residual->bounds);
    const EighBounds& bounds = metrics_.bounds;
    if (!is_settled(error, bound, bounds.residual_ratio * tolerance_ * norm_) ||
        !is_settled(orthogonality->frobenius, orthogonality->bound, bounds.orthogonality_ratio * order_ulp()))
      return false;
    metrics_.residual = relative(error, norm_), metrics_.orthogonality = orthogonality->frobenius;
    metrics_.probes = 0;
    metrics_.set_proof({proof_moduli, relative(bound, norm_), orthogonality->bound});
    residuals_ = *std::move(residual);
    return true;
  }

  bool is_noise(std::size_t j) const { return !r_.noise.empty() && r_.noise[j]; }

  void measure_estimates() {
    metrics_.largest_estimate = 0, metrics_.undetermined = 0;
    for (std::size_t j = 0; j < r_.estimate.size(); ++j) {
      raise_to(*metrics_.largest_estimate, r_.estimate[j]);
      *metrics_.undetermined += is_noise(j);
    }
  }

  /// Eigenvalues 0 have no order among them: those that the solver knows are compared with the least true ones.
  void match_zeros() {
    std::vector<std::size_t> zeros;
    for (std::size_t j = 0; j < values_.size(); ++j)
      if (r_.eigenvalues[j] == 0) zeros.push_back(j);
    const EighTruth given = truth_;
    std::vector<std::size_t> least = zeros;
    std::ranges::stable_sort(least, {}, [&](std::size_t j) { return Quad(abs(given.eigenvalues[j])); });
    std::ranges::stable_partition(zeros, [&](std::size_t j) { return !is_noise(j); });
    for (std::size_t k = 0; k < zeros.size(); ++k) {
      truth_.eigenvalues[zeros[k]] = given.eigenvalues[least[k]];
      truth_.errors[zeros[k]] = given.errors[least[k]];
      truth_.determined[zeros[k]] = given.determined[least[k]];
    }
  }

  void compare() {
    match_zeros();
    double largest = 0, error = 0, relative_error = 0, determined_error = 0, per_estimate = 0, wrong = 0;
    for (std::size_t j = 0; j < values_.size(); ++j) {
      const Quad exact = truth_.eigenvalues[j], size = abs(exact), unknown = truth_.errors[j];
      const Quad apart = abs(Quad(r_.eigenvalues[j]) - exact);
      const Quad difference = apart > unknown ? Quad(apart - unknown) : Quad(0);  // at least
      raise_to(largest, static_cast<double>(ldexp(size, -exponent_)));
      raise_to(error, static_cast<double>(ldexp(difference, -exponent_)));
      if (!is_noise(j)) {
        if (!r_.estimate.empty() && difference > 0)
          raise_to(per_estimate, relative(static_cast<double>(Quad(difference / (size + unknown))), r_.estimate[j]));
        wrong += size > unknown && sign_of(exact) != sign_of(r_.eigenvalues[j]);
      }
      if (!truth_.determined[j] || exact == 0) continue;
      const double ratio = static_cast<double>(Quad(difference / size));
      raise_to(relative_error, ratio);
      if (!is_noise(j)) raise_to(determined_error, ratio);
    }
    metrics_.known = std::ranges::count(truth_.determined, true);
    metrics_.eigenvalue_error = relative(error, largest);
    metrics_.eigenvalue_ratio = relative(error, norm_) / tolerance_;
    metrics_.relative_error = relative_error;
    metrics_.determined_error = determined_error;
    metrics_.wrong_signs = wrong;
    if (!r_.estimate.empty()) metrics_.error_per_estimate = per_estimate;
  }

  EighTruth truth_;
  const EighResult<T>& r_;
  int threads_;
  bool may_prove_;
  EighMetrics& metrics_;
  int exponent_;
  Matrix<T> A_;  // in units of 2^exponent, as values_
  std::vector<double> values_;
  double norm_ = 0, tolerance_ = 0;
  ProvedColumns residuals_;  // of A·U − U·Λ in the same units, if it was computed
};

}  // namespace

template <class T>
EighMetrics judge_eigh(const Matrix<T>& A, const EighTruth& truth, const EighResult<T>& result,
                       const JudgeOptions& options) {
  const Index n = A.rows();
  const auto has_order = [n](std::size_t length) { return length == 0 || static_cast<Index>(length) == n; };
  if (A.cols() != n || std::ssize(result.eigenvalues) != n || !has_order(result.estimate.size()) ||
      !has_order(result.noise.size()) || (result.U.size() > 0 && (result.U.rows() != n || result.U.cols() != n)))
    throw std::invalid_argument("judge_eigh: the shapes do not fit");
  EighMetrics metrics;
  metrics.precision = precision_for(options, n);
  if (n > options.full_limit.value_or(jacobi_judgement_limit)) metrics.probes = probe_count;
  metrics.message = describe_defects(result, threads_for(options, n));
  if (!metrics.message.empty()) return metrics;
  if (!std::ranges::is_sorted(result.eigenvalues, std::greater()))
    return judge_eigh(A, truth, reversed(result), options);
  judge_in<T>(metrics.precision, EighJudge<T>(A, truth, result, options, metrics));
  return metrics;
}

using Complex = std::complex<double>;
template EighMetrics judge_eigh(const Matrix<double>&, const EighTruth&, const EighResult<double>&,
                                const JudgeOptions&);
template EighMetrics judge_eigh(const Matrix<Complex>&, const EighTruth&, const EighResult<Complex>&,
                                const JudgeOptions&);

}  // namespace pivotlab::experiments
