// The reduction by LAPACK, as its xGGSVP3, and the factors of the pair from those of the core pair.
#include "kernels/gsvd/any/reduction.hpp"

#include "kernels/baselines/blas_threads.hpp"
#include "kernels/baselines/orthogonal.hpp"
#include "kernels/numerics/parts.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab::any {
namespace {

using baselines::BlasThreads;
using lapack::Reflectors;

// ---- Small parts of matrices ----

template <class T>
double largest_part(std::span<const T> column) {
  double largest = 0;
  for (const T& x : column) {
    if constexpr (is_complex<T>)
      largest = std::max({largest, std::fabs(x.real()), std::fabs(x.imag())});
    else
      largest = std::max(largest, std::fabs(x));
  }
  return largest;
}

/// Returns e with 2^e ≤ ‖(f; g)‖ < 2^(e + 1), without overflow; 0 for zeros.
template <class T>
int norm_exponent(std::span<const T> f, std::span<const T> g) {
  const double largest = std::max(largest_part(f), largest_part(g));
  if (largest == 0) return 0;
  const int first = exponent_of(largest);
  double squares = 0;
  for (const std::span<const T> part : {f, g})
    for (const T& x : part) squares += std::norm(times_power_of_two(x, -first));
  return first + exponent_of(std::sqrt(squares));
}

/// Computes A := A·diag(2^exponents).
template <class T>
void scale_columns(Matrix<T>& A, const std::vector<int>& exponents) {
  for (Index j = 0; j < A.cols(); ++j)
    for (T& x : A.col(j)) x = times_power_of_two(x, exponents[static_cast<std::size_t>(j)]);
}

/// max(m, n)·‖A‖₁·2⁻⁵²
template <class T>
double usual_tolerance(const Matrix<T>& A) {
  double norm = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0;
    for (const T& x : A.col(j)) sum += std::abs(x);
    norm = std::max(norm, sum);
  }
  return static_cast<double>(std::max(A.rows(), A.cols())) * norm * std::numeric_limits<double>::epsilon();
}

template <class T>
std::vector<double> diagonal_moduli(const Reflectors<T>& qr) {
  std::vector<double> moduli;
  for (Index j = 0; j < qr.count(); ++j) moduli.push_back(std::abs(qr.A(j, j)));
  return moduli;
}

/// Returns the number of pivots up to the last one above the tolerance.
Index rank_of(const std::vector<double>& pivots, double tolerance) {
  const auto last = std::find_if(pivots.rbegin(), pivots.rend(), [&](double pivot) { return pivot > tolerance; });
  return pivots.rend() - last;
}

/// Puts the columns in the order that a pivoted QR factorization has chosen.
template <class T>
void permute(MatrixView<T> A, const std::vector<lapack_int>& order) {
  const Matrix<T> given{MatrixView<const T>(A)};
  for (Index j = 0; j < A.cols; ++j)
    std::ranges::copy(given.col(order[static_cast<std::size_t>(j)] - 1), A.col(j).begin());
}

// ---- The reduction ----

template <class T>
class LapackReduction final : public Reduction<T> {
 public:
  LapackReduction(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options)
      : options_(options), n_(F.cols), F_(F), G_(G), exponents_(static_cast<std::size_t>(n_)) {
    const BlasThreads scope(options.threads);
    if (options.scale) {
      for (Index j = 0; j < n_; ++j) exponents_[static_cast<std::size_t>(j)] = -norm_exponent<T>(F.col(j), G.col(j));
      scale_columns(F_, exponents_);
      scale_columns(G_, exponents_);
    }
    tolerance_f_ = options.tolerance_f.value_or(usual_tolerance(F_));
    tolerance_g_ = options.tolerance_g.value_or(usual_tolerance(G_));
    Q_ = Matrix<T>::identity(n_);
    Matrix<T> rotated = F_;
    reduce_g(rotated);
    reduce_f(rotated);
  }

