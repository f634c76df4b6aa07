#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/metrics/j_orthogonality.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/verification/norms.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace pivotlab::experiments {
namespace {

/// A·2^−exponent, ‖A‖ and |A| of it.
template <class T>
struct ScaledMatrix {
  explicit ScaledMatrix(const Matrix<T>& given) : exponent(exponent_of(elements(given))), A(given) {
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = scale(A.data()[i], -exponent);
    norm = frobenius_norm(A);
  }

  int exponent;
  Matrix<T> A;
  double norm = 0;
};

/// Returns ‖|A|·|z|‖.
template <class T>
double magnitude(const Matrix<T>& A, std::span<const T> z) {
  std::vector<double> sums(static_cast<std::size_t>(A.rows()));
  for (Index k = 0; k < A.cols(); ++k) {
    const double factor = std::abs(z[static_cast<std::size_t>(k)]);
    for (Index i = 0; i < A.rows(); ++i) sums[static_cast<std::size_t>(i)] += std::abs(A(i, k)) * factor;
  }
  return norm<double>(sums);
}

template <class T>
class GhsvdJudge {
 public:
  GhsvdJudge(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, const GhsvdTruth& truth,
             const GhsvdResult<T>& result, int threads, GhsvdMetrics& metrics)
      : F_(F), G_(G), J_(J), truth_(truth), r_(result), Z_(result.Z), threads_(threads), metrics_(metrics) {
    for (Index j = 0; j < Z_.cols(); ++j) {
      const int exponent = exponent_of<T>(Z_.col(j));
      for (T& z : Z_.col(j)) z = scale(z, -exponent);
      exponents_.push_back(-exponent);
    }
  }

  template <class E>
  void judge() {
    measure_pair<E>();
    const Index n = Z_.cols(), m = std::max(r_.U.rows(), r_.V.rows());
    const std::vector<int> plus(static_cast<std::size_t>(r_.V.rows()), 1), ones(static_cast<std::size_t>(n), 1);
    metrics_.orthogonality = frobenius_norm(j_unitary_error<E>(r_.V, plus, ones, threads_));
    const std::vector<double> lengths = column_norms(r_.U);
    const double longest = *std::ranges::max_element(lengths);
    metrics_.j_orthogonality =
        relative(frobenius_norm(j_unitary_error<E>(r_.U, J_, r_.J, threads_)), longest * longest);
    metrics_.normalization = normalization();
    metrics_.residual_ratio = metrics_.residual / (static_cast<double>(n) * ulp);
    metrics_.residual_f_ratio = metrics_.residual_f / (static_cast<double>(m) * ulp);
    metrics_.residual_g_ratio = metrics_.residual_g / (static_cast<double>(m) * ulp);
    metrics_.orthogonality_ratio = metrics_.orthogonality / (static_cast<double>(m) * ulp);
    metrics_.j_orthogonality_ratio = metrics_.j_orthogonality / (static_cast<double>(m) * ulp);
    metrics_.normalization_ratio = metrics_.normalization / ulp;
    if (!truth_.eigenvalues.empty()) compare();
    if (r_.estimate.empty()) {
      metrics_.bounds.error_per_estimate = metrics_.bounds.wrong_signs = std::numeric_limits<double>::infinity();
    } else {
      if (r_.tangent_bits == 0) metrics_.bounds.error_per_estimate = 30;
      metrics_.largest_estimate = *std::ranges::max_element(r_.estimate);
      metrics_.undetermined = std::ranges::count(r_.noise, true);
    }
    metrics_.message = describe_failures(ghsvd_metric_rows(), metrics_);
    metrics_.verdict = metrics_.message.empty() ? Status::passed : Status::incorrect;
  }

 private:
  /// Returns ‖x − y·σ‖ for x in the extended scalar E.
  template <class E>
  double residual_norm(std::span<const E> x, std::span<const T> y, double sigma) const {
    std::vector<T> error;
    for (std::size_t i = 0; i < y.size(); ++i)
      error.push_back(round_to_double<T>(E(x[i] - extend<E>(y[i]) * extend<E>(T(sigma)))));
    return norm<T>(error);
  }

