// Solution of A·X = B from the factors, X = S·Pᵀ·M⁻*·D⁺·M⁻¹·P·S·B; iterative refinement; the inverse.
#pragma once

#include "kernels/ldlt/factors/factors.hpp"

namespace pivotlab::ldlt_detail {

/// Computes Y := D⁺·Y; eigenvalues of D that count as zero give zeros in Y.
template <bool hermitian, class T>
void divide_by_d(const LdltFactorization<T>& f, MatrixView<T> Y) {
  const auto zero = zero_level(f);
  for_blocks(f, [&](Index k, int size) {
    if (size == 1) {
      const T d = f.diagonal[k];
      for (Index j = 0; j < Y.cols; ++j) Y(k, j) = absolute(d) > zero ? T(Y(k, j) / d) : T(0);
      return;
    }
    const Block<T> P = block_at(f, k);
    const bool counts = sizes_of<hermitian>(P).first > zero;
    for (Index j = 0; j < Y.cols; ++j) {
      const T x = Y(k, j), y = Y(k + 1, j);
      std::tie(Y(k, j), Y(k + 1, j)) = counts ? BlockInverse<T, hermitian>::solve(P, x, y) : std::pair(T(0), T(0));
    }
  });
}

/// Returns the element of S·B in row i of P·S·B.
template <class T>
T scaled_row(const LdltFactorization<T>& f, Index i, const T& x) {
  return f.scaling.empty() ? x : times_power_of_two(x, scaling_at(f, i));
}

/// Computes X := A⁻¹·B for some columns.
template <bool hermitian, class T>
void apply_inverse(const LdltFactorization<T>& f, MatrixView<const T> B, MatrixView<T> X) {
  Matrix<T> Y(B.rows, B.cols);
  for (Index j = 0; j < B.cols; ++j)
    for (Index i = 0; i < B.rows; ++i) Y(i, j) = scaled_row(f, i, B(f.permutation[i], j));
  const auto m = as_eigen(f.M.view()).template triangularView<Eigen::UnitLower>();
  auto y = as_eigen(Y.view());
  m.solveInPlace(y);
  divide_by_d<hermitian>(f, Y.view());
  if constexpr (hermitian)
    m.adjoint().solveInPlace(y);
  else
    m.transpose().solveInPlace(y);
  for (Index j = 0; j < B.cols; ++j)
    for (Index i = 0; i < B.rows; ++i) X(f.permutation[i], j) = scaled_row(f, i, Y(i, j));
}

/// Distributes few columns one by one over the threads, many columns in blocks: for few columns reading M takes most of
/// the time, for many the arithmetic.
template <class T>
Matrix<T> apply_inverse(const LdltFactorization<T>& f, MatrixView<const T> B) {
  constexpr Index few = 16, block = 64;
  Matrix<T> X(B.rows, B.cols);
  if (X.size() == 0) return X;
  fix_eigen_blocking();
  const Index width = B.cols <= few ? 1 : block;
#pragma omp parallel for num_threads(threads_for(B.rows, 0)) schedule(dynamic, 1)
  for (Index j = 0; j < B.cols; j += width) {
    const Index count = std::min(width, B.cols - j);
    with_symmetry<T>(f.symmetry, [&](auto hermitian) {
      apply_inverse<hermitian.value>(f, B.cols_range(j, count), X.view().cols_range(j, count));
    });
  }
  return X;
}

/// The next longer real type, in which residuals are summed.
template <class R>
struct Longer {
  using type = Quad;
};
template <>
struct Longer<double> {
  using type = long double;
};

/// Computes B − A·X and its backward error.
template <class T>
class Residual {
 public:
  using R = RealOf<T>;
  using L = Rebind<T, typename Longer<R>::type>;

  Residual(const LdltFactorization<T>& f, MatrixView<const T> A, InputTriangle triangle)
      : f_(f), A_(A), triangle_(triangle), norm_inf_(f.scaling.empty() ? f.norm_inf : norm_of_given()) {}

  struct Result {
    Matrix<T> residual;
    R backward_error{};
  };

  Result of(MatrixView<const T> X, MatrixView<const T> B) const {
    constexpr Index block = 128;
    Result result{Matrix<T>(B.rows, B.cols), R(0)};
#pragma omp parallel for num_threads(threads_for(B.rows, 0)) schedule(dynamic, 1)
    for (Index first = 0; first < B.rows; first += block)
      subtract_rows(first, std::min(block, B.rows - first), X, B, result.residual);
    for (Index c = 0; c < B.cols; ++c) {
      const R r = largest_magnitude(result.residual.data() + c * B.rows, B.rows);
      const R scale = norm_inf_ * largest_magnitude(&X(0, c), B.rows) + largest_magnitude(&B(0, c), B.rows);
      if (r > R(0)) result.backward_error = std::max<R>(result.backward_error, r / scale);
    }
    return result;
  }

 private:
  /// Computes some rows of B − A·X.
  void subtract_rows(Index first, Index rows, MatrixView<const T> X, MatrixView<const T> B, Matrix<T>& residual) const {
    Matrix<L> sum(rows, B.cols);
    for (Index c = 0; c < B.cols; ++c)
      for (Index i = 0; i < rows; ++i) sum(i, c) = longer(B(first + i, c));
    for (Index j = 0; j < B.rows; ++j)
      for (Index c = 0; c < B.cols; ++c) {
        const L x = longer(T(-X(j, c)));
        for (Index i = 0; i < rows; ++i) sum(i, c) = multiply_add(longer(element(first + i, j)), x, sum(i, c));
      }
    for (Index c = 0; c < B.cols; ++c)
      for (Index i = 0; i < rows; ++i) residual(first + i, c) = shorter(sum(i, c));
  }

