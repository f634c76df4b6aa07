// SPDX-License-Identifier: BSD-3-Clause
// G·J·Gᴴ and the modified Cholesky factorization.
#include "matrices.hpp"

#include "kernels/numerics/double_double.hpp"
#include "kernels/numerics/eigen.hpp"
#include "tests/dense.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

namespace pivotlab::gjg_test {
namespace {

using namespace test;

template <class T>
Matrix<T> permuted(const Matrix<T>& A, const std::vector<Index>& permutation) {
  Matrix<T> B(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(i, j) = A(permutation[i], permutation[j]);
  return B;
}

/// ‖P·A·Pᵀ − G·diag(d)·Gᴴ‖∞ / ‖A‖∞ in units of n·ε.
template <class T, class Diagonal>
double error_of(const Matrix<T>& A, const LdltFactorization<T>& f, const Matrix<T>& G, const std::vector<Diagonal>& d) {
  using R = RealOf<T>;
  const Index n = A.rows();
  Matrix<T> difference = permuted(A, f.permutation);
  for (Index j = 0; j < n; ++j)
    for (Index k = 0; k < n; ++k) {
      const T factor = T(R(d[k])) * conjugate(G(j, k));
      for (Index i = 0; i < n; ++i) difference(i, j) -= G(i, k) * factor;
    }
  R error(0);
  for (Index j = 0; j < n; ++j) {  // difference is Hermitian
    R sum(0);
    for (const T& x : difference.col(j)) sum += R(ldlt_detail::modulus(x));
    error = std::max(error, sum);
  }
  return error == R(0) ? 0 : static_cast<double>(R(error / (f.norm_inf * R(n) * std::numeric_limits<R>::epsilon())));
}

template <class T>
class Gjg : public testing::Test {};
using Scalars =
    testing::Types<double, std::complex<double>, long double, std::complex<long double>, Quad, std::complex<Quad>>;
TYPED_TEST_SUITE(Gjg, Scalars);

TYPED_TEST(Gjg, ReproducesTheMatrixAndItsInertia) {
  using T = TypeParam;
  for (const Pivoting pivoting : all_pivotings)
    for (const Structure structure : {Structure::dense, Structure::zero_diagonal, Structure::saddle_point})
      for (const Index n : {1, 2, 7, 30}) {
        const Matrix<T> A = structured<T>(structure, n, 41);
        const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting}});
        for (const bool sorted : {false, true}) {
          const auto [G, J] = f.gjg(sorted);
          EXPECT_LT(error_of(A, f, G, J), 5);
          EXPECT_EQ(std::ranges::count(J, 1), f.inertia.positive);
          EXPECT_EQ(std::ranges::count(J, -1), f.inertia.negative);
          EXPECT_EQ(std::ranges::count(J, 0), f.inertia.zero);
          if (sorted) {
            EXPECT_TRUE(std::ranges::is_sorted(J, {}, [](int j) { return j == 0 ? 2 : -j; }));
          }
        }
      }
}

TEST(GjgFactors, NonsingularForSingularMatrices) {
  for (const Pivoting pivoting : all_pivotings) {
    const Matrix<double> A = structured<double>(Structure::low_rank, 12, 5);
    const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}, .rank_tolerance = 1e-11});
    const auto [G, J] = f.gjg();
    if (pivoting != Pivoting::partial) {
      EXPECT_EQ(f.rank, 3);
      EXPECT_EQ(std::ranges::count(J, 0), 9);
    }
    EXPECT_LT(error_of(A, f, G, J), 1000);  // J leaves out what is below the tolerance
    for (Index j = 0; j < 12; ++j) {
      EXPECT_NE(G(j, j), 0);
      for (Index i = 0; i + 1 < j; ++i) EXPECT_EQ(G(i, j), 0);
      if (j > 0 && f.subdiagonal[j - 1] == 0) {
        EXPECT_EQ(G(j - 1, j), 0);
      }
    }
  }
}

/// Returns the largest difference between elements of G from the factorization over R and over Quad.
template <class R>
double difference_from_quad(const Matrix<double>& A) {
  Matrix<R> over_r(A.rows(), A.cols());
  Matrix<Quad> over_quad(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) {
    over_r.data()[i] = A.data()[i];
    over_quad.data()[i] = A.data()[i];
  }
  const auto f = ldlt<R>(over_r);
  const auto q = ldlt<Quad>(over_quad);
  EXPECT_EQ(f.interchanges, q.interchanges);
  const auto computed = f.gjg();
  const auto exact = q.gjg();
  EXPECT_EQ(computed.J, exact.J);
  double largest = 0;
  for (Index i = 0; i < A.size(); ++i)
    largest = std::max(largest, static_cast<double>(abs(Quad(computed.G.data()[i]) - exact.G.data()[i])));
  return largest;
}

