// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/metrics/j_orthogonality.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <kernels/numerics/dense.hpp>
#include <kernels/verification/device/proved_errors.hpp>
#include <kernels/verification/norms.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace pivotlab::experiments {
namespace {

/// A·2^−exponent, ‖A‖ and |A| of it.
template <class T>
struct ScaledMatrix {
  explicit ScaledMatrix(const Matrix<T>& given) : exponent(exponent_of(elements(given))), A(given) {
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = times_power_of_two(A.data()[i], -exponent);
    norm = frobenius_norm(A);
  }

  int exponent;
  Matrix<T> A;
  double norm = 0;
};

/// Returns ‖|A|·|z_j|‖ of each column of Z.
template <class T>
std::vector<double> magnitudes(const Matrix<T>& A, const Matrix<T>& Z) {
  const auto moduli = [](const Matrix<T>& X) {
    Matrix<double> result(X.rows(), X.cols());
    std::transform(X.data(), X.data() + X.size(), result.data(), [](const T& x) { return std::abs(x); });
    return result;
  };
  return column_norms(product_of<double>(moduli(A), moduli(Z)));
}

template <class T>
class GhsvdJudge {
 public:
  GhsvdJudge(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, const GhsvdTruth& truth,
             const GhsvdResult<T>& result, const JudgeOptions& options, GhsvdMetrics& metrics)
      : F_(F),
        G_(G),
        J_(J),
        truth_(truth),
        r_(result),
        Z_(result.Z),
        threads_(threads_for(options, std::max(F.rows(), G.rows()))),
        may_prove_(may_prove(options, std::max(F.rows(), G.rows()))),
        metrics_(metrics) {
    for (Index j = 0; j < Z_.cols(); ++j) {
      const int exponent = exponent_of<T>(Z_.col(j));
      for (T& z : Z_.col(j)) z = times_power_of_two(z, -exponent);
      exponents_.push_back(-exponent);
    }
  }

  template <class E>
  void judge() {
    const Index n = G_.A.cols(), m = std::max(F_.A.rows(), G_.A.rows());
    if (!prove()) {
      if (has_z()) measure_pair<E>();
      const std::vector<int> plus(r_.V.rows(), 1), ones(static_cast<std::size_t>(n), 1);
      if (has_v()) metrics_.orthogonality = frobenius_norm(j_unitary_error<E>(r_.V, plus, ones, threads_));
      if (has_u())
        metrics_.j_orthogonality =
            relative(frobenius_norm(j_unitary_error<E>(r_.U, J_, r_.J, threads_)), square_of_u());
    }
    metrics_.normalization = normalization();
    metrics_.residual_ratio = relative(metrics_.residual, static_cast<double>(n) * ulp);
    metrics_.residual_f_ratio = relative(metrics_.residual_f, static_cast<double>(m) * ulp);
    metrics_.residual_g_ratio = relative(metrics_.residual_g, static_cast<double>(m) * ulp);
    metrics_.orthogonality_ratio = relative(metrics_.orthogonality, static_cast<double>(m) * ulp);
    metrics_.j_orthogonality_ratio = relative(metrics_.j_orthogonality, static_cast<double>(m) * ulp);
    metrics_.normalization_ratio = metrics_.normalization / ulp;
    if (r_.tangent_bits == 0) metrics_.bounds.error_per_estimate = 30;
    if (!truth_.eigenvalues.empty()) compare();
    if (r_.estimate.empty()) {
      metrics_.bounds.error_per_estimate = metrics_.bounds.wrong_signs = std::numeric_limits<double>::infinity();
    } else {
      metrics_.largest_estimate = largest_component<double>(r_.estimate);
      metrics_.undetermined = std::ranges::count(r_.noise, true);
    }
    leave_out_missing();
    judge_by_bounds(ghsvd_metric_rows(), metrics_);
    skip_without(missing(), metrics_);
  }

 private:
  bool has_u() const { return r_.U.rows() == F_.A.rows() && r_.U.cols() == G_.A.cols(); }
  bool has_v() const { return r_.V.rows() == G_.A.rows(); }
  bool has_z() const { return r_.Z.rows() == G_.A.cols(); }

  double square_of_u() const {
    const double longest = largest_component<double>(column_norms(r_.U));
    return longest * longest;
  }

  double scaled_sigma_f(std::size_t j) const { return times_power_of_two(r_.sigma_f[j], exponents_[j] - F_.exponent); }
  double scaled_sigma_g(std::size_t j) const { return times_power_of_two(r_.sigma_g[j], exponents_[j] - G_.exponent); }

