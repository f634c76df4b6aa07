// SPDX-License-Identifier: BSD-3-Clause
// The kernels that make numbers of residues, and those that bound their errors.
#pragma once

#include "kernels/exact/split.hpp"

namespace pivotlab::exact {

PIVOTLAB_DEVICE inline double not_a_number() {
  return std::bit_cast<double>(uint64_t(0x7ff8) << 48);
}

/// Holds the result, by real parts; lo may be null.
struct Target {
  struct {
    double *hi, *lo;
  } part[2];
  Index row_stride, col_stride;
};

/// Says what the product is added to: zero, hi + lo, −I, or −hi·diag(sigma).
struct Start {
  enum class Kind { zero, matrix, minus_identity, minus_columns } kind = Kind::zero;
  Part part[2] = {};
  Index row_stride = 0, col_stride = 0;
  const double* sigma = nullptr;

  PIVOTLAB_DEVICE DoubleDouble operator()(int p, Index row, Index col) const {
    const Index at = row * row_stride + col * col_stride;
    switch (kind) {
      case Kind::matrix:
        return DoubleDouble::sum(part[p].hi[at], part[p].lo ? part[p].lo[at] : 0.0);
      case Kind::minus_identity:
        return row == col && p == 0 ? -1.0 : 0.0;
      case Kind::minus_columns:
        return DoubleDouble::product(-part[p].hi[at], sigma[col]);
      default:
        return 0.0;
    }
  }
};

/// Says how the product enters the result, C := start ± A·B, and which part of C is computed.
struct Update {
  bool subtract = false;
  bool lower = false;           ///< on and below the diagonal only
  bool right_is_upper = false;  ///< B has zeros below the diagonal, and fewer terms are multiplied
  Start start = {};
};

/// Holds sums of products of a panel: planes of `rows` × `cols` integers, of each part as in Planes.
struct Panel {
  std::int32_t* sums;
  Index rows, cols, plane;
};

/// Rebuilds the entries (first_row + i, first_col + j), i < rows, j < cols, of a product: a thread an entry, 256 rows a
/// block, columns one after the other. A complex product has three real ones of residues: real part Q₁ ∓ Q₂, imaginary
/// part Q₃ − Q₁ ∓ Q₂, the lower signs where one of the factors is conjugated.
template <int chunks, int parts>
struct Rebuild {
  struct Arguments {
    ResidueSystem system;
    Panel panel;
    Index rows, cols, first_row, first_col;
    const int *shift_a, *shift_b;
    bool conjugated;  ///< one of the factors, not both
    Update update;
    Target C;
  };
  static constexpr int threads = 256, min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int row_blocks = static_cast<int>((a.rows + threads - 1) / threads);
    const Index i = Index(context.block() % row_blocks) * threads + context.thread(), j = context.block() / row_blocks;
    if (i >= a.rows) return;
    const Index row = a.first_row + i, col = a.first_col + j;
    if (a.update.lower && row < col) return;
    const int shift_a = a.shift_a[row], shift_b = a.shift_b[col], e = -(shift_a + shift_b);
    const bool is_number = shift_a != shift_of_not_finite && shift_b != shift_of_not_finite;
    const std::int32_t* sums = a.panel.sums + i + j * a.panel.rows;
    const Index part = a.system.moduli * a.panel.plane;
    const auto residue = [&](int p, int t, const Modulus& m) {
      return nearly_reduced(sums[p * part + t * a.panel.plane], m);
    };
    const ResidueSystem& z = a.system;
    if constexpr (parts == 1) {
      put(a, 0, row, col, is_number, rebuilt<chunks>(z, e, [&](int t, const Modulus& m) { return residue(0, t, m); }));
    } else {
      const auto re = [&](int t, const Modulus& m) {
        const uint32_t q = residue(1, t, m);
        return residue(0, t, m) + (a.conjugated ? q : 2 * m.p - q);
      };
      const auto im = [&](int t, const Modulus& m) {
        const uint32_t q = residue(1, t, m);
        return residue(2, t, m) + 2 * m.p - residue(0, t, m) + (a.conjugated ? q : 2 * m.p - q);
      };
      put(a, 0, row, col, is_number, rebuilt<chunks>(z, e, re));
      put(a, 1, row, col, is_number, rebuilt<chunks>(z, e, im));
    }
  }

