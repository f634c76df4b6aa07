// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eig/matching.hpp>
#include <experiments/metrics/judged_rows.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/numerics/dense.hpp>
#include <kernels/numerics/double_double.hpp>
#include <kernels/numerics/eigen.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/verification/device/proved_errors.hpp>
#include <kernels/verification/lanczos.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <stdexcept>

namespace pivotlab::experiments {
namespace {

using Complex = std::complex<double>;
using QuadComplex = std::complex<Quad>;
using DoubleDoubleComplex = std::complex<DoubleDouble>;

constexpr double limit_of_condition = 1e14;  // above it, an inverse in double has no correct digit

// ---- The shape of the factors ----

void check_shapes(Index rows, Index cols, const EigFactors& f) {
  const auto fits = [n = rows](const Matrix<Complex>* X) { return X == nullptr || (X->rows() == n && X->cols() == n); };
  if (rows != cols || std::ssize(f.eigenvalues) != rows || !(f.V.size() == 0 || fits(&f.V)) || !fits(f.W) ||
      !fits(f.T) || !fits(f.E) || (f.T == nullptr) != (f.E == nullptr) ||
      (f.conditions != nullptr && std::ssize(*f.conditions) != rows))
    throw std::invalid_argument("judge_eig: the factors' shapes do not fit the matrix");
}

/// Returns what makes the factors none of an eigendecomposition; empty for others.
std::string defect(const EigFactors& f, int threads) {
  const bool finite = std::isfinite(largest_component<Complex>(f.eigenvalues)) &&
                      std::ranges::all_of(std::array{&f.V, f.W, f.T, f.E}, [&](const Matrix<Complex>* X) {
                        return X == nullptr || std::isfinite(largest_component(*X, threads));
                      });
  if (!finite) return "the factors contain NaN or Inf";
  if (f.T != nullptr)
    for (Index j = 0; j < f.T->cols(); ++j)
      if (std::any_of(&(*f.T)(0, j) + j + 1, &(*f.T)(0, j) + f.T->rows(), [](const Complex& x) { return x != 0.0; }))
        return fmt::format("column {} of T has elements below the diagonal", j + 1);
  if (f.E != nullptr)
    for (Index j = 0; j < f.E->cols(); ++j)
      if (std::ranges::all_of(f.E->col(j), [](const Complex& x) { return x == 0.0; }))
        return fmt::format("column {} of E is zero", j + 1);
  if (f.conditions == nullptr) return "";
  const std::vector<double> inverses = over_columns(f.W != nullptr ? f.V.cols() : 0, threads, [&](Index k) {
    DoubleDoubleComplex product(0.0);
    for (Index i = 0; i < f.V.rows(); ++i)
      product += conjugate(extend<DoubleDoubleComplex>((*f.W)(i, k))) * extend<DoubleDoubleComplex>(f.V(i, k));
    return std::abs(round_to_double<Complex>(product));
  });
  for (Index k = 0; k < std::ssize(*f.conditions); ++k) {
    const double condition = (*f.conditions)[k];
    if (!(condition >= 1)) return fmt::format("condition number {} of an eigenvalue is {}", k + 1, condition);
    if (inverses.empty()) continue;
    const double inverse = inverses[k], n = static_cast<double>(f.V.rows());
    if (std::isfinite(condition) ? !(std::abs(condition * inverse - 1) <= (60 + n) * ulp * condition)
                                 : !(inverse <= (60 + n) * ulp))
      return fmt::format("condition number {} of an eigenvalue is {} and 1/|w*v| is {}", k + 1, condition, 1 / inverse);
  }
  return "";
}

// ---- Parts of the metrics ----

/// op(A)·X − X·diag(λ), or with conj(λ) for the adjoint of A.
template <class E>
Matrix<Complex> residual_of(const Matrix<Complex>& A, Op op, const Matrix<Complex>& X,
                            const std::vector<Complex>& values, int threads) {
  const Matrix<E> AX = product<E>({A, op}, X, threads);
  Matrix<Complex> error(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    const E value = extend<E>(op == Op::adjoint ? std::conj(values[j]) : values[j]);
    for (Index i = 0; i < X.rows(); ++i)
      error(i, j) = round_to_double<Complex>(E(AX(i, j) - extend<E>(X(i, j)) * value));
  }
  return error;
}

/// ‖A·X − X·T‖
template <class E>
double similarity_norm(const Matrix<Complex>& A, const Matrix<Complex>& X, const Matrix<Complex>& T, int threads) {
  const Matrix<E> AX = product<E>(A, X, threads), XT = product<E>(X, T, threads);
  Matrix<Complex> error(X.rows(), X.cols());
  for (Index i = 0; i < error.size(); ++i) error.data()[i] = round_to_double<Complex>(E(AX.data()[i] - XT.data()[i]));
  return frobenius_norm(error, threads);
}

/// Sums in double have errors of up to n units of roundoff, all of one sign for equal elements.
double largest_deviation_from_unit(const Matrix<Complex>& X, int threads) {
  return largest_over_columns(X.cols(), threads, [&](Index j) {
    long double square = 0;
    for (const Complex& x : X.col(j)) {
      const long double re = x.real(), im = x.imag();
      square += re * re + im * im;
    }
    return static_cast<double>(std::abs(square - 1) / (std::sqrt(square) + 1));
  });
}

/// ‖A‖₂ of A ≠ 0 by Lanczos' method.
double spectral_norm(const Matrix<Complex>& A) {
  return largest_singular_value<Complex>(static_cast<std::size_t>(A.cols()), [&](const std::vector<Complex>& v) {
    const MatrixView<const Complex> column{v.data(), A.cols(), 1, A.cols()};
    const Matrix<Complex> w = product_of<Complex>(adjoint(A), product_of<Complex>(A, column));
    return std::vector<Complex>(w.data(), w.data() + w.size());
  });
}

/// 2-norms of the rows of X⁻¹; NaN or infinities if X is singular.
std::vector<double> row_norms_of_inverse(const Matrix<Complex>& X) {
  auto inverse = Matrix<Complex>::identity(X.rows());
  PartialLU<Complex>(X.view()).solve(inverse.view());
  std::vector<double> norms;
  for (Index k = 0; k < X.rows(); ++k) norms.push_back(as_eigen(inverse.view()).row(k).stableNorm());
  return norms;
}

// ---- Comparison with the true eigenvalues ----

/// distance(i, j) = |λ_i − true λ_j|, in the units that the true ones are scaled to.
Matrix<double> distances(const std::vector<Complex>& computed, const std::vector<QuadComplex>& truth) {
  Matrix<double> distance(std::ssize(computed), std::ssize(truth));
  for (Index j = 0; j < distance.cols(); ++j)
    for (Index i = 0; i < distance.rows(); ++i)
      distance(i, j) = std::abs(round_to_double<Complex>(QuadComplex(extend<QuadComplex>(computed[i]) - truth[j])));
  return distance;
}

// ---- The judge ----

template <class E>
class EigJudge {
 public:
  EigJudge(Matrix<Complex> A, int exponent, const EigFactors& factors, const JudgeOptions& options, EigMetrics& metrics)
      : A_(std::move(A)),
        exponent_(exponent),
        f_(factors),
        threads_(threads_for(options, A_.rows())),
        metrics_(metrics) {
    norm_ = frobenius_norm(A_, threads_);
    rounding_ = std::ldexp(std::sqrt(0.5), -1074 - exponent_);
    for (const Complex& value : f_.eigenvalues) values_.push_back(times_power_of_two(value, -exponent_));
    if (f_.T != nullptr) T_ = scaled_copy<Complex>(*f_.T, exponent_, threads_);
    if (may_prove(options, n()) && norm_ > 0)
      on_gpu_ = eig_errors_on_gpu(
          A_, {values_, has_vectors() ? &f_.V : nullptr, f_.W, f_.T != nullptr ? &T_ : nullptr, f_.E});
  }

