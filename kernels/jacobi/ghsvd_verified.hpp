// SPDX-License-Identifier: BSD-3-Clause
// What all methods and backends do with a pair in double precision before and after the decomposition: the factors are
// verified a posteriori, from F, G and J alone. Where they do not hold, eigenvalues without determined digits become
// zeros, then U is taken from F·Z; where that does not suffice, and where the elements leave the range of double, the
// pair is decomposed in quadruple precision, by tangents and then by the direct method, and the result is rounded.
#pragma once

#include "kernels/jacobi/ghsvd_pair.hpp"
#include "kernels/jacobi/shared/products.hpp"
#include "kernels/jacobi/shared/signed_factor.hpp"
#include "kernels/numerics/extension.hpp"
#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>
#include <pivotlab/ghsvd.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::jacobi {

/// Returns whether the decomposition in quadruple precision, about 1e-6·(m_F + m_G)·n² seconds on a core, is
/// affordable.
inline bool is_small_enough_for_quad(Index m_f, Index m_g, Index n) {
  return static_cast<double>(m_f + m_g) * static_cast<double>(n) * static_cast<double>(n) <= ghsvd_quad_limit;
}

/// The extreme exponents of the nonzero real and imaginary parts of a column.
struct ExponentRange {
  int least = std::numeric_limits<int>::max(), largest = std::numeric_limits<int>::min();

  bool empty() const { return least > largest; }
  void include(double part) {
    if (part == 0 || !std::isfinite(part)) return;
    const int exponent = exponent_of(part);
    least = std::min(least, exponent), largest = std::max(largest, exponent);
  }
};

template <class T>
ExponentRange exponent_range(std::span<const T> column) {
  ExponentRange range;
  for (const T& x : column) {
    range.include(real_part(x));
    if constexpr (is_complex<T>) range.include(x.imag());
  }
  return range;
}

/// Returns whether no element, nor the square of one, is lost in double when the columns of G and the largest column of
/// F relative to G's have elements of size 1 (ScaledPair).
template <class T>
bool fits_double(MatrixView<const T> F, MatrixView<const T> G) {
  constexpr int safe = 480, between_columns = 256;
  int largest = std::numeric_limits<int>::min(), least = std::numeric_limits<int>::max(), least_column = least;
  for (Index j = 0; j < F.cols; ++j) {
    const ExponentRange f = exponent_range<T>(F.col(j)), g = exponent_range<T>(G.col(j));
    if (g.empty()) return true;  // which checked_parts() refuses
    if (g.largest - g.least > safe) return false;
    if (f.empty()) continue;
    largest = std::max(largest, f.largest - g.largest), least = std::min(least, f.least - g.largest);
    least_column = std::min(least_column, f.largest - g.largest);
  }
  return largest < least || (largest - least <= safe && largest - least_column <= between_columns);
}

/// A·2^−exponent, with a largest element of about 1, and its Frobenius norm.
template <class T>
struct UnitMatrix {
  explicit UnitMatrix(MatrixView<const T> given) : A(given) {
    ExponentRange range;
    for (Index j = 0; j < A.cols(); ++j) range.include(largest(A.col(j)));
    exponent = range.empty() ? 0 : range.largest;
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = times_power_of_two(A.data()[i], -exponent);
    norm = frobenius_norm(A);
  }

  static double largest(std::span<const T> column) {
    double most = 0;
    for (const T& x : column) most = std::max(most, detail::largest_part(x));
    return most;
  }

  Matrix<T> A;
  int exponent = 0;
  double norm = 0;
};

/// ‖x − y·factor‖₂.
template <class T>
double distance(std::span<const T> x, std::span<const T> y, double factor) {
  double squares = 0;
  for (std::size_t i = 0; i < x.size(); ++i) squares += squared_magnitude(T(x[i] - y[i] * factor));
  return std::sqrt(squares);
}

/// Returns ‖V*·J·V − J'‖_F; an empty J means 1.
template <class T>
double unitary_error(const Matrix<T>& V, const std::vector<int>& J, const std::vector<int>& expected, int threads) {
  Matrix<T> JV = V;
  if (!J.empty()) scale_rows(JV, J);
  Matrix<T> gram = product(true, V, JV, threads);
  for (Index j = 0; j < gram.cols(); ++j) gram(j, j) -= T(expected.empty() ? 1 : expected[j]);
  return frobenius_norm(gram);
}