  /// Returns ‖A‖∞.
  R norm_of_given() const {
    std::vector<R> sums(static_cast<std::size_t>(A_.rows));
    for (Index j = 0; j < A_.cols; ++j)
      for (Index i = 0; i < A_.rows; ++i) sums[i] += modulus(element(i, j));
    return sums.empty() ? R(0) : *std::ranges::max_element(sums);
  }

  T element(Index i, Index j) const {
    const bool given = triangle_ == InputTriangle::whole || (triangle_ == InputTriangle::lower ? i >= j : i <= j);
    if (given) return A_(i, j);
    return f_.symmetry == Symmetry::hermitian ? conjugate(A_(j, i)) : A_(j, i);
  }
  static L longer(const T& x) {
    using Part = RealOf<L>;
    if constexpr (is_complex<T>)
      return L(Part(x.real()), Part(x.imag()));
    else
      return L(x);
  }
  static T shorter(const L& x) {
    if constexpr (is_complex<T>)
      return T(static_cast<R>(x.real()), static_cast<R>(x.imag()));
    else
      return static_cast<R>(x);
  }

  const LdltFactorization<T>& f_;
  MatrixView<const T> A_;
  InputTriangle triangle_;
  R norm_inf_;
};

/// Returns the maximum of ‖y‖∞ / ‖x‖∞ over all columns.
template <class T>
RealOf<T> relative_size(const Matrix<T>& Y, const Matrix<T>& X) {
  using R = RealOf<T>;
  R largest(0);
  for (Index j = 0; j < X.cols(); ++j) {
    const R y = largest_magnitude(Y.data() + j * Y.rows(), Y.rows());
    if (y > R(0)) largest = std::max<R>(largest, y / largest_magnitude(X.data() + j * X.rows(), X.rows()));
  }
  return largest;
}

template <class T>
void require_rows(const LdltFactorization<T>& f, MatrixView<const T> B) {
  if (B.rows != f.order())
    throw InputError("right-hand sides: they have " + std::to_string(B.rows) + " rows and A has " +
                     std::to_string(f.order()) + "; the numbers must agree");
}

template <class T>
std::string singular_text(const LdltFactorization<T>& f) {
  return "matrix A: it is singular (rank " + std::to_string(f.rank) + " of " + std::to_string(f.order()) +
         " at the tolerance " + text_of(f.tolerance) + ")";
}

template <class T>
void require_nonsingular(const LdltFactorization<T>& f) {
  if (f.rank < f.order())
    throw InputError(singular_text(f) + "; solve with refinement (which finds a solution if there is one), or lower " +
                     "the tolerance");
}

/// Sets status and message of a solution from its backward error.
template <class T>
void judge(const LdltFactorization<T>& f, LdltSolution<T>& solution) {
  using R = RealOf<T>;
  const R relative = f.largest_element > R(0) ? R(f.tolerance / f.largest_element) : R(0);
  const R acceptable = R(10 * f.order()) * std::max<R>(std::numeric_limits<R>::epsilon(), relative);
  const bool solves = solution.backward_error <= acceptable;
  const bool singular = f.rank < f.order();
  const std::string error = "backward error " + text_of(solution.backward_error);
  solution.status = solves ? Status::passed : singular ? Status::incorrect : Status::not_converged;
  if (singular)
    solution.message =
        singular_text(f) +
        (solves ? "; this is one of many solutions, " : "; the right-hand sides are not in its range, ") + error;
  else if (!solves)
    solution.message = "iterative refinement: it ended after " + std::to_string(solution.refinements) + " steps with " +
                       error + "; take complete or rook pivoting, or a longer precision";
}

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
Matrix<T> LdltFactorization<T>::solve(MatrixView<const T> B) const {
  ldlt_detail::require_rows(*this, B);
  ldlt_detail::require_nonsingular(*this);
  return ldlt_detail::apply_inverse(*this, B);
}

template <class T>
LdltSolution<T> LdltFactorization<T>::solve_refined(MatrixView<const T> A, MatrixView<const T> B,
                                                    InputTriangle triangle, int max_refinements) const {
  using namespace ldlt_detail;
  require_square(A);
  require_rows(*this, A);
  require_rows(*this, B);
  LdltSolution<T> solution;
  solution.X = apply_inverse(*this, B);
  const Residual<T> residual(*this, A, triangle);
  const Real u = unit_roundoff<Real>();
  auto current = residual.of(solution.X, B);
  solution.correction = Real(1);
  while (solution.refinements < max_refinements) {
    Matrix<T> X = apply_inverse<T>(*this, current.residual);
    const Real correction = relative_size<T>(X, solution.X);
    if (!(correction <= solution.correction / Real(2))) break;
    for (Index i = 0; i < X.size(); ++i) X.data()[i] += solution.X.data()[i];
    auto next = residual.of(X, B);
    if (next.backward_error > std::max<Real>(current.backward_error, Real(2) * u)) break;
    solution.X = std::move(X);
    solution.correction = correction;
    current = std::move(next);
    ++solution.refinements;
    if (correction <= u) break;
  }
  solution.backward_error = current.backward_error;
  judge(*this, solution);
  return solution;
}

template <class T>
Matrix<T> LdltFactorization<T>::inverse() const {
  using namespace ldlt_detail;
  Matrix<T> X = solve(Matrix<T>::identity(order()));
  with_symmetry<T>(symmetry, [&](auto hermitian) {
    for (Index j = 0; j < order(); ++j) {
      X(j, j) = on_diagonal<hermitian.value>(X(j, j));
      for (Index i = j + 1; i < order(); ++i) X(j, i) = across<hermitian.value>(X(i, j));
    }
  });
  return X;
}

}  // namespace pivotlab
