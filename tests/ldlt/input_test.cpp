// SPDX-License-Identifier: BSD-3-Clause
// Invalid input is refused with one line that names the matrix, the place and the remedy.
#include "matrices.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::input_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  } catch (const NotSupported& error) {
    return error.what();
  }
  return "accepted";
}

template <class T>
std::string refusal_of(const Matrix<T>& A, const LdltOptions& options = {}) {
  return refusal([&] { ldlt<T>(A, options); });
}

TEST(LdltInput, RefusesNonSquareMatrix) {
  EXPECT_EQ(refusal_of(Matrix<double>(4, 5)), "matrix A: it is 4 x 5; it must be square");
}

TEST(LdltInput, RefusesNonFiniteElements) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    Matrix<double> A = structured<double>(Structure::dense, 5, 1);
    A(3, 1) = bad;
    const std::string expected = "matrix A: element (4, 2) is not finite; remove NaN and Inf from the input";
    EXPECT_EQ(refusal_of(A), expected);
    EXPECT_EQ(refusal_of(A, {.triangle = InputTriangle::lower}), expected);
    EXPECT_EQ(refusal_of(A, {.triangle = InputTriangle::upper}), "accepted");
    PackedTriangle<double> packed(5);
    packed.column(1)[3] = bad;
    for (const char* variant : {"LDLT-RK", "LDLT-BP;equilibrate=on"})
      for (const Backend backend : {Backend::host, Backend::emulation})
        EXPECT_EQ(refusal([&] { ldlt<double>(packed, {.variant = parse_ldlt_variant(variant), .backend = backend}); }),
                  expected);
    Matrix<Complex> C = structured<Complex>(Structure::dense, 5, 1);
    C(3, 1) = {1, bad};
    EXPECT_EQ(refusal_of(C), expected);
  }
}

// Non-finite sums of moduli make the check look at every element.
TEST(LdltInput, AcceptsElementsWhoseSumsOverflow) {
  PackedTriangle<double> packed(3);
  for (Index j = 0; j < 3; ++j) packed.diagonal(j) = (j == 1 ? -1 : 1) * std::numeric_limits<double>::max();
  for (Index i = 1; i < 3; ++i) packed.column(0)[i] = std::numeric_limits<double>::max() / 2;
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    const auto f = ldlt<double>(packed, {.backend = backend});
    EXPECT_EQ(f.rank, 3);
    ASSERT_EQ(f.scaling.size(), 3U);  // the second pivot is -5/4 of the largest double
    const double unit = std::ldexp(1.0, 2 * f.scaling[0]);
    EXPECT_EQ(f.norm_inf, 2 * (std::numeric_limits<double>::max() * unit));
    EXPECT_EQ(f.largest_element, std::numeric_limits<double>::max() * unit);
  }
}

TEST(LdltInput, RefusesNonSymmetricMatrix) {
  Matrix<double> A = structured<double>(Structure::definite, 5, 1);
  A(1, 0) += 1e-3;
  A(4, 2) += 0.25;
  EXPECT_EQ(
      refusal_of(A),
      "matrix A: it is not symmetric: element (5, 3) and element (3, 5) differ most, by 0.25; correct it, or choose "
      "one triangle (lower or upper)");
  EXPECT_EQ(refusal_of(A, {.triangle = InputTriangle::lower}), "accepted");
}

TEST(LdltInput, RefusesWrongComplexSymmetry) {
  const Matrix<Complex> hermitian = structured<Complex>(Structure::dense, 5, 1),
                        symmetric = structured<Complex>(Structure::zero_diagonal, 5, 1, Symmetry::symmetric);
  EXPECT_NE(refusal_of(hermitian, {.symmetry = Symmetry::symmetric}).find("it is not symmetric"), std::string::npos);
  EXPECT_NE(refusal_of(symmetric).find("it is not Hermitian"), std::string::npos);
  EXPECT_EQ(refusal_of(hermitian), "accepted");
  EXPECT_EQ(refusal_of(symmetric, {.symmetry = Symmetry::symmetric}), "accepted");
}