  void judge(const std::vector<QuadComplex>& truth) {
    measure_residuals();
    measure_eigenvalues();
    measure_conditions();
    if (!truth.empty()) compare_with(truth);
    give_verdict(!truth.empty());
  }

 private:
  Index n() const { return A_.rows(); }
  bool has_vectors() const { return f_.V.rows() == n(); }
  double tolerance() const { return static_cast<double>(std::max<Index>(n(), 1)) * ulp; }

  struct Errors {
    double norm = 0;
    std::vector<double> of_columns = {};
  };

  /// Returns A·V − V·Λ and Aᴴ·W − W·Λ̄ where there are V and W.
  std::pair<Errors, Errors> errors_of_pairs() {
    if (auto proved = proved_errors_of_pairs()) return *std::move(proved);
    const auto errors = [&](Op op, const Matrix<Complex>& X) {
      const std::vector<double> norms = column_norms(residual_of<E>(A_, op, X, values_, threads_), threads_);
      return Errors{norm<double>(norms), norms};
    };
    return {has_vectors() ? errors(Op::none, f_.V) : Errors{}, f_.W != nullptr ? errors(Op::adjoint, *f_.W) : Errors{}};
  }

  /// Returns both by exact products on a GPU; nothing without one, or where their bounds do not settle the verdict.
  std::optional<std::pair<Errors, Errors>> proved_errors_of_pairs() {
    if (!on_gpu_) return std::nullopt;
    std::pair<Errors, Errors> result;
    double largest_bound = 0;
    const auto prove = [&](Errors& errors, const ProvedColumns& measured, double ratio) {
      errors = {norm<double>(measured.norms), measured.norms};
      const double bound = norm<double>(measured.bounds);
      raise_to(largest_bound, relative(bound, norm_));
      return is_settled(errors.norm, bound, ratio * tolerance() * norm_);
    };
    if (has_vectors() && !prove(result.first, on_gpu_->right, metrics_.bounds.get22)) return std::nullopt;
    if (f_.W != nullptr && !prove(result.second, on_gpu_->left, metrics_.bounds.left_get22)) return std::nullopt;
    if (has_vectors() || f_.W != nullptr) metrics_.set_proof({proof_moduli, largest_bound});
    return result;
  }

