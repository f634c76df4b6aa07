#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/metrics/j_orthogonality.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/metrics/probing.hpp>
#include <kernels/numerics/double_double.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace pivotlab::experiments {
namespace {

template <class T>
class HsvdJudge {
 public:
  HsvdJudge(const Matrix<T>& G, const std::vector<int>& J, const HsvdTruth& truth, const HsvdResult<T>& result,
            int threads, HsvdMetrics& metrics)
      : G_(G),
        J_(J),
        truth_(truth),
        r_(result),
        threads_(threads),
        metrics_(metrics),
        exponent_(exponent_of(elements(G))) {
    for (Index i = 0; i < G_.size(); ++i) G_.data()[i] = scale(G_.data()[i], -exponent_);
    for (Index j = 0; j < r_.V.cols(); ++j) norms_.push_back(frobenius_norm(Matrix<T>(r_.V.view().cols_range(j, 1))));
  }

  template <class E>
  void judge() {
    const double m = static_cast<double>(G_.rows()), n = static_cast<double>(G_.cols());
    const std::vector<int> ones(static_cast<std::size_t>(G_.rows()), 1);
    if (metrics_.probes > 0) {
      estimate<E>(ones);
    } else {
      metrics_.residual = relative(frobenius_norm(residual<E>()), frobenius_norm(G_));
      metrics_.orthogonality = frobenius_norm(j_unitary_error<E>(r_.U, ones, ones, threads_));
      measure_v(j_unitary_error<E>(r_.V, J_, r_.J, threads_));
    }
    metrics_.residual_ratio = metrics_.residual / (m * ulp);
    metrics_.orthogonality_ratio = metrics_.orthogonality / (m * ulp);
    metrics_.j_orthogonality_ratio = metrics_.j_orthogonality / (n * ulp);
    if (!r_.estimate.empty()) measure_estimates();
    if (!truth_.sigma.empty()) compare();
    if (r_.estimate.empty()) metrics_.bounds.error_per_estimate = std::numeric_limits<double>::infinity();
    metrics_.message = describe_failures(hsvd_metric_rows(), metrics_);
    metrics_.verdict = metrics_.message.empty() ? Status::passed : Status::incorrect;
  }

