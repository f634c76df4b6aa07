// SPDX-License-Identifier: BSD-3-Clause
// Generalized singular values in 200 digits, by an algorithm that shares nothing with the library's.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include <algorithm>
#include <functional>
#include <vector>

namespace pivotlab::test {

/// (Re A, −Im A; Im A, Re A) of a complex A, which has each of A's values twice; A itself if it is real.
template <class T>
Matrix<double> as_real(const Matrix<T>& A) {
  if constexpr (is_complex<T>) {
    const Index m = A.rows(), n = A.cols();
    Matrix<double> result(2 * m, 2 * n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < m; ++i) {
        result(i, j) = result(m + i, n + j) = A(i, j).real();
        result(m + i, j) = A(i, j).imag();
        result(i, n + j) = -A(i, j).imag();
      }
    return result;
  } else {
    return A;
  }
}

/// The σ of a real pair, descending: GᵀG = L·Lᵀ, then one-sided Jacobi on the columns of F·L⁻ᵀ. Right to 40 digits
/// where the squares of the condition numbers leave as many of 200. F and G are multiplied by a matrix from the right
/// first, which changes no σ: columns of exactly equal norm, as those of as_real(), would be rotated by 45 degrees for
/// ever.
inline std::vector<Quad> true_sigma(const Matrix<double>& F, const Matrix<double>& G) {
  using Number =
      boost::multiprecision::number<boost::multiprecision::cpp_bin_float<200>, boost::multiprecision::et_off>;
  const Index m = F.rows(), n = F.cols();
  const auto mixed = [n](const Matrix<double>& A) {
    std::vector<std::vector<Number>> columns(n, std::vector<Number>(A.rows()));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < A.rows(); ++i) {
        columns[j][i] = A(i, j);
        for (Index k = 0; k < j; ++k) columns[j][i] += Number(A(i, k)) * static_cast<double>((7 * k + 3 * j) % 11 - 5);
      }
    return columns;
  };
  const auto f = mixed(F), g = mixed(G);
  std::vector<std::vector<Number>> L(n, std::vector<Number>(n)), B(n, std::vector<Number>(m));
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      Number sum = 0;
      for (Index k = 0; k < G.rows(); ++k) sum += g[i][k] * g[j][k];
      for (Index k = 0; k < i; ++k) sum -= L[i][k] * L[j][k];
      L[j][i] = i == j ? Number(sqrt(sum)) : Number(sum / L[i][i]);
    }
  for (Index j = 0; j < n; ++j)  // B·Lᵀ = F, column by column
    for (Index i = 0; i < m; ++i) {
      Number x = f[j][i];
      for (Index k = 0; k < j; ++k) x -= B[k][i] * L[j][k];
      B[j][i] = x / L[j][j];
    }
  const auto dot = [&](Index p, Index q) {
    Number sum = 0;
    for (Index i = 0; i < m; ++i) sum += B[p][i] * B[q][i];
    return sum;
  };
  const Number tolerance("1e-45");
  for (bool rotated = true; rotated;) {
    rotated = false;
    for (Index p = 0; p < n; ++p)
      for (Index q = p + 1; q < n; ++q) {
        const Number a = dot(p, p), b = dot(q, q), c = dot(p, q);
        if (a == 0 || b == 0 || abs(c) <= tolerance * sqrt(a) * sqrt(b)) continue;
        rotated = true;
        const Number zeta = (b - a) / (2 * c);
        const Number size = abs(zeta) + sqrt(1 + zeta * zeta), t = (zeta < 0 ? -1 : 1) / size;
        const Number cosine = 1 / sqrt(1 + t * t), sine = t * cosine;
        for (Index i = 0; i < m; ++i) {
          const Number x = B[p][i], y = B[q][i];
          B[p][i] = cosine * x - sine * y;
          B[q][i] = sine * x + cosine * y;
        }
      }
  }
  std::vector<Number> values;
  for (Index j = 0; j < n; ++j) values.push_back(sqrt(dot(j, j)));
  std::ranges::sort(values, std::greater{});
  std::vector<Quad> sigma;
  for (const Number& value : values) {
    const double high = static_cast<double>(value);
    sigma.push_back(Quad(high) + Quad(static_cast<double>(Number(value - Number(high)))));
  }
  return sigma;
}

/// The same of any pair.
template <class T>
std::vector<Quad> true_sigma(const Matrix<T>& F, const Matrix<T>& G) requires is_complex<T> {
  const std::vector<Quad> twice = true_sigma(as_real(F), as_real(G));
  std::vector<Quad> sigma;
  for (std::size_t j = 0; j < twice.size(); j += 2) sigma.push_back(twice[j]);
  return sigma;
}

}  // namespace pivotlab::test
