// SPDX-License-Identifier: BSD-3-Clause
// Factorizations of equilibrated matrices: their inertia is correct where bad scaling makes it wrong without
// equilibration, and results from the factors are those of the given matrix.
#include "kernels/ldlt/shared/equilibrate.hpp"
#include "matrices.hpp"

#include <gtest/gtest.h>

namespace pivotlab::equilibrated_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

/// [H, Bᴴ; B, 0] with a definite H, then rows and columns times powers of two up to 2^±most. Its inertia is that of the
/// blocks' orders.
template <class T>
Matrix<T> scaled_kkt(Index definite, Index constraints, int most, Symmetry symmetry = Symmetry::hermitian) {
  Entries<T> entry(17);
  const Index n = definite + constraints;
  Matrix<T> A = from_lower<T>(
      n,
      [&](Index i, Index j) {
        if (i == j) return i < definite ? T(2) : T(0);
        return j < definite && i >= definite && (i - definite == j || entry.integer(0, 3) == 0) ? entry() : T(0);
      },
      symmetry);
  std::vector<int> s;
  for (Index i = 0; i < n; ++i) s.push_back(entry.integer(-most, most));
  ldlt_detail::scale_symmetrically(A.view(), s);
  return A;
}

LdltVariant equilibrated(Pivoting pivoting) {
  return {.pivoting = pivoting, .equilibrate = true};
}

/// max |(B − A)(i, j)|·2^(s_i + s_j), s the scaling of A in the order of its rows.
template <class T>
double scaled_difference(Matrix<T> A, const Matrix<T>& B, const std::vector<int>& s) {
  for (Index i = 0; i < A.size(); ++i) A.data()[i] -= B.data()[i];
  ldlt_detail::scale_symmetrically(A.view(), s);
  return static_cast<double>(ldlt_detail::largest_magnitude(A.data(), A.size()));
}

/// X·Y*
template <class T>
Matrix<T> times_across(const Matrix<T>& X, const Matrix<T>& Y) {
  Matrix<T> Z(X.rows(), Y.rows());
  for (Index k = 0; k < X.cols(); ++k)
    for (Index j = 0; j < Y.rows(); ++j)
      for (Index i = 0; i < X.rows(); ++i) Z(i, j) = ldlt_detail::multiply_add(X(i, k), T(conjugate(Y(j, k))), Z(i, j));
  return Z;
}

template <class T>
Matrix<T> permuted(const Matrix<T>& A, const std::vector<Index>& rows) {
  Matrix<T> B(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(i, j) = A(rows[i], rows[j]);
  return B;
}

std::vector<int> permuted(const std::vector<int>& s, const std::vector<Index>& rows) {
  std::vector<int> result;
  for (const Index row : rows) result.push_back(s[row]);
  return result;
}

template <class T>
class EquilibratedLdlt : public testing::Test {};
using Scalars = testing::Types<double, Complex, long double>;
TYPED_TEST_SUITE(EquilibratedLdlt, Scalars);

TYPED_TEST(EquilibratedLdlt, FindsInertiaOfBadlyScaledMatrices) {
  const Index definite = 120, constraints = 50;
  const auto A = scaled_kkt<TypeParam>(definite, constraints, 60);
  for (const Pivoting pivoting : all_pivotings) {
    const Inertia expected{definite, constraints, 0};
    const double relative = static_cast<double>(std::numeric_limits<RealOf<TypeParam>>::epsilon());
    const LdltOptions with_tolerance{.variant = {.pivoting = pivoting}, .rank_tolerance = relative};
    EXPECT_NE(ldlt<TypeParam>(A, with_tolerance).inertia, expected) << to_string(pivoting);
    EXPECT_EQ(ldlt<TypeParam>(A, {.variant = {.pivoting = pivoting}}).inertia, expected) << to_string(pivoting);
    EXPECT_EQ(ldlt<TypeParam>(A, {.variant = equilibrated(pivoting)}).inertia, expected) << to_string(pivoting);
  }
}

TYPED_TEST(EquilibratedLdlt, ReconstructsTheGivenMatrixInEveryRow) {
  constexpr double epsilon = std::numeric_limits<RealOf<TypeParam>>::epsilon();
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : all_pivotings) {
      const auto A = scaled_kkt<TypeParam>(30, 12, 100, symmetry);
      const auto f = ldlt<TypeParam>(A, {.variant = equilibrated(pivoting), .symmetry = symmetry});
      EXPECT_EQ(shape_fault(f), "");
      EXPECT_LE(scaled_difference(f.reconstruct(), A, f.scaling), 1000 * epsilon) << to_string(pivoting);
    }
}

