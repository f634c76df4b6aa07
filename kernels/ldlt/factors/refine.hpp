// SPDX-License-Identifier: BSD-3-Clause
// Iterative refinement with an a posteriori bound of the error.
//
//   Y = F⁻¹·B;   repeat  R = B − A·Y,  Y := Y + F⁻¹·R   until the correction is negligible
//   |A⁻¹·B − Y| ≤ |F⁻¹|·(|R| + δR)/(1 − q),   q ≥ ‖F⁻¹·(A − F)‖
//
// Y is the sum of two numbers, and R is computed in double-double for double, in Quad for longer types, with an error
// of at most δR. A and B are those of the matrix that was factored, S·A·S and S·B. Source: J. Demmel, Y. Hida, W.
// Kahan, X. Li, S. Mukherjee, E. J. Riedy, Error bounds from extra-precise iterative refinement, ACM TOMS 32 (2006),
// "extra-precise x".
#pragma once

#include "kernels/ldlt/factors/inverse_moduli.hpp"
#include "kernels/numerics/double_double.hpp"
#include "kernels/numerics/extension.hpp"
#include "kernels/numerics/zeros.hpp"

#include <type_traits>

namespace pivotlab::ldlt_detail {

/// The real type in which residuals are computed.
template <class R>
using ResidualReal = std::conditional_t<std::is_same_v<R, double>, DoubleDouble, Quad>;

/// Returns sum + a·(x + low); |low| is at most a unit roundoff of x.
template <class L, class R>
L plus_product(const L& sum, const R& a, const R& x, const R& low) {
  if constexpr (std::is_same_v<L, DoubleDouble>)
    return sum + DoubleDouble::product(a, x) + a * low;
  else
    return sum + L(a) * L(x) + L(a) * L(low);
}
template <class L, class R>
std::complex<L> plus_product(const std::complex<L>& sum, const std::complex<R>& a, const std::complex<R>& x,
                             const std::complex<R>& low) {
  return {plus_product<L, R>(plus_product<L, R>(sum.real(), a.real(), x.real(), low.real()), R(-a.imag()), x.imag(),
                             low.imag()),
          plus_product<L, R>(plus_product<L, R>(sum.imag(), a.real(), x.imag(), low.imag()), a.imag(), x.real(),
                             low.real())};
}

/// Rounds a residual's scalar to T.
template <class T, class L>
T shortened(const L& x) {
  using R = RealOf<T>;
  if constexpr (is_complex<T>)
    return T(static_cast<R>(x.real()), static_cast<R>(x.imag()));
  else
    return static_cast<R>(x);
}

/// A with both triangles, scaled as the matrix that was factored; a copy only where the given one is not that.
template <class T>
class WholeMatrix {
 public:
  WholeMatrix(MatrixView<const T> A, InputTriangle triangle, Symmetry symmetry, const std::vector<int>& scaling)
      : view_(A) {
    require_finite(
        A.rows, 0,
        [&](Index j) {
          return std::pair(triangle == InputTriangle::lower ? j : 0, triangle == InputTriangle::upper ? j + 1 : A.rows);
        },
        A);
    if (triangle == InputTriangle::whole && scaling.empty()) return;
    own_ = copied<T>(A, 0);
    for (Index j = 0; triangle != InputTriangle::whole && j < A.cols; ++j)
      for (Index i = j + 1; i < A.rows; ++i) {
        T &lower = own_(i, j), &upper = own_(j, i);
        T& other = triangle == InputTriangle::lower ? upper : lower;
        const T& given = triangle == InputTriangle::lower ? lower : upper;
        other = symmetry == Symmetry::hermitian ? conjugate(given) : given;
      }
    if (!scaling.empty()) scale_symmetrically<T>(own_.view(), scaling);
    view_ = own_;
  }
  MatrixView<const T> view() const { return view_; }

