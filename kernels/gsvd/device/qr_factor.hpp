// SPDX-License-Identifier: BSD-3-Clause
// The fallback of section 2.3: column-pivoted QR factorization of the block columns themselves, for tiles whose
// Cholesky factorization has lost a pivot. As on the host (tile_factor.hpp), rows are sorted in descending order of
// their largest element (Cox & Higham 1998), and columns that are alone in their row remain exactly unchanged. This is
// rare, so the code is written for clarity: a few blocks, each with a workspace in device memory, take the lost items
// in turn.
#pragma once

#include "kernels/gsvd/device/factor.hpp"

namespace pivotlab::device {

template <class Shape>
struct QrFactor {
  static constexpr int k = Shape::order;
  static constexpr int parts = Shape::parts;
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  static constexpr int warps = threads / 32;

  struct Arguments {
    Planes matrix[2];
    const PivotPair* pairs;
    int tiles, items;  ///< items: tiles of all matrices
    Factors factors;
    double* columns;  ///< [block][parts·k·rows]
    double* keys;     ///< [block][sorted]: sort keys of the rows
    int* rows;        ///< [block][sorted]
    int sorted;       ///< power of two ≥ rows of F and of G
  };

  // Bytes of shared memory. The vector v of a column is not kept there, because it may be long.
  static constexpr int shared_bytes = (3 * k + 4) * 8 + 4 * k * 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    for (int item = context.block(); item < a.items; item += context.blocks()) {
      if (a.factors.lost[item] == 0) continue;
      context.sync();
      Work<Context> work(context, a, item);
      work.count_nonzeros();
      work.sort_rows();
      work.gather();
      work.eliminate();
      work.store();
    }
  }

 private:
  template <class Context>
  struct Work {
    Context& context;
    const Arguments& a;
    int item;
    Planes Y;
    PivotPair pair;
    int m;  ///< rows of Y
    double *W, *keys;
    int* rows;
    // Per column of the tile: norm, number of nonzeros, row of the last nonzero, 1 if decoupled, position in the
    // factorization.
    decltype(context.template shared<double>(0, 1)) norm, diagonal_re, diagonal_im, scalars;
    decltype(context.template shared<int>(0, 1)) nonzeros, last_row, decoupled, position;
    int coupled = 0;

    PIVOTLAB_DEVICE Work(Context& c, const Arguments& arguments, int which)
        : context(c),
          a(arguments),
          item(which),
          Y(a.matrix[which / a.tiles]),
          pair(a.pairs[which % a.tiles]),
          m(static_cast<int>(Y.rows)),
          W(a.columns + std::int64_t(c.block()) * parts * k * a.sorted),
          keys(a.keys + std::int64_t(c.block()) * a.sorted),
          rows(a.rows + std::int64_t(c.block()) * a.sorted),
          norm(c.template shared<double>(0, k)),
          diagonal_re(c.template shared<double>(8 * k, k)),
          diagonal_im(c.template shared<double>(16 * k, k)),
          scalars(c.template shared<double>(24 * k, 4)),
          nonzeros(c.template shared<int>(24 * k + 32, k)),
          last_row(c.template shared<int>(28 * k + 32, k)),
          decoupled(c.template shared<int>(32 * k + 32, k)),
          position(c.template shared<int>(36 * k + 32, k)) {}

    PIVOTLAB_DEVICE double input(int part, int i, int j) const { return tile_column<Shape>(Y, pair, part * k + j)[i]; }
    PIVOTLAB_DEVICE bool zero(int i, int j) const {
      return input(0, i, j) == 0 && (parts == 1 || input(parts - 1, i, j) == 0);
    }
    /// Returns column `j` of the workspace, by position.
    PIVOTLAB_DEVICE double* column(int part, int j) const { return W + (std::int64_t(part) * k + j) * a.sorted; }

