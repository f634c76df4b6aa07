// SPDX-License-Identifier: BSD-3-Clause
// Factorization without a search: the factors are those of Uᵀ·A·U, all operations on them are those of A, and rook
// pivoting replaces them where they do not suffice.
#include "device.hpp"

#include "kernels/ldlt/shared/butterfly.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/inertia.hpp>

#include <gtest/gtest.h>

namespace pivotlab::unsearched_test {
namespace {

using namespace test;

LdltOptions without_search(int depth, Symmetry symmetry = Symmetry::hermitian) {
  return {.variant = {.pivoting = Pivoting::none, .depth = depth}, .symmetry = symmetry};
}

/// U in long double from the documented layout of LdltFactorization::butterfly.
Matrix<long double> dense_butterfly(const Matrix<double>& rotations, Index n) {
  auto U = Matrix<long double>::identity(n);
  std::vector<std::pair<Index, Index>> blocks = {{0, n}};
  for (Index level = 0; 2 * level < rotations.cols(); ++level) {
    std::vector<std::pair<Index, Index>> halves;
    for (const auto& [first, order] : blocks) {
      const Index half = (order + 1) / 2;
      for (Index i = 0; half + i < order; ++i)
        for (Index r = 0; r < n; ++r) {  // U := R·U
          const long double c = rotations(first + i, 2 * level), s = rotations(first + i, 2 * level + 1);
          const long double x = U(first + i, r), y = U(first + half + i, r);
          U(first + i, r) = c * x - s * y;
          U(first + half + i, r) = c * y + s * x;
        }
      halves.emplace_back(first, half), halves.emplace_back(first + half, order - half);
    }
    blocks = std::move(halves);
  }
  return U;
}

template <class T>
using Long = Rebind<T, long double>;

template <class T>
Matrix<Long<T>> in_long(const Matrix<T>& A) {
  Matrix<Long<T>> X(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) X.data()[i] = Long<T>(A.data()[i]);
  return X;
}

template <class T>
Matrix<T> across(const Matrix<T>& A, Symmetry symmetry) {
  Matrix<T> B(A.cols(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(j, i) = across_diagonal<T>(A(i, j), symmetry);
  return B;
}

/// ‖A − B‖₁ / (n·‖A‖₁·ε)
template <class T, class S>
double distance(const Matrix<T>& A, const Matrix<S>& B) {
  long double most = 0, norm = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    long double error = 0, sum = 0;
    for (Index i = 0; i < A.rows(); ++i) error += std::abs(S(A(i, j)) - B(i, j)), sum += std::abs(A(i, j));
    most = std::max(most, error), norm = std::max(norm, sum);
  }
  return most == 0 ? 0 : static_cast<double>(most / (norm * static_cast<long double>(A.rows()) * 0x1p-52L));
}

/// The distance of U·M·D·M*·Uᵀ from A.
template <class T>
double residual(const Matrix<T>& A, const LdltFactorization<T>& f) {
  Matrix<Long<T>> W = product(in_long(f.M), in_long(f.dense_d()));
  W = product(W, across(in_long(f.M), f.symmetry));
  // Zeros to the right of a product cost nothing: (U·W·Uᵀ)ᵀ = (W·Uᵀ)ᵀ·Uᵀ.
  const auto transposed = [](const auto& X) { return across(X, Symmetry::symmetric); };
  const Matrix<long double> V = transposed(dense_butterfly(f.butterfly, A.rows()));
  return distance(A, transposed(product(transposed(product(W, V)), V)));
}

/// Well conditioned, with a diagonal of zeros: no pivot of order 1 is possible without a butterfly.
template <class T>
Matrix<T> hollow(Index n, Symmetry symmetry) {
  return from_lower<T>(
      n, [](Index i, Index j) { return T(static_cast<double>(i - j)); }, symmetry);
}

template <class T>
class LdltUnsearched : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(LdltUnsearched, Scalars);

TEST(Butterfly, IsOrthogonalAndMixesAllRows) {
  for (const Index n : {1, 2, 3, 4, 5, 7, 8, 30, 33})
    for (const int depth : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", depth " << depth);
      const auto U = dense_butterfly(ldlt_detail::random_butterfly<double>(n, depth), n);
      const auto unit = product(across(U, Symmetry::symmetric), U);
      Index mixed = 0;
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) {
          EXPECT_LE(std::abs(unit(i, j) - (i == j ? 1 : 0)), 1e-15L);
          mixed += U(i, j) != 0;
        }
      if (n % 4 == 0) {
        EXPECT_EQ(mixed, n * (depth == 1 ? 2 : 4));
      }
    }
}

TYPED_TEST(LdltUnsearched, FactorsAreThoseOfMixedMatrix) {
  using T = TypeParam;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Index n : {1, 2, 3, 5, 31, 63, 64, 65, 130, 193, 257}) {
      const Matrix<T> A = structured<T>(Structure::definite, n, 3, symmetry);
      for (const int depth : {0, 1, 2}) {
        SCOPED_TRACE(testing::Message() << "n = " << n << ", depth " << depth << ", " << int(symmetry));
        const auto f = ldlt<T>(A, without_search(depth, symmetry));
        if (symmetry == Symmetry::hermitian) {
          EXPECT_EQ(f.refusal, "");
          EXPECT_EQ(f.inertia.positive, n);
        }
        if (!f.refusal.empty()) continue;
        EXPECT_EQ(f.butterfly.cols(), 2 * depth);
        EXPECT_EQ(f.pivots(1), n);
        EXPECT_EQ(shape_fault(f), "");
        EXPECT_LT(residual(A, f), 3);
        EXPECT_LT(distance(A, in_long(f.reconstruct())), 3);
      }
    }
}