/// Returns which equation of the decomposition does not hold within its bound (GhsvdValues::status), computed from the
/// pair and the factors in double precision; empty if all hold. The bounds are a little smaller than those of the
/// judge, whose numbers do not have the rounding errors of this check.
template <class T>
std::string defect_of(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J, const GhsvdResult<T>& r,
                      int threads) {
  constexpr double eps = std::numeric_limits<double>::epsilon(), share = 0.5;
  const Index n = F.cols, m = std::max(F.rows, G.rows);
  if (n == 0) return {};
  const UnitMatrix<T> f(F), g(G);
  Matrix<T> Z = r.Z;
  std::vector<int> exponents;
  for (Index j = 0; j < n; ++j) {
    const double most = UnitMatrix<T>::largest(Z.col(j));
    exponents.push_back(most > 0 && std::isfinite(most) ? exponent_of(most) : 0);
    for (T& z : Z.col(j)) z = times_power_of_two(z, -exponents.back());
  }
  Matrix<T> FZ = product(false, f.A, Z, threads);
  const Matrix<T> GZ = product(false, g.A, Z, threads);
  const auto lengths = column_norms<T>(Z.view(), threads);
  double of_f = 0, of_g = 0, of_pencil = 0;
  const auto raise = [](double& most, double x) {
    if (!(x <= most)) most = x;  // NaN remains
  };
  for (Index j = 0; j < n; ++j) {
    const double sigma_f = std::ldexp(r.sigma_f[j], -exponents[j] - f.exponent),
                 sigma_g = std::ldexp(r.sigma_g[j], -exponents[j] - g.exponent);
    if (r.J[j] != 0 && f.norm > 0) raise(of_f, distance<T>(FZ.col(j), r.U.col(j), sigma_f) / (f.norm * lengths[j]));
    raise(of_g, distance<T>(GZ.col(j), r.V.col(j), sigma_g) / (g.norm * lengths[j]));
  }
  if (!J.empty()) scale_rows(FZ, J);
  const Matrix<T> K = product(true, f.A, FZ, threads), N = product(true, g.A, GZ, threads);
  for (Index j = 0; j < n; ++j) {
    const double sigma = std::ldexp(r.sigma_f[j], -f.exponent) / std::ldexp(r.sigma_g[j], -g.exponent);
    const bool inverse = sigma > 1;  // λ may overflow, and 1/λ is compared
    const double ratio = r.J[j] * (inverse ? 1 / sigma / sigma : sigma * sigma);
    const double of_k = inverse ? std::abs(ratio) : 1, of_n = inverse ? 1 : std::abs(ratio);
    const double size = (of_k * f.norm * f.norm + of_n * g.norm * g.norm) * lengths[j];
    const double difference = inverse ? distance<T>(N.col(j), K.col(j), ratio) : distance<T>(K.col(j), N.col(j), ratio);
    if (size > 0) raise(of_pencil, difference / size);
  }
  double longest = 0;
  for (const double length : column_norms<T>(r.U.view(), threads)) raise(longest, length * length);
  const double of_u = longest == 0 ? 0 : unitary_error(r.U, J, r.J, threads) / longest;
  const double of_v = unitary_error<T>(r.V, {}, {}, threads);
  const double bound = share * ghsvd_factor_bound * static_cast<double>(m) * eps;
  const auto checked = [](const char* what, double error, double most) {
    if (error <= most) return std::string();
    char number[32];
    std::snprintf(number, sizeof number, "%.1e", error);
    return std::string(what) + " holds only up to " + number;
  };
  for (const std::string& text :
       {checked("F*Z = U*Sigma_F", of_f, bound), checked("G*Z = V*Sigma_G", of_g, bound),
        checked("U^*JU = J'", of_u, bound), checked("V^*V = I", of_v, bound),
        checked("F^*JF*Z = G^*G*Z*Lambda", of_pencil, share * ghsvd_residual_bound * static_cast<double>(n) * eps)})
    if (!text.empty()) return text;
  return {};
}

/// Orders columns by descending λ. Rounding may have changed the order of eigenvalues that are almost equal.
template <class T>
void sort_by_eigenvalue(GhsvdResult<T>& r) {
  if (std::ranges::is_sorted(r.eigenvalues, std::greater())) return;
  const std::vector<Index> order = descending_indices(r.eigenvalues);
  for (auto* values : {&r.eigenvalues, &r.sigma_f, &r.sigma_g, &r.estimate}) *values = permuted(*values, order);
  for (Matrix<T>* factor : {&r.U, &r.V, &r.Z}) *factor = permuted(*factor, order);
  r.J = permuted(r.J, order), r.noise = permuted(r.noise, order);
}

