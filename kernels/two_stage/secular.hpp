// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on a symmetric tridiagonal matrix: eigenvalues and vectors of D + ρ·z·zᵀ, d ascending, without
// what can be deflated. Bodies of EachColumn: a warp for each column, lanes taking terms at equal distances, whose sums
// are added in a fixed order.
#pragma once

#include "kernels/two_stage/merge_tree.hpp"

#include <cmath>

namespace pivotlab::two_stage {

/// Computes the root λ_j of f(λ) = 1/ρ + Σ z_i²/(d_i − λ) between d_j and d_{j+1}, as a distance from the nearer one:
/// so differences d_i − λ = (d_i − base) − shift are accurate.
///
/// Begins with the root for both neighbouring poles and a constant. Each step interpolates by a constant and two poles
/// that have the derivatives of the sums on both sides ("middle way"; R.-C. Li, LAPACK Working Note 89). A step that
/// leaves the bracket or that does not halve |f| after some steps is replaced by bisection, so that it always
/// converges.
struct SolveSecular {
  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const MergeArguments& a, const Merge& merge,
                                  const MergeSizes& sizes, int j) {
    if (j >= sizes.kept) return;
    const double *const d = a.pole + merge.begin, *const z = a.weight + merge.begin;
    const Root root = solve(context, d, z, sizes.kept, sizes.rho, j);
    if (context.lane() > 0) return;
    a.base[merge.begin + j] = root.base, a.shift[merge.begin + j] = root.shift;
    a.lambda[merge.begin + j] = root.base + root.shift;
  }

 private:
  struct Root {
    double base, shift;
  };
  /// The sums over poles up to j and after it, and their derivatives.
  struct Sums {
    double left = 0, right = 0, d_left = 0, d_right = 0;
  };

  template <class Context>
  PIVOTLAB_DEVICE static Sums sums_at(Context& context, const double* d, const double* z, int k, int j,
                                      const Root& at) {
    Sums sums;
    int i = context.lane();
    const auto add = [&](double& sum, double& derivative) {
      const double quotient = z[i] / ((d[i] - at.base) - at.shift);
      sum = std::fma(z[i], quotient, sum), derivative = std::fma(quotient, quotient, derivative);
    };
    for (; i <= j; i += warp_size) add(sums.left, sums.d_left);
    for (; i < k; i += warp_size) add(sums.right, sums.d_right);
    for (int mask = warp_size / 2; mask > 0; mask /= 2) {
      sums.left += context.shuffle_xor(sums.left, mask), sums.d_left += context.shuffle_xor(sums.d_left, mask);
      sums.right += context.shuffle_xor(sums.right, mask), sums.d_right += context.shuffle_xor(sums.d_right, mask);
    }
    return sums;
  }

  template <class Context>
  PIVOTLAB_DEVICE static Root solve(Context& context, const double* d, const double* z, int k, double rho, int j) {
    constexpr double unit = 0x1p-53;
    constexpr int most = 120, trusted = 8;
    const bool inner = j + 1 < k;
    const double inverse_rho = 1 / rho, z_next = inner ? z[j + 1] : 0;
    const double gap = inner ? d[j + 1] - d[j] : rho * squared_norm(context, z, k), half = gap / 2;
    const Sums middle = sums_at(context, d, z, k, j, {d[j], half});
    const double f_middle = (inverse_rho + middle.left) + middle.right;
    const bool near_next = inner && f_middle <= 0;
    double low = near_next ? -half : f_middle <= 0 ? half : 0, high = near_next ? 0 : f_middle > 0 ? half : gap;
    const double rest = f_middle + z[j] * z[j] / half - z_next * z_next / half;
    Root root{near_next ? d[j + 1] : d[j], first_shift(near_next, rest, gap, z[j] * z[j], z_next * z_next)};
    if (!(root.shift > low && root.shift < high)) root.shift = middle_of(low, high);

    double previous = 0;
    for (int iteration = 0; iteration < most; ++iteration) {
      const Sums sums = sums_at(context, d, z, k, j, root);
      const double f = (inverse_rho + sums.left) + sums.right, slope = sums.d_left + sums.d_right, x = root.shift;
      if (f <= 0) low = x;
      if (f >= 0) high = x;
      const double error = std::fma(8.0, sums.right - sums.left, std::fma(std::fabs(x), slope, inverse_rho));
      if (std::fabs(f) <= unit * error || high - low <= 4 * unit * std::fabs(x)) break;
      const double to_left = (d[j] - root.base) - x;
      double next = 0;
      if (inner) {
        const double to_right = (d[j + 1] - root.base) - x, product = to_left * to_right;
        const double A = std::fma(to_left + to_right, f, -(product * slope)), B = product * f,
                     C = (f - to_left * sums.d_left) - to_right * sums.d_right;
        next = x + (A <= 0 ? (A - discriminant(A, B, C)) / (2 * C) : 2 * B / (A + discriminant(A, B, C)));
      } else {
        next = x + to_left * f / (f - to_left * sums.d_left);
      }
      const bool slow = iteration >= trusted && std::fabs(f) > previous / 2;
      root.shift = !slow && next > low && next < high ? next : middle_of(low, high);
      previous = std::fabs(f);
    }
    return root;
  }

