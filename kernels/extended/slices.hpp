// SPDX-License-Identifier: BSD-3-Clause
// The kernels of products by error-free slicing (product.hpp): exponents, slices, and the sum of the levels.
#pragma once

#include "kernels/extended/machine.hpp"
#include "kernels/numerics/slicing.hpp"

namespace pivotlab::extended::detail {

template <class T>
inline constexpr int parts = is_complex<T> ? 2 : 1;

/// A factor seen as vectors (the rows of the left one, the columns of the right one) of inner length.
template <class T>
struct Vectors {
  MatrixView<const T> view;
  bool along_rows, conjugated;

  PIVOTLAB_DEVICE Index count() const { return along_rows ? view.rows : view.cols; }
  PIVOTLAB_DEVICE Index inner() const { return along_rows ? view.cols : view.rows; }
  PIVOTLAB_DEVICE T operator()(Index v, Index k) const {
    const T x = along_rows ? at(view, v, k) : at(view, k, v);
    return conjugated ? conjugate(x) : x;
  }
};

/// Exponents of a factor after scaling of its vectors, ≤ 0, in the order of its own elements.
struct Exponents {
  const std::int16_t* relative;
  const int* scale;  ///< 2^scale[v] bounds vector v
  Index rows, cols;
  bool along_rows;
  PIVOTLAB_DEVICE int operator()(Index v, Index k) const {
    return along_rows ? relative[v + k * rows] : relative[k + v * rows];
  }
  PIVOTLAB_DEVICE Index count() const { return along_rows ? rows : cols; }
  PIVOTLAB_DEVICE Index inner() const { return along_rows ? cols : rows; }
};

template <class T>
struct TakeExponents {
  MatrixView<const T> view;
  std::int16_t* out;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const T x = at(view, i, j);
    int e;
    if constexpr (is_complex<T>) {
      const int re = slicing::exponent(x.real()), im = slicing::exponent(x.imag());
      e = re < im ? im : re;
    } else {
      e = slicing::exponent(x);
    }
    out[i + j * view.rows] = static_cast<std::int16_t>(e);
  }
};

/// Computes scale[v] such that 2^scale[v] bounds vector v.
struct TakeScales {
  Exponents exponents;
  int* scale;
  PIVOTLAB_DEVICE void operator()(Index v, Index) const {
    int largest = slicing::exponent_of_zero;
    for (Index k = 0; k < exponents.inner(); ++k) {
      const int e = exponents(v, k);
      largest = e > largest ? e : largest;
    }
    scale[v] = largest == slicing::exponent_of_zero ? 0 : largest;
  }
};

struct MakeRelative {
  std::int16_t* exponents;
  const int* scale;
  Index rows;
  bool along_rows;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    std::int16_t& e = exponents[i + j * rows];
    const int relative = e - scale[along_rows ? i : j];
    e = static_cast<std::int16_t>(relative < slicing::exponent_of_zero ? slicing::exponent_of_zero : relative);
  }
};

/// Computes out[block]: the least e ≥ enough such that max_k |a_ik|·|b_kj| ≥ 2^(−e), scaled, in every nonzero entry of
/// a tile of the product, or `most` if that is smaller.
struct Spread {
  struct Arguments {
    Exponents a, b;
    int enough, most;
    int* out;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int tile = 64, depth = 32, side = 16, each = tile / side;
  static constexpr int shared_bytes = threads * 4 + 2 * tile * depth * 2;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    auto tile_a = context.template shared<std::int16_t>(threads * 4, tile * depth);
    auto tile_b = context.template shared<std::int16_t>(threads * 4 + tile * depth * 2, tile * depth);
    const Index m = a.a.count(), n = a.b.count(), inner = a.a.inner();
    const Index row_tiles = (m + tile - 1) / tile;
    const Index row = context.block() % row_tiles * tile, col = context.block() / row_tiles * tile;
    const int x = context.thread() % side, y = context.thread() / side;
    constexpr int outside = 32767;  // larger than every exponent
    int largest[each][each];
    for (int p = 0; p < each; ++p)
      for (int q = 0; q < each; ++q)
        largest[p][q] = row + x + p * side < m && col + y + q * side < n ? 2 * slicing::exponent_of_zero : outside;

    for (Index first = 0; first < inner; first += depth) {
      load(context, a.a, row, first, tile_a);
      load(context, a.b, col, first, tile_b);
      context.sync();
      bool open = false;
      for (int k = 0; k < depth; ++k)
        for (int p = 0; p < each; ++p)
          for (int q = 0; q < each; ++q) {
            const int e = tile_a[x + p * side + k * tile] + tile_b[y + q * side + k * tile];
            largest[p][q] = e > largest[p][q] ? e : largest[p][q];
          }
      for (int p = 0; p < each; ++p)
        for (int q = 0; q < each; ++q) open = open || largest[p][q] < 2 - a.enough;
      if (context.count(open) == 0) break;  // dense well-scaled operands stop here, after a few dozen terms
    }

    int result = a.enough;
    for (int p = 0; p < each; ++p)
      for (int q = 0; q < each; ++q)
        if (largest[p][q] > slicing::exponent_of_zero) {
          const int e = 2 - largest[p][q] < a.most ? 2 - largest[p][q] : a.most;
          result = e > result ? e : result;
        }
    context.sync();
    result = reduce_block(context, result, Largest());
    if (context.thread() == 0) a.out[context.block()] = result;
  }

