// SPDX-License-Identifier: BSD-3-Clause
// A pair and its factors, scaled for verification.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <pivotlab/matrix.hpp>
#include <utility>
#include <vector>

namespace pivotlab::experiments {

// Powers of two scale F, G and each column of Z, and each column of F or of G, to about 1, exactly. With S = diag(2^s)
// and C = diag(2^c),
//
//   F' = 2^−a·F·S⁻¹,   G' = 2^−b·G·S⁻¹,   Z' = S·Z·C⁻¹,   Σ_F' = 2^−a·Σ_F·C⁻¹,   Σ_G' = 2^−b·Σ_G·C⁻¹,
//
// and F'Z' = UΣ_F' whenever FZ = UΣ_F. So graded columns of Z, a scaling that the columns of F and G share, and pairs
// near 1e±300 stay within the range of double. Metrics that do not depend on such a shared scaling are computed from
// F', G' and Z'; the others are defined by F, G and Z, and their errors are multiplied by S before norms are computed.

/// The exponents a, b and s. All s are ≤ 0; those of the largest columns of F and of G are 0.
struct CommonScaling {
  int f = 0, g = 0;
  std::vector<int> columns;
};

/// Returns the scaling of a pair with these largest components of its columns.
inline CommonScaling common_scaling(const std::vector<double>& f, const std::vector<double>& g) {
  constexpr int none = std::numeric_limits<int>::min();
  const auto exponent = [](double x) { return x > 0 && std::isfinite(x) ? std::ilogb(x) : none; };
  const auto largest_exponent = [&](const std::vector<double>& x) {
    const int e = x.empty() ? none : exponent(*std::max_element(x.begin(), x.end()));
    return e == none ? 0 : e;
  };
  CommonScaling scaling{largest_exponent(f), largest_exponent(g), std::vector<int>(f.size(), 0)};
  for (std::size_t j = 0; j < f.size(); ++j) {
    const int of_f = exponent(f[j]), of_g = exponent(g[j]);
    const int of_both = std::max(of_f == none ? none : of_f - scaling.f, of_g == none ? none : of_g - scaling.g);
    if (of_both != none) scaling.columns[j] = of_both;
  }
  return scaling;
}

/// A matrix of the pair with its factors, A' = U·Σ'·X'.
template <class T>
struct Side {
  Matrix<T> A;  ///< F' or G'
  const Matrix<T>& U;
  std::vector<double> sigma;  ///< Σ'
};

template <class T>
struct ScaledZ {
  Matrix<T> Z;
  std::vector<int> common;     ///< s
  std::vector<int> exponents;  ///< c
};

// A side before scaling: a GPU receives large matrices unscaled and scales them itself. The struct refers to the
// matrices and does not copy them.

template <class T>
struct GivenSide {
  const Matrix<T>& A;  ///< F or G
  const Matrix<T>& U;
  std::vector<double> sigma;   ///< Σ'
  std::vector<int> exponents;  ///< A' = A·diag(2^−exponents); empty: A' = A

  GivenSide(const Matrix<T>& A_, const Matrix<T>& U_, std::vector<double> sigma_, std::vector<int> exponents_)
      : A(A_), U(U_), sigma(std::move(sigma_)), exponents(std::move(exponents_)) {}
  // nothing remains to be scaled
  GivenSide(const Side<T>& scaled) : GivenSide(scaled.A, scaled.U, scaled.sigma, {}) {}
};

template <class T>
struct GivenZ {
  const Matrix<T>& Z;
  std::vector<int> common;     ///< s
  std::vector<int> exponents;  ///< Z' = diag(2^s)·Z·diag(2^−exponents); empty: Z' = Z

  GivenZ(const Matrix<T>& Z_, std::vector<int> common_, std::vector<int> exponents_)
      : Z(Z_), common(std::move(common_)), exponents(std::move(exponents_)) {}
  GivenZ(const ScaledZ<T>& scaled) : GivenZ(scaled.Z, scaled.common, {}) {}
};

/// Contains F, G and Z with their common scaling.
template <class T>
struct GivenPair {
  CommonScaling scaling;
  GivenZ<T> Z;
  GivenSide<T> f, g;
};
template <class T>
struct ScaledPair {
  ScaledZ<T> Z;
  Side<T> f, g;
};

}  // namespace pivotlab::experiments