 private:
  PIVOTLAB_DEVICE static void put(const Arguments& a, int part, Index row, Index col, bool is_number, DoubleDouble x) {
    const Index at = row * a.C.row_stride + col * a.C.col_stride;
    double *hi = a.C.part[part].hi, *lo = a.C.part[part].lo;
    if (!is_number) x = not_a_number();
    if (a.update.subtract) x = -x;
    if (a.update.start.kind != Start::Kind::zero) x = a.update.start(part, row, col) + x;
    hi[at] = x.hi();
    if (lo) lo[at] = x.lo();
  }
};

// ---- Bounds ----

/// Vector v differs from what was multiplied by at most error(v), and norm(v) is at least its norm, both in units of
/// 2^exponent[v].
struct Errors {
  Scales scales;
  PIVOTLAB_DEVICE double norm(Index v) const { return std::sqrt(scales.square[v]) * (1 + 0x1p-20); }
  PIVOTLAB_DEVICE double error(Index v) const {
    return scaled(std::sqrt(static_cast<double>(scales.lost[v])) * (1 + 0x1p-20),
                  -1 - scales.shift[v] - scales.exponent[v]);
  }
};

/// Bounds the errors of the entries of A·B but for the rounding to two limbs, α_i‖b_j‖ + ‖a_i‖β_j + α_iβ_j, and what
/// may underflow; `rounding` more, relative to ‖a_i‖‖b_j‖. NaN where the product is.
struct EntryBound {
  Errors a, b;
  double rounding = 0;
  PIVOTLAB_DEVICE double operator()(Index i, Index j) const {
    const int of_a = a.scales.exponent[i], of_b = b.scales.exponent[j];
    if (of_a == exponent_not_finite || of_b == exponent_not_finite) return not_a_number();
    if (!is_ordinary(of_a) || !is_ordinary(of_b)) return 0;
    const double norm_a = a.norm(i), norm_b = b.norm(j), error_a = a.error(i), error_b = b.error(j);
    const double relative = norm_b * error_a + norm_a * error_b + error_a * error_b + rounding * (norm_a * norm_b);
    const bool may_underflow = a.scales.shift[i] + b.scales.shift[j] > 1074;
    return scaled(relative, of_a + of_b) * (1 + 0x1p-20) + (may_underflow ? 0x1p-1072 : 0);
  }
};

struct EntryBounds {
  EntryBound bound;
  MatrixView<double> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { result.data[i + j * result.stride] = bound(i, j); }
};

/// Holds the summary of an operand; a double holds each number.
struct SideReport {
  double largest_error;  ///< relative to the vector's norm
  double lost, not_finite;
};

/// Summarizes the vectors of an operand; one warp.
struct Summarize {
  struct Arguments {
    Errors errors;
    Index vectors;
    SideReport* result;
  };
  static constexpr int threads = warp_size, min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    SideReport report{};
    for (Index v = context.lane(); v < a.vectors; v += warp_size) {
      const int e = a.errors.scales.exponent[v];
      if (e == exponent_not_finite) ++report.not_finite;
      if (!is_ordinary(e)) continue;
      report.lost += a.errors.scales.lost[v];
      raise(report.largest_error, a.errors.error(v) / std::sqrt(a.errors.scales.square[v]) * (1 + 0x1p-20));
    }
    for (int mask = warp_size / 2; mask > 0; mask /= 2) {
      raise(report.largest_error, context.shuffle_xor(report.largest_error, mask));
      report.lost += context.shuffle_xor(report.lost, mask);
      report.not_finite += context.shuffle_xor(report.not_finite, mask);
    }
    if (context.lane() == 0) *a.result = report;
  }

 private:
  PIVOTLAB_DEVICE static void raise(double& largest, double x) {
    if (largest < x) largest = x;
  }
};

}  // namespace pivotlab::exact
