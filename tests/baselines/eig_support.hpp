// SPDX-License-Identifier: BSD-3-Clause
// Checks of a baseline's eigendecomposition: the properties that the library documents.
#pragma once

#include <tests/baselines/support.hpp>

namespace pivotlab {

inline std::vector<std::string> eig_baselines(ScalarType type, std::string_view library) {
  std::vector<std::string> names;
  for (const BaselineInfo& baseline : list_eig_baselines(type))
    if (baseline.name.starts_with(library)) names.push_back(baseline.name);
  return names;
}

template <class T>
void expect_decomposition(const Matrix<T>& A, const EigResult<double>& result, bool left) {
  using Complex = std::complex<double>;
  const Index n = A.rows();
  ASSERT_EQ(result.status, Status::passed) << result.message;
  ASSERT_EQ(std::ssize(result.eigenvalues), n);
  ASSERT_EQ(result.V.cols(), n);
  ASSERT_EQ(result.W.cols(), left ? n : 0);
  for (Index k = 1; k < n; ++k) EXPECT_GE(std::abs(result.eigenvalues[k - 1]), std::abs(result.eigenvalues[k]));
  Matrix<Complex> complex(n, n);
  std::copy_n(A.data(), A.size(), complex.data());
  const Eigen::VectorXcd values = Eigen::Map<const Eigen::VectorXcd>(result.eigenvalues.data(), n);
  const double bound = 1e-14 * static_cast<double>(n) * map(A).norm();
  const auto V = map(result.V);
  EXPECT_LE((dense_product<Complex>(complex, result.V) - V * values.asDiagonal()).norm(), bound);
  for (Index k = 0; k < n; ++k) EXPECT_NEAR(V.col(k).norm(), 1, 1e-14);
  if (!left) return;
  EXPECT_LE((dense_product<Complex>(adjoint(result.W), complex) - values.asDiagonal() * map(result.W).adjoint()).norm(),
            bound);
}

}  // namespace pivotlab