TEST(GjgFactors, AgreeWithQuad) {
  // Figure 3.22: errors of the factorization in double against the one in extended precision.
  const Matrix<double> A = structured<double>(Structure::dense, 60, 5);
  EXPECT_LT(difference_from_quad<double>(A), 1e-11);
  EXPECT_LT(difference_from_quad<DoubleDouble>(A), 1e-26);
}

TEST(ModifiedCholesky, LeavesWellConditionedDefiniteMatricesAlone) {
  using C = std::complex<double>;
  const Matrix<C> A = [] {
    Matrix<C> B = structured<C>(Structure::definite, 20, 3);
    for (Index i = 0; i < 20; ++i) B(i, i) += 1.0;
    return B;
  }();
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook}) {
    const auto f = ldlt<C>(A, {.variant = {.pivoting = pivoting}});
    const auto [L, delta, shift, raised] = f.modified_cholesky();
    EXPECT_EQ(raised, 0);
    EXPECT_EQ(shift, 0);
    EXPECT_LT(error_of(A, f, L, std::vector<int>(20, 1)), 5);
  }
}

/// P·(A+E)·Pᵀ = L·Lᴴ, and E = Pᵀ·M·F·Mᴴ·P with ‖F‖ the largest shift.
template <class T>
void expect_cheng_higham(const Matrix<T>& A, const LdltFactorization<T>& f, double delta) {
  const Index n = A.rows();
  const auto result = f.modified_cholesky(delta);
  const EigenMatrix<T> product = dense_product<T>(result.L, adjoint(result.L));
  const Matrix<T> B = permuted(A, f.permutation);
  const EigenMatrix<T> E = product - as_eigen(B.view());
  for (Index j = 0; j < n; ++j) {
    EXPECT_GT(real_part(result.L(j, j)), 0);
    for (Index i = 0; i < j; ++i) EXPECT_EQ(result.L(i, j), T(0));
  }
  // λ_min(A+E) ≥ δ·σ_min(M)², and ‖E‖₂ ≤ ‖M‖₂²·‖F‖₂.
  const Eigen::VectorXd sigma = hermitian_eigenvalues(dense_product<T>(adjoint(f.M), f.M)).cwiseSqrt();
  const double largest = sigma(n - 1), smallest = sigma(0), noise = 1e-13 * f.norm_inf;
  EXPECT_GE(hermitian_eigenvalues(product)(0), delta * smallest * smallest * (1 - 1e-10) - noise);
  EXPECT_LE(hermitian_eigenvalues(E).cwiseAbs().maxCoeff(),
            largest * largest * result.largest_shift * (1 + 1e-10) + noise);
  EXPECT_GE(result.raised_eigenvalues, f.inertia.negative + f.inertia.zero);
}

TEST(ModifiedCholesky, KeepsThePromisesOfChengAndHigham) {
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook})
    for (int structure = 0; structure < static_cast<int>(Structure::count); ++structure)
      for (const double delta : {1e-6, 0.1, 10.0}) {
        SCOPED_TRACE(testing::Message() << to_string(pivoting) << " structure " << structure << " delta " << delta);
        const auto kind = static_cast<Structure>(structure);
        const Matrix<double> A = structured<double>(kind, 18, 13);
        expect_cheng_higham(A, ldlt<double>(A, {.variant = {.pivoting = pivoting}}), delta);
        using C = std::complex<double>;
        const Matrix<C> H = structured<C>(kind, 12, 13);
        expect_cheng_higham(H, ldlt<C>(H, {.variant = {.pivoting = pivoting}}), delta);
      }
}

TEST(ModifiedCholesky, ZeroMatrixGivesMultipleOfIdentity) {
  const auto [L, delta, shift, raised] = ldlt<double>(Matrix<double>(3, 3)).modified_cholesky();
  EXPECT_EQ(raised, 3);
  EXPECT_EQ(shift, delta);
  for (Index i = 0; i < 3; ++i) EXPECT_EQ(L(i, i), std::sqrt(delta));
}

}  // namespace
}  // namespace pivotlab::gjg_test