  template <class Context>
  PIVOTLAB_DEVICE static double squared_norm(Context& context, const double* z, int k) {
    double sum = 0;
    for (int i = context.lane(); i < k; i += warp_size) sum = std::fma(z[i], z[i], sum);
    return warp_sum(context, sum);
  }
  PIVOTLAB_DEVICE static double discriminant(double A, double B, double C) {
    return std::sqrt(std::fabs(std::fma(A, A, -(4 * B * C))));
  }
  /// Solves c + z_j²/(d_j − λ) + z_{j+1}²/(d_{j+1} − λ) = 0 for the distance from a pole.
  PIVOTLAB_DEVICE static double first_shift(bool near_next, double c, double gap, double z2, double z2_next) {
    const double sign = near_next ? -1 : 1, own = near_next ? z2_next : z2, other = near_next ? z2 : z2_next;
    const double A = std::fma(sign * c, gap, own + other), B = own * gap, root = discriminant(A, B, sign * c);
    return sign * (A > 0 ? 2 * B / (A + root) : (A - root) / (2 * sign * c));
  }
  /// Returns the geometric mean of a bracket on one side of 0, of which at most 20 binary places are looked at.
  PIVOTLAB_DEVICE static double middle_of(double low, double high) {
    const double near = std::fmin(std::fabs(low), std::fabs(high)), far = std::fmax(std::fabs(low), std::fabs(high));
    return std::copysign(std::sqrt(std::fmax(near, 0x1p-20 * far)) * std::sqrt(far), low + high);
  }
};

/// Computes z of the rank-one update that has these roots exactly (Gu and Eisenstat, 1994): z_i² = Π_j (λ_j − d_i) /
/// Π_{j≠i} (d_j − d_i), but for a factor that all have, with the sign of z_i before. Each quotient but one is in (0,
/// 1].
struct CorrectWeights {
  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const MergeArguments& a, const Merge& merge,
                                  const MergeSizes& sizes, int i) {
    const int k = sizes.kept;
    if (i >= k) return;
    const double *const d = a.pole + merge.begin, *const base = a.base + merge.begin,
                        *const shift = a.shift + merge.begin, d_i = d[i];
    double product = 1;
    for (int j = context.lane(); j < k; j += warp_size) {
      const double difference = (base[j] - d_i) + shift[j];
      product *= j < i ? difference / (d[j] - d_i) : j + 1 < k ? difference / (d[j + 1] - d_i) : difference;
    }
    for (int mask = warp_size / 2; mask > 0; mask /= 2) product *= context.shuffle_xor(product, mask);
    if (context.lane() > 0) return;
    const Index to = merge.begin + a.place[merge.begin + i];
    a.grouped_pole[to] = d_i;
    a.grouped_weight[to] = std::copysign(std::sqrt(std::fabs(product)), a.weight[merge.begin + i]);
  }
};

/// Computes the vector of a root, z_i/(d_i − λ_j), of length 1, with rows in the order of groups; or multiplies the
/// boundary rows by it.
struct FormVectors {
  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const MergeArguments& a, const Merge& merge,
                                  const MergeSizes& sizes, int j) {
    if (j >= sizes.kept) return;
    const double *const d = a.grouped_pole + merge.begin, *const z = a.grouped_weight + merge.begin,
                        base = a.base[merge.begin + j], shift = a.shift[merge.begin + j];
    const auto element = [&](int i) { return z[i] / ((d[i] - base) - shift); };
    double sum = 0;
    for (int i = context.lane(); i < sizes.kept; i += warp_size) {
      const double x = element(i);
      sum = std::fma(x, x, sum);
    }
    const double length = std::sqrt(warp_sum(context, sum));
    if (a.of_boundaries) {
      double first = 0, last = 0;
      for (int i = context.lane(); i < sizes.kept; i += warp_size) {
        const double x = element(i), *const rows = a.copy.data + 2 * (merge.begin + i);
        first = std::fma(rows[0], x, first), last = std::fma(rows[1], x, last);
      }
      first = warp_sum(context, first), last = warp_sum(context, last);
      double* const rows = a.Q.data + 2 * (merge.begin + j);
      if (context.lane() == 0) rows[0] = first / length, rows[1] = last / length;
      return;
    }
    double* const to = a.S.data + merge.begin + (merge.begin + j) * a.S.stride;
    for (int i = context.lane(); i < sizes.kept; i += warp_size) to[i] = element(i) / length;
  }
};

}  // namespace pivotlab::two_stage