TYPED_TEST(LdltUnsearched, ButterflyReplacesSearchOfHollowMatrix) {
  using T = TypeParam;
  for (const Index n : {20, 70, 200}) {
    const Matrix<T> A = hollow<T>(n, Symmetry::hermitian);
    EXPECT_EQ(ldlt<T>(A, without_search(0)).refusal, "pivot 1 is zero or overflows");
    for (const int depth : {1, 2}) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", depth " << depth);
      const auto f = ldlt<T>(A, without_search(depth));
      ASSERT_EQ(f.refusal, "");
      EXPECT_EQ(f.inertia, (Inertia{1, n - 1, 0}));
      EXPECT_LT(residual(A, f), 3);
    }
  }
}

TYPED_TEST(LdltUnsearched, BitsIndependentOfThreadsTriangleAndStorageOfPanels) {
  using T = TypeParam;
  const Matrix<T> A = hollow<T>(300, Symmetry::hermitian);
  LdltOptions options = without_search(2);
  options.threads = 1;
  const auto f = ldlt<T>(A, options);
  ASSERT_EQ(f.refusal, "");
  for (const InputTriangle triangle : {InputTriangle::lower, InputTriangle::upper})
    for (const LdltStorage storage : {LdltStorage::packed, LdltStorage::full}) {
      options.threads = 3, options.triangle = triangle, options.storage = storage;
      EXPECT_EQ(difference(ldlt<T>(A, options), f), "");
    }
}

TYPED_TEST(LdltUnsearched, OperationsAreThoseOfGivenMatrix) {
  using T = TypeParam;
  const Index n = 70;
  for (const bool equilibrate : {false, true}) {
    Matrix<T> A = hollow<T>(n, Symmetry::hermitian);
    if (equilibrate)
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) A(i, j) *= std::ldexp(1., static_cast<int>(i * i % 31 + j * j % 31));
    LdltOptions options = without_search(2);
    options.variant.equilibrate = equilibrate;
    const auto f = ldlt<T>(A, options);
    ASSERT_EQ(f.refusal, "");
    Matrix<T> X(n, 2);
    for (Index i = 0; i < n; ++i) X(i, 0) = T(static_cast<double>(i % 7) - 3), X(i, 1) = T(1);
    const Matrix<T> B = product(A, X);
    const auto solution = f.solve_refined(A, B);
    EXPECT_EQ(solution.status, Status::passed) << solution.message;
    EXPECT_LT(distance(X, in_long(solution.X)), 1);
    EXPECT_LE(solution.forward_error, 0x1p-50);
    EXPECT_LT(distance(B, product(in_long(A), in_long(f.solve(B)))), 100);
    const auto [G, J] = f.gjg();
    Matrix<T> GJ = G;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) GJ(i, j) *= static_cast<double>(J[j]);
    EXPECT_LT(distance(A, product(in_long(GJ), across(in_long(G), Symmetry::hermitian))), 3);
    EXPECT_LT(distance(A, in_long(f.reconstruct())), 3);
    const auto det = f.determinant(), expected = ldlt<T>(A, {.variant = {.pivoting = Pivoting::rook}}).determinant();
    EXPECT_EQ(det.exponent, expected.exponent);
    EXPECT_LT(std::abs(det.mantissa - expected.mantissa), 1e-10);
    EXPECT_THROW(f.modified_cholesky(), InputError);
  }
}

