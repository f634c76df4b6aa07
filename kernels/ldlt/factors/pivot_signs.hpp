// SPDX-License-Identifier: BSD-3-Clause
// The certain signs of D's eigenvalues and lower bounds of their moduli.
#pragma once

#include "kernels/ldlt/factors/rounded_up.hpp"
#include "kernels/ldlt/shared/block.hpp"
#include "kernels/numerics/extension.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Signs of the eigenvalues of a Hermitian D. With W = diag(2^e), W⁻¹·D·W⁻¹ has eigenvalues near 1 and is exact.
struct PivotSigns {
  Index positive = 0, negative = 0;  ///< eigenvalues that are certainly not zero
  std::vector<double> sizes;         ///< lower bounds of the moduli of the eigenvalues, ascending
  std::vector<int> e;                ///< exponents of W; 0 for a zero eigenvalue
  double smallest_scaled = 0;        ///< lower bound of min|λ(W⁻¹·D·W⁻¹)|
  /// The largest (3 + q)/(1 − q)² of a 2×2 block P = [a, b̄; b, c] with q = |a·c|/|b|²: |P|·|P⁻¹|·|P| is componentwise
  /// below (3 + q)/(1 − q) times |P|, and the determinant, a difference, has an error of up to 9u·q/(1 − q) in addition
  /// to those of products and quotients. Infinity if q ≥ 1 for a block, which no pivoting produces.
  double amplification = 3;
};

/// T is double or std::complex<double>, F the same or double-double, whose D is rounded to double: that keeps signs.
template <class T, class F = T>
class PivotSignsBuilder {
 public:
  explicit PivotSignsBuilder(const LdltFactorization<F>& f) {
    signs_.e.resize(f.diagonal.size());
    signs_.smallest_scaled = std::numeric_limits<double>::infinity();
    Index next = 0;
    for (const auto& stage : f.stages) {
      const Index k = stage.first;
      if (stage.size == 1)
        add_1x1(real_part(rounded(f.diagonal[k])), k);
      else
        add_2x2({rounded(f.diagonal[k]), rounded(f.subdiagonal[k]), rounded(f.diagonal[k + 1])}, k);
      next = k + stage.size;
    }
    for (; next < f.order(); ++next) add_1x1(0, next);
    std::ranges::sort(signs_.sizes);
  }
  PivotSigns result() && { return std::move(signs_); }

 private:
  static T rounded(const F& x) { return round_to_double<T>(x); }

  void add_1x1(double d, Index k) {
    signs_.positive += d > 0;
    signs_.negative += d < 0;
    signs_.e[k] = d == 0 ? 0 : exponent_of(d) >> 1;
    add_size(std::abs(d), signs_.e[k]);
  }

  void add_2x2(const Block<T>& P, Index k) {
    const double b = modulus(P.b);
    const double q = rounded_up(std::abs(real_part(P.a) / b) * std::abs(real_part(P.c) / b), 16);
    signs_.e[k] = signs_.e[k + 1] = exponent_of(b) >> 1;
    if (!(q < 1 - 0x1p-20)) {  // the signs of these eigenvalues remain unknown
      signs_.amplification = std::numeric_limits<double>::infinity();
      add_size(0, 0);
      return add_size(0, 0);
    }
    signs_.amplification = std::max(signs_.amplification, rounded_up((3 + q) / ((1 - q) * (1 - q)), 8));
    ++signs_.positive;
    ++signs_.negative;
    // a·c/|b|² − 1 has an error of a few units of q, all other quantities of an eigenvalue a small relative error.
    const HermitianSpectrum<T> spectrum(P);
    for (const double size : {spectrum.positive, -spectrum.negative})
      add_size(size * (1 - 64 * unit / (1 - q)), signs_.e[k]);
  }

  void add_size(double size, int e) {
    if (!(size > 0)) size = 0;  // NaN
    signs_.sizes.push_back(size);
    signs_.smallest_scaled = std::min(signs_.smallest_scaled, times_power_of_two(size, -2 * e));
  }

  PivotSigns signs_;
};

}  // namespace pivotlab::ldlt_detail