TYPED_TEST(EquilibratedLdlt, SolvesAndInvertsTheGivenMatrix) {
  using R = RealOf<TypeParam>;
  constexpr double epsilon = std::numeric_limits<R>::epsilon();
  for (const Pivoting pivoting : all_pivotings) {
    const auto A = scaled_kkt<TypeParam>(30, 12, 100);
    const auto f = ldlt<TypeParam>(A, {.variant = equilibrated(pivoting)});
    const auto inverse = f.inverse(), across = times_across(A, inverse);  // the inverse is Hermitian, too
    double error = 0;                                                     // of S·A·A⁻¹·S⁻¹
    for (Index j = 0; j < A.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i)
        error = std::max(error, static_cast<double>(modulus(times_power_of_two(
                                    TypeParam(across(i, j) - TypeParam(i == j)), f.scaling[i] - f.scaling[j]))));
    auto unscaled = inverse;  // (S·A·S)⁻¹
    std::vector<int> back;
    for (const int exponent : f.scaling) back.push_back(-exponent);
    ldlt_detail::scale_symmetrically(unscaled.view(), back);
    const auto size = static_cast<double>(ldlt_detail::largest_magnitude(unscaled.data(), unscaled.size()));
    EXPECT_LE(error, 10 * static_cast<double>(A.rows()) * epsilon * size) << to_string(pivoting);

    Entries<TypeParam> entry(3);
    Matrix<TypeParam> B(A.rows(), 3);
    for (Index i = 0; i < B.size(); ++i) B.data()[i] = entry();
    const auto solution = f.solve_refined(A, B);
    EXPECT_EQ(solution.status, Status::passed) << solution.message;
    EXPECT_LE(static_cast<double>(solution.backward_error), 2 * epsilon);
    const auto X = f.solve(B);
    double difference = 0, largest = 0;  // of S⁻¹·X, which solves with S·A·S
    for (Index j = 0; j < B.cols(); ++j)
      for (Index i = 0; i < B.rows(); ++i) {
        const auto scaled = [&](const TypeParam& x) {
          return static_cast<double>(modulus(times_power_of_two(x, -f.scaling[i])));
        };
        difference = std::max(difference, scaled(X(i, j) - solution.X(i, j)));
        largest = std::max(largest, scaled(solution.X(i, j)));
      }
    EXPECT_LE(difference, 10 * static_cast<double>(A.rows()) * epsilon * size * largest);
  }
}

TYPED_TEST(EquilibratedLdlt, HasTheDeterminantOfTheGivenMatrix) {
  using R = RealOf<TypeParam>;
  const auto A = scaled_kkt<TypeParam>(10, 4, 100);
  const auto expected = ldlt<TypeParam>(A, {.rank_tolerance = 0}).determinant();
  const auto found = ldlt<TypeParam>(A, {.variant = equilibrated(Pivoting::rook)}).determinant();
  EXPECT_EQ(found.exponent, expected.exponent);
  EXPECT_NEAR(static_cast<double>(R(real_part(found.mantissa) / real_part(expected.mantissa))), 1,
              1e4 * static_cast<double>(std::numeric_limits<R>::epsilon()));
}