TYPED_TEST(LdltUnsearched, RefusedFactorsAreThoseOfRookPivoting) {
  using T = TypeParam;
  const auto converted = [](const Matrix<double>& A) {
    return from_lower<T>(A.rows(), [&](Index i, Index j) { return T(A(i, j)); });
  };
  std::vector<std::pair<std::string, Matrix<T>>> matrices = {
      {"zero or overflows", converted(clement(96))},
      {"zero or overflows", converted(clement(150))},
      {"zero or overflows", Matrix<T>(5, 5)},
      {"pivot", structured<T>(Structure::low_rank, 80, 5)},
      {"pivot", structured<T>(Structure::low_rank, 150, 5)},
      {"pivot", converted(hilbert(40))},
  };
  for (const auto& [reason, A] : matrices)
    for (const std::optional<double> tolerance : {std::optional<double>(), std::optional<double>(1e-12)}) {
      SCOPED_TRACE(reason + ", " + std::to_string(A.rows()));
      LdltOptions options = without_search(2);
      options.rank_tolerance = tolerance;
      const auto f = ldlt<T>(A, options);
      EXPECT_NE(f.refusal.find(reason), std::string::npos) << f.refusal;
      EXPECT_EQ(f.pivoting(), Pivoting::rook);
      EXPECT_EQ(f.variant, options.variant);
      EXPECT_EQ(f.butterfly.size(), 0);
      options.variant = {.pivoting = Pivoting::rook};
      EXPECT_EQ(difference(f, ldlt<T>(A, options)), "");
      EXPECT_EQ(difference(ldlt<T>(pack<T>(A, InputTriangle::lower), without_search(2)),
                           ldlt<T>(A, {.variant = {.pivoting = Pivoting::rook}})),
                "");
    }
}

TYPED_TEST(LdltUnsearched, RefusesPivotsThatCountAsZeroByTheTolerance) {
  using T = TypeParam;
  const auto A = from_lower<T>(6, [](Index i, Index j) { return T(i != j ? 0 : i == 3 ? 1e-5 : 1); });
  LdltOptions options = without_search(0);
  EXPECT_EQ(ldlt<T>(A, options).refusal, "");
  options.rank_tolerance = 1e-4;
  const auto f = ldlt<T>(A, options);
  EXPECT_EQ(f.refusal, "pivot 4 counts as zero by the tolerance");
  EXPECT_EQ(f.rank, 5);
}

// The first pivot is 1e-13, and all of it grows to 1e13 while D's signs stay certain.
TYPED_TEST(LdltUnsearched, RefusesGrowth) {
  using T = TypeParam;
  for (const Index n : {40, 150}) {
    const Matrix<T> A = from_lower<T>(n, [n](Index i, Index j) {
      return i == j ? T(i == 0 ? 1e-13 : 1 + static_cast<double>(i)) : T(j == 0 && i == n - 1 ? 1 : 0);
    });
    const auto f = ldlt<T>(A, without_search(0));
    EXPECT_NE(f.refusal.find("grow"), std::string::npos) << f.refusal;
    EXPECT_EQ(f.pivoting(), Pivoting::rook);
    EXPECT_LT(residual_ratio(A, f), 3);
  }
}

