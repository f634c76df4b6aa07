// SPDX-License-Identifier: BSD-3-Clause
// M·D·M* is P·A·Pᵀ to a few n·ε, for every pivoting, α, scalar, symmetry, storage and structure.
#include "matrices.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pivotlab::factorization_test {
namespace {

using namespace test;

constexpr double accepted_ratio = 3;  // LAPACK's own limit for this measure is 30

template <class T>
class LdltScalar : public testing::Test {};
using Scalars =
    testing::Types<double, std::complex<double>, long double, std::complex<long double>, Quad, std::complex<Quad>>;
TYPED_TEST_SUITE(LdltScalar, Scalars);

TYPED_TEST(LdltScalar, FactorsReproduceTheMatrix) {
  using T = TypeParam;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings)
      for (const Index n : {1, 2, 3, 5, 10, 33}) {
        for (int structure = 0; structure < static_cast<int>(Structure::count); ++structure) {
          const Matrix<T> A = structured<T>(static_cast<Structure>(structure), n, 7 * n + 1, symmetry);
          const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting}, .symmetry = symmetry});
          SCOPED_TRACE(testing::Message() << to_string(pivoting) << " n = " << n << " structure " << structure);
          EXPECT_EQ(shape_fault(f), "");
          EXPECT_LT(residual_ratio(A, f), accepted_ratio);
        }
      }
}

TYPED_TEST(LdltScalar, ReconstructionIsTheMatrixAndHasItsSymmetry) {
  using T = TypeParam;
  using R = RealOf<T>;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings) {
      const Index n = 20;
      const Matrix<T> A = structured<T>(Structure::dense, n, 5, symmetry);
      const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting}, .symmetry = symmetry});
      const Matrix<T> B = f.reconstruct();
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
          EXPECT_LE(absolute(T(A(i, j) - B(i, j))), R(10 * n) * f.largest_element * std::numeric_limits<R>::epsilon());
          EXPECT_EQ(B(j, i), across_diagonal<T>(B(i, j), symmetry));
        }
    }
}

template <class T>
bool same_bits(const LdltFactorization<T>& a, const LdltFactorization<T>& b) {
  const auto growth_of = [](const LdltFactorization<T>& f) {
    std::vector<RealOf<T>> growth;
    for (const auto& stage : f.stages) growth.push_back(stage.growth), growth.push_back(stage.condition);
    return growth;
  };
  return std::equal(a.M.data(), a.M.data() + a.M.size(), b.M.data(), b.M.data() + b.M.size()) &&
         a.diagonal == b.diagonal && a.subdiagonal == b.subdiagonal && a.interchanges == b.interchanges &&
         growth_of(a) == growth_of(b);
}

TYPED_TEST(LdltScalar, BitsDependOnNeitherStorageNorTriangleNorThreads) {
  using T = TypeParam;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings) {
      const Index n = std::is_same_v<RealOf<T>, double> ? 260 : 40;
      const Matrix<T> A = structured<T>(Structure::dense, n, 3, symmetry);
      LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = symmetry, .threads = 1};
      const auto expected = ldlt<T>(A, options);
      options.storage = LdltStorage::full;
      EXPECT_TRUE(same_bits(expected, ldlt<T>(A, options)));
      options.threads = 3;
      EXPECT_TRUE(same_bits(expected, ldlt<T>(A, options)));
      for (const InputTriangle triangle : {InputTriangle::lower, InputTriangle::upper}) {
        Matrix<T> half = A;  // the other triangle must not be read
        for (Index j = 0; j < n; ++j)
          for (Index i = j + 1; i < n; ++i)
            (triangle == InputTriangle::lower ? half(j, i) : half(i, j)) =
                T(std::numeric_limits<RealOf<T>>::quiet_NaN());
        options.triangle = triangle;
        EXPECT_TRUE(same_bits(expected, ldlt<T>(half, options)));
        EXPECT_TRUE(same_bits(expected, ldlt<T>(pack<T>(half, triangle, symmetry), options)));
      }
    }
}

RC_GTEST_PROP(Ldlt, FactorsAnyStructureWithAnyAlpha, ()) {
  const auto n = *rc::gen::inRange<Index>(0, 25);
  const auto structure = static_cast<Structure>(*rc::gen::inRange(0, static_cast<int>(Structure::count)));
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const LdltVariant variant{
      .pivoting = *rc::gen::elementOf(std::vector(std::begin(all_pivotings), std::end(all_pivotings))),
      .alpha = *rc::gen::inRange(1, 1000) / 1000.0};
  const auto check = [&]<class T>(T, Symmetry symmetry) {
    const Matrix<T> A = structured<T>(structure, n, seed, symmetry);
    const auto f = ldlt<T>(A, {.variant = variant, .symmetry = symmetry});
    RC_ASSERT(shape_fault(f) == "");
    // (2.5): what α costs in accuracy
    const double slack = 1 + 3 / variant.alpha + 11 / (1 - variant.alpha);
    RC_ASSERT(residual_ratio(A, f) <= slack * f.max_growth());
    RC_ASSERT(f.pivots(1) + 2 * f.pivots(2) <= n);
    const bool has_inertia = symmetry == Symmetry::hermitian;
    RC_ASSERT(!has_inertia || f.inertia.positive + f.inertia.negative == f.rank);
    RC_ASSERT(!has_inertia || f.inertia.zero == n - f.rank);
  };
  check(double(), Symmetry::hermitian);
  check(std::complex<double>(), Symmetry::hermitian);
  check(std::complex<double>(), Symmetry::symmetric);
}

RC_GTEST_PROP(Ldlt, PowersOfTwoChangeOnlyD, ()) {
  const auto n = *rc::gen::inRange<Index>(1, 15);
  const int exponent = *rc::gen::element(-1000, -600, 3, 500, 1000);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  for (const Pivoting pivoting : all_pivotings) {
    const Matrix<double> A = structured<double>(Structure::dense, n, seed);
    Matrix<double> B = A;
    for (Index i = 0; i < B.size(); ++i) B.data()[i] = std::ldexp(B.data()[i], exponent);
    const auto a = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
    const auto b = ldlt<double>(B, {.variant = {.pivoting = pivoting}});
    RC_ASSERT(std::equal(a.M.data(), a.M.data() + a.M.size(), b.M.data()));
    RC_ASSERT(a.interchanges == b.interchanges);
    RC_ASSERT(a.inertia == b.inertia);
    for (Index i = 0; i < n; ++i) RC_ASSERT(std::ldexp(a.diagonal[i], exponent) == b.diagonal[i]);
  }
}

TEST(Ldlt, SubnormalElementsKeepMultipliers) {
  for (const Pivoting pivoting : all_pivotings) {
    const Matrix<double> A = structured<double>(Structure::small_integers, 20, 6);
    Matrix<double> B = A;
    for (Index i = 0; i < B.size(); ++i) B.data()[i] = std::ldexp(B.data()[i], -1074);
    const auto a = ldlt<double>(A, {.variant = {.pivoting = pivoting}});
    const auto b = ldlt<double>(B, {.variant = {.pivoting = pivoting}});
    EXPECT_TRUE(std::equal(a.M.data(), a.M.data() + a.M.size(), b.M.data()));
    EXPECT_EQ(a.inertia, b.inertia);
  }
}

TEST(Ldlt, HermitianMatrixHasRealDiagonal) {
  using C = std::complex<double>;
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<C>(structured<C>(Structure::dense, 30, 2), {.variant = {.pivoting = pivoting}});
    for (const C& d : f.diagonal) EXPECT_EQ(d.imag(), 0);
  }
}

}  // namespace
}  // namespace pivotlab::factorization_test