    PIVOTLAB_DEVICE void count_nonzeros() {
      for (int j = context.warp(); j < k; j += warps) {
        int count = 0, last = -1;
        for (int i = context.lane(); i < m; i += 32)
          if (!zero(i, j)) {
            ++count;
            last = i;
          }
        for (int mask = 16; mask > 0; mask /= 2) {
          count += context.shuffle_xor(count, mask);
          const int other = context.shuffle_xor(last, mask);
          last = other > last ? other : last;
        }
        if (context.lane() == 0) {
          nonzeros[j] = count;
          last_row[j] = last;
        }
      }
      context.sync();
      if (context.thread() < k) {
        const int j = context.thread();
        int in_row = 0;
        if (nonzeros[j] == 1)
          for (int other = 0; other < k; ++other) in_row += !zero(last_row[j], other);
        decoupled[j] = in_row == 1;
      }
      context.sync();
      for (int j = 0; j < k; ++j) coupled += decoupled[j] == 0;
    }

    /// Sorts rows by descending key, then ascending index, by a bitonic network over the padded length. Rows of
    /// decoupled columns and the padding have keys below all others.
    PIVOTLAB_DEVICE void sort_rows() {
      for (int i = context.thread(); i < a.sorted; i += threads) {
        double key = -2;
        if (i < m) {
          key = 0;
          for (int j = 0; j < k; ++j) {
            const double magnitude = absolute(input(0, i, j)) + (parts == 2 ? absolute(input(parts - 1, i, j)) : 0.0);
            key = magnitude > key ? magnitude : key;
            if (decoupled[j] != 0 && last_row[j] == i) {
              key = -1;
              break;
            }
          }
        }
        keys[i] = key;
        rows[i] = i;
      }
      context.sync();
      for (int size = 2; size <= a.sorted; size *= 2)
        for (int distance = size / 2; distance > 0; distance /= 2) {
          for (int i = context.thread(); i < a.sorted; i += threads) {
            const int j = i ^ distance;
            if (j < i) continue;
            const bool before = keys[i] > keys[j] || (keys[i] == keys[j] && rows[i] < rows[j]);
            if (before == ((i & size) != 0)) {
              const double key = keys[i];
              const int row = rows[i];
              keys[i] = keys[j], rows[i] = rows[j];
              keys[j] = key, rows[j] = row;
            }
          }
          context.sync();
        }
    }

    PIVOTLAB_DEVICE int sorted_rows() const { return m - (k - coupled); }

    PIVOTLAB_DEVICE void gather() {
      int next = 0;
      for (int j = 0; j < k; ++j) {
        if (decoupled[j] != 0) continue;
        for (int part = 0; part < parts; ++part)
          for (int i = context.thread(); i < sorted_rows(); i += threads)
            column(part, next)[i] = input(part, rows[i], j);
        if (context.thread() == 0) position[next] = j;
        ++next;
      }
      context.sync();
    }

    /// Applies Householder reflections with column pivoting. Column s of the workspace becomes column s of R above the
    /// diagonal and the vector v on and below it; the diagonal of R goes to `diagonal`.
    PIVOTLAB_DEVICE void eliminate() {
      for (int s = 0; s < coupled && s < sorted_rows(); ++s) {
        for (int j = s + context.warp(); j < coupled; j += warps) {
          double sum = 0;
          for (int part = 0; part < parts; ++part)
            for (int i = s + context.lane(); i < sorted_rows(); i += 32) {
              const double x = column(part, j)[i];
              sum = fused(x, x, sum);
            }
          for (int mask = 16; mask > 0; mask /= 2) sum += context.shuffle_xor(sum, mask);
          if (context.lane() == 0) norm[j] = sum;
        }
        context.sync();
        int largest = s;
        for (int j = s + 1; j < coupled; ++j)
          if (norm[j] > norm[largest]) largest = j;
        swap_columns(s, largest);
        reflect(s, square_root(norm[largest]));
      }
    }

    PIVOTLAB_DEVICE void swap_columns(int s, int other) {
      context.sync();
      if (s != other) {
        for (int part = 0; part < parts; ++part)
          for (int i = context.thread(); i < sorted_rows(); i += threads) {
            const double x = column(part, s)[i];
            column(part, s)[i] = column(part, other)[i];
            column(part, other)[i] = x;
          }
        if (context.thread() == 0) {
          const int j = position[s];
          position[s] = position[other];
          position[other] = j;
        }
      }
      context.sync();
    }