TEST(LdltInput, HermitianWithADiagonalThatIsNotRealIsRefused) {
  Matrix<Complex> A = structured<Complex>(Structure::dense, 5, 1);
  A(2, 2) += Complex(0, 0.5);
  const std::string expected =
      "matrix A: element (3, 3) has the imaginary part 0.5; the diagonal of a Hermitian matrix is real (or choose "
      "symmetric)";
  for (const InputTriangle triangle : {InputTriangle::whole, InputTriangle::lower, InputTriangle::upper})
    EXPECT_EQ(refusal_of(A, {.triangle = triangle}), expected);
}

TEST(LdltInput, RefusesAlphaOrToleranceOutOfRange) {
  const Matrix<double> A = Matrix<double>::identity(3);
  for (const double alpha : {0.0, 1.0, -0.5, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_NE(refusal_of(A, {.variant = {.alpha = alpha}}).find("is not in (0, 1)"), std::string::npos) << alpha;
  EXPECT_EQ(refusal_of(A, {.variant = {.alpha = 1.5}}), "variant: alpha = 1.5 is not in (0, 1); choose one, as in 0.5");
  EXPECT_EQ(refusal_of(A, {.rank_tolerance = 1.0}),
            "option rank_tolerance: 1 is not in [0, 1); it is relative to max|A|");
  EXPECT_NE(refusal_of(A, {.rank_tolerance = -1e-16}), "accepted");
  EXPECT_EQ(refusal_of(A, {.rank_tolerance = 0.0}), "accepted");
}

TEST(LdltInput, RightHandSidesThatDoNotFitAreRefused) {
  const Matrix<double> A = Matrix<double>::identity(3);
  const auto f = ldlt<double>(A);
  const std::string expected = "right-hand sides: they have 4 rows and A has 3; the numbers must agree";
  EXPECT_EQ(refusal([&] { f.solve(Matrix<double>(4, 2)); }), expected);
  EXPECT_EQ(refusal([&] { f.solve_refined(A, Matrix<double>(4, 2)); }), expected);
}

TEST(LdltInput, SingularMatricesAreNotInverted) {
  const auto f = ldlt<double>(Matrix<double>(3, 3));
  const std::string expected =
      "matrix A: it is singular (rank 0 of 3 but for rounding errors); solve with refinement, which finds a solution "
      "if "
      "there is one";
  EXPECT_EQ(refusal([&] { f.inverse(); }), expected);
  EXPECT_EQ(refusal([&] { f.solve(Matrix<double>(3, 1)); }), expected);
}

TEST(LdltInput, RefusesInertiaOfComplexSymmetricMatrices) {
  const auto f = ldlt<Complex>(structured<Complex>(Structure::dense, 4, 1, Symmetry::symmetric),
                               {.symmetry = Symmetry::symmetric});
  EXPECT_EQ(f.inertia, Inertia{});
  EXPECT_EQ(refusal([&] { f.gjg(); }),
            "G J G* of a complex symmetric matrix does not exist; it needs real eigenvalues");
  EXPECT_NE(refusal([&] { f.modified_cholesky(); }), "accepted");
}

TEST(LdltInput, ChecksModifiedCholeskyInput) {
  const Matrix<double> A = structured<double>(Structure::dense, 4, 1);
  EXPECT_EQ(refusal([&] { ldlt<double>(A, {.variant = {.pivoting = Pivoting::partial}}).modified_cholesky(); }),
            "modified Cholesky: partial pivoting does not bound M, and the perturbation with it; take LDLT-RK");
  EXPECT_EQ(refusal([&] { ldlt<double>(A).modified_cholesky(0.0); }),
            "modified Cholesky: delta = 0 is not positive; choose a positive one");
}

}  // namespace
}  // namespace pivotlab::input_test