  MatrixView<const T> a23() const override { return a23_; }
  MatrixView<const T> b13() const override { return b13_; }

  void describe(AnyGsvdResult<T>& result) const override {
    result.reduced = true;
    result.k = k_, result.l = l_, result.r = k_ + l_;
    result.tolerance_f = tolerance_f_, result.tolerance_g = tolerance_g_;
    result.pivots_f = pivots_f_, result.pivots_g = pivots_g_;
  }

  void expand(AnyGsvdResult<T>& result) const override {
    const BlasThreads scope(options_.threads);
    if (options_.compute_z)
      result.Z = expand_z(result.Z);
    else
      result.Z = {};
    result.U = expand_u(result.U);
    result.V = expand_v(result.V);
    prepend(result.sigma_f, 1);
    prepend(result.sigma_g, 0);
    prepend(result.sigma, std::numeric_limits<double>::infinity());
    if (!result.sigma_error.empty()) prepend(result.sigma_error, std::numeric_limits<double>::infinity());
    set_r_and_q(scaled_x(result), result);
  }

 private:
  /// G·S·Q = V·[0 B₁₃; 0 0], the same Q applied to F. Without pivoting where G has full row rank.
  void reduce_g(Matrix<T>& F) {
    g_ = lapack::pivoted_qr<T>(G_);
    pivots_g_ = diagonal_moduli(g_);
    l_ = rank_of(pivots_g_, tolerance_g_);
    Matrix<T> B;
    if (l_ == G_.rows()) {
      g_ = {};
      B = G_;
    } else {
      permute<T>(F, g_.order);
      permute<T>(Q_, g_.order);
      B = upper_part<T>(g_.A.view().block(0, 0, l_, n_));
    }
    const Reflectors<T> rq = lapack::rq<T>(B);
    lapack::multiply_by_adjoint<T>(F, rq);
    lapack::multiply_by_adjoint<T>(Q_, rq);
    b13_ = upper_part<T>(rq.A.view().block(0, n_ - l_, l_, l_));
  }

  /// The first n − l columns of F give k and A₁₂, what is left of the others A₂₃.
  void reduce_f(Matrix<T>& F) {
    const Index m = F.rows(), first = n_ - l_;
    f_ = lapack::pivoted_qr<T>(F.view().cols_range(0, first));
    pivots_f_ = diagonal_moduli(f_);
    k_ = rank_of(pivots_f_, tolerance_f_);
    const MatrixView<T> last = F.view().cols_range(first, l_);
    lapack::multiply_by_q<T>(f_, true, last);
    permute<T>(Q_.view().cols_range(0, first), f_.order);

    const Reflectors<T> rq = lapack::rq<T>(upper_part<T>(f_.A.view().block(0, 0, k_, first)));
    lapack::multiply_by_adjoint<T>(Q_.view().cols_range(0, first), rq);
    a12_ = upper_part<T>(rq.A.view().block(0, first - k_, k_, k_));
    a13_ = Matrix<T>(MatrixView<const T>(last.block(0, 0, k_, l_)));

    rest_ = lapack::qr<T>(last.block(k_, 0, m - k_, l_));
    a23_ = upper_part<T>(rest_.A.view().block(0, 0, std::min(m - k_, l_), l_));
  }

  Matrix<T> expand_u(const Matrix<T>& core) const {
    Matrix<T> U(F_.rows(), k_ + l_);
    for (Index j = 0; j < k_; ++j) U(j, j) = T(1);
    copy_into<T>(core, U.view().block(k_, k_, core.rows(), l_));
    lapack::multiply_by_q<T>(rest_, false, U.view().block(k_, k_, U.rows() - k_, l_));
    lapack::multiply_by_q<T>(f_, false, U);
    return U;
  }

  Matrix<T> expand_v(const Matrix<T>& core) const {
    Matrix<T> V(G_.rows(), k_ + l_);
    copy_into<T>(core, V.view().block(0, k_, l_, l_));
    lapack::multiply_by_q<T>(g_, false, V.view().cols_range(k_, l_));
    return V;
  }