  void measure_residuals() {
    const auto [right, left] = errors_of_pairs();
    if (has_vectors()) {
      error_ = right.norm;
      const std::vector<double> lengths = column_norms(f_.V, threads_);
      for (std::size_t j = 0; j < lengths.size(); ++j) raise_to(pair_error_, relative(right.of_columns[j], lengths[j]));
      metrics_.residual = relative(error_, norm_);
      metrics_.get22 = metrics_.residual / tolerance();
      metrics_.normalization = largest_deviation_from_unit(f_.V, threads_) / ulp;
    }
    if (f_.W != nullptr) {
      metrics_.left_residual = relative(left.norm, norm_);
      metrics_.left_get22 = *metrics_.left_residual / tolerance();
      if (has_vectors()) raise_to(metrics_.normalization, largest_deviation_from_unit(*f_.W, threads_) / ulp);
    }
    if (f_.T != nullptr) {
      const double size = norm_ * frobenius_norm(*f_.E, threads_);
      const std::optional<double> proved = proved_error_of_form(size);
      const double error = proved ? *proved : similarity_norm<E>(A_, *f_.E, T_, threads_);
      metrics_.similarity = relative(error, size) / tolerance();
    }
  }

  /// Returns ‖A·E − E·T‖ by exact products on a GPU; nothing without the other proofs, or where its bound does not
  /// settle the verdict. `size` is ‖A‖‖E‖.
  std::optional<double> proved_error_of_form(double size) {
    if (!metrics_.proof) return std::nullopt;
    const double error = norm<double>(on_gpu_->form.norms), bound = norm<double>(on_gpu_->form.bounds);
    if (!is_settled(error, bound, metrics_.bounds.similarity * tolerance() * size)) return std::nullopt;
    raise_to(metrics_.proof->residual_error, relative(bound, size));
    return error;
  }

