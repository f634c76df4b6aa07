// SPDX-License-Identifier: BSD-3-Clause
// The vector of interchanges against the source's example, its own permutation, and LAPACK's ipiv and factors.
#include "matrices.hpp"

#include <kernels/libraries/lapack.hpp>

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace pivotlab::interchanges_test {
namespace {

using namespace test;
using Complex = std::complex<double>;
using Rows = std::vector<Index>;

TEST(Interchanges, ExampleGivesPermutation) {
  // Section 3.2: 1↔3; then 2↔2 and 3↔4 for a 2×2 pivot; 4↔4.
  const Rows interchanges{3, 2, -4, 4};
  EXPECT_EQ(permutation_of(interchanges), (Rows{2, 1, 3, 0}));
  // Figure 3.2 walks from the last interchange to the first, and restores where each row went: the inverse.
  const Rows permutation = permutation_of(interchanges);
  Rows inverse(4);
  for (Index i = 0; i < 4; ++i) inverse[permutation[i]] = i + 1;
  EXPECT_EQ(inverse, (Rows{4, 2, 1, 3}));
}

TEST(Interchanges, InLapacksConventions) {
  EXPECT_EQ(to_lapack({3, 2, -4, 4}, LapackConvention::sytrf), (Rows{3, -4, -4, 4}));
  EXPECT_EQ(to_lapack({3, 2, -4, 4}, LapackConvention::sytrf_rook), (Rows{3, -2, -4, 4}));
  EXPECT_EQ(to_lapack({3, 2, -4, 4}, LapackConvention::sytrf_rook, true), (Rows{1, -1, -3, 2}));
}

template <class Action>
bool refused(const Action& action) {
  try {
    action();
  } catch (const InputError&) {
    return true;
  }
  return false;
}

TEST(Interchanges, RefusesInvalidInterchanges) {
  for (const Rows& bad : {Rows{0}, Rows{2}, Rows{2, 1}, Rows{-1}, Rows{1, -3}, Rows{1, -2, 2}, Rows{1, 2, -3, -4}})
    EXPECT_TRUE(refused([&] { permutation_of(bad); }));
  EXPECT_TRUE(refused([] { to_lapack({3, -2, 3}, LapackConvention::sytrf); }));
  for (const Rows& bad : {Rows{-1}, Rows{-2, 2}, Rows{-3, -2, 3}, Rows{1, 1}})
    EXPECT_TRUE(refused([&] { from_lapack(bad, LapackConvention::sytrf); }));
}

RC_GTEST_PROP(Interchanges, ToLapackAndBackAreTheSame, ()) {
  const auto n = *rc::gen::inRange<Index>(0, 30);
  const auto seed = *rc::gen::arbitrary<std::uint32_t>();
  const Matrix<double> A = structured<double>(Structure::zero_diagonal, n, seed);
  for (const Pivoting pivoting : all_pivotings)
    for (const bool upper : {false, true})
      for (const LapackConvention convention : {LapackConvention::sytrf, LapackConvention::sytrf_rook}) {
        const Rows rows = ldlt<double>(A, {.variant = {.pivoting = pivoting}}).interchanges;
        if (pivoting != Pivoting::partial && convention == LapackConvention::sytrf) continue;
        RC_ASSERT(from_lapack(to_lapack(rows, convention, upper), convention, upper) == rows);
      }
}

/// xSYTRF, xSYTRF_ROOK, ZHETRF, ZHETRF_ROOK.
template <class T>
std::vector<lapack_int> sytrf(Matrix<T>& A, char uplo, Pivoting pivoting, Symmetry symmetry) {
  const lapack_int n = lapack::size(A.rows());
  std::vector<lapack_int> ipiv(static_cast<std::size_t>(n));
  const std::string name = !is_complex<T> ? "dsytrf" : symmetry == Symmetry::hermitian ? "zhetrf" : "zsytrf";
  const lapack::Routine<char, lapack_int, T*, lapack_int, lapack_int*> factor(
      pivoting == Pivoting::rook ? name + "_rook" : name);
  factor(uplo, n, A.data(), n, ipiv.data());
  return ipiv;
}

/// Rows and columns in reverse order: LAPACK's U·D·Uᵀ of it is M·D·Mᵀ of A, reversed.
template <class T>
Matrix<T> reversed(const Matrix<T>& A) {
  Matrix<T> R(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) R.data()[i] = A.data()[A.size() - 1 - i];
  return R;
}

/// M's rows as LAPACK leaves them: exchanged by the stages up to their own column only. Undone here by the later ones.
template <class T>
void exchange_rows_of_factor(Matrix<T>& F, const Rows& interchanges) {
  const auto exchange = [&](Index before, Index k, Index row) {
    for (Index j = 0; j < before; ++j) std::swap(F(k, j), F(row, j));
  };
  for (Index k = 0; k < F.rows(); ++k) {
    const bool second = interchanges[k] < 0;
    exchange(second ? k - 1 : k, k, std::abs(interchanges[k]) - 1);
  }
}

/// ipiv and factors of LAPACK for A agree with ours.
template <class T>
void expect_as_lapack(const Matrix<T>& A, Pivoting pivoting, Symmetry symmetry, const std::string& triangles = "LU") {
  const auto convention = pivoting == Pivoting::rook ? LapackConvention::sytrf_rook : LapackConvention::sytrf;
  const auto f = ldlt<T>(A, {.variant = {.pivoting = pivoting}, .symmetry = symmetry});
  for (const char uplo : triangles) {
    SCOPED_TRACE(testing::Message() << to_string(pivoting) << " " << uplo << " n = " << A.rows());
    Matrix<T> F = uplo == 'L' ? A : reversed(A);
    const std::vector<lapack_int> lapack_rows = sytrf(F, uplo, pivoting, symmetry);
    const Rows ipiv(lapack_rows.begin(), lapack_rows.end());
    ASSERT_EQ(to_lapack(f.interchanges, convention, uplo == 'U'), ipiv);
    ASSERT_EQ(from_lapack(ipiv, convention, uplo == 'U'), f.interchanges);
    if (uplo == 'U') F = reversed(F);
    exchange_rows_of_factor(F, f.interchanges);
    const Matrix<T> D = f.dense_d();
    double difference = 0;
    for (Index j = 0; j < A.rows(); ++j)
      for (Index i = j; i < A.rows(); ++i) {
        const bool in_d = i == j || (i == j + 1 && f.subdiagonal[j] != T(0));
        difference = std::max(difference, absolute(T(F(i, j) - (in_d ? D(i, j) : f.M(i, j)))));
      }
    EXPECT_LE(difference, 1e-10 * std::max<double>(1, f.max_multiplier) * f.largest_element);
  }
}

TEST(InterchangesAndLapack, AgreeOnRealMatrices) {
  for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook})
    for (const Index n : {1, 2, 3, 5, 10, 50, 150})  // from 64 on LAPACK works by blocks
      for (const Structure structure : {Structure::dense, Structure::zero_diagonal, Structure::definite})
        expect_as_lapack(structured<double>(structure, n, 31), pivoting, Symmetry::hermitian);
}