 private:
  Matrix<T> own_;
  MatrixView<const T> view_;
};

/// R = B − A·Y, and |R| + δR.
template <class T>
struct Residual {
  Matrix<T> value;
  Matrix<RealOf<T>> bound;
};

/// Relative error of a residual of order n, as a multiple of |B| + |A|·|Y|: a step of plus_product adds twice, with
/// errors of 3u² and 2u² in double-double, where ε = 2u², and of ε/2 each in Quad, whose products are rounded, too.
template <class T>
RealOf<T> residual_level(Index n) {
  using L = ResidualReal<RealOf<T>>;
  constexpr int steps = is_complex<T> ? 2 : 1, errors = std::is_same_v<L, DoubleDouble> ? 3 : 1;
  return RealOf<T>(steps * errors * (n + 4)) * static_cast<RealOf<T>>(std::numeric_limits<L>::epsilon());
}

/// Computes the residual of Y = high + low.
template <class T>
Residual<T> residual_of(MatrixView<const T> A, MatrixView<const T> high, MatrixView<const T> low,
                        MatrixView<const T> B) {
  using R = RealOf<T>;
  using L = Rebind<T, ResidualReal<R>>;
  constexpr Index block = 128;
  const R level = residual_level<T>(A.rows);
  Residual<T> residual{Matrix<T>(B.rows, B.cols), Matrix<R>(B.rows, B.cols)};
#pragma omp parallel for num_threads(threads_for(B.rows, 0)) schedule(dynamic, 1)
  for (Index first = 0; first < B.rows; first += block) {
    const Index rows = std::min(block, B.rows - first);
    Matrix<L> sums(rows, B.cols);
    Matrix<R> sizes(rows, B.cols);
    for (Index c = 0; c < B.cols; ++c)
      for (Index i = 0; i < rows; ++i) {
        sums(i, c) = extend<L>(B(first + i, c));
        sizes(i, c) = magnitude_1(B(first + i, c));
      }
    for (Index j = 0; j < A.cols; ++j)
      for (Index c = 0; c < B.cols; ++c) {
        const T x = negated(high(j, c)), y = negated(low(j, c));
        const R size = magnitude_1(x);
        for (Index i = 0; i < rows; ++i) {
          const T& a = A(first + i, j);
          sums(i, c) = plus_product(sums(i, c), a, x, y);
          sizes(i, c) += magnitude_1(a) * size;
        }
      }
    for (Index c = 0; c < B.cols; ++c)
      for (Index i = 0; i < rows; ++i) {
        const T r = shortened<T>(sums(i, c));
        residual.value(first + i, c) = r;
        residual.bound(first + i, c) = magnitude_1(r) + level * sizes(i, c);
      }
  }
  return residual;
}

/// A real number with the exponents of long double at least, for norms of extreme matrices.
template <class R>
using WideReal = std::conditional_t<std::is_same_v<R, double>, long double, R>;

/// Returns |x|·2^exponent.
template <class T>
WideReal<RealOf<T>> wide_modulus(const T& x, int exponent) {
  const WideReal<RealOf<T>> size(modulus(x));
  return exponent == 0 ? size : times_power_of_two(size, exponent);
}

/// Returns max over columns of ‖b − A·x‖∞/(‖A‖∞·‖x‖∞ + ‖b‖∞); infinity if X is not finite. A and the columns of B are
/// scaled, X is not, and the result is that of the matrix and columns that are not.
template <class T>
RealOf<T> backward_error(MatrixView<const T> A, const ScaledColumns<T>& columns, const Matrix<T>& X) {
  using W = WideReal<RealOf<T>>;
  if (!all_finite<T>(X)) return std::numeric_limits<RealOf<T>>::infinity();
  const Matrix<T> Y = columns.scaled_solution(X), zero(Y.rows(), Y.cols());
  const Matrix<T> residual = residual_of<T>(A, Y, zero, columns.scaled()).value;
  std::vector<W> sums(A.rows, W(0));
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) sums[i] += wide_modulus(A(i, j), -columns.row(i) - columns.row(j));
  const W norm = sums.empty() ? W(0) : *std::ranges::max_element(sums);
  W largest(0);
  for (Index c = 0; c < Y.cols(); ++c) {
    W r(0), x(0), b(0);
    for (Index i = 0; i < Y.rows(); ++i) {
      r = std::max<W>(r, wide_modulus(residual(i, c), -columns.row(i)));
      x = std::max<W>(x, wide_modulus(Y(i, c), columns.row(i)));
      b = std::max<W>(b, wide_modulus(columns.scaled()(i, c), -columns.row(i)));
    }
    if (r > W(0)) largest = std::max<W>(largest, r / (norm * x + b));
  }
  return static_cast<RealOf<T>>(largest);
}

template <class T>
class Refinement {
 public:
  using R = RealOf<T>;

  /// A is the matrix that was factored, whole.
  Refinement(const LdltFactorization<T>& f, MatrixView<const T> A, const ScaledColumns<T>& columns)
      : f_(f), A_(A), columns_(columns), B_(columns.scaled()), high_(divide<T>(f, B_)), low_(f.order(), B_.cols()) {}