// Few rounding errors do not cancel: a growth of 50 would be an xSYT01 of up to 40.
TYPED_TEST(LdltUnsearched, RefusesLessGrowthOfSmallMatrices) {
  using T = TypeParam;
  for (const Index n : {2, 31, 32}) {
    const Matrix<T> A = from_lower<T>(n, [](Index i, Index j) {
      return T(i == j ? i == 0 ? 0.01 : 1 : i == 1 ? 1 : 0);
    });
    EXPECT_EQ(ldlt<T>(A, without_search(0)).refusal.find("grow") != std::string::npos, n < 32) << n;
  }
}

// A butterfly mixes rows of S·A·S that differ by 2³⁶ in A, where their errors are larger than the largest elements.
TYPED_TEST(LdltUnsearched, RefusesGrowthOfWhatWasEquilibrated) {
  using T = TypeParam;
  const int rows[5][5] = {{0, 3, -2, 1, 2}, {3, 0, 2, 3, 2}, {-2, 2, 0, -3, -3}, {1, 3, -3, 0, -1}, {2, 2, -3, -1, 0}};
  const int exponents[5] = {-4, 2, -14, -7, 13};
  const Matrix<T> A =
      from_lower<T>(5, [&](Index i, Index j) { return T(std::ldexp(rows[i][j], exponents[i] + exponents[j])); });
  for (const int depth : {0, 1, 2}) {
    LdltOptions options = without_search(depth);
    options.variant.equilibrate = true;
    const auto f = ldlt<T>(A, options);
    EXPECT_EQ(f.scaling.empty(), false);
    EXPECT_LT(distance(A, in_long(f.reconstruct())), 15) << depth;
  }
}

TEST(LdltUnsearchedExtended, HasThePrecisionOfTheScalar) {
  const Index n = 40;
  const Matrix<Quad> A = hollow<Quad>(n, Symmetry::hermitian);
  const auto f = ldlt<Quad>(A, without_search(2));
  ASSERT_EQ(f.refusal, "");
  const Matrix<Quad> R = f.reconstruct();
  for (Index i = 0; i < A.size(); ++i)
    EXPECT_LT(abs(Quad(R.data()[i] - A.data()[i])), Quad(n) * n * std::numeric_limits<Quad>::epsilon() * 16);
}

TEST(CertifiedWithoutSearch, IsTheInertiaOfTheCertificate) {
  EXPECT_THROW(certify_inertia<double>(clement(4), {.unsearched_depth = 3}), InputError);
  for (const Index n : {5, 64, 130}) {
    const Matrix<double> A = hollow<double>(n, Symmetry::hermitian), C = clement(n);
    const auto unsearched = certify_inertia<double>(A, {.unsearched_depth = 2}), usual = certify_inertia<double>(A);
    EXPECT_TRUE(unsearched.evidence.without_search);
    EXPECT_FALSE(usual.evidence.without_search);
    EXPECT_EQ(unsearched.status, InertiaStatus::certified);
    EXPECT_EQ(unsearched.evidence.factorizations, 1);
    EXPECT_EQ(unsearched.inertia, (Inertia{1, n - 1, 0}));
    EXPECT_EQ(unsearched.inertia, usual.inertia);
    EXPECT_GT(unsearched.clear, 0);
    const auto by_rook = certify_inertia<double>(C, {.unsearched_depth = 2}), certified = certify_inertia<double>(C);
    EXPECT_FALSE(by_rook.evidence.without_search);
    EXPECT_EQ(to_string(by_rook), to_string(certified));
    // Large diagonal elements of both signs: a butterfly makes small ones of them.
    const Matrix<double> D = from_lower<double>(n, [](Index i, Index j) {
      return i != j ? 1e-3 : i % 2 == 0 ? 1 : -1;
    });
    const auto as_it_is = certify_inertia<double>(D, {.unsearched_depth = 0});
    EXPECT_TRUE(as_it_is.evidence.without_search);
    EXPECT_EQ(as_it_is.inertia, (Inertia{(n + 1) / 2, n / 2, 0}));
  }
}

}  // namespace
}  // namespace pivotlab::unsearched_test