 private:
  template <class Context, class Tile>
  PIVOTLAB_DEVICE static void load(Context& context, const Exponents& from, Index first_vector, Index first, Tile& to) {
    for (int e = context.thread(); e < tile * depth; e += threads) {
      // Neighbouring threads read what is adjacent in memory.
      const int v = from.along_rows ? e % tile : e / depth, k = from.along_rows ? e / tile : e % depth;
      const bool inside = first_vector + v < from.count() && first + k < from.inner();
      to[v + k * tile] =
          inside ? static_cast<std::int16_t>(from(first_vector + v, first + k)) : slicing::exponent_of_zero;
    }
  }
};

/// Layout of the slices of a chunk: `length` doubles of inner index each.
struct SliceLayout {
  double* data;
  Index vectors;  ///< of doubles
  Index length;
  int slices;
  bool along_rows, reversed;

  PIVOTLAB_DEVICE Index place(int slice) const { return (reversed ? slices - 1 - slice : slice) * length; }
  PIVOTLAB_DEVICE double& operator()(int slice, Index v, Index k) const {
    const Index inner = place(slice) + k;
    return data[along_rows ? v + inner * vectors : inner + v * (slices * length)];
  }
  /// Returns `count` slices from `first_place` on, in the order of the layout.
  MatrixView<const double> range(int first_place, int count) const {
    const Index first = first_place * length, inner = count * length;
    if (along_rows) return {data + first * vectors, vectors, inner, vectors};
    return {data + first, inner, vectors, slices * length};
  }
};

/// Cuts a chunk of inner indices; used[block] is one more than the last nonzero slice.
template <class T, bool left>
struct Slice {
  struct Arguments {
    Vectors<T> from;
    const int* scale;
    Index first, count;  ///< inner indices
    Index padded;        ///< count and the zeros after it
    SliceLayout to;
    int beta;
    int* used;
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int shared_bytes = threads * 4;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index vectors = a.from.count();
    int used = 0;
    for (Index e = Index(context.block()) * threads + context.thread(); e < vectors * a.padded;
         e += Index(context.blocks()) * threads) {
      const Index v = a.from.along_rows ? e % vectors : e / a.padded,
                  k = a.from.along_rows ? e / vectors : e % a.padded;
      cut(k < a.count ? a.from(v, a.first + k) : T(0), v, k, a, used);
    }
    used = reduce_block(context, used, Largest());
    if (context.thread() == 0) a.used[context.block()] = used;
  }

 private:
  template <class Put>
  PIVOTLAB_DEVICE static void cut_real(const RealOf<T>& x, int scale, const Arguments& a, int& used, Put&& put) {
    slicing::cut(a.beta, slicing::expansion(x, a.beta - 1 - scale), a.to.slices, [&](int s, double digit) {
      put(s, digit);
      if (digit != 0 && s >= used) used = s + 1;
    });
  }
  /// Complex: [Re Im] on the left; [Re Im; −Im Re] on the right, a real product of twice the inner length and columns.
  PIVOTLAB_DEVICE static void cut(const T& x, Index v, Index k, const Arguments& a, int& used) {
    const SliceLayout& to = a.to;
    const int scale = a.scale[v];
    if constexpr (!is_complex<T>) {
      cut_real(x, scale, a, used, [&](int s, double d) { to(s, v, k) = d; });
    } else if constexpr (left) {
      cut_real(x.real(), scale, a, used, [&](int s, double d) { to(s, v, 2 * k) = d; });
      cut_real(x.imag(), scale, a, used, [&](int s, double d) { to(s, v, 2 * k + 1) = d; });
    } else {
      cut_real(x.real(), scale, a, used,
               [&](int s, double d) { to(s, 2 * v, 2 * k) = d, to(s, 2 * v + 1, 2 * k + 1) = d; });
      cut_real(x.imag(), scale, a, used,
               [&](int s, double d) { to(s, 2 * v + 1, 2 * k) = d, to(s, 2 * v, 2 * k + 1) = -d; });
    }
  }
};

/// Adds Σ_d 2^(−βd)·level d to C for the levels of a chunk, and after the last one C := 2^e·C.
template <class E>
struct Accumulate {
  const double* levels;
  Index rows, level_size;
  int beta, slices;
  unsigned used;  ///< bit d: level d is not zero
  bool first, last;
  const int *scale_a, *scale_b;
  MatrixView<E> C;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    E& c = at(C, i, j);
    if constexpr (is_complex<E>)
      c = E(sum(c.real(), i, j, 0), sum(c.imag(), i, j, 1));
    else
      c = sum(c, i, j, 0);
  }
  PIVOTLAB_DEVICE DoubleDouble sum(const DoubleDouble& before, Index i, Index j, int part) const {
    const double* x = levels + i + (parts<E> * j + part) * rows;
    double high = 0, middle = 0, low = 0;
    for (int d = slices - 1; d >= 0; --d)
      if (used >> d & 1) slicing::add(std::ldexp(1.0, -beta * d) * x[d * level_size], high, middle, low);
    const DoubleDouble chunk = slicing::rounded(high, middle, low);
    const DoubleDouble all = first ? chunk : before + chunk;
    return last ? ldexp(all, scale_a[i] + scale_b[j] - 2 * (beta - 1)) : all;
  }
};

template <class E>
struct Subtract {
  MatrixView<const E> from;
  MatrixView<E> C;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(C, i, j) -= at(from, i, j); }
};

}  // namespace pivotlab::extended::detail
