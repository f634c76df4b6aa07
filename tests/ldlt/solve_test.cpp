// SPDX-License-Identifier: BSD-3-Clause
// Solutions, refinement, inverse and determinant from the factors.
#include "matrices.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pivotlab::solve_test {
namespace {

using namespace test;

template <class T>
Matrix<T> random_columns(Index n, Index columns, std::uint64_t seed) {
  Entries<T> entry(seed);
  Matrix<T> B(n, columns);
  for (Index i = 0; i < B.size(); ++i) B.data()[i] = entry();
  return B;
}

template <class T>
RealOf<T> largest(const Matrix<T>& A) {
  return ldlt_detail::largest_magnitude(A.data(), A.size());
}

template <class T>
RealOf<T> largest_difference(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> difference = A;
  for (Index i = 0; i < A.size(); ++i) difference.data()[i] -= B.data()[i];
  return largest(difference);
}

Matrix<Quad> in_quad(const Matrix<double>& A) {
  Matrix<Quad> result(A.rows(), A.cols());
  std::copy_n(A.data(), A.size(), result.data());
  return result;
}

template <class T>
class LdltSolve : public testing::Test {};
using Scalars =
    testing::Types<double, std::complex<double>, long double, std::complex<long double>, Quad, std::complex<Quad>>;
TYPED_TEST_SUITE(LdltSolve, Scalars);

TYPED_TEST(LdltSolve, SolvesSeveralRightHandSides) {
  using T = TypeParam;
  using R = RealOf<T>;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings)
      for (const Structure structure : {Structure::dense, Structure::zero_diagonal, Structure::definite}) {
        const Index n = 30;
        const Matrix<T> A = structured<T>(structure, n, 3, symmetry), B = random_columns<T>(n, 3, 4);
        const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting}, .symmetry = symmetry});
        const Matrix<T> X = f.solve(B);
        const R scale = f.norm_inf * largest(X) * R(n) * std::numeric_limits<R>::epsilon();
        EXPECT_LE(largest_difference(product(A, X), B), scale);

        const auto refined = f.solve_refined(A, B);
        EXPECT_EQ(refined.status, Status::passed) << refined.message;
        EXPECT_LE(refined.backward_error, R(2) * unit_roundoff<R>());
      }
}

TYPED_TEST(LdltSolve, InverseIsSymmetricAndInverts) {
  using T = TypeParam;
  using R = RealOf<T>;
  const Index n = 20;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings) {
      const Matrix<T> A = structured<T>(Structure::dense, n, 9, symmetry);
      const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting}, .symmetry = symmetry});
      const Matrix<T> X = f.inverse();
      EXPECT_LE(largest_difference(product(A, X), Matrix<T>::identity(n)),
                R(10 * n) * f.norm_inf * largest(X) * std::numeric_limits<R>::epsilon());
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) EXPECT_EQ(X(j, i), across_diagonal<T>(X(i, j), symmetry));
    }
}

TEST(LdltSolve, RefinementSolvesFromOneTriangle) {
  using C = std::complex<double>;
  const Index n = 25;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const InputTriangle triangle : {InputTriangle::lower, InputTriangle::upper}) {
      const Matrix<C> A = structured<C>(Structure::dense, n, 9, symmetry), B = random_columns<C>(n, 2, 1);
      Matrix<C> half = A;
      for (Index j = 0; j < n; ++j)
        for (Index i = j + 1; i < n; ++i) (triangle == InputTriangle::lower ? half(j, i) : half(i, j)) = C(1e300, -7);
      const auto f = ldlt<C>(half, {.symmetry = symmetry, .triangle = triangle});
      EXPECT_EQ(f.solve_refined(half, B, triangle).backward_error, f.solve_refined(A, B).backward_error);
    }
}