  /// Measures in full by exact products on a GPU; returns false without one, where factors are missing or zero, or
  /// where the bounds do not settle the verdict.
  bool prove() {
    if (!may_prove_ || !has_u() || !has_v() || !has_z() || std::ranges::find(r_.J, 0) != r_.J.end()) return false;
    std::vector<double> lambda;
    std::vector<T> of_f, of_g;
    for (std::size_t j = 0; j < r_.J.size(); ++j) {
      const auto [value, down] = scaled_eigenvalue(j);
      if (down > 0) return false;
      lambda.push_back(value), of_f.push_back(T(scaled_sigma_f(j))), of_g.push_back(T(scaled_sigma_g(j)));
    }
    const auto of_pair = pencil_residual_on_gpu(F_.A, J_, G_.A, Z_, lambda);
    if (!of_pair) return false;
    const auto with_f = residual_on_gpu(F_.A, false, Z_, r_.U, of_f),
               with_g = residual_on_gpu(G_.A, false, Z_, r_.V, of_g);
    const auto of_u = orthogonality_on_gpu(r_.U, J_, r_.J), of_v = orthogonality_on_gpu(r_.V);
    if (!with_f || !with_g || !of_u || !of_v) return false;

    const double n = static_cast<double>(G_.A.cols()) * ulp,
                 m = static_cast<double>(std::max(F_.A.rows(), G_.A.rows())) * ulp, square = square_of_u();
    const GhsvdBounds& bounds = metrics_.bounds;
    GhsvdMetrics measured;
    measured.residual = measured.residual_f = measured.residual_g = measured.columnwise_f = 0;
    JudgeProof proof{.moduli = proof_moduli, .residual_error = 0};
    bool settled = is_settled(of_v->frobenius, of_v->bound, bounds.orthogonality_ratio * m) &&
                   is_settled(of_u->frobenius, of_u->bound, bounds.j_orthogonality_ratio * m * square);
    const auto take = [&](double& metric, const ProvedColumns& columns, std::size_t j, double unit, double threshold) {
      raise_to(metric, relative(columns.norms[j], unit));
      raise_to(proof.residual_error, relative(columns.bounds[j], unit));
      settled &= is_settled(columns.norms[j], columns.bounds[j], threshold * unit);
    };
    const std::vector<double> magnitude = magnitudes(F_.A, Z_), length = column_norms(Z_);
    for (std::size_t j = 0; j < lambda.size(); ++j) {
      const double size = F_.norm * F_.norm + std::abs(lambda[j]) * G_.norm * G_.norm;
      take(measured.residual, *of_pair, j, size * length[j], bounds.residual_ratio * n);
      take(measured.residual_f, *with_f, j, F_.norm * length[j], bounds.residual_f_ratio * m);
      take(measured.residual_g, *with_g, j, G_.norm * length[j], bounds.residual_g_ratio * m);
      raise_to(measured.columnwise_f, relative(with_f->norms[j], magnitude[j] * ulp));
    }
    if (!settled) return false;
    metrics_.residual = measured.residual, metrics_.residual_f = measured.residual_f;
    metrics_.residual_g = measured.residual_g, metrics_.columnwise_f = measured.columnwise_f;
    metrics_.orthogonality = of_v->frobenius, metrics_.j_orthogonality = relative(of_u->frobenius, square);
    proof.orthogonality_error = std::max(of_v->bound, relative(of_u->bound, square));
    metrics_.set_proof(proof);
    return true;
  }

  std::string missing() const {
    std::string names;
    for (const auto& [name, given] : {std::pair("U", has_u()), std::pair("V", has_v()), std::pair("Z", has_z())})
      if (!given) names += (names.empty() ? "" : ", ") + std::string(name);
    return names;
  }

  /// Takes the metrics of missing factors out of the verdict.
  void leave_out_missing() {
    GhsvdBounds& bounds = metrics_.bounds;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!has_z()) bounds.residual_ratio = infinity;
    if (!has_z() || !has_u()) bounds.residual_f_ratio = infinity;
    if (!has_z() || !has_v()) bounds.residual_g_ratio = infinity;
    if (!has_u()) bounds.j_orthogonality_ratio = infinity;
    if (!has_v()) bounds.orthogonality_ratio = infinity;
  }

  /// Returns ‖x − y·σ‖ for x in the extended scalar E.
  template <class E>
  double residual_norm(std::span<const E> x, std::span<const T> y, double sigma) const {
    std::vector<T> error;
    for (std::size_t i = 0; i < y.size(); ++i)
      error.push_back(round_to_double<T>(E(x[i] - extend<E>(y[i]) * extend<E>(T(sigma)))));
    return norm<T>(error);
  }

