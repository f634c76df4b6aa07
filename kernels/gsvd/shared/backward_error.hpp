// SPDX-License-Identifier: BSD-3-Clause
// Backward errors of a decomposition A·Z = W·Σ, (A, W, Σ) = (F, U, Σ_F) or (G, V, Σ_G), computed a posteriori:
//
//   max_j ‖A·z_j − σ_j·w_j‖₂ / Σ_i ‖a_i‖₂·|z_ij|
#pragma once

#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/parts.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/matrix.hpp>
#include <string>
#include <type_traits>
#include <vector>

namespace pivotlab::gsvd_detail {

/// Returns ⌊log₂⌋ of the largest real or imaginary part of a column; the least int for zeros.
template <class T>
int exponent_of_column(std::span<const T> x) {
  const RealOf<T> largest = detail::largest_part<T>(x);
  return largest > RealOf<T>(0) ? exponent_of(largest) : std::numeric_limits<int>::min();
}

/// Computes it with columns in units of powers of two, so that nothing leaves the range; NaN if a factor is not finite.
template <class T>
double backward_error(MatrixView<const T> A, MatrixView<const T> W, const std::vector<double>& sigma,
                      const Matrix<T>& Z, int threads) {
  constexpr Index block = 64;
  constexpr int none = std::numeric_limits<int>::min();
  const Index n = A.cols, r = Z.cols();
  Matrix<T> scaled(A), units(n, r);
  std::vector<int> exponents;
  std::vector<double> norms;
  for (Index j = 0; j < n; ++j) {
    exponents.push_back(exponent_of_column<T>(A.col(j)));
    for (T& x : scaled.col(j))
      if (exponents.back() != none) x = times_power_of_two(x, -exponents.back());
    double squares = 0;
    for (const T& x : scaled.col(j)) squares += squared_magnitude(x);
    norms.push_back(std::sqrt(squares));
  }
  std::vector<double> errors(r);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
  for (Index first = 0; first < r; first += block) {
    const Index count = std::min(block, r - first);
    std::vector<int> units_of_column;
    for (Index j = first; j < first + count; ++j) {
      int largest = none;
      for (Index i = 0; i < n; ++i)
        if (const double z = detail::largest_part(Z(i, j)); z > 0 && exponents[i] != none)
          largest = std::max(largest, exponent_of(z) + exponents[i]);
      units_of_column.push_back(largest == none ? 0 : largest);
      for (Index i = 0; i < n; ++i)
        if (const int e = exponents[i]; e != none)
          units(i, j) = times_power_of_two(Z(i, j), e - units_of_column.back());
    }
    const Matrix<T> products = product_of<T>(scaled, units.view().cols_range(first, count));
    for (Index k = 0; k < count; ++k) {
      const Index j = first + k;
      const double value = times_power_of_two(sigma[j], -units_of_column[k]);
      double squares = 0;
      for (Index i = 0; i < A.rows; ++i) squares += squared_magnitude(T(products(i, k) - W(i, j) * value));
      const double error = std::sqrt(squares);
      double weight = 0;
      for (Index i = 0; i < n; ++i) weight += norms[i] * std::abs(units(i, j));
      errors[j] = error == 0 ? 0 : error / weight;
    }
  }
  double most = 0;
  for (const double error : errors)
    if (!(error <= most)) most = error;  // NaN remains
  return most;
}

/// Gives a passed result the status incorrect if its backward errors exceed the judge's bound, as those of pairs with a
/// condition near 1/ε may, and those of columns so different that elements of Z underflow. U and V need not be in r.
template <class T>
void verify(MatrixView<const T> F, MatrixView<const T> G, MatrixView<const std::type_identity_t<T>> U,
            MatrixView<const std::type_identity_t<T>> V, int threads, GsvdResult<T>& r) {
  constexpr double bound = 20, room = 0.95;  // the room is for rounding errors of this check
  if (r.status != Status::passed) return;
  const auto check = [&](const char* what, MatrixView<const T> A, MatrixView<const T> W,
                         const std::vector<double>& sigma) {
    const double error = backward_error<T>(A, W, sigma, r.Z, threads),
                 unit = static_cast<double>(std::max(A.rows, A.cols)) * std::numeric_limits<double>::epsilon();
    if (error <= room * bound * unit) return;
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1e", error);
    r.status = Status::incorrect;
    r.message = std::string(what) + " has the backward error " + text.data() +
                "; the pair is too ill-conditioned for this method, or elements of Z underflow";
  };
  check("F*Z = U*Sigma_F", F, U, r.sigma_f);
  check("G*Z = V*Sigma_G", G, V, r.sigma_g);
}
template <class T>
void verify(MatrixView<const T> F, MatrixView<const T> G, int threads, GsvdResult<T>& r) {
  verify(F, G, r.U, r.V, threads, r);
}

}  // namespace pivotlab::gsvd_detail
