// SPDX-License-Identifier: BSD-3-Clause
// Decompositions that are as accurate as doubles can be, for the tests of the GSVD's metrics.
#pragma once

#include <gtest/gtest.h>

#include <experiments/gsvd/gsvd_sections.hpp>
#include <kernels/numerics/elementary.hpp>
#include <kernels/numerics/householder.hpp>
#include <kernels/numerics/lu_complete.hpp>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <random>

namespace pivotlab::experiments::gsvd_metrics_test {

using Complex = std::complex<double>;

template <class T>
using Extended = Rebind<T, Quad>;

template <class T>
class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  double uniform() { return std::ldexp(static_cast<double>(generator_() >> 11), -52) - 1.0; }
  Matrix<Extended<T>> matrix(Index rows, Index cols) {
    Matrix<Extended<T>> A(rows, cols);
    for (Index j = 0; j < cols; ++j)
      for (auto& x : A.col(j)) {
        if constexpr (is_complex<T>)
          x = Extended<T>(Quad(uniform()), Quad(uniform()));
        else
          x = uniform();
      }
    return A;
  }
  Matrix<Extended<T>> orthonormal(Index rows, Index cols) { return unitary_factor(householder_qr(matrix(rows, cols))); }

 private:
  std::mt19937_64 generator_;
};

template <class T>
Matrix<T> round(const Matrix<Extended<T>>& A) {
  Matrix<T> result(A.rows(), A.cols());
  std::transform(A.data(), A.data() + A.size(), result.data(), [](const Extended<T>& x) {
    if constexpr (is_complex<T>)
      return T(static_cast<double>(x.real()), static_cast<double>(x.imag()));
    else
      return static_cast<double>(x);
  });
  return result;
}

template <class T>
Matrix<T> multiply(const Matrix<T>& A, const Matrix<T>& B) {
  Matrix<T> C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index i = 0; i < A.rows(); ++i) C(i, j) += A(i, k) * B(k, j);
  return C;
}

template <class T, class Factor>
void scale_column(Matrix<T>& A, Index j, const Factor& factor) {
  for (T& x : A.col(j)) x *= factor;
}

template <class T>
struct Solved {
  Pair<T> pair;
  GsvdResult<T> result;
};

/// A pair and its decomposition, computed in Quad and rounded, the most accurate result in double. σ from 8 to 1/8.
template <class T>
Solved<T> rounded_exact(Index m_f, Index m_g, Index n, unsigned seed = 1) {
  Random<T> random(seed);
  auto U = random.orthonormal(m_f, n), V = random.orthonormal(m_g, n), X = random.matrix(n, n);
  for (Index j = 0; j < n; ++j) X(j, j) += Extended<T>(Quad(3));
  const Matrix<Extended<T>> Z = inverse(lu_complete(X));

  Solved<T> solved;
  solved.result.U = round<T>(U);
  solved.result.V = round<T>(V);
  solved.result.Z = round<T>(Z);
  for (Index j = 0; j < n; ++j) {
    const Quad sigma = pow(Quad(2), Quad(3) - Quad(6 * j) / std::max<Index>(n - 1, 1)), g = 1 / sqrt(1 + sigma * sigma);
    solved.pair.sigma.push_back(sigma);
    solved.result.sigma.push_back(static_cast<double>(sigma));
    solved.result.sigma_f.push_back(static_cast<double>(Quad(sigma * g)));
    solved.result.sigma_g.push_back(static_cast<double>(g));
    scale_column(U, j, Quad(sigma * g));
    scale_column(V, j, g);
  }
  solved.pair.F = round<T>(multiply(U, X));
  solved.pair.G = round<T>(multiply(V, X));
  solved.result.status = Status::passed;
  return solved;
}

template <class T>
GsvdMetrics judge(const Solved<T>& solved, std::optional<JudgePrecision> precision = {}, int threads = 0) {
  return judge_gsvd(solved.pair, solved.result, {.precision = precision, .threads = threads});
}

inline double norm_of(const auto& A) {
  double squares = 0;
  for (Index j = 0; j < A.cols(); ++j)
    for (const auto& x : A.col(j)) squares += std::norm(x);
  return std::sqrt(squares);
}

/// All numbers of the metrics, in a fixed order.
inline std::vector<double> numbers(const GsvdMetrics& metrics) {
  std::vector<double> result;
  const nlohmann::json flat = to_json(metrics).flatten();
  for (const auto& [key, value] : flat.items())
    if (value.is_number()) result.push_back(value.template get<double>());
  return result;
}

inline void expect_close(const GsvdMetrics& a, const GsvdMetrics& b, double relative) {
  const auto x = numbers(a), y = numbers(b);
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], relative * std::abs(y[i])) << "number " << i;
}

template <class T>
class GsvdMetricsOf : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(GsvdMetricsOf, Scalars);

}  // namespace pivotlab::experiments::gsvd_metrics_test