  /// Returns λ_j of the scaled pair times 2^−down, and down ≥ 0, such that it does not overflow. A λ_j that has lost
  /// digits by underflow is taken from σ_F and σ_G.
  std::pair<double, int> scaled_eigenvalue(std::size_t j) const {
    constexpr int most = 400;
    int exponent = 0;
    if (std::abs(r_.eigenvalues[j]) >= std::numeric_limits<double>::min()) {
      const int unit = 2 * (G_.exponent - F_.exponent);
      std::frexp(r_.eigenvalues[j], &exponent);
      const int down = std::max(0, exponent + unit - most);
      return {times_power_of_two(r_.eigenvalues[j], unit - down), down};
    }
    const double sigma =
        times_power_of_two(r_.sigma_f[j], -F_.exponent) / times_power_of_two(r_.sigma_g[j], -G_.exponent);
    std::frexp(sigma, &exponent);
    const int down = std::max(0, 2 * exponent - most);
    return {times_power_of_two(r_.J[j] * sigma, -down) * sigma, down};
  }

  template <class E>
  void measure_pair() {
    Matrix<E> FZ = product<E>(F_.A, Z_, threads_);
    const Matrix<E> GZ = product<E>(G_.A, Z_, threads_);
    metrics_.residual = 0;
    if (has_u()) metrics_.residual_f = metrics_.columnwise_f = 0;
    const std::vector<double> magnitude = magnitudes(F_.A, Z_);
    if (has_v()) metrics_.residual_g = 0;
    for (Index j = 0; j < Z_.cols(); ++j) {
      const double sigma_f = scaled_sigma_f(j), sigma_g = scaled_sigma_g(j);
      const double length = norm<T>(Z_.col(j));
      if (has_u() && r_.J[j] != 0) {
        const double error = residual_norm<E>(FZ.col(j), r_.U.col(j), sigma_f);
        raise_to(metrics_.residual_f, relative(error, F_.norm * length));
        raise_to(metrics_.columnwise_f, relative(error, magnitude[j] * ulp));
      }
      if (has_v())
        raise_to(metrics_.residual_g, relative(residual_norm<E>(GZ.col(j), r_.V.col(j), sigma_g), G_.norm * length));
      for (Index i = 0; i < FZ.rows(); ++i)
        if (J_[i] < 0) FZ(i, j) = -FZ(i, j);
    }
    const Matrix<E> K = product<E>({F_.A, Op::adjoint}, FZ, threads_),
                    N = product<E>({G_.A, Op::adjoint}, GZ, threads_);
    for (Index j = 0; j < Z_.cols(); ++j) {
      const auto [lambda, down] = scaled_eigenvalue(j);
      std::vector<T> error;
      for (Index i = 0; i < K.rows(); ++i)
        error.push_back(round_to_double<T>(E(times_power_of_two(K(i, j), -down) - N(i, j) * extend<E>(T(lambda)))));
      const double size = times_power_of_two(F_.norm * F_.norm, -down) + std::abs(lambda) * G_.norm * G_.norm;
      raise_to(metrics_.residual, relative(norm<T>(error), size * norm<T>(Z_.col(j))));
    }
  }

  double normalization() const {
    double worst = 0;
    for (std::size_t j = 0; j < r_.eigenvalues.size(); ++j) {
      const Quad f = Quad(r_.sigma_f[j]) * r_.sigma_f[j], g = Quad(r_.sigma_g[j]) * r_.sigma_g[j],
                 lambda = Quad(r_.eigenvalues[j]) * g;
      raise_to(worst, std::abs(static_cast<double>(Quad(f + g - 1))));
      // λ may be rounded to a multiple of the smallest positive number.
      const Quad underflow = g * std::numeric_limits<double>::denorm_min();
      const Quad error = abs(Quad(f * r_.J[j] - lambda)) - underflow;
      if (error > Quad(0)) raise_to(worst, relative(1, static_cast<double>(Quad(abs(lambda) / error))));
    }
    return worst;
  }

  bool is_noise(std::size_t j) const { return !r_.noise.empty() && r_.noise[j]; }

  /// Returns whether an eigenvalue whose true sign is unknown is as small as the true one may be, within its estimate.
  bool may_be_true(std::size_t j) const {
    const double least = std::abs(r_.eigenvalues[j]) *
                         (1 - metrics_.bounds.error_per_estimate * (r_.estimate.empty() ? 0 : r_.estimate[j]));
    return truth_.signs[j] == 0 && truth_.reach[j] > Quad(0) && Quad(least) <= truth_.reach[j];
  }

