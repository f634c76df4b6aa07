// SPDX-License-Identifier: BSD-3-Clause
// Pairs for the baselines, and checks of the properties that the library documents.
#pragma once

#include <gtest/gtest.h>
#include <pivotlab/baselines.hpp>
#include <tests/dense.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace pivotlab {

/// Returns the baselines of one library, "lapack:".
inline std::vector<std::string> baseline_names(ScalarType type, std::string_view library) {
  std::vector<std::string> result;
  for (const BaselineInfo& baseline : list_gsvd_baselines(type))
    if (baseline.name.starts_with(library)) result.push_back(baseline.name);
  return result;
}

using test::dense_product;
template <class T>
using Dense = EigenMatrix<T>;

template <class T>
Eigen::Map<const Dense<T>> map(const Matrix<T>& A) {
  return {A.data(), A.rows(), A.cols()};
}

template <class T>
Matrix<T> random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937_64 generator(seed);
  const auto uniform = [&] { return std::ldexp(static_cast<double>(generator() >> 11), -52) - 1.0; };
  Matrix<T> A(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (T& x : A.col(j)) {
      if constexpr (is_complex<T>)
        x = T(uniform(), uniform());
      else
        x = uniform();
    }
  return A;
}

template <class T>
Matrix<T> well_conditioned(Index rows, Index cols, unsigned seed) {
  Matrix<T> A = random_matrix<T>(rows, cols, seed);
  for (Index j = 0; j < cols; ++j) A(j, j) += T(5.0 + static_cast<double>(cols));
  return A;
}

/// Checks F·Z = U·Σ_F, G·Z = V·Σ_G, orthonormal U and V, Σ_F² + Σ_G² = I and descending Σ = Σ_F/Σ_G, to a few n·ε.
template <class T>
void expect_decomposition(const Matrix<T>& F, const Matrix<T>& G, const GsvdResult<T>& result) {
  ASSERT_EQ(result.status, Status::passed) << result.message;
  const Index n = F.cols();
  const double tolerance = 50.0 * static_cast<double>(std::max(F.rows(), G.rows())) * unit_roundoff<double>();
  const auto U = map(result.U), V = map(result.V), Z = map(result.Z);
  const Eigen::Map<const Eigen::VectorXd> f(result.sigma_f.data(), n), g(result.sigma_g.data(), n);
  const Dense<T> I = Dense<T>::Identity(n, n);
  EXPECT_LE((dense_product<T>(F, result.Z) - U * f.asDiagonal()).norm(), tolerance * map(F).norm() * Z.norm());
  EXPECT_LE((dense_product<T>(G, result.Z) - V * g.asDiagonal()).norm(), tolerance * map(G).norm() * Z.norm());
  EXPECT_LE((dense_product<T>(adjoint(result.U), result.U) - I).norm(), 10 * tolerance);
  EXPECT_LE((dense_product<T>(adjoint(result.V), result.V) - I).norm(), 10 * tolerance);
  EXPECT_LE((f.cwiseAbs2() + g.cwiseAbs2() - Eigen::VectorXd::Ones(n)).cwiseAbs().maxCoeff(), tolerance);
  for (std::size_t j = 0; j < result.sigma.size(); ++j)
    EXPECT_NEAR(result.sigma[j], result.sigma_f[j] / result.sigma_g[j], 0x1p-50 * result.sigma[j]);
  EXPECT_TRUE(std::is_sorted(result.sigma.rbegin(), result.sigma.rend()));
  EXPECT_TRUE(result.sweeps.empty());
  EXPECT_GT(result.compute_seconds, 0);
}

}  // namespace pivotlab