TEST(LdltSolve, RefinementGivesTheSolutionToAFewUlp) {
  // Residuals in the next longer precision, and a condition number below 1/u.
  const Index n = 24;
  const Matrix<double> A = structured<double>(Structure::graded, n, 2), B = random_columns<double>(n, 1, 8);
  const Matrix<Quad> exact = ldlt<Quad>(in_quad(A)).solve(in_quad(B));
  const auto error = [&](const Matrix<double>& X) {
    return static_cast<double>(Quad(largest_difference(in_quad(X), exact) / largest(exact)));
  };
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}, .rank_tolerance = 0.0});
    const auto solution = f.solve_refined(A, B);
    EXPECT_EQ(solution.status, Status::passed) << solution.message;
    EXPECT_LE(solution.correction, unit_roundoff<double>());
    EXPECT_GE(solution.refinements, 2);
    EXPECT_LE(error(solution.X), std::numeric_limits<double>::epsilon());
    EXPECT_GT(error(f.solve(B)), 0x1p-48) << "too easy a problem";
  }
}

TEST(LdltSolve, RefinementRepairsGrowthOfSmallAlpha) {
  const Index n = 60;
  const Matrix<double> A = structured<double>(Structure::zero_diagonal, n, 2), B = random_columns<double>(n, 2, 8);
  Matrix<double> nearly = A;
  for (Index i = 0; i < n; ++i) nearly(i, i) = 1e-9;
  const auto f = ldlt<double>(nearly, {.variant = {.alpha = 1e-12}});
  EXPECT_GT(f.max_growth(), 1e3);
  const auto plain = f.solve_refined(nearly, B, InputTriangle::whole, 0), refined = f.solve_refined(nearly, B);
  EXPECT_EQ(plain.refinements, 0);
  EXPECT_GT(plain.backward_error, 10 * refined.backward_error);
  EXPECT_GT(refined.refinements, 0);
  EXPECT_LE(refined.backward_error, 1e-15);
}

/// Rank 2 of order 4: rows 3 and 4 repeat rows 1 and 2.
Matrix<double> singular() {
  const double small[2][2] = {{1, 3}, {3, 2}};
  return from_lower<double>(4, [&](Index i, Index j) { return small[i % 2][j % 2]; });
}

TEST(LdltSolve, SolvesConsistentSingularSystem) {
  const Matrix<double> A = singular();
  Matrix<double> B(4, 1);
  for (Index i = 0; i < 4; ++i) B(i, 0) = i % 2 == 0 ? 5 : -2;
  for (const Pivoting pivoting : all_pivotings) {
    const auto solution = ldlt<double>(A, {.variant = {.pivoting = pivoting}}).solve_refined(A, B);
    EXPECT_EQ(solution.status, Status::passed);
    EXPECT_EQ(solution.message.find("matrix A: it is singular (rank 2 of 4 but for rounding errors)"), 0u)
        << solution.message;
    EXPECT_NE(solution.message.find("this is one of many solutions"), std::string::npos) << solution.message;
    EXPECT_LE(largest_difference(product(A, solution.X), B), 1e-14);
  }
}

TEST(LdltSolve, ReportsInconsistentSingularSystem) {
  const Matrix<double> A = singular();
  Matrix<double> B(4, 1);
  B(0, 0) = 1;
  for (const Pivoting pivoting : all_pivotings) {
    const auto solution = ldlt<double>(A, {.variant = {.pivoting = pivoting}}).solve_refined(A, B);
    EXPECT_EQ(solution.status, Status::incorrect);
    EXPECT_NE(solution.message.find("the right-hand sides are not in its range"), std::string::npos);
    EXPECT_EQ(solution.message.find('\n'), std::string::npos);
  }
}

TEST(LdltSolve, PivotsThatCountAsZeroGiveZeros) {
  const double noise = 1e-20;
  Matrix<double> A(4, 4), B(4, 1);
  A(0, 0) = B(0, 0) = 1;
  A(2, 1) = A(1, 2) = noise;  // a 2×2 pivot
  A(3, 3) = noise;
  B(1, 0) = B(3, 0) = 1e-17;  // noise as well, which 1/noise would make 1000
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<double>(A, {.variant = {.pivoting = pivoting}, .rank_tolerance = 0x1p-52});
    const auto solution = f.solve_refined(A, B);
    EXPECT_EQ(f.rank, 1);
    EXPECT_EQ(solution.status, Status::passed);
    EXPECT_EQ(largest_difference(solution.X,
                                 [] {
                                   Matrix<double> X(4, 1);
                                   X(0, 0) = 1;
                                   return X;
                                 }()),
              0);
  }
}