  void measure_eigenvalues() {
    using R = RealOf<E>;
    const auto square = [](const Complex& x) { return R(x.real()) * R(x.real()) + R(x.imag()) * R(x.imag()); };
    struct Sums {
      E trace, squares;
      R off;
    };
    std::vector<Sums> of_columns(n());
#pragma omp parallel for schedule(dynamic, 16) num_threads(threads_)
    for (Index k = 0; k < n(); ++k) {
      const E value = extend<E>(values_[k]), diagonal = extend<E>(A_(k, k));
      E sum = (value - diagonal) * (value + diagonal);
      for (Index i = 0; i < k; ++i) sum -= extend<E>(2.0 * A_(i, k)) * extend<E>(A_(k, i));
      R column = -square(values_[k]);
      for (const Complex& x : A_.view().col(k)) column += square(x);
      of_columns[k] = {value - diagonal, sum, column};
    }
    E trace(0.0), squares(0.0);
    R off(0.0);
    for (const Sums& of : of_columns) trace += of.trace, squares += of.squares, off += of.off;
    metrics_.trace_error = relative(std::abs(round_to_double<Complex>(trace)), norm_);
    metrics_.squares_error = relative(std::abs(round_to_double<Complex>(squares)), norm_ * norm_);
    metrics_.departure = relative(std::sqrt(std::max(static_cast<double>(off), 0.0)), norm_);
    if (norm_ > 0) spectral_norm_ = on_gpu_ ? on_gpu_->norm_2 : spectral_norm(A_);
    metrics_.norm_2 = std::ldexp(spectral_norm_, exponent_);
    if (has_vectors()) metrics_.backward_error = relative(pair_error_, spectral_norm_);
  }

  void measure_conditions() {
    if (f_.V.size() == 0) return;
    if (on_gpu_) conditions_ = std::move(on_gpu_->inverse_norms);
    if (conditions_.empty()) conditions_ = row_norms_of_inverse(f_.V);
    const double inverse_norm = norm<double>(conditions_), size = frobenius_norm(f_.V, threads_);
    const double condition = size * inverse_norm / static_cast<double>(n());
    if (!(condition <= limit_of_condition)) return conditions_.clear();
    metrics_.vector_condition = condition;
    metrics_.largest_condition = *std::ranges::max_element(conditions_);
    const double of_rounding = size * inverse_norm * ulp / 2 * norm_;
    metrics_.bounds.eigenvalue_error =
        relative(static_cast<double>(2 * n() - 1) * (inverse_norm * error_ + of_rounding + (norm_ > 0 ? rounding_ : 0)),
                 spectral_norm_);
  }

  void compare_with(std::vector<QuadComplex> truth) {
    for (QuadComplex& value : truth) value = times_power_of_two(value, -exponent_);
    const Matrix<double> distance = distances(values_, truth);
    const std::vector<Index> match = cheapest_matching(distance);
    double error = 0, over_condition = 0;
    for (Index i = 0; i < n(); ++i) {
      raise_to(error, relative(distance(i, match[i]), spectral_norm_));
      if (!conditions_.empty())
        raise_to(over_condition, relative(distance(i, match[i]), spectral_norm_ * conditions_[i]));
    }
    metrics_.eigenvalue_error = error;
    if (!conditions_.empty()) metrics_.error_over_condition = over_condition;
    metrics_.relative_error = relative_error(distance, truth);
  }