 private:
  /// (G·V − U·Σ)·D⁻¹
  template <class E>
  Matrix<T> residual() const {
    const Matrix<E> GV = product<E>(G_, r_.V, threads_);
    Matrix<T> error(G_.rows(), G_.cols());
    for (Index j = 0; j < G_.cols(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const E sigma = extend<E>(T(scale(r_.sigma[at], -exponent_)));
      for (Index i = 0; i < G_.rows(); ++i)
        error(i, j) = round_to_double<T>(E(GV(i, j) - extend<E>(r_.U(i, j)) * sigma)) / norms_[at];
    }
    return error;
  }

  double largest_square() const {
    const double longest = *std::ranges::max_element(norms_);
    return longest * longest;
  }

  template <class E>
  void estimate(const std::vector<int>& ones) {
    const std::vector<double> values = scaled(r_.sigma, -exponent_);
    metrics_.residual = relative(probed_residual<E>(G_, r_.V, r_.U, values, norms_, threads_), frobenius_norm(G_));
    metrics_.orthogonality = probed_orthogonality<E>(r_.U, ones, ones, threads_);
    metrics_.j_orthogonality = probed_orthogonality<E>(r_.V, J_, r_.J, threads_) / largest_square();
  }

  void measure_v(const Matrix<T>& error) {
    const double square = largest_square();
    metrics_.j_orthogonality = frobenius_norm(error) / square;
    double sum = 0;
    for (Index j = 0; j < error.cols(); ++j) sum += r_.J[static_cast<std::size_t>(j)] * std::real(error(j, j));
    metrics_.drift = std::abs(sum) / (static_cast<double>(error.cols()) * square);
  }

  bool is_noise(std::size_t j) const { return !r_.estimate.empty() && 10 * r_.estimate[j] >= 1; }

  void measure_estimates() {
    metrics_.largest_estimate = *std::ranges::max_element(r_.estimate);
    metrics_.undetermined = 0;
    for (std::size_t j = 0; j < r_.estimate.size(); ++j) *metrics_.undetermined += is_noise(j);
  }

  void compare() {
    double largest = 0, error = 0, relative_error = 0, per_estimate = 0;
    for (std::size_t j = 0; j < r_.sigma.size(); ++j) {
      const Quad exact = truth_.sigma[j], difference = Quad(r_.sigma[j]) - exact;
      raise_to(largest, static_cast<double>(exact));
      raise_to(error, std::abs(static_cast<double>(difference)));
      if (!truth_.determined[j] || exact == 0) continue;
      raise_to(relative_error, std::abs(static_cast<double>(Quad(difference / exact))));
      if (r_.estimate.empty() || is_noise(j)) continue;
      const Quad of_square = difference * (Quad(r_.sigma[j]) + exact) / (exact * exact);
      raise_to(per_estimate, std::abs(static_cast<double>(of_square)) / r_.estimate[j]);
    }
    metrics_.sigma_error = relative(error, largest);
    metrics_.relative_error = relative_error;
    if (!r_.estimate.empty()) metrics_.error_per_estimate = per_estimate;
  }

  Matrix<T> G_;  // in units of 2^exponent
  const std::vector<int>& J_;
  const HsvdTruth& truth_;
  const HsvdResult<T>& r_;
  int threads_;
  HsvdMetrics& metrics_;
  int exponent_;
  std::vector<double> norms_;  // of the columns of V
};

}  // namespace

template <class T>
HsvdTruth hsvd_truth(const Matrix<T>& G, const std::vector<int>& J, int threads) {
  using Q = Rebind<T, Quad>;
  if (G.rows() > hsvd_truth_rows) return {};
  Matrix<Q> exact(G.rows(), G.cols());
  for (Index i = 0; i < G.size(); ++i) exact.data()[i] = extend<Q>(G.data()[i]);
  HsvdOptions options{.threads = threads};
  options.variant.form = JacobiForm::PT;
  const HsvdResult<Q> result = hsvd<Q>(exact, J, options);
  if (result.status != Status::passed) return {};
  HsvdTruth truth{result.sigma, {}};
  for (const Quad& estimate : result.estimate) truth.determined.push_back(estimate < Quad(1e-20));
  return truth;
}

template <class T>
HsvdMetrics judge_hsvd(const Matrix<T>& G, const std::vector<int>& J, const HsvdTruth& truth,
                       const HsvdResult<T>& result, const JudgeOptions& options) {
  const Index m = G.rows(), n = G.cols();
  if (std::ssize(J) != n || std::ssize(result.sigma) != n || std::ssize(result.J) != n || result.U.rows() != m ||
      result.U.cols() != n || result.V.rows() != n || result.V.cols() != n)
    throw std::invalid_argument("judge_hsvd: the shapes do not fit");
  HsvdMetrics metrics;
  metrics.precision = precision_for(options, m);
  if (m > options.full_limit.value_or(jacobi_judgement_limit)) metrics.probes = probe_count;
  if (!std::isfinite(largest_component<double>(result.sigma)) ||
      !std::isfinite(largest_component(elements(result.U))) || !std::isfinite(largest_component(elements(result.V)))) {
    metrics.message = "the result contains NaN or Inf";
    return metrics;
  }
  HsvdJudge<T> judge(G, J, truth, result, threads_for(options, m), metrics);
  if (metrics.precision == JudgePrecision::quad)
    judge.template judge<Rebind<T, Quad>>();
  else
    judge.template judge<Rebind<T, DoubleDouble>>();
  return metrics;
}

template HsvdTruth hsvd_truth(const Matrix<double>&, const std::vector<int>&, int);
template HsvdTruth hsvd_truth(const Matrix<std::complex<double>>&, const std::vector<int>&, int);
template HsvdMetrics judge_hsvd(const Matrix<double>&, const std::vector<int>&, const HsvdTruth&,
                                const HsvdResult<double>&, const JudgeOptions&);
template HsvdMetrics judge_hsvd(const Matrix<std::complex<double>>&, const std::vector<int>&, const HsvdTruth&,
                                const HsvdResult<std::complex<double>>&, const JudgeOptions&);

}  // namespace pivotlab::experiments
