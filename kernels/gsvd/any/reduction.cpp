// SPDX-License-Identifier: BSD-3-Clause
// The reduction by LAPACK, as its xGGSVP3, and the factors of the pair from those of the core pair.
#include "kernels/gsvd/any/reduction.hpp"

#include "kernels/gsvd/any/weighted_qr.hpp"
#include "kernels/gsvd/shared/exact_rank.hpp"
#include "kernels/libraries/blas.hpp"
#include "kernels/libraries/orthogonal.hpp"
#include "kernels/numerics/parts.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

namespace pivotlab::any {
namespace {

using gsvd_detail::exact_rank;
using gsvd_detail::exact_rank_limit;
using gsvd_detail::has_short_elements;
using lapack::BlasThreads;
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

/// Returns e with 2^e ≤ ‖x‖ < 2^(e + 1), without overflow; `none` for zeros.
constexpr int none = std::numeric_limits<int>::min(), largest_int = std::numeric_limits<int>::max();
template <class T>
int norm_exponent(std::span<const T> x) {
  const double largest = largest_part(x);
  if (largest == 0) return none;
  const int first = exponent_of(largest);
  double squares = 0;
  for (const T& element : x) squares += std::norm(times_power_of_two(element, -first));
  return first + exponent_of(std::sqrt(squares));
}

template <class T>
std::vector<int> norm_exponents(const Matrix<T>& A) {
  std::vector<int> exponents;
  for (Index j = 0; j < A.cols(); ++j) exponents.push_back(norm_exponent<T>(A.col(j)));
  return exponents;
}

/// Returns the largest exponent; 0 if there is none.
int largest_of(const std::vector<int>& exponents) {
  const int largest = exponents.empty() ? none : *std::ranges::max_element(exponents);
  return largest == none ? 0 : largest;
}

/// Computes A := 2^common·A·diag(2^exponents).
template <class T>
void scale_columns(Matrix<T>& A, const std::vector<int>& exponents, int common = 0) {
  for (Index j = 0; j < A.cols(); ++j)
    for (T& x : A.col(j)) x = times_power_of_two(x, common + exponents[j]);
}

/// max(m, n)·‖A·diag(2^exponents)‖₁·2⁻⁵²
template <class T>
double usual_tolerance(const Matrix<T>& A, const std::vector<int>& exponents) {
  double norm = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    double sum = 0;
    for (const T& x : A.col(j)) sum += std::abs(times_power_of_two(x, exponents[j]));
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

/// Returns LAPACK's order, which counts from 1.
std::vector<Index> from_zero(const std::vector<lapack_int>& order) {
  std::vector<Index> result(order.begin(), order.end());
  for (Index& j : result) --j;
  return result;
}

// ---- The scaling ----

/// F·S·2^f and G·S·2^g, S = diag(2^columns). A pivot of G·S·2^g counts as one of size |r_jj|·2^−units[j].
struct Scaling {
  std::vector<int> columns;
  int f = 0, g = 0;
  std::vector<int> units;
};

/// Elements of G·S·2^g are below 2 and its columns not below this, so that squares of norms do not underflow.
constexpr int least_exponent = -960;
/// Norms of columns of F·S are below 2^this: a larger one would take digits from all others.
constexpr int largest_exponent = 20;

/// The columns of F·S have norms in [1, 2), so that what mixes them changes each by errors of its own size. Columns of
/// G are compared with themselves (`units`), because those of G·S differ.
template <class T>
Scaling scaling_by_f(const Matrix<T>& F, const Matrix<T>& G) {
  const std::vector<int> of_f = norm_exponents(F), of_g = norm_exponents(G);
  const std::size_t n = of_f.size();
  int top = none;
  for (std::size_t j = 0; j < n; ++j)
    if (of_f[j] != none && of_g[j] != none) top = std::max(top, of_g[j] - of_f[j]);
  if (top == none) top = 0;
  Scaling scaling{.columns = std::vector<int>(n, 0), .f = 0, .g = -top, .units = std::vector<int>(n, 0)};
  for (std::size_t j = 0; j < n; ++j) {
    // G's columns of F's zero columns become the largest by far: they, and what remains of them, are the first pivots.
    if (of_f[j] != none)
      scaling.columns[j] = -of_f[j];
    else if (of_g[j] != none)
      scaling.columns[j] = top + 30 - of_g[j];
    if (of_g[j] == none) continue;
    scaling.columns[j] = std::max(scaling.columns[j], least_exponent + top - of_g[j]);
    if (of_f[j] != none && of_f[j] + scaling.columns[j] >= largest_exponent)
      throw InputError("matrix G: column " + std::to_string(j + 1) + ", relative to F's, is only 2^" +
                       std::to_string(of_g[j] - of_f[j] - top) +
                       " of the largest one, too little beside it to be told from zero; make it zero or leave it out");
    scaling.units[j] = of_g[j] + scaling.columns[j] - top;
  }
  return scaling;
}

/// The columns of [F; G]·S have norms in [1, 2); or S = I.
template <class T>
Scaling common_scaling(const Matrix<T>& F, const Matrix<T>& G, bool scale) {
  std::vector<int> of_f = norm_exponents(F), of_g = norm_exponents(G);
  const std::size_t n = of_f.size();
  Scaling scaling{.columns = std::vector<int>(n, 0), .units = {}};
  for (std::size_t j = 0; j < n; ++j) {
    Matrix<T> both(F.rows() + G.rows(), 1);
    std::ranges::copy(F.col(static_cast<Index>(j)), both.col(0).begin());
    std::ranges::copy(G.col(static_cast<Index>(j)), both.col(0).begin() + F.rows());
    if (const int e = norm_exponent<T>(both.col(0)); scale && e != none) scaling.columns[j] = -e;
    for (auto* exponents : {&of_f, &of_g})
      if ((*exponents)[j] != none) (*exponents)[j] += scaling.columns[j];
  }
  scaling.f = -largest_of(of_f), scaling.g = -largest_of(of_g);
  scaling.units.assign(n, scaling.g);
  return scaling;
}

// ---- The reduction ----

/// Returns the moduli of the elements.
template <class T>
Matrix<double> moduli(const Matrix<T>& A) {
  Matrix<double> result(A.rows(), A.cols());
  std::transform(A.data(), A.data() + A.size(), result.data(), [](const T& x) { return std::abs(x); });
  return result;
}

template <class T>
class LapackReduction final : public Reduction<T> {
 public:
  LapackReduction(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options)
      : options_(options), n_(F.cols), F_(F), G_(G) {
    const BlasThreads scope(options.threads);
    const bool by_columns = options.scale && !options.tolerance_f && !options.tolerance_g;
    scaling_ = by_columns ? scaling_by_f(F_, G_) : common_scaling(F_, G_, options.scale);
    scale_columns(F_, scaling_.columns, scaling_.f);
    scale_columns(G_, scaling_.columns, scaling_.g);
    tolerance_f_ = options.tolerance_f.value_or(usual_tolerance(F_, std::vector<int>(n_, -scaling_.f)));
    tolerance_g_ = options.tolerance_g.value_or(usual_tolerance(G_, negated(scaling_.units)));
    if (by_columns && std::max(F.rows + G.rows, n_) <= exact_rank_limit) decide_exactly(F, G);
    reduce_g();
    reduce_f();
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
    const Matrix<T> Z = expand_z(result.Z);
    result.U = expand_u(result.U);
    result.V = expand_v(result.V);
    prepend(result.sigma_f, 1);
    prepend(result.sigma_g, 0);
    prepend(result.sigma, std::numeric_limits<double>::infinity());
    const auto of_f = result.sigma_f, of_g = result.sigma_g;  // of the scaled pair
    set_sigma_and_z(Z, result);
    const ScaledRows X = scaled_x(result, Z, of_f, of_g);
    result.sigma_error.clear();
    if (options_.estimate_errors) {
      result.sigma_error.assign(of_f.size(), static_cast<double>(n_) * 0x1p-53);
      add_estimates(F_, result.U, result.sigma_f, scaling_.f, of_f, X, Z, result.sigma_error);
      add_estimates(G_, result.V, result.sigma_g, scaling_.g, of_g, X, Z, result.sigma_error);
    }
    set_x(X, result);
  }

 private:
  /// diag(2^exponents)·A
  struct ScaledRows {
    Matrix<T> A;
    std::vector<int> exponents;
  };

  static std::vector<int> negated(std::vector<int> exponents) {
    for (int& e : exponents) e = -e;
    return exponents;
  }

  /// Elements of few digits have no rounding errors, and their ranks are decided without tolerances.
  void decide_exactly(MatrixView<const T> F, MatrixView<const T> G) {
    const bool of_f = has_short_elements(F), of_g = has_short_elements(G);
    if (of_f) exact_f_ = exact_rank(F);
    if (of_g) exact_g_ = exact_rank(G);
    if (of_f && of_g) exact_pair_ = exact_rank(F, G);
  }

  WeightedQr<T> factor_g(double tolerance) const {
    std::vector<double> thresholds;
    for (const int unit : scaling_.units) thresholds.push_back(std::ldexp(tolerance, unit));
    return WeightedQr<T>(with_rows(G_, rows_of_g_), thresholds);
  }

  /// Returns the pivots of G with columns of equal norms.
  std::vector<double> pivots_of_equal_columns() const {
    Matrix<T> A = with_rows(G_, rows_of_g_);
    scale_columns(A, negated(scaling_.units));
    return diagonal_moduli(lapack::pivoted_qr<T>(A));
  }

  /// Returns the pivots of `qr` as those of columns of equal norms.
  std::vector<double> comparable_pivots(const WeightedQr<T>& qr) const {
    std::vector<double> pivots;
    for (const auto& [column, pivot] : qr.pivots()) pivots.push_back(std::ldexp(pivot, -scaling_.units[column]));
    return pivots;
  }

  /// Returns a tolerance that separates the l largest pivots.
  static double separating_tolerance(std::vector<double> pivots, Index l) {
    std::ranges::sort(pivots, std::greater());
    const double least = pivots[l - 1], next = l < std::ssize(pivots) ? pivots[l] : 0;
    return std::sqrt(least) * std::sqrt(std::max(next, least * 0x1p-104));
  }

  /// G·P = V·[B₁₃ R₁₂; 0 0] and N = P·[−B₁₃⁻¹·R₁₂; I]·C, G·N = 0, C so that N is orthonormal. Columns of G whose
  /// relation to those of F is larger come first, so that elements of B₁₃⁻¹·R₁₂ are small. N by reflectors, in
  /// contrast, would have errors that are large beside small columns of G.
  void reduce_g() {
    g_ = factor_g(tolerance_g_);
    if (exact_g_ && *exact_g_ > 0 && g_.rank() != *exact_g_) {
      rows_of_g_ = rows_by_size(G_);
      g_ = factor_g(tolerance_g_);
      for (const std::vector<double>& pivots : {pivots_of_equal_columns(), comparable_pivots(g_)}) {
        if (g_.rank() == *exact_g_) break;
        const double tolerance = separating_tolerance(pivots, *exact_g_);
        WeightedQr<T> other = factor_g(tolerance);
        if (other.rank() == *exact_g_) g_ = std::move(other), tolerance_g_ = tolerance;
      }
    }
    l_ = g_.rank();
    pivots_g_ = comparable_pivots(g_);
    permute<T>(F_, g_.order());
    permute<T>(G_, g_.order());
    const std::vector<int> columns = scaling_.columns;
    for (std::size_t j = 0; j < columns.size(); ++j) scaling_.columns[j] = columns[g_.order()[j]];

    b13_ = upper_part<T>(g_.R().block(0, 0, l_, l_));
    Matrix<T> top(g_.R().block(0, l_, l_, n_ - l_));
    if (top.size() > 0) lapack::trsm<T>(Side::left, Triangle::upper, Op::none, b13_.view(), top);
    N_ = Matrix<T>(n_, n_ - l_);
    for (Index j = 0; j < n_ - l_; ++j) {
      std::ranges::transform(top.col(j), N_.col(j).begin(), std::negate{});
      N_(l_ + j, j) = T(1);
    }
    const Reflectors<T> qr = lapack::qr<T>(N_);
    if (N_.size() > 0)
      lapack::trsm<T>(Side::right, Triangle::upper, Op::none, qr.A.view().block(0, 0, n_ - l_, n_ - l_), N_);
  }

  /// Returns the numbers of the rows, those with the largest elements first.
  static std::vector<Index> rows_by_size(const Matrix<T>& A) {
    std::vector<double> sizes(static_cast<std::size_t>(A.rows()));
    for (Index j = 0; j < A.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i) sizes[i] = std::max(sizes[i], std::abs(A(i, j)));
    std::vector<Index> rows(sizes.size());
    std::iota(rows.begin(), rows.end(), Index(0));
    std::ranges::stable_sort(rows, std::greater(), [&](Index i) { return sizes[i]; });
    return rows;
  }

  static std::vector<Index> places_of(const std::vector<Index>& rows) {
    std::vector<Index> places(rows.size());
    for (std::size_t i = 0; i < places.size(); ++i) places[rows[i]] = static_cast<Index>(i);
    return places;
  }

  /// Returns the rows of these numbers, or A if there are none.
  static Matrix<T> with_rows(const Matrix<T>& A, const std::vector<Index>& rows) {
    if (rows.empty()) return A;
    Matrix<T> result(A.rows(), A.cols());
    for (Index j = 0; j < A.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i) result(i, j) = A(rows[i], j);
    return result;
  }

  /// F·N gives k and A₁₂, what is left of the first l columns of F·P gives A₂₃.
  void reduce_f() {
    const Index m = F_.rows();
    Matrix<T> FN(m, n_ - l_);
    lapack::gemm<T>(Op::none, 1, F_, N_, 0, FN);
    f_ = lapack::pivoted_qr<T>(FN);
    std::vector<double> pivots = diagonal_moduli(f_);
    if (exact_pair_ && rank_of(pivots, std::ldexp(tolerance_f_, scaling_.f)) < *exact_pair_ - l_) {
      // Large rows below small ones take their digits.
      rows_of_f_ = rows_by_size(FN);
      f_ = lapack::pivoted_qr<T>(with_rows(FN, rows_of_f_));
      pivots = diagonal_moduli(f_);
    }
    k_ = exact_pair_ ? std::clamp(*exact_pair_ - l_, Index(0), std::ssize(pivots))
                     : rank_of(pivots, std::ldexp(tolerance_f_, scaling_.f));
    for (const double pivot : pivots) pivots_f_.push_back(std::ldexp(pivot, -scaling_.f));
    permute<T>(N_, from_zero(f_.order));
    a12_ = upper_part<T>(f_.A.view().block(0, 0, k_, k_));

    Matrix<T> last = with_rows(Matrix<T>(F_.view().cols_range(0, l_)), rows_of_f_);
    lapack::multiply_by_q<T>(f_, true, last);
    a13_ = Matrix<T>(last.view().block(0, 0, k_, l_));
    const MatrixView<const T> below = last.view().block(k_, 0, m - k_, l_);
    const Index full = std::min(m - k_, l_), q = exact_f_ ? std::clamp(*exact_f_ - k_, Index(0), full) : full;
    rest_ = q < full ? lapack::pivoted_qr<T>(below) : lapack::qr<T>(below);
    a23_ = upper_part<T>(rest_.A.view().block(0, 0, q, l_));
    if (q == full) return;
    const Matrix<T> pivoted = a23_;
    for (Index j = 0; j < l_; ++j) std::ranges::copy(pivoted.col(j), a23_.col(rest_.order[j] - 1).begin());
  }

  Matrix<T> expand_u(const Matrix<T>& core) const {
    Matrix<T> U(F_.rows(), k_ + l_);
    for (Index j = 0; j < k_; ++j) U(j, j) = T(1);
    copy_into<T>(core, U.view().block(k_, k_, core.rows(), l_));
    lapack::multiply_by_q<T>(rest_, false, U.view().block(k_, k_, U.rows() - k_, l_));
    lapack::multiply_by_q<T>(f_, false, U);
    return with_rows(U, places_of(rows_of_f_));
  }

  Matrix<T> expand_v(const Matrix<T>& core) const {
    Matrix<T> V(G_.rows(), k_ + l_);
    copy_into<T>(core, V.view().block(0, k_, l_, l_));
    g_.multiply_by_q(V.view().cols_range(k_, l_));
    return with_rows(V, places_of(rows_of_g_));
  }

  /// P·(N·[A₁₂⁻¹ −A₁₂⁻¹·A₁₃·Z; 0 0] + [0 Z; 0 0]), which eliminates A₁₃.
  Matrix<T> expand_z(const Matrix<T>& core) const {
    const Index r = k_ + l_;
    Matrix<T> C(k_, r), Z(n_, r);
    for (Index j = 0; j < k_; ++j) C(j, j) = T(1);
    lapack::gemm<T>(Op::none, -1, a13_, core, 0, C.view().cols_range(k_, l_));
    if (k_ > 0) lapack::trsm<T>(Side::left, Triangle::upper, Op::none, a12_.view(), C);
    lapack::gemm<T>(Op::none, 1, N_.view().cols_range(0, k_), C, 0, Z);
    for (Index j = 0; j < l_; ++j)
      std::ranges::transform(core.col(j), Z.col(k_ + j).first(l_), Z.col(k_ + j).begin(), std::plus{});
    return Z;
  }

  void prepend(std::vector<double>& values, double value) const {
    values.insert(values.begin(), static_cast<std::size_t>(k_), value);
  }

  /// Sets σ, σ_F, σ_G and, if it is asked for, Z of the given pair from those of the scaled one.
  void set_sigma_and_z(const Matrix<T>& Z, AnyGsvdResult<T>& result) const {
    result.Z = options_.compute_z ? Matrix<T>(n_, k_ + l_) : Matrix<T>();
    for (Index j = 0; j < k_ + l_; ++j) {
      double &sigma = result.sigma[j], &sigma_f = result.sigma_f[j], &sigma_g = result.sigma_g[j];
      const auto [factor, exponent] = unscale(scaling_.f, scaling_.g, sigma, sigma_f, sigma_g);
      if (options_.compute_z)
        for (Index i = 0; i < n_; ++i)
          result.Z(g_.order()[i], j) = times_power_of_two(T(factor * Z(i, j)), exponent + scaling_.columns[i]);
    }
  }

  /// Returns for each σ_i whether it may be a rounding error of A, whose columns have norms with these exponents.
  static std::vector<bool> is_noise(const std::vector<int>& norms, const Matrix<T>& Z,
                                    const std::vector<double>& sigma) {
    std::vector<bool> noise;
    for (Index i = 0; i < Z.cols(); ++i) {
      double sum = 0;
      for (Index j = 0; j < Z.rows(); ++j)
        if (norms[j] != none) sum += std::ldexp(std::abs(Z(j, i)), norms[j]);
      noise.push_back(sigma[i] <= 0x1p-48 * sum);
    }
    return noise;
  }

  /// X·S·P without an inverse: x_ij = u_iᴴ·f_j/σ_F,i or v_iᴴ·g_j/σ_G,i, of which the one with the smaller error is
  /// taken, ε·‖f_j‖/σ_F,i or ε·‖g_j‖/σ_G,i, but not that of a σ which is a rounding error. So both U·Σ_F·X and V·Σ_G·X
  /// have errors of the size of the columns of F and G. σ_F and σ_G of the scaled pair belong to Z.
  ScaledRows scaled_x(const AnyGsvdResult<T>& result, const Matrix<T>& Z, const std::vector<double>& sigma_f,
                      const std::vector<double>& sigma_g) const {
    ScaledRows X{Matrix<T>(k_ + l_, n_), {}};
    Matrix<T> from_g(k_ + l_, n_);
    lapack::gemm<T>(Op::adjoint, 1, result.U, F_, 0, X.A);
    lapack::gemm<T>(Op::adjoint, 1, result.V, G_, 0, from_g);
    const std::vector<int> of_f = norm_exponents(F_), of_g = norm_exponents(G_);
    const std::vector<bool> f_is_noise = is_noise(of_f, Z, sigma_f), g_is_noise = is_noise(of_g, Z, sigma_g);
    const int least = largest_of(of_f) - 45;  // σ_F may be a rounding error of F, which determines no smaller column
    for (Index i = 0; i < k_ + l_; ++i) {
      const double f = result.sigma_f[i], g = result.sigma_g[i];
      const int by_f = f == 0 ? largest_int : -scaling_.f - exponent_of(f),
                by_g = g == 0 ? largest_int : -scaling_.g - exponent_of(g), exponent = std::min(by_f, by_g);
      for (Index j = 0; j < n_; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const auto f_is_smaller = [&] {
          return of_g[at] != none && std::max(of_f[at], least) + by_f <= of_g[at] + by_g;
        };
        const bool f_is_better =
            g == 0 || (f != 0 && (f_is_noise[i] == g_is_noise[i] ? f_is_smaller() : g_is_noise[i]));
        X.A(i, j) = f_is_better ? times_power_of_two(T(X.A(i, j) / f), -scaling_.f - exponent)
                                : times_power_of_two(T(from_g(i, j) / g), -scaling_.g - exponent);
      }
      X.exponents.push_back(exponent);
    }
    return X;
  }

  /// Adds |u_j|ᵀ·|A − U·Σ·X|·|z_j|/σ_j to the errors, in the scaling of A = F_ or G_: to first order the relative
  /// change of σ_j by the residual. `of_z` are the σ_j that belong to Z, infinity is added where they are 0.
  void add_estimates(const Matrix<T>& A, const Matrix<T>& U, const std::vector<double>& sigma, int exponent,
                     const std::vector<double>& of_z, const ScaledRows& X, const Matrix<T>& Z,
                     std::vector<double>& errors) const {
    Matrix<T> residual = A, scaled = U;
    for (Index j = 0; j < U.cols(); ++j)
      for (T& x : scaled.col(j)) x *= std::ldexp(sigma[j], exponent + X.exponents[j]);
    lapack::gemm<T>(Op::none, -1, scaled, X.A, 1, residual);
    Matrix<double> reach(A.rows(), Z.cols());
    Matrix<double> errors_of_a = moduli(residual);
    // A difference of doubles shows no error below their rounding errors.
    for (Index k = 0; k < A.size(); ++k) errors_of_a.data()[k] += 0x1p-55 * std::abs(A.data()[k]);
    lapack::gemm<double>(Op::none, 1, errors_of_a, moduli(Z), 0, reach);
    for (Index j = 0; j < U.cols(); ++j) {
      double sum = 0;
      for (Index i = 0; i < A.rows(); ++i) sum += std::abs(U(i, j)) * reach(i, j);
      const double divisor = of_z[j];
      errors[j] += divisor == 0 ? std::numeric_limits<double>::infinity() : sum / divisor;
    }
  }

  void set_x(const ScaledRows& from, AnyGsvdResult<T>& result) const {
    Matrix<T> X(k_ + l_, n_);
    std::vector<int> back(n_);
    for (Index j = 0; j < n_; ++j) {
      const Index to = g_.order()[j];
      std::ranges::copy(from.A.col(j), X.col(to).begin());
      back[to] = -scaling_.columns[j];
    }
    if (options_.compute_x) {
      result.X = Matrix<T>(k_ + l_, n_);
      for (Index j = 0; j < n_; ++j)
        for (Index i = 0; i < k_ + l_; ++i)
          result.X(i, j) = times_power_of_two(
              X(i, j), back[static_cast<std::size_t>(j)] + from.exponents[static_cast<std::size_t>(i)]);
    }
    // [0 D·R]·Qᴴ = D·X for a diagonal D. The common factor keeps the squares of X representable.
    const int common = back.empty() ? 0 : *std::ranges::max_element(back);
    scale_columns(X, back, -common);
    any::set_r_and_q<T>(X, result);
    std::vector<int> rows = from.exponents;
    for (int& e : rows) e += common;
    scale_rows(result.R, rows);
  }

  static void scale_rows(Matrix<T>& A, const std::vector<int>& exponents) {
    for (Index j = 0; j < A.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i) A(i, j) = times_power_of_two(A(i, j), exponents[i]);
  }

  AnyGsvdOptions options_;
  Index n_, k_ = 0, l_ = 0;
  Matrix<T> F_, G_;  ///< F·S·2^f·P, G·S·2^g·P
  Scaling scaling_;  ///< its columns in the order of P
  double tolerance_f_ = 0, tolerance_g_ = 0;
  std::vector<Index> rows_of_f_, rows_of_g_;  ///< the order in which they are reduced; empty: as they are
  std::optional<Index> exact_f_ = {}, exact_g_ = {}, exact_pair_ = {};  ///< ranks of F, G, [F; G]
  std::vector<double> pivots_f_, pivots_g_;
  Matrix<T> N_, a12_, a13_, a23_, b13_;
  WeightedQr<T> g_;         ///< its Q is V
  Reflectors<T> f_, rest_;  ///< U is f·diag(I, rest)
};

}  // namespace

template <class T>
std::unique_ptr<Reduction<T>> reduce(MatrixView<const T> F, MatrixView<const T> G, const AnyGsvdOptions& options) {
  lapack::require("this pair must be reduced (fewer rows than columns, or G without full column rank), which");
  return std::make_unique<LapackReduction<T>>(F, G, options);
}

template <class T>
void set_r_and_q(MatrixView<const T> X, AnyGsvdResult<T>& result) {
  if (!lapack::available()) return;
  const Reflectors<T> rq = lapack::rq<T>(X);
  const Index r = X.rows, n = X.cols;
  result.R = upper_part<T>(rq.A.view().block(0, n - r, r, r));
  result.Q = Matrix<T>::identity(n);
  lapack::multiply_by_adjoint<T>(result.Q, rq);
}

using Complex = std::complex<double>;
template decltype(reduce<double>) reduce<double>;
template decltype(reduce<Complex>) reduce<Complex>;
template decltype(set_r_and_q<double>) set_r_and_q<double>;
template decltype(set_r_and_q<Complex>) set_r_and_q<Complex>;

}  // namespace pivotlab::any