  /// S·Q·[0 0; A₁₂⁻¹ −A₁₂⁻¹·A₁₃·Z; 0 Z], which eliminates A₁₃.
  Matrix<T> expand_z(const Matrix<T>& core) const {
    const Index r = k_ + l_;
    Matrix<T> top(k_, r), W(r, r), Z(n_, r);
    for (Index j = 0; j < k_; ++j) top(j, j) = T(1);
    lapack::gemm<T>(false, -1, a13_, core, 0, top.view().cols_range(k_, l_));
    if (k_ > 0) lapack::solve_upper<T>(CblasLeft, a12_.view(), top);
    copy_into<T>(top, W.view().block(0, 0, k_, r));
    copy_into<T>(core, W.view().block(k_, k_, l_, l_));
    lapack::gemm<T>(false, 1, Q_.view().cols_range(n_ - r, r), W, 0, Z);
    for (Index j = 0; j < r; ++j)
      for (Index i = 0; i < n_; ++i) Z(i, j) = times_power_of_two(Z(i, j), exponents_[static_cast<std::size_t>(i)]);
    return Z;
  }

  void prepend(std::vector<double>& values, double value) const {
    values.insert(values.begin(), static_cast<std::size_t>(k_), value);
  }

  /// X·S = Σ_F·Uᴴ·F·S + Σ_G·Vᴴ·G·S, without an inverse.
  Matrix<T> scaled_x(const AnyGsvdResult<T>& result) const {
    Matrix<T> X(k_ + l_, n_), from_g(k_ + l_, n_);
    lapack::gemm<T>(true, 1, result.U, F_, 0, X);
    lapack::gemm<T>(true, 1, result.V, G_, 0, from_g);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < k_ + l_; ++i)
        X(i, j) = result.sigma_f[static_cast<std::size_t>(i)] * X(i, j) +
                  result.sigma_g[static_cast<std::size_t>(i)] * from_g(i, j);
    return X;
  }

  void set_r_and_q(Matrix<T> X, AnyGsvdResult<T>& result) const {
    std::vector<int> back = exponents_;
    for (int& e : back) e = -e;
    const int common = back.empty() ? 0 : *std::ranges::max_element(back);
    if (options_.compute_x) {
      result.X = X;
      scale_columns(result.X, back);
    }
    for (int& e : back) e -= common;  // keeps the squares of X representable meanwhile
    scale_columns(X, back);
    any::set_r_and_q<T>(X, result);
    scale_columns(result.R, std::vector<int>(static_cast<std::size_t>(k_ + l_), common));
  }

  AnyGsvdOptions options_;
  Index n_, k_ = 0, l_ = 0;
  Matrix<T> F_, G_;             ///< F·S, G·S
  std::vector<int> exponents_;  ///< of S
  double tolerance_f_ = 0, tolerance_g_ = 0;
  std::vector<double> pivots_f_, pivots_g_;
  Matrix<T> Q_, a12_, a13_, a23_, b13_;
  Reflectors<T> f_, rest_, g_;  ///< U is f·diag(I, rest), V is g; g is empty for V = I
};

}  // namespace

template <class T>
std::unique_ptr<Reduction<T>> reduce(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options) {
  return std::make_unique<LapackReduction<T>>(F, G, options);
}

template <class T>
void set_r_and_q(MatrixView<const T> X, AnyGsvdResult<T>& result) {
  const Reflectors<T> rq = lapack::rq<T>(X);
  const Index r = X.rows, n = X.cols;
  result.R = upper_part<T>(rq.A.view().block(0, n - r, r, r));
  result.Q = Matrix<T>::identity(n);
  lapack::multiply_by_adjoint<T>(result.Q, rq);
}

}  // namespace pivotlab::any

#include "kernels/gsvd/any/instances.hpp"
