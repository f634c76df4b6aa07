// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition in long double and Quad. Under the sanitizers its templates would take minutes to compile.
#include "application_matrices.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <pivotlab/error.hpp>

namespace pivotlab::extended_test {
namespace {

using namespace test;

EigOptions with(const char* name) {
  EigOptions options;
  options.variant = parse_eig_variant(name);
  options.left_vectors = options.condition_numbers = options.triangular_form = true;
  return options;
}

// tr A = Σλ and, of the characteristic polynomial, its values at a few points: det(zI − A) = Π(z − λ).
TEST(EigInExtendedPrecision, KeepsTheCharacteristicPolynomialInQuad) {
  for (const char* name : {"ZEIG-(RR)", "ZEIG-(RR);fused", "ZEIG-(RR);b=8"})
    for (const Index n : {2, 3, 7}) {
      const auto A = converted<QuadComplex>(gaussian(n, 11));
      EigOptions options = with(name);
      const auto result = eig<QuadComplex>(A, options);
      ASSERT_EQ(result.status, Status::passed);
      QuadComplex trace(0);
      for (Index i = 0; i < n; ++i) trace += A(i, i);
      for (const QuadComplex& x : result.eigenvalues) trace -= x;
      EXPECT_LE(static_cast<double>(Quad(sqrt(squared_magnitude(trace)))), 1e-31);
      for (const QuadComplex& z : {QuadComplex(3), QuadComplex(Quad(0), Quad(4)), QuadComplex(Quad(-2), Quad(5))}) {
        Matrix<QuadComplex> shifted = A;
        for (Index i = 0; i < shifted.size(); ++i) shifted.data()[i] = -shifted.data()[i];
        for (Index i = 0; i < n; ++i) shifted(i, i) += z;
        const auto lu = lu_complete(shifted);
        QuadComplex determinant(1), product(1);
        for (Index i = 0; i < n; ++i) determinant = multiply(determinant, lu.LU(i, i));
        for (const QuadComplex& x : result.eigenvalues) product = multiply(product, QuadComplex(z - x));
        // the signs of the permutations are left out
        const Quad difference = std::min(squared_magnitude(QuadComplex(determinant - product)),
                                         squared_magnitude(QuadComplex(determinant + product)));
        EXPECT_LE(difference, Quad(1e-58) * squared_magnitude(product));
      }
    }
}

TEST(EigInExtendedPrecision, IsAsAccurateAsItsScalar) {
  EXPECT_THROW(eig<std::complex<Quad>>(Matrix<std::complex<Quad>>(2, 2), with("ZEIG-(RR);refine;extended")),
               NotSupported);
  const auto measure = [](auto zero) {
    using R = decltype(zero);
    using C = std::complex<R>;
    const Index n = 9;
    const auto A = converted<C>(gaussian(n, 4));
    const auto result = eig<C>(A, {.variant = parse_eig_variant("ZEIG-(RR);b=8;refine"), .left_vectors = true});
    EXPECT_EQ(result.status, Status::passed);
    R worst(0);
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < n; ++i) {
        C r = -multiply(result.V(i, k), result.eigenvalues[k]),
          l = -multiply(conjugate(result.W(i, k)), result.eigenvalues[k]);
        for (Index j = 0; j < n; ++j) {
          r = multiply_add(A(i, j), result.V(j, k), r);
          l = multiply_add(conjugate(result.W(j, k)), A(j, i), l);
        }
        worst = std::max({worst, R(sqrt(squared_magnitude(r))), R(sqrt(squared_magnitude(l)))});
      }
    return static_cast<double>(R(worst / std::numeric_limits<R>::epsilon()));
  };
  using std::sqrt;
  EXPECT_LE(measure(0.0L), 100);
  EXPECT_LE(measure(Quad(0)), 100);
}

// The error is that of the longer precision, though the iteration's E has lost half of its digits.
TEST(EigInExtendedPrecision, FinishIsAsAccurateAsItsScalar) {
  const auto measure = [](auto zero) {
    using R = decltype(zero);
    using C = std::complex<R>;
    const Index n = 9;
    const auto A = converted<C>(rank_one(n, 4).A);
    const auto result = eig<C>(A, {.variant = parse_eig_variant("ZEIG-(RR);b=8;finish")});
    EXPECT_EQ(result.status, Status::passed);
    EXPECT_TRUE(result.finished);
    R squares(0), norm(0);
    for (Index k = 0; k < n; ++k)
      for (Index i = 0; i < n; ++i) {
        C r = -multiply(result.V(i, k), result.eigenvalues[k]);
        for (Index j = 0; j < n; ++j) r = multiply_add(A(i, j), result.V(j, k), r);
        squares += squared_magnitude(r), norm += squared_magnitude(A(i, k));
      }
    return static_cast<double>(
        R(squares / (norm * R(n * n) * std::numeric_limits<R>::epsilon() * std::numeric_limits<R>::epsilon())));
  };
  EXPECT_LE(measure(0.0L), 100);
  EXPECT_LE(measure(Quad(0)), 100);
}

}  // namespace
}  // namespace pivotlab::extended_test