TEST(InterchangesAndLapack, AgreeOnIntegersWithManyTies) {
  // Only of the lower triangle: in the upper one, LAPACK searches from the other end, and finds the last of equals.
  for (unsigned seed = 0; seed < 100; ++seed)
    for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
      const Matrix<double> A = structured<double>(Structure::small_integers, 4, seed);
      if (ldlt<double>(A).rank == 4) expect_as_lapack(A, pivoting, Symmetry::hermitian, "L");
    }
}

/// S·A·S* with S = diag(1, i, 1, i, …): as many elements imaginary as real, so that |Re| + |Im|, by which LAPACK
/// compares, is the modulus, by which we do.
Matrix<Complex> turned(const Matrix<double>& A, Symmetry symmetry) {
  const auto s = [](Index i) { return i % 2 == 0 ? Complex(1) : Complex(0, 1); };
  return from_lower<Complex>(
      A.rows(), [&](Index i, Index j) { return s(i) * A(i, j) * across_diagonal(s(j), symmetry); }, symmetry);
}

TEST(InterchangesAndLapack, AgreeOnComplexMatricesWhereBothMeasuresDo) {
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric})
    for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook})
      for (const Index n : {1, 2, 3, 5, 10, 50})
        for (const Structure structure : {Structure::dense, Structure::zero_diagonal})
          expect_as_lapack(turned(structured<double>(structure, n, 37), symmetry), pivoting, symmetry);
}

}  // namespace
}  // namespace pivotlab::interchanges_test