  void run(int max_refinements, LdltSolution<T>& solution) {
    const R negligible = unit_roundoff<R>() / R(16);
    const std::vector<R> weights = row_sizes(f_);
    R before(1);
    while (solution.refinements < max_refinements) {
      const Matrix<T> correction = divide<T>(f_, residual_of<T>(A_, high_, low_, B_).value);
      const R size = relative_size(correction), weighted = weighted_size(correction, weights);
      if (!(weighted <= before / R(2))) break;
      for (Index i = 0; i < high_.size(); ++i) add(correction.data()[i], high_.data()[i], low_.data()[i]);
      before = weighted;
      solution.correction = size;
      ++solution.refinements;
      if (size <= negligible && weighted <= negligible) break;
    }
  }

  /// Returns the bound of LdltSolution::forward_error but for underflow of X.
  R forward_error() const {
    const Index n = f_.order();
    const InverseModuli<T> inverse(f_);
    const R q = relative_error_of_factors(f_, inverse);
    if (!(q < R(0.5))) return std::numeric_limits<R>::infinity();
    const Residual<T> residual = residual_of<T>(A_, high_, low_, B_);
    std::vector<R> left(n), right(left);
    int most = std::numeric_limits<int>::min();
    for (Index i = 0; i < n; ++i) most = std::max(most, columns_.row(i));
    for (Index i = 0; i < n; ++i) left[i] = times_power_of_two(R(1), columns_.row(i) - most);
    R largest(0);
    for (Index c = 0; c < B_.cols(); ++c) {
      R x(0);
      for (Index i = 0; i < n; ++i) {
        right[i] = residual.bound(i, c);
        x = std::max<R>(x, left[i] * modulus(high_(i, c)));
      }
      const R error = inverse.norm(left, right);
      if (error == R(0)) continue;
      const R relative = error / x / (R(1) - q) + unit_roundoff<R>();
      largest = relative <= largest ? largest : relative;  // NaN remains
    }
    return largest <= std::numeric_limits<R>::max() ? largest : std::numeric_limits<R>::infinity();
  }

  Matrix<T> solution() const { return columns_.unscaled(high_); }

 private:
  /// Adds d to the sum high + low.
  static void add(const T& d, T& high, T& low) {
    if constexpr (is_complex<T>) {
      R parts[2][2] = {{high.real(), low.real()}, {high.imag(), low.imag()}};
      add_real(d.real(), parts[0][0], parts[0][1]);
      add_real(d.imag(), parts[1][0], parts[1][1]);
      high = T(parts[0][0], parts[1][0]), low = T(parts[0][1], parts[1][1]);
    } else {
      add_real(d, high, low);
    }
  }
  static void add_real(const R& d, R& high, R& low) {
    const R sum = high + d, t = sum - high, rest = (high - (sum - t)) + (d - t) + low;
    high = sum + rest;
    low = rest - (high - sum);
  }

  /// Returns the maximum of ‖W·d‖∞/‖W·y‖∞ over all columns of the scaled solution.
  R weighted_size(const Matrix<T>& correction, const std::vector<R>& weights) const {
    R largest(0);
    for (Index c = 0; c < correction.cols(); ++c) {
      R d(0), y(0);
      for (Index i = 0; i < correction.rows(); ++i) {
        d = std::max<R>(d, weights[i] * modulus(correction(i, c)));
        y = std::max<R>(y, weights[i] * modulus(high_(i, c)));
      }
      if (!(d == R(0))) largest = d / y <= largest ? largest : R(d / y);  // NaN remains
    }
    return largest;
  }

  /// Returns the maximum of ‖d‖∞/‖x‖∞ over all columns of the unscaled solution.
  R relative_size(const Matrix<T>& correction) const {
    using W = WideReal<R>;
    W largest(0);
    for (Index c = 0; c < correction.cols(); ++c) {
      W d(0), x(0);
      for (Index i = 0; i < correction.rows(); ++i) {
        d = std::max<W>(d, wide_modulus(correction(i, c), columns_.row(i)));
        x = std::max<W>(x, wide_modulus(high_(i, c), columns_.row(i)));
      }
      if (d > W(0)) largest = std::max<W>(largest, d / x);
    }
    return static_cast<R>(largest);
  }

  const LdltFactorization<T>& f_;
  MatrixView<const T> A_;
  const ScaledColumns<T>& columns_;
  const Matrix<T>& B_;
  Matrix<T> high_, low_;
};

/// Largest order at which systems that the factors of double do not solve are factored in Quad.
inline constexpr Index largest_quad_order = 256;