/// Makes eigenvalues whose signs are not determined zero, with zero columns of U, and returns whether there is one.
template <class T>
bool zero_undetermined(GhsvdResult<T>& r) {
  bool any = false;
  for (std::size_t j = 0; j < r.J.size(); ++j) {
    if (!r.noise[j] || r.J[j] == 0) continue;
    any = true;
    (r.J[j] > 0 ? r.inertia.positive : r.inertia.negative) -= 1;
    r.inertia.zero += 1, r.rank -= 1;
    for (T& z : r.Z.col(static_cast<Index>(j))) z /= r.sigma_g[j];
    std::ranges::fill(r.U.col(static_cast<Index>(j)), T(0));
    r.eigenvalues[j] = 0, r.J[j] = 0, r.sigma_f[j] = 0, r.sigma_g[j] = 1, r.estimate[j] = 1;
  }
  if (any) sort_by_eigenvalue(r);
  return any;
}

/// Sets u_j = F·z_j/σ_Fj where λ_j ≠ 0. Where F*JF has a smaller rank than F, this is the only U with F·Z = U·Σ_F.
template <class T>
void take_u_from_f(const Matrix<T>& F, GhsvdResult<T>& r, int threads) {
  const Matrix<T> FZ = product(false, F, r.Z, threads);
  for (Index j = 0; j < FZ.cols(); ++j) {
    for (Index i = 0; i < FZ.rows(); ++i) r.U(i, j) = r.J[j] == 0 ? T(0) : divided_by_real(FZ(i, j), r.sigma_f[j]);
  }
}

/// Returns how many eigenvalues are zero because of the zero rows and columns of F.
template <class T>
Index structural_zeros(MatrixView<const T> F) {
  std::vector<bool> row(F.rows, false);
  Index columns = 0;
  for (Index j = 0; j < F.cols; ++j) {
    bool any = false;
    for (Index i = 0; i < F.rows; ++i)
      if (F(i, j) != T(0)) row[i] = any = true;
    columns += any ? 1 : 0;
  }
  return F.cols - std::min<Index>(columns, std::ranges::count(row, true));
}

/// Returns how large the eigenvalues may be that are zero up to rounding errors: ε·‖|F|·|z|‖² of a vector z with
/// ‖G·z‖ = 1, ε that of F*JF, or the square of that of F where F*JF is F*F.
template <class T>
RealOf<T> size_of_zeros(MatrixView<const T> F, const std::vector<int>& J, const GhsvdResult<T>& r) {
  using R = RealOf<T>;
  if (std::ssize(r.J) != F.cols || r.Z.cols() != F.cols || r.inertia.zero == structural_zeros(F)) return R(0);
  const bool definite = std::ranges::adjacent_find(J, std::ranges::not_equal_to{}) == J.end();
  const int bits = definite && r.tangent_bits == 0 ? 105 : std::max(r.tangent_bits, 53) - 1;
  R most(0);
  for (Index j = 0; j < F.cols; ++j) {
    if (r.J[j] != 0) continue;
    R squares(0);
    for (Index i = 0; i < F.rows; ++i) {
      R sum(0);
      for (Index k = 0; k < F.cols; ++k) sum += modulus(F(i, k)) * modulus(r.Z(k, j));
      squares += times_power_of_two(sum, -bits / 2) * times_power_of_two(sum, -bits / 2);
    }
    most = std::max<R>(most, R(2 * F.cols) * squares);
  }
  return most;
}

/// Marks eigenvalues zero as determined where the nonzero rows and columns of F leave room for the others only.
template <class T>
void determine_zeros(MatrixView<const T> F, GhsvdResult<T>& r) {
  if (structural_zeros(F) != r.inertia.zero) return;
  for (std::size_t j = 0; j < r.J.size(); ++j)
    if (r.noise[j] && r.J[j] != 0) return;
  for (std::size_t j = 0; j < r.J.size(); ++j)
    if (r.J[j] == 0) r.estimate[j] = 0, r.noise[j] = false;
}

template <class T, class E>
Matrix<T> rounded_matrix(const Matrix<E>& A) {
  Matrix<T> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = round_to_double<T>(A.data()[i]);
  return result;
}

