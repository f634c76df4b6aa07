// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on a symmetric tridiagonal matrix: the smallest parts, by implicit QL iterations.
#pragma once

#include "kernels/two_stage/merge_tree.hpp"

#include <cmath>

namespace pivotlab::two_stage {

/// Computes eigenvalues and vectors of the parts of a level, whose diagonals are less by |e| where the matrix is cut.
/// `values` has the diagonal of the matrix before. A warp for each part, a lane for each row of its vectors: all lanes
/// do the same iterations, each on its own copy.
struct SolveLeaves {
  using Arguments = MergeArguments;
  static constexpr int threads = warp_size, min_blocks = 1, most_rows = 16;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index begin = a.level.begin(context.block()), end = a.level.begin(context.block() + 1);
    const int n = static_cast<int>(end - begin), row = context.lane();
    double d[most_rows] = {}, e[most_rows], q[most_rows];
    for (int i = 0; i < n; ++i) {
      const Index g = begin + i;
      d[i] = a.values[g], e[i] = i + 1 < n ? a.off_diagonal[g] : 0, q[i] = i == row;
      if (i == 0 && begin > 0) d[i] -= std::fabs(a.off_diagonal[g - 1]);
      if (i == n - 1 && end < a.level.columns()) d[i] -= std::fabs(a.off_diagonal[g]);
    }
    context.sync_warp();
    const bool converged = iterate(n, d, e, q);
    if (!converged && row == 0) a.failed[a.level.matrix_of(context.block())] = 1;
    if (row >= n) return;
    int rank = 0;
    for (int i = 0; i < n; ++i) {
      rank += d[i] < d[row] || (d[i] == d[row] && i < row);
      double* const column = a.Q.data + (begin + i) * a.Q.stride;
      if (!a.of_boundaries) column[begin + row] = q[i];
      if (a.of_boundaries && row == 0) column[0] = q[i];
      if (a.of_boundaries && row == n - 1) column[1] = q[i];
    }
    a.values[begin + rank] = d[row], a.order[begin + rank] = static_cast<int>(begin) + row;
  }

 private:
  PIVOTLAB_DEVICE static double length(double x, double y) {
    const double squares = std::fma(x, x, y * y);
    if (squares > 0x1p-900 && squares < 0x1p900) return std::sqrt(squares);
    const double large = std::fmax(std::fabs(x), std::fabs(y)), small = std::fmin(std::fabs(x), std::fabs(y));
    if (small == 0) return large;
    const double ratio = small / large;
    return large * std::sqrt(std::fma(ratio, ratio, 1.0));
  }

  /// The algorithm of EISPACK's imtql2 (Dubrulle, Martin and Wilkinson, 1968), for a row q of the vectors.
  PIVOTLAB_DEVICE static bool iterate(int n, double* d, double* e, double* q) {
    constexpr double unit = 0x1p-53;
    constexpr int most = 60;
    for (int l = 0; l < n; ++l)
      for (int iteration = 0;; ++iteration) {
        int m = l;
        while (m < n - 1 && std::fabs(e[m]) > std::fmax(unit * (std::fabs(d[m]) + std::fabs(d[m + 1])), 0x1p-300)) ++m;
        if (m == l) break;
        if (iteration == most) return false;
        double g = (d[l + 1] - d[l]) / (2 * e[l]), r = length(g, 1), s = 1, c = 1, p = 0;
        g = d[m] - d[l] + e[l] / (g + std::copysign(r, g));
        int i = m - 1;
        for (; i >= l; --i) {
          const double f = s * e[i], b = c * e[i];
          r = length(f, g);
          e[i + 1] = r;
          if (r == 0) break;
          s = f / r, c = g / r;
          g = d[i + 1] - p;
          r = std::fma(2 * c, b, (d[i] - g) * s);
          p = s * r;
          d[i + 1] = g + p;
          g = std::fma(c, r, -b);
          const double x = q[i + 1];
          q[i + 1] = std::fma(s, q[i], c * x);
          q[i] = std::fma(c, q[i], -(s * x));
        }
        if (i >= l) {
          d[i + 1] -= p;
        } else {
          d[l] -= p;
          e[l] = g;
        }
        e[m] = 0;
      }
    return true;
  }
};

}  // namespace pivotlab::two_stage