    /// Applies H = I − vvᴴ/(‖x‖(‖x‖ + |x₁|)), v = x + (x₁/|x₁|)‖x‖e₁, which maps x to −(x₁/|x₁|)‖x‖e₁.
    PIVOTLAB_DEVICE void reflect(int s, double length) {
      const double re = column(0, s)[s], im = parts == 2 ? column(parts - 1, s)[s] : 0.0;
      const double first = parts == 2 ? square_root(fused(re, re, im * im)) : absolute(re);
      const double unit_re = first == 0 ? 1.0 : re / first, unit_im = first == 0 ? 0.0 : im / first;
      context.sync();
      if (context.thread() == 0) {
        diagonal_re[s] = -unit_re * length;
        diagonal_im[s] = -unit_im * length;
        column(0, s)[s] = fused(unit_re, length, re);
        if constexpr (parts == 2) column(1, s)[s] = fused(unit_im, length, im);
      }
      context.sync();
      const double scale = length * (length + first);
      if (!(scale > 0)) return;
      for (int j = s + 1 + context.warp(); j < coupled; j += warps) apply(s, j, scale);
      context.sync();
    }

    PIVOTLAB_DEVICE void apply(int s, int j, double scale) {
      double re = 0, im = 0;  // vᴴ·w
      for (int i = s + context.lane(); i < sorted_rows(); i += 32) {
        const double v = column(0, s)[i], w = column(0, j)[i];
        re = fused(v, w, re);
        if constexpr (parts == 2) {
          const double v_im = column(1, s)[i], w_im = column(1, j)[i];
          re = fused(v_im, w_im, re);
          im = fused(v, w_im, im);
          im = fused(-v_im, w, im);
        }
      }
      for (int mask = 16; mask > 0; mask /= 2) {
        re += context.shuffle_xor(re, mask);
        if constexpr (parts == 2) im += context.shuffle_xor(im, mask);
      }
      re /= -scale;
      im /= -scale;
      for (int i = s + context.lane(); i < sorted_rows(); i += 32) {
        const double v = column(0, s)[i];
        double w = fused(v, re, column(0, j)[i]);
        if constexpr (parts == 2) {
          const double v_im = column(1, s)[i];
          w = fused(-v_im, im, w);
          column(1, j)[i] = fused(v, im, fused(v_im, re, column(1, j)[i]));
        }
        column(0, j)[i] = w;
      }
    }

    /// Stores R·Pᵀ, and the decoupled columns as further rows.
    PIVOTLAB_DEVICE void store() {
      double* factor = a.factors.element + std::int64_t(item) * Shape::elements;
      for (int e = context.thread(); e < Shape::elements; e += threads) factor[e] = 0;
      context.sync();
      for (int e = context.thread(); e < coupled * coupled; e += threads) {
        const int i = e % coupled, j = e / coupled;
        if (i > j || i >= sorted_rows()) continue;
        const int at = position[j] * k + i;
        factor[at] = i == j ? diagonal_re[j] : column(0, j)[i];
        if constexpr (parts == 2) factor[k * k + at] = i == j ? diagonal_im[j] : column(1, j)[i];
      }
      if (context.thread() == 0) {
        int next = coupled;
        for (int j = 0; j < k; ++j) {
          if (decoupled[j] == 0) continue;
          for (int part = 0; part < parts; ++part) factor[part * k * k + j * k + next] = input(part, last_row[j], j);
          ++next;
        }
      }
      context.sync();
      if (context.thread() == 0) a.factors.independence[item] = independence();
      context.sync();
    }

    PIVOTLAB_DEVICE double independence() const {
      double smallest = 1;
      for (int j = 0; j < coupled; ++j) {
        const double pivot = fused(diagonal_re[j], diagonal_re[j], diagonal_im[j] * diagonal_im[j]);
        double length = pivot;
        for (int part = 0; part < parts; ++part)
          for (int i = 0; i < j && i < sorted_rows(); ++i)
            length = fused(column(part, j)[i], column(part, j)[i], length);
        if (!(pivot > lost_pivot<double>(k) * length)) return 0;
        smallest = pivot / length < smallest ? pivot / length : smallest;
      }
      return smallest;
    }
  };
};

}  // namespace pivotlab::device