  void compare() {
    double largest = 0, error = 0, relative_error = 0, determined_error = 0, per_estimate = 0, wrong_signs = 0;
    for (std::size_t j = 0; j < r_.eigenvalues.size(); ++j) {
      const double lambda = r_.eigenvalues[j];
      const Quad exact = truth_.eigenvalues[j], difference = Quad(lambda) - exact;
      raise_to(largest, std::abs(static_cast<double>(exact)));
      raise_to(error, std::abs(static_cast<double>(difference)));
      if (!is_noise(j) && (lambda > 0) - (lambda < 0) != truth_.signs[j] && !may_be_true(j)) ++wrong_signs;
      if (!truth_.determined[j]) continue;
      const double distance = std::abs(static_cast<double>(Quad(difference / exact)));
      raise_to(relative_error, distance);
      if (is_noise(j)) continue;
      raise_to(determined_error, distance);
      if (!r_.estimate.empty()) raise_to(per_estimate, relative(distance, r_.estimate[j]));
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
  bool may_prove_;
  GhsvdMetrics& metrics_;
};

/// Returns what is wrong with a result before any number is computed from it; empty if nothing is.
template <class T>
std::string describe_disorder(const Matrix<T>& F, const Matrix<T>& G, const GhsvdResult<T>& r) {
  double largest = 0;
  for (const auto* given : {&F, &G}) raise_to(largest, largest_component(elements(*given)));
  if (!std::isfinite(largest)) return "the pair contains NaN or Inf";
  for (const auto* values : {&r.eigenvalues, &r.sigma_f, &r.sigma_g})
    raise_to(largest, largest_component<double>(*values));
  for (const auto* factor : {&r.U, &r.V, &r.Z}) raise_to(largest, largest_component(elements(*factor)));
  if (!std::isfinite(largest)) return "the result contains NaN or Inf";
  if (!std::ranges::is_sorted(r.eigenvalues, std::ranges::greater())) return "the eigenvalues do not descend";
  for (const double estimate : r.estimate)
    if (!(estimate >= 0 && estimate <= 1)) return "an estimate is not a number between 0 and 1";
  for (const auto* values : {&r.sigma_f, &r.sigma_g})
    if (std::ranges::any_of(*values, [](double x) { return x < 0; })) return "a singular value is negative";
  for (std::size_t j = 0; j < r.J.size(); ++j) {
    const int sign = (r.eigenvalues[j] > 0) - (r.eigenvalues[j] < 0);
    // λ ≠ 0 may underflow to zero.
    if (std::abs(r.J[j]) > 1 || (r.J[j] != sign && (sign != 0 || r.sigma_f[j] > 0x1p-500)))
      return "an element of J' is not the sign of its eigenvalue";
  }
  const Inertia counted{std::ranges::count(r.J, 1), std::ranges::count(r.J, -1), std::ranges::count(r.J, 0)};
  if (r.inertia != Inertia{} && r.inertia != counted) return "the inertia is not that of J'";
  return {};
}

}  // namespace

template <class T>
GhsvdMetrics judge_ghsvd(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, const GhsvdTruth& truth,
                         const GhsvdResult<T>& result, const JudgeOptions& options) {
  const Index n = G.cols(), m = std::max(F.rows(), G.rows());
  const auto has_shape = [n](const Matrix<T>& A, Index rows) { return A.rows() == rows && A.cols() == n; };
  const auto may_have = [&](const Matrix<T>& A, Index rows) { return A.size() == 0 || has_shape(A, rows); };
  if (std::ssize(J) != F.rows() || !has_shape(F, F.rows()) || !may_have(result.U, F.rows()) ||
      !may_have(result.V, G.rows()) || !may_have(result.Z, n) || std::ssize(result.eigenvalues) != n ||
      std::ssize(result.J) != n || std::ssize(result.sigma_f) != n || std::ssize(result.sigma_g) != n ||
      result.noise.size() != result.estimate.size() || (!result.estimate.empty() && std::ssize(result.estimate) != n))
    throw std::invalid_argument("judge_ghsvd: the shapes do not fit");
  GhsvdMetrics metrics;
  metrics.precision = precision_for(options, m);
  metrics.message = describe_disorder(F, G, result);
  if (!metrics.message.empty()) return metrics;
  judge_in<T>(metrics.precision, GhsvdJudge<T>(F, G, J, truth, result, options, metrics));
  return metrics;
}

using Complex = std::complex<double>;
template GhsvdMetrics judge_ghsvd(const Matrix<double>&, const Matrix<double>&, const std::vector<int>&,
                                  const GhsvdTruth&, const GhsvdResult<double>&, const JudgeOptions&);
template GhsvdMetrics judge_ghsvd(const Matrix<Complex>&, const Matrix<Complex>&, const std::vector<int>&,
                                  const GhsvdTruth&, const GhsvdResult<Complex>&, const JudgeOptions&);

}  // namespace pivotlab::experiments