  template <class E>
  void measure_pair() {
    Matrix<E> FZ = product<E>(F_.A, Z_, threads_);
    const Matrix<E> GZ = product<E>(G_.A, Z_, threads_);
    metrics_.residual_f = metrics_.columnwise_f = metrics_.residual_g = metrics_.residual = 0;
    for (Index j = 0; j < Z_.cols(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      const double sigma_f = scale(r_.sigma_f[at], exponents_[at] - F_.exponent),
                   sigma_g = scale(r_.sigma_g[at], exponents_[at] - G_.exponent);
      const double length = norm<T>(Z_.col(j));
      if (r_.J[at] != 0) {
        const double error = residual_norm<E>(FZ.col(j), r_.U.col(j), sigma_f);
        raise_to(metrics_.residual_f, relative(error, F_.norm * length));
        raise_to(metrics_.columnwise_f, relative(error, magnitude<T>(F_.A, Z_.col(j)) * ulp));
      }
      raise_to(metrics_.residual_g, relative(residual_norm<E>(GZ.col(j), r_.V.col(j), sigma_g), G_.norm * length));
      for (Index i = 0; i < FZ.rows(); ++i)
        if (J_[static_cast<std::size_t>(i)] < 0) FZ(i, j) = -FZ(i, j);
    }
    const Matrix<E> K = product<E>({F_.A, Op::adjoint}, FZ, threads_),
                    N = product<E>({G_.A, Op::adjoint}, GZ, threads_);
    for (Index j = 0; j < Z_.cols(); ++j) {
      const double lambda = scale(r_.eigenvalues[static_cast<std::size_t>(j)], 2 * (G_.exponent - F_.exponent));
      std::vector<T> error;
      for (Index i = 0; i < K.rows(); ++i)
        error.push_back(round_to_double<T>(E(K(i, j) - N(i, j) * extend<E>(T(lambda)))));
      const double size = F_.norm * F_.norm + std::abs(lambda) * G_.norm * G_.norm;
      raise_to(metrics_.residual, relative(norm<T>(error), size * norm<T>(Z_.col(j))));
    }
  }

  double normalization() const {
    double worst = 0;
    for (std::size_t j = 0; j < r_.eigenvalues.size(); ++j) {
      const Quad f = Quad(r_.sigma_f[j]) * r_.sigma_f[j], g = Quad(r_.sigma_g[j]) * r_.sigma_g[j],
                 lambda = Quad(r_.eigenvalues[j]) * g;
      raise_to(worst, std::abs(static_cast<double>(Quad(f + g - 1))));
      raise_to(worst, relative(std::abs(static_cast<double>(Quad(f * r_.J[j] - lambda))),
                               std::abs(static_cast<double>(lambda))));
    }
    return worst;
  }

  bool is_noise(std::size_t j) const { return !r_.noise.empty() && r_.noise[j]; }

  void compare() {
    double largest = 0, error = 0, relative_error = 0, determined_error = 0, per_estimate = 0, wrong_signs = 0;
    for (std::size_t j = 0; j < r_.eigenvalues.size(); ++j) {
      const double lambda = r_.eigenvalues[j];
      const Quad exact = truth_.eigenvalues[j], difference = Quad(lambda) - exact;
      raise_to(largest, std::abs(static_cast<double>(exact)));
      raise_to(error, std::abs(static_cast<double>(difference)));
      if (!is_noise(j) && (lambda > 0) - (lambda < 0) != truth_.signs[j]) ++wrong_signs;
      if (!truth_.determined[j]) continue;
      const double distance = std::abs(static_cast<double>(Quad(difference / exact)));
      raise_to(relative_error, distance);
      if (is_noise(j)) continue;
      raise_to(determined_error, distance);
      if (!r_.estimate.empty()) raise_to(per_estimate, distance / r_.estimate[j]);
    }
    metrics_.eigenvalue_error = relative(error, largest);
    metrics_.relative_error = relative_error;
    metrics_.determined_error = determined_error;
    metrics_.wrong_signs = wrong_signs;
    if (!r_.estimate.empty()) metrics_.error_per_estimate = per_estimate;
  }

  ScaledMatrix<T> F_, G_;
  const std::vector<int>& J_;
  const GhsvdTruth& truth_;
  const GhsvdResult<T>& r_;
  Matrix<T> Z_;  // column j in units of 2^−exponents_[j]
  std::vector<int> exponents_;
  int threads_;
  GhsvdMetrics& metrics_;
};

template <class T>
Matrix<Rebind<T, Quad>> extended(const Matrix<T>& A) {
  using Q = Rebind<T, Quad>;
  Matrix<Q> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = extend<Q>(A.data()[i]);
  return result;
}

}  // namespace

template <class T>
GhsvdTruth ghsvd_truth(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, int threads) {
  if (G.cols() > ghsvd_truth_order) return {};
  GhsvdOptions options{.threads = threads};
  options.variant.sweeps.form = JacobiForm::PT;
  const auto result = ghsvd<Rebind<T, Quad>>(extended(F), extended(G), J, options);
  if (result.status != Status::passed) return {};
  GhsvdTruth truth{result.eigenvalues, {}, {}};
  for (std::size_t j = 0; j < truth.eigenvalues.size(); ++j) {
    truth.signs.push_back(result.noise[j] ? 0 : result.J[j]);
    truth.determined.push_back(result.estimate[j] < Quad(1e-20));
  }
  return truth;
}

template <class T>
GhsvdMetrics judge_ghsvd(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, const GhsvdTruth& truth,
                         const GhsvdResult<T>& result, const JudgeOptions& options) {
  const Index n = G.cols(), m = std::max(F.rows(), G.rows());
  const auto has_shape = [n](const Matrix<T>& A, Index rows) { return A.rows() == rows && A.cols() == n; };
  if (std::ssize(J) != F.rows() || !has_shape(F, F.rows()) || !has_shape(result.U, F.rows()) ||
      !has_shape(result.V, G.rows()) || !has_shape(result.Z, n) || std::ssize(result.eigenvalues) != n ||
      std::ssize(result.J) != n || std::ssize(result.sigma_f) != n || std::ssize(result.sigma_g) != n ||
      result.noise.size() != result.estimate.size())
    throw std::invalid_argument("judge_ghsvd: the shapes do not fit");
  GhsvdMetrics metrics;
  metrics.precision = precision_for(options, m);
  double largest = 0;
  for (const auto* values : {&result.eigenvalues, &result.sigma_f, &result.sigma_g})
    raise_to(largest, largest_component<double>(*values));
  for (const auto* factor : {&result.U, &result.V, &result.Z}) raise_to(largest, largest_component(elements(*factor)));
  if (!std::isfinite(largest)) {
    metrics.message = "the result contains NaN or Inf";
    return metrics;
  }
  GhsvdJudge<T> judge(F, G, J, truth, result, threads_for(options, m), metrics);
  if (metrics.precision == JudgePrecision::quad)
    judge.template judge<Rebind<T, Quad>>();
  else
    judge.template judge<Rebind<T, DoubleDouble>>();
  return metrics;
}

using Complex = std::complex<double>;
template GhsvdTruth ghsvd_truth(const Matrix<double>&, const Matrix<double>&, const std::vector<int>&, int);
template GhsvdTruth ghsvd_truth(const Matrix<Complex>&, const Matrix<Complex>&, const std::vector<int>&, int);
template GhsvdMetrics judge_ghsvd(const Matrix<double>&, const Matrix<double>&, const std::vector<int>&,
                                  const GhsvdTruth&, const GhsvdResult<double>&, const JudgeOptions&);
template GhsvdMetrics judge_ghsvd(const Matrix<Complex>&, const Matrix<Complex>&, const std::vector<int>&,
                                  const GhsvdTruth&, const GhsvdResult<Complex>&, const JudgeOptions&);

}  // namespace pivotlab::experiments