  double relative_error(const Matrix<double>& distance, const std::vector<QuadComplex>& truth) const {
    Matrix<double> ratio(n(), n());
    std::vector<double> moduli;
    for (const QuadComplex& value : truth) moduli.push_back(std::abs(round_to_double<Complex>(value)));
    for (Index j = 0; j < n(); ++j)
      for (Index i = 0; i < n(); ++i) ratio(i, j) = relative(distance(i, j), std::max(moduli[j], std::abs(values_[i])));
    const std::vector<Index> match = cheapest_matching(ratio);
    double error = 0;
    for (Index i = 0; i < n(); ++i) raise_to(error, relative(distance(i, match[i]), moduli[match[i]]));
    return error;
  }

  void give_verdict(bool has_truth) {
    EigBounds& bounds = metrics_.bounds;
    const double order = static_cast<double>(n()), share = norm_ > 0 ? rounding_ / norm_ : 0;
    // ‖V·δΛ‖ ≤ √n·max|δλ|; ‖E·δT‖ ≤ ‖E‖·n·max|δt|
    for (double* bound : {&bounds.get22, &bounds.left_get22}) *bound += std::sqrt(order) * share / tolerance();
    bounds.similarity += order * share / tolerance();
    double change = 30 * tolerance(), trace = std::sqrt(order) * change;  // of the matrix that has the eigenvalues
    if (!conditions_.empty()) {
      const double refined = relative(norm<double>(conditions_) * error_, norm_);
      raise_to(change, refined), raise_to(trace, refined);
    }
    bounds.trace_error = trace + order * share;
    // ‖Λ‖ ≤ ‖A + S‖ has the same bound as A.
    bounds.squares_error = (2 + 3 * change) * change + (2 + share) * order * share;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!has_truth || conditions_.empty()) bounds.eigenvalue_error = infinity;
    if (!has_vectors()) bounds.get22 = bounds.normalization = infinity;
    judge_by_bounds(eig_metric_rows(), metrics_);
    skip_without(has_vectors() ? "" : "V", metrics_);
  }

  Matrix<Complex> A_;
  int exponent_;
  const EigFactors& f_;
  int threads_;
  EigMetrics& metrics_;
  Matrix<Complex> T_;                                // of the factors, as A_
  std::optional<EigErrors> on_gpu_;                  // without a proof where bounds do not settle the verdict
  std::vector<Complex> values_;                      // as A_, in units of 2^exponent
  std::vector<double> conditions_;                   // of the eigenvalues; empty if V is too ill-conditioned
  double rounding_ = 0;                              // of a subnormal eigenvalue, likewise
  double norm_ = 0, spectral_norm_ = 0, error_ = 0;  // ‖A‖, ‖A‖₂, ‖A·V − V·Λ‖, likewise
  double pair_error_ = 0;                            // max‖A·v − λ·v‖₂/‖v‖₂, likewise
};

}  // namespace

template <class T>
EigMetrics judge_eig(const GeneralMatrix<T>& matrix, const EigFactors& factors, const JudgeOptions& options) {
  const Index n = matrix.A.rows();
  check_shapes(n, matrix.A.cols(), factors);
  EigMetrics metrics;
  metrics.precision = precision_for(options, n);
  const int threads = threads_for(options, n);
  metrics.message = defect(factors, threads);
  if (!metrics.message.empty()) return metrics;
  const int exponent = exponent_of(matrix.A, threads);
  Matrix<Complex> A = scaled_copy<Complex>(matrix.A, exponent, threads);
  if (metrics.precision == JudgePrecision::quad)
    EigJudge<QuadComplex>(std::move(A), exponent, factors, options, metrics).judge(matrix.eigenvalues);
  else
    EigJudge<std::complex<DoubleDouble>>(std::move(A), exponent, factors, options, metrics).judge(matrix.eigenvalues);
  return metrics;
}

template EigMetrics judge_eig(const GeneralMatrix<double>&, const EigFactors&, const JudgeOptions&);
template EigMetrics judge_eig(const GeneralMatrix<std::complex<double>>&, const EigFactors&, const JudgeOptions&);

}  // namespace pivotlab::experiments