/// A solution in Quad, rounded.
template <class T>
struct QuadSolution {
  Index rank = 0;
  Matrix<T> X;
  double forward_error = 0;
};
/// Solves A·X = B in Quad. T is double or std::complex<double>; A has both triangles.
template <class T>
QuadSolution<T> solve_in_quad(MatrixView<const T> A, MatrixView<const T> B, Symmetry symmetry);

/// The largest forward error of a passed solution.
template <class R>
inline constexpr double largest_forward_error = 0.5;
template <>
inline constexpr double largest_forward_error<double> = 0x1p-50;  // a few ulp

/// Returns max over columns of the relative error of ‖x‖∞ that underflow may cause.
template <class T>
RealOf<T> underflow_of(const Matrix<T>& X) {
  using R = RealOf<T>;
  R largest(0);
  for (Index j = 0; j < X.cols(); ++j)
    if (const R x = largest_magnitude(X.col(j).data(), X.rows()); x > R(0) && x < std::numeric_limits<R>::min() * R(4))
      largest = std::max<R>(largest, std::numeric_limits<R>::denorm_min() / x);
  return largest;
}

/// Sets status and message of a solution from its errors; `rank` is the best that is known.
template <class T>
void judge(const LdltFactorization<T>& f, Index rank, bool refined, LdltSolution<T>& solution) {
  using R = RealOf<T>;
  constexpr R epsilon = std::numeric_limits<R>::epsilon();
  const R relative = f.largest_element > R(0) ? R(f.tolerance / f.largest_element) : R(0);
  const bool solves = solution.backward_error <= R(10 * f.order()) * std::max<R>(epsilon, relative);
  const std::string error = "backward error " + text_of(solution.backward_error);
  solution.status = Status::passed;
  if (!all_finite<T>(solution.X)) {
    solution.status = Status::failed;
    solution.message = "the solution overflows; multiply the right-hand sides by a power of two such as 2^-500";
  } else if (rank < f.order()) {
    if (!solves) solution.status = Status::incorrect;
    solution.message =
        singular_text<T>(rank, f.order(), f.tolerance) +
        (solves ? "; this is one of many solutions, " : "; the right-hand sides are not in its range, ") + error;
  } else if (!solves) {
    solution.status = Status::not_converged;
    solution.message = "iterative refinement: it ended after " + std::to_string(solution.refinements) + " steps with " +
                       error + "; take complete or rook pivoting, or a longer precision";
  } else if (refined && !(solution.forward_error <= R(largest_forward_error<R>))) {
    solution.status = Status::not_converged;
    solution.message = "iterative refinement: it ended after " + std::to_string(solution.refinements) +
                       " steps, and the relative error of the solution is up to " + text_of(solution.forward_error) +
                       " (" + error + "); the matrix may be singular to working precision";
  }
}

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
LdltSolution<T> LdltFactorization<T>::solve_refined(MatrixView<const T> A, MatrixView<const T> B,
                                                    InputTriangle triangle, int max_refinements) const {
  using namespace ldlt_detail;
  if (const auto scaled = scaled_to_one(*this)) return scaled->solve_refined(A, B, triangle, max_refinements);
  require_square(A);
  if (A.rows != order())
    throw InputError("matrix A: it has order " + std::to_string(A.rows) + " and the factors have " +
                     std::to_string(order()) + "; pass the matrix that was factored");
  require_right_hand_sides(*this, B);
  const WholeMatrix<T> whole(A, triangle, symmetry, scaling);
  const ScaledColumns<T> columns(scaling, B);
  Refinement<T> refinement(*this, whole.view(), columns);
  LdltSolution<T> solution;
  solution.correction = Real(1);
  refinement.run(max_refinements, solution);
  solution.X = refinement.solution();
  const bool refined = max_refinements > 0;
  Index known_rank = rank;
  if (refined && rank == order()) solution.forward_error = refinement.forward_error();
  if constexpr (std::is_same_v<Real, double>) {
    const bool accurate = solution.forward_error <= largest_forward_error<double>;
    if (refined && tolerance == 0 && !accurate && order() <= largest_quad_order) {
      const WholeMatrix<T> given(A, triangle, symmetry, {});
      QuadSolution<T> better = solve_in_quad<T>(given.view(), B, symmetry);
      known_rank = better.rank;
      solution.X = std::move(better.X);
      solution.forward_error = better.forward_error;
    }
  }
  solution.backward_error = backward_error<T>(whole.view(), columns, solution.X);
  judge(*this, known_rank, refined, solution);
  solution.forward_error += underflow_of(solution.X);
  return solution;
}

}  // namespace pivotlab
