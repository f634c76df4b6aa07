// SPDX-License-Identifier: BSD-3-Clause
// Columns of a tile in shared memory. Eight lanes share a pivot pair and hold the elements of its columns in registers.
// Lane l has rows 2l, 2l + 1, 2l + 16, …, so eight lanes read 128 contiguous bytes. Dot products are summed by a lane
// in ascending order, then over the lanes by XOR butterflies.
#pragma once

#include "kernels/gsvd/device/postmultiply.hpp"
#include "kernels/gsvd/shared/pair_decision.hpp"
#include "kernels/numerics/downward_product.hpp"
#include "kernels/numerics/real_arithmetic.hpp"

namespace pivotlab::device {

inline constexpr int pair_lanes = 8;

/// The elements of a column that one lane holds, and operations on columns.
template <class Shape>
struct LaneColumn {
  static constexpr int rows = Shape::order / pair_lanes;
  double x[Shape::parts][rows];

  template <class Context, class Array>
  PIVOTLAB_DEVICE void load(Context& context, const Array& matrix, int column) {
    const int lane = context.lane() % pair_lanes;
#pragma unroll
    for (int part = 0; part < Shape::parts; ++part)
#pragma unroll
      for (int i = 0; i < rows; i += 2) {
        const DoublePair two =
            context.load2(matrix + ((part * Shape::order + column) * Shape::order + i * pair_lanes + 2 * lane));
        x[part][i] = two.x;
        x[part][i + 1] = two.y;
      }
  }

  template <class Context, class Array>
  PIVOTLAB_DEVICE void store(Context& context, const Array& matrix, int column) const {
    const int lane = context.lane() % pair_lanes;
#pragma unroll
    for (int part = 0; part < Shape::parts; ++part)
#pragma unroll
      for (int i = 0; i < rows; i += 2)
        context.store2(matrix + ((part * Shape::order + column) * Shape::order + i * pair_lanes + 2 * lane), x[part][i],
                       x[part][i + 1]);
  }

  PIVOTLAB_DEVICE void scale(double factor) {
#pragma unroll
    for (int part = 0; part < Shape::parts; ++part)
#pragma unroll
      for (int i = 0; i < rows; ++i) x[part][i] *= factor;
  }
};

/// Sums of one lane's products; enhanced sums keep their errors separately (Appendix A).
template <bool enhanced>
struct ProductSum {
  double sum = 0, errors = 0;

  PIVOTLAB_DEVICE void add(double x, double y) {
    if constexpr (enhanced) {
      const DownwardProduct<double> product(x, y);
      sum += product.c;
      errors += product.d;
    } else {
      sum = fused(x, y, sum);
    }
  }
  template <class Context>
  PIVOTLAB_DEVICE double total(Context& context) {
    for (int mask = pair_lanes / 2; mask > 0; mask /= 2) {
      sum += context.shuffle_xor(sum, mask);
      if constexpr (enhanced) errors += context.shuffle_xor(errors, mask);
    }
    return enhanced ? sum + errors : sum;
  }
};

/// Computes ‖x‖².
template <bool enhanced, class Shape, class Context>
PIVOTLAB_DEVICE inline double squared_norm(Context& context, const LaneColumn<Shape>& column) {
  if constexpr (enhanced && Shape::complex) {
    double sum = 0;
#pragma unroll
    for (int i = 0; i < LaneColumn<Shape>::rows; ++i) {  // the simpler procedure of Appendix A
      const DownwardProduct<double> r(column.x[0][i], column.x[0][i]), s(column.x[1][i], column.x[1][i]);
      const double smaller = r.c <= s.c ? r.c : s.c, larger = r.c <= s.c ? s.c : r.c;
      sum += ((r.d + s.d) + smaller) + larger;
    }
    for (int mask = pair_lanes / 2; mask > 0; mask /= 2) sum += context.shuffle_xor(sum, mask);
    return sum;
  } else {
    ProductSum<enhanced> norm;
#pragma unroll
    for (int part = 0; part < Shape::parts; ++part)
#pragma unroll
      for (int i = 0; i < LaneColumn<Shape>::rows; ++i) norm.add(column.x[part][i], column.x[part][i]);
    return norm.total(context);
  }
}

/// Computes the pivot matrix. Odd IDs enhance all products of the real algorithm, but only the norms of the complex
/// one.
template <bool enhanced, class Shape, class Context>
PIVOTLAB_DEVICE inline PivotMatrix<double> pivot_matrix(Context& context, const LaneColumn<Shape>& x,
                                                        const LaneColumn<Shape>& y, bool norms) {
  PivotMatrix<double> m{1, 1, 0, 0};
  if (norms) {
    m.xx = squared_norm<enhanced>(context, x);
    m.yy = squared_norm<enhanced>(context, y);
  }
  ProductSum<enhanced && !Shape::complex> re, im;
#pragma unroll
  for (int i = 0; i < LaneColumn<Shape>::rows; ++i) {
    re.add(x.x[0][i], y.x[0][i]);
    if constexpr (Shape::complex) {
      re.add(x.x[1][i], y.x[1][i]);
      im.add(x.x[0][i], y.x[1][i]);
      im.add(-x.x[1][i], y.x[0][i]);
    }
  }
  m.xy_re = re.total(context);
  if constexpr (Shape::complex) m.xy_im = im.total(context);
  return m;
}

/// Sets a k × k matrix in shared memory to the identity.
template <class Shape, int threads, class Context, class Array>
PIVOTLAB_DEVICE inline void set_identity(Context& context, const Array& Z) {
  for (int e = 2 * context.thread(); e < Shape::elements; e += 2 * threads) {
    const int row = e % Shape::order, column = e / Shape::order;
    context.store2(Z + e, row == column ? 1.0 : 0.0, row + 1 == column ? 1.0 : 0.0);
  }
}

/// Stores a k × k matrix from shared memory in the layout of PostMultiply.
template <class Shape, int threads, class Context, class Array>
PIVOTLAB_DEVICE inline void store_transformation(Context& context, const Array& Z, double* target) {
  using Layout = TransformationLayout<Shape>;
  constexpr int k = Shape::order;
  for (int e = context.thread(); e < Layout::elements; e += threads) {
    const int row = Layout::row(e), column = Layout::column(e);
    if constexpr (Shape::complex) {
      const bool mixed = (row < k) != (column < k);
      const double z = Z[mixed * k * k + column % k * k + row % k];
      target[e] = mixed && column < k ? -z : z;
    } else {
      target[e] = Z[column * k + row];
    }
  }
}

}  // namespace pivotlab::device