TYPED_TEST(EquilibratedLdlt, GivesGJGAndModifiedCholeskyOfTheGivenMatrix) {
  constexpr double epsilon = std::numeric_limits<RealOf<TypeParam>>::epsilon();
  const auto A = scaled_kkt<TypeParam>(30, 12, 100);
  const auto f = ldlt<TypeParam>(A, {.variant = equilibrated(Pivoting::rook)});
  const std::vector<int> s = permuted(f.scaling, f.permutation);
  for (const bool sorted : {false, true}) {
    const auto [G, J] = f.gjg(sorted);
    EXPECT_EQ(std::ranges::count(J, 1), 30);
    EXPECT_EQ(std::ranges::count(J, -1), 12);
    auto GJ = G;
    for (Index j = 0; j < GJ.cols(); ++j)
      for (TypeParam& x : GJ.col(j)) x *= RealOf<TypeParam>(J[j]);
    EXPECT_LE(scaled_difference(times_across(GJ, G), permuted(A, f.permutation), s), 1000 * epsilon);
  }

  const auto definite = scaled_kkt<TypeParam>(40, 0, 100);
  const auto g = ldlt<TypeParam>(definite, {.variant = equilibrated(Pivoting::complete)});
  const auto cholesky = g.modified_cholesky();
  EXPECT_EQ(cholesky.raised_eigenvalues, 0);
  EXPECT_LE(scaled_difference(times_across(cholesky.L, cholesky.L), permuted(definite, g.permutation),
                              permuted(g.scaling, g.permutation)),
            1000 * epsilon);
}

TYPED_TEST(EquilibratedLdlt, HasTheUsualBitsWhereThereIsNothingToScale) {
  const auto A =
      from_lower<TypeParam>(4, [](Index i, Index j) { return i == j ? 1 : 0.25 - 0.125 * static_cast<double>(i % 2); });
  for (const Pivoting pivoting : all_pivotings) {
    const auto usual = ldlt<TypeParam>(A, {.variant = {.pivoting = pivoting}}),
               scaled = ldlt<TypeParam>(A, {.variant = equilibrated(pivoting)});
    EXPECT_EQ(usual.scaling, std::vector<int>{});
    EXPECT_EQ(scaled.scaling, (std::vector<int>{0, 0, 0, 0}));
    EXPECT_EQ(usual.interchanges, scaled.interchanges);
    EXPECT_EQ(usual.diagonal, scaled.diagonal);
    for (Index i = 0; i < A.size(); ++i) EXPECT_EQ(usual.M.data()[i], scaled.M.data()[i]);
  }
}

TYPED_TEST(EquilibratedLdlt, BitsIndependentOfThreadsAndStorage) {
  const auto A = scaled_kkt<TypeParam>(110, 40, 30);
  for (const Pivoting pivoting : all_pivotings) {
    const auto one = ldlt<TypeParam>(A, {.variant = equilibrated(pivoting), .threads = 1});
    for (const LdltStorage storage : {LdltStorage::packed, LdltStorage::full}) {
      const auto other = ldlt<TypeParam>(A, {.variant = equilibrated(pivoting), .storage = storage, .threads = 3});
      EXPECT_EQ(one.scaling, other.scaling);
      EXPECT_EQ(one.diagonal, other.diagonal);
      EXPECT_EQ(one.interchanges, other.interchanges);
      for (Index i = 0; i < A.size(); ++i) ASSERT_EQ(one.M.data()[i], other.M.data()[i]);
    }
  }
}

TEST(EquilibratedLdltOf, ElementsThatUnderflowSaysByHowMuchItMayBeAnotherMatrix) {
  Matrix<double> A(2, 2);
  A(0, 0) = 0x1p1000, A(1, 1) = 0x1p-10, A(1, 0) = A(0, 1) = 0x1.3456789abcdefp-575;
  const auto f = ldlt<double>(A, {.variant = equilibrated(Pivoting::complete)});
  EXPECT_EQ(f.scaling, (std::vector<int>{-500, 5}));
  EXPECT_GT(f.scaling_error, 0);
  EXPECT_LT(f.scaling_error, 1e-320);
  EXPECT_EQ(ldlt<double>(hadamard(4), {.variant = equilibrated(Pivoting::complete)}).scaling_error, 0);
}

}  // namespace
}  // namespace pivotlab::equilibrated_test
