#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/metrics/probing.hpp>
#include <kernels/numerics/double_double.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

namespace pivotlab::experiments {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class E, class T>
Matrix<E> extended(const Matrix<T>& A) {
  Matrix<E> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = extend<E>(A.data()[i]);
  return result;
}

/// ‖A·U − U·Λ‖_F
template <class E, class T>
double residual_norm(const Matrix<T>& A, const EighResult<T>& r, const std::vector<double>& values, int threads) {
  const Matrix<E> AU = product<E>(A, r.U, threads);
  Matrix<T> error(A.rows(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      error(i, j) = round_to_double<T>(E(AU(i, j) - extend<E>(r.U(i, j)) * extend<E>(T(values[j]))));
  return frobenius_norm(error);
}

/// ‖U*U − I‖_F
template <class E, class T>
double orthogonality_of(const Matrix<T>& U, int threads) {
  Matrix<E> UU = product<E>({U, Op::adjoint}, U, threads);
  Matrix<T> error(U.cols(), U.cols());
  for (Index j = 0; j < U.cols(); ++j) {
    UU(j, j) -= extend<E>(T(1));
    for (Index i = 0; i < U.cols(); ++i) error(i, j) = round_to_double<T>(UU(i, j));
  }
  return frobenius_norm(error);
}

int sign_of(const Quad& x) {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

template <class T>
class EighJudge {
 public:
  EighJudge(const Matrix<T>& A, const EighTruth& truth, const EighResult<T>& result, int threads, EighMetrics& metrics)
      : A_(A), truth_(truth), r_(result), threads_(threads), metrics_(metrics), exponent_(exponent_of(elements(A))) {
    for (Index i = 0; i < A_.size(); ++i) A_.data()[i] = scale(A_.data()[i], -exponent_);
    for (const double value : r_.eigenvalues) values_.push_back(scale(value, -exponent_));
    norm_ = frobenius_norm(A_);
  }

  template <class E>
  void judge() {
    const double tolerance = static_cast<double>(std::max<Index>(A_.rows(), 1)) * ulp;
    if (r_.U.cols() == A_.cols()) {
      const std::vector<int> ones(values_.size(), 1);
      const std::vector<double> unscaled(values_.size(), 1.0);
      const bool probed = metrics_.probes > 0;
      metrics_.residual = relative(probed ? probed_residual<E>(A_, r_.U, r_.U, values_, unscaled, threads_)
                                          : residual_norm<E>(A_, r_, values_, threads_),
                                   norm_);
      metrics_.residual_ratio = *metrics_.residual / tolerance;
      metrics_.orthogonality =
          probed ? probed_orthogonality<E>(r_.U, ones, ones, threads_) : orthogonality_of<E>(r_.U, threads_);
      metrics_.orthogonality_ratio = *metrics_.orthogonality / tolerance;
    }
    Quad trace = 0;
    for (Index k = 0; k < A_.rows(); ++k) trace += Quad(values_[k]) - Quad(std::real(A_(k, k)));
    metrics_.trace_error = relative(std::abs(static_cast<double>(trace)), norm_);
    if (!r_.estimate.empty()) measure_estimates();
    if (!truth_.eigenvalues.empty()) compare();
    if (r_.estimate.empty()) metrics_.bounds.error_per_estimate = metrics_.bounds.wrong_signs = infinity;
    metrics_.message = describe_failures(eigh_metric_rows(), metrics_);
    metrics_.verdict = metrics_.message.empty() ? Status::passed : Status::incorrect;
  }

 private:
  bool is_noise(std::size_t j) const { return !r_.noise.empty() && r_.noise[j]; }

  void measure_estimates() {
    metrics_.largest_estimate = 0, metrics_.undetermined = 0;
    for (std::size_t j = 0; j < r_.estimate.size(); ++j) {
      raise_to(*metrics_.largest_estimate, r_.estimate[j]);
      *metrics_.undetermined += is_noise(j);
    }
  }

  void compare() {
    double largest = 0, error = 0, relative_error = 0, determined_error = 0, per_estimate = 0, wrong = 0;
    for (std::size_t j = 0; j < values_.size(); ++j) {
      const Quad exact = truth_.eigenvalues[j], difference = Quad(r_.eigenvalues[j]) - exact;
      raise_to(largest, std::abs(static_cast<double>(exact)));
      raise_to(error, std::abs(static_cast<double>(difference)));
      if (!truth_.determined[j] || exact == 0) continue;
      const double ratio = std::abs(static_cast<double>(Quad(difference / exact)));
      raise_to(relative_error, ratio);
      if (is_noise(j)) continue;
      raise_to(determined_error, ratio);
      wrong += sign_of(exact) != sign_of(r_.eigenvalues[j]);
      if (!r_.estimate.empty()) raise_to(per_estimate, ratio / r_.estimate[j]);
    }
    metrics_.eigenvalue_error = relative(error, largest);
    metrics_.relative_error = relative_error;
    metrics_.determined_error = determined_error;
    metrics_.wrong_signs = wrong;
    if (!r_.estimate.empty()) metrics_.error_per_estimate = per_estimate;
  }

  Matrix<T> A_;  // in units of 2^exponent, as values_
  const EighTruth& truth_;
  const EighResult<T>& r_;
  int threads_;
  EighMetrics& metrics_;
  int exponent_;
  std::vector<double> values_;
  double norm_ = 0;
};

}  // namespace

template <class T>
EighTruth eigh_truth(const Matrix<T>& A, int threads) {
  using Q = Rebind<T, Quad>;
  if (A.rows() > eigh_truth_order) return {};
  EighOptions options{.vectors = false, .threads = threads};
  options.variant.sweeps.form = JacobiForm::PT;
  const EighResult<Q> result = eigh<Q>(extended<Q>(A), options);
  if (result.status != Status::passed) return {};
  EighTruth truth{result.eigenvalues, {}};
  for (const Quad& estimate : result.estimate) truth.determined.push_back(estimate < Quad(1e-20));
  return truth;
}

template <class T>
EighMetrics judge_eigh(const Matrix<T>& A, const EighTruth& truth, const EighResult<T>& result,
                       const JudgeOptions& options) {
  const Index n = A.rows();
  if (A.cols() != n || std::ssize(result.eigenvalues) != n || (result.U.size() > 0 && result.U.rows() != n))
    throw std::invalid_argument("judge_eigh: the shapes do not fit");
  EighMetrics metrics;
  metrics.precision = precision_for(options, n);
  if (n > options.full_limit.value_or(jacobi_judgement_limit)) metrics.probes = probe_count;
  if (!std::isfinite(largest_component<double>(result.eigenvalues)) ||
      !std::isfinite(largest_component(elements(result.U)))) {
    metrics.message = "the result contains NaN or Inf";
    return metrics;
  }
  if (!std::ranges::is_sorted(result.eigenvalues, std::greater())) {
    metrics.message = "the eigenvalues are not in descending order";
    return metrics;
  }
  EighJudge<T> judge(A, truth, result, threads_for(options, n), metrics);
  if (metrics.precision == JudgePrecision::quad)
    judge.template judge<Rebind<T, Quad>>();
  else
    judge.template judge<Rebind<T, DoubleDouble>>();
  return metrics;
}

using Complex = std::complex<double>;
template EighTruth eigh_truth(const Matrix<double>&, int);
template EighTruth eigh_truth(const Matrix<Complex>&, int);
template EighMetrics judge_eigh(const Matrix<double>&, const EighTruth&, const EighResult<double>&,
                                const JudgeOptions&);
template EighMetrics judge_eigh(const Matrix<Complex>&, const EighTruth&, const EighResult<Complex>&,
                                const JudgeOptions&);

}  // namespace pivotlab::experiments
