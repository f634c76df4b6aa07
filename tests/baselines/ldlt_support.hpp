// SPDX-License-Identifier: BSD-3-Clause
// Checks of a baseline's symmetric indefinite factorization: the properties that the library documents.
#pragma once

#include <tests/baselines/support.hpp>
#include <tests/ldlt/matrices.hpp>

#include <numeric>

namespace pivotlab {

inline constexpr Symmetry both[] = {Symmetry::hermitian, Symmetry::symmetric};

inline std::vector<std::string> ldlt_baselines(ScalarType type, Symmetry symmetry,
                                               std::string_view library = "lapack:") {
  std::vector<std::string> names;
  for (const BaselineInfo& baseline : list_ldlt_baselines(type, symmetry))
    if (baseline.name.starts_with(library)) names.push_back(baseline.name);
  return names;
}

template <class T>
Dense<T> dense_d(const LdltBaselineResult<T>& f, Symmetry symmetry) {
  const auto n = static_cast<Index>(f.diagonal.size());
  Dense<T> D = Dense<T>::Zero(n, n);
  for (Index i = 0; i < n; ++i) {
    D(i, i) = f.diagonal[i];
    if (i + 1 == n) continue;
    D(i + 1, i) = f.subdiagonal[i];
    D(i, i + 1) = test::across_diagonal(f.subdiagonal[i], symmetry);
  }
  return D;
}

template <class T>
Dense<T> permuted(const Matrix<T>& A, const std::vector<Index>& rows) {
  return map(A)(rows, rows);
}

/// Checks that M is unit lower triangular, P is a permutation, P·A·Pᵀ = M·D·M* and A·X = B to a few n·ε.
template <class T>
void expect_factorization(const Matrix<T>& A, const Matrix<T>& B, Symmetry symmetry, const LdltBaselineResult<T>& f) {
  const Index n = A.rows();
  std::vector<Index> rows = f.permutation, all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Index(0));
  std::ranges::sort(rows);
  ASSERT_EQ(rows, all);
  for (Index j = 0; j < n; ++j) {
    EXPECT_EQ(f.M(j, j), T(1));
    for (Index i = 0; i < j; ++i) EXPECT_EQ(f.M(i, j), T(0));
    const bool pair = !f.tridiagonal && j + 1 < n && f.interchanges[j + 1] < 0;
    EXPECT_TRUE(f.tridiagonal || (f.subdiagonal[j] != T(0)) == pair);
    EXPECT_TRUE(!pair || f.M(j + 1, j) == T(0));
  }
  EXPECT_EQ(f.interchanges.size(), f.tridiagonal ? 0 : f.permutation.size());
  const Dense<T> MD = dense_product<T>(f.M, test::view_of<T>(dense_d(f, symmetry)));
  const Dense<T> MDM =
      dense_product<T>(test::view_of<T>(MD), symmetry == Symmetry::hermitian ? adjoint(f.M) : transpose(f.M));
  const double tolerance = 30 * unit_roundoff<double>() * static_cast<double>(n) * map(A).norm();
  EXPECT_LE((permuted(A, f.permutation) - MDM).norm(), tolerance);
  ASSERT_EQ(f.X.rows(), n);
  EXPECT_LE((dense_product<T>(A, f.X) - map(B)).norm(), tolerance * map(f.X).norm());
  EXPECT_GT(f.compute_seconds, 0);
}

}  // namespace pivotlab