/// Decomposes the pair in quadruple precision and rounds the result. An estimate becomes that of a rounded eigenvalue.
template <class T>
GhsvdResult<T> ghsvd_in_quad(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                             GhsvdMethod method, int threads) {
  using E = Rebind<T, Quad>;
  const auto extended = [](MatrixView<const T> A) {
    Matrix<E> result(A.rows, A.cols);
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = 0; i < A.rows; ++i) result(i, j) = extend<E>(A(i, j));
    return result;
  };
  GhsvdOptions options{.threads = threads};
  options.variant.method = method;
  options.variant.sweeps.form = JacobiForm::PT;
  const Matrix<E> f = extended(F);
  GhsvdResult<E> q = ghsvd<E>(f, extended(G), J, options);
  if (q.status != Status::failed) zero_undetermined(q);
  GhsvdResult<T> r;
  const auto to_double = [](const std::vector<Quad>& values) {
    std::vector<double> result;
    for (const Quad& x : values) result.push_back(static_cast<double>(x));
    return result;
  };
  r.status = q.status, r.message = std::move(q.message), r.sweeps = std::move(q.sweeps);
  r.eigenvalues = to_double(q.eigenvalues), r.J = q.J;
  r.sigma_f = to_double(q.sigma_f), r.sigma_g = to_double(q.sigma_g);
  r.inertia = q.inertia, r.rank = q.rank, r.tangent_bits = q.tangent_bits;
  for (std::size_t j = 0; j < q.estimate.size(); ++j) {
    constexpr double half_ulp = std::numeric_limits<double>::epsilon() / 2;
    const bool underflow = r.J[j] != 0 && std::abs(r.eigenvalues[j]) < std::numeric_limits<double>::min();
    r.estimate.push_back(underflow ? 1.0 : std::min(1.0, static_cast<double>(q.estimate[j]) + half_ulp));
    r.noise.push_back(10 * r.estimate.back() >= 1);
  }
  r.U = rounded_matrix<T>(q.U), r.V = rounded_matrix<T>(q.V), r.Z = rounded_matrix<T>(q.Z);
  if (r.status == Status::passed && !defect_of(F, G, J, r, threads).empty()) {
    take_u_from_f(f, q, threads);
    r.U = rounded_matrix<T>(q.U);
  }
  r.reduction_seconds = q.reduction_seconds, r.factor_seconds = q.factor_seconds, r.sweep_seconds = q.sweep_seconds;
  r.compute_seconds = q.compute_seconds;
  return r;
}

/// Throws InputError for a result that leaves the range of double; a subnormal σ_F has lost the digits of U.
template <class T>
void require_range(const GhsvdResult<T>& r) {
  for (std::size_t j = 0; j < r.eigenvalues.size(); ++j)
    if (!std::isfinite(r.eigenvalues[j]) || (r.J[j] != 0 && r.sigma_f[j] < std::numeric_limits<double>::min()) ||
        !(UnitMatrix<T>::largest(r.Z.col(static_cast<Index>(j))) <= std::numeric_limits<double>::max()))
      throw InputError("the pair: eigenvalue " + std::to_string(j + 1) +
                       " or its vector leaves the range of double; scale F and G by powers of two");
}

/// Returns the decomposition after verification. `r` is a result of a method in double, or one without matrices for
/// pairs that do not fit.
template <class T>
GhsvdResult<T> verified(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                        const GhsvdOptions& options, GhsvdResult<T> r) {
  const int threads = thread_count(options.threads);
  const bool is_decomposed = r.Z.cols() == F.cols && std::ssize(r.J) == F.cols;
  std::string defect = "the elements of the pair leave the range of double";
  if (is_decomposed) {
    if (r.status == Status::not_converged && std::ssize(r.sweeps) >= options.max_sweeps) return r;
    defect = r.status == Status::passed ? defect_of(F, G, J, r, threads) : r.message;
    if (!defect.empty() && r.status == Status::passed) {
      GhsvdResult<T> other = r;
      bool holds = zero_undetermined(other) && defect_of(F, G, J, other, threads).empty();
      if (!holds) {
        take_u_from_f(Matrix<T>(F), other, threads);
        holds = defect_of(F, G, J, other, threads).empty();
      }
      if (holds) defect.clear(), r = std::move(other);
    }
  }
  if (!defect.empty() && is_small_enough_for_quad(F.rows, G.rows, F.cols)) {
    r = ghsvd_in_quad(F, G, J, GhsvdMethod::tangent, threads);
    if (r.status == Status::failed) return r;
    require_range(r);
    defect = r.status == Status::passed ? defect_of(F, G, J, r, threads) : "";
    if (!defect.empty()) {
      // Eigenvalues over more than 30 decades: only the direct method keeps the vectors of small ones J-orthogonal.
      GhsvdResult<T> direct = ghsvd_in_quad(F, G, J, GhsvdMethod::hari_zimmermann, threads);
      if (direct.status == Status::passed && defect_of(F, G, J, direct, threads).empty())
        defect.clear(), r = std::move(direct);
    }
  }
  if (!defect.empty() && r.status == Status::passed) r.status = Status::incorrect, r.message = defect;
  require_range(r);
  judge_places(r, size_of_zeros(F, J, r));
  determine_zeros(F, r);
  sort_by_eigenvalue(r);
  return r;
}

}  // namespace pivotlab::jacobi