TEST(LdltSolve, ZeroMatrixSolvesZeroOnly) {
  const Matrix<double> zero(3, 3);
  const auto f = ldlt<double>(zero);
  EXPECT_EQ(f.solve_refined(zero, Matrix<double>(3, 2)).status, Status::passed);
  EXPECT_EQ(f.solve_refined(zero, Matrix<double>::identity(3)).status, Status::incorrect);
}

double unit_error(const Matrix<double>& X, const Matrix<Quad>& exact) {
  return static_cast<double>(Quad(largest_difference(in_quad(X), exact) / largest(exact)));
}

TEST(LdltSolve, IllConditionedSystemsAreSolvedToAFewUlpOrRefused) {
  for (const Index n : {3, 8, 12, 14, 80}) {
    const Matrix<double> A = hilbert(n);
    Matrix<double> B(n, 1);
    for (Index i = 0; i < n; ++i) B(i, 0) = i % 2 == 0 ? 1 : -1;
    const Matrix<Quad> exact = ldlt<Quad>(in_quad(A), {.rank_tolerance = 0}).solve_refined(in_quad(A), in_quad(B)).X;
    for (const Pivoting pivoting : all_pivotings) {
      const auto solution = ldlt<double>(A, {.variant = {.pivoting = pivoting}}).solve_refined(A, B);
      SCOPED_TRACE(testing::Message() << "n = " << n << ", " << to_string(pivoting) << ": " << solution.message);
      if (n <= 14) {
        EXPECT_EQ(solution.status, Status::passed);
        EXPECT_LE(solution.forward_error, 0x1p-50);
        EXPECT_LE(unit_error(solution.X, exact), 0x1p-50);
      } else {
        EXPECT_EQ(solution.status, Status::not_converged);  // rounding left a condition of 1e20
        EXPECT_GE(solution.forward_error, unit_error(solution.X, exact));
      }
    }
  }
}

// A = D·R·D: the size of a row whose diagonal element is zero follows from other rows only.
TEST(LdltSolve, RowsOfDifferentSizesWithZerosOnTheDiagonalAreSolved) {
  const double R[3][3] = {{3, 1, 2}, {1, 0, 5}, {2, 5, 1}};
  const int size[] = {-150, 140, 20};
  Matrix<double> A(3, 3), B(3, 1);
  for (Index j = 0; j < 3; ++j) {
    B(j, 0) = std::ldexp(1.0 + static_cast<double>(j), size[j]);
    for (Index i = 0; i < 3; ++i) A(i, j) = std::ldexp(R[i][j], size[i] + size[j]);
  }
  const Matrix<Quad> exact = ldlt<Quad>(in_quad(A), {.rank_tolerance = 0}).solve_refined(in_quad(A), in_quad(B)).X;
  for (const Pivoting pivoting : all_pivotings) {
    const auto solution = ldlt<double>(A, {.variant = {.pivoting = pivoting}}).solve_refined(A, B);
    EXPECT_EQ(solution.status, Status::passed) << to_string(pivoting) << ": " << solution.message;
    EXPECT_LE(unit_error(solution.X, exact), solution.forward_error);
  }
}

RC_GTEST_PROP(LdltSolve, ForwardErrorBoundsTheError, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 90);
  const auto structure = *rc::gen::element(Structure::dense, Structure::graded, Structure::zero_diagonal);
  const Matrix<double> A = structured<double>(structure, n, *rc::gen::arbitrary<std::uint32_t>());
  const Matrix<double> B = random_columns<double>(n, 2, 5);
  const Pivoting pivoting = *rc::gen::elementOf(std::vector(std::begin(all_pivotings), std::end(all_pivotings)));
  const auto solution = ldlt<double>(A, {.variant = {.pivoting = pivoting}}).solve_refined(A, B);
  if (solution.status != Status::passed) return;
  const auto exact = ldlt<Quad>(in_quad(A), {.rank_tolerance = 0}).solve(in_quad(B));
  RC_ASSERT(unit_error(solution.X, exact) <= 0x1p-50);
}

TEST(LdltSolve, NeitherNanNorOverflowPasses) {
  Matrix<double> A = Matrix<double>::identity(2), B(2, 1), bad = A;
  bad(1, 0) = bad(0, 1) = std::numeric_limits<double>::quiet_NaN();
  B(0, 0) = std::numeric_limits<double>::quiet_NaN();
  const auto f = ldlt<double>(A);
  EXPECT_THROW(f.solve(B), InputError);
  EXPECT_THROW(f.solve_refined(A, B), InputError);
  EXPECT_THROW(f.solve_refined(bad, Matrix<double>(2, 1)), InputError);
  B(0, 0) = 0x1p600, B(1, 0) = 1;
  Matrix<double> small(2, 2);
  small(0, 0) = 0x1p-530, small(1, 1) = 0x1p-531, small(1, 0) = small(0, 1) = 0x1p-500;
  const auto g = ldlt<double>(small);
  EXPECT_THROW(g.solve(B), InputError);
  EXPECT_EQ(g.solve_refined(small, B).status, Status::failed);
  B(0, 0) = 0x1p500;  // representable
  EXPECT_EQ(g.solve_refined(small, B).status, Status::passed);
}

template <class T>
T value(const Determinant<T>& det) {
  return det.mantissa * T(std::ldexp(1.0, static_cast<int>(det.exponent)));
}

TEST(LdltDeterminant, ExactForSmallIntegerMatrices) {
  using C = std::complex<double>;
  // | 0 2 1 |
  // | 2 0 3 | = 12 + (−4)·… by the first row: −2·(2·5 − 3) + 1·(2·3 − 0) = −8
  // | 1 3 5 |
  const double rows[3][3] = {{0, 2, 1}, {2, 0, 3}, {1, 3, 5}};
  const Matrix<double> A = from_lower<double>(3, [&](Index i, Index j) { return rows[i][j]; });
  Matrix<C> hermitian(2, 2), symmetric(2, 2);  // [1, 2−i; 2+i, 3]: 3 − 5; [1, 2+i; 2+i, 3]: 3 − (3 + 4i)
  hermitian(0, 0) = symmetric(0, 0) = 1;
  hermitian(1, 1) = symmetric(1, 1) = 3;
  hermitian(1, 0) = symmetric(1, 0) = symmetric(0, 1) = C(2, 1);
  hermitian(0, 1) = C(2, -1);
  for (const Pivoting pivoting : all_pivotings) {
    const LdltVariant variant{.pivoting = pivoting};
    EXPECT_NEAR(value(ldlt<double>(A, {.variant = variant}).determinant()), -8, 1e-14);
    EXPECT_LE(std::abs(value(ldlt<C>(hermitian, {.variant = variant}).determinant()) + 2.0), 1e-15);
    const auto f = ldlt<C>(symmetric, {.variant = variant, .symmetry = Symmetry::symmetric});
    EXPECT_LE(std::abs(value(f.determinant()) + C(0, 4)), 1e-15);
  }
}

TEST(LdltDeterminant, HadamardExceedsRangeOfDouble) {
  const Index n = 512;  // |det| = n^(n/2) = 2^2304
  const auto det = ldlt<double>(hadamard(n)).determinant();
  EXPECT_EQ(det.mantissa, 0.5);
  EXPECT_EQ(det.exponent, 9 * 256 + 1);
}

RC_GTEST_PROP(LdltDeterminant, IsTheSameOfEveryPivoting, ()) {
  using C = std::complex<double>;
  const auto n = *rc::gen::inRange<Index>(0, 20);
  const Matrix<C> A = structured<C>(Structure::dense, n, *rc::gen::arbitrary<std::uint32_t>());
  const auto expected = ldlt<C>(A).determinant();
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<C>(A, {.variant = {.pivoting = pivoting}});
    const auto det = f.determinant();
    RC_ASSERT(std::abs(det.mantissa) >= 0.5 - 1e-15);
    RC_ASSERT(std::abs(det.mantissa) <= 1 + 1e-15);
    const double shift = std::ldexp(1.0, static_cast<int>(det.exponent - expected.exponent));
    // The error of a determinant is that of the smallest eigenvalue.
    if (f.rank == n && n > 0)
      RC_ASSERT(std::abs(det.mantissa * shift - expected.mantissa) <=
                1e-14 * static_cast<double>(n) * f.norm_inf * largest(f.inverse()));
  }
}

}  // namespace
}  // namespace pivotlab::solve_test
