// SPDX-License-Identifier: BSD-3-Clause
// Computes H = A_BN·A_BNᴴ and K = A_NBᴴ·A_NB of every pair of blocks B with complement N, upper triangles, on tensor
// cores.
//
// Both are XᴴX with X = A_BNᴴ or A_NB. A fragment of X serves as the left and as the right operand, so a warp loads 8
// of the inner indices of all columns of X once, directly into registers. Inner indices are cut into chunks, chunks
// into strips of 8 that the warps of a block take in turn. Sums are formed within a warp, then over the warps of a
// block, then (by the kernel that reads them) over the chunks.
#pragma once

#include "kernels/eig/device/planes.hpp"

namespace pivotlab::eig_device {

/// Layout of the elements, that of the accumulators: [16 × 8 subtile][part][half][lane][2].
template <int b>
struct GramLayout {
  static constexpr int order = 2 * b;
  static constexpr int groups = order / 8;
  static constexpr int subtiles = groups * groups / 4 + groups / 2;  ///< Σ over rows i of (groups − 2i)
  static constexpr int elements = subtiles * 256;

  struct Slot {
    int row, column, part;
  };
  /// Slots number the members of groups of 8, group by group.
  static PIVOTLAB_DEVICE Slot slot(int element) {
    int i = 0, j = element / 256;
    while (j >= groups - 2 * i) j -= groups - 2 * i, ++i;
    const int lane = element / 2 % 32;
    return {16 * i + element / 64 % 2 * 8 + lane / 4, 8 * (j + 2 * i) + lane % 4 * 2 + element % 2, element / 128 % 2};
  }
  /// Returns the row of A_BN of a slot: neighbouring rows belong to neighbouring groups.
  static PIVOTLAB_DEVICE int row_of_slot(int slot) { return slot / 16 * 16 + slot % 8 * 2 + slot / 8 % 2; }
};

/// Grid: one block per (pair of blocks, H or K, chunk). Elements of A of type R are multiplied as doubles.
template <int b, class R = double>
struct FormGram {
  using Layout = GramLayout<b>;
  struct Arguments {
    PlanesOf<R> A;
    const Pair* pairs;
    int chunks;
    int strips;    ///< strips of a chunk
    double* sums;  ///< [pair][H, K][chunk][Layout::elements]
  };
  static constexpr int threads = 256;
  static constexpr int min_blocks = 1;
  /// Number of warps that share a strip: the accumulators of all subtiles of b = 32 do not fit one warp.
  static constexpr int roles = b == 32 ? 4 : 1;
  static constexpr int strips_at_once = threads / 32 / roles;
  static constexpr int shared_bytes = strips_at_once * Layout::elements * 8;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int item = context.block() / a.chunks, chunk = context.block() % a.chunks;
    const Pair pair = a.pairs[item / 2];
    auto shared = context.template shared<double>(0, strips_at_once * Layout::elements);
    if (item % 2 == 0)
      sum_strips<true>(context, a, pair, chunk, shared);
    else
      sum_strips<false>(context, a, pair, chunk, shared);
    context.sync();
    double* sums = a.sums + static_cast<std::int64_t>(context.block()) * Layout::elements;
    for (int e = context.thread(); e < Layout::elements; e += threads) {
      double sum = shared[e];
      for (int s = 1; s < strips_at_once; ++s) sum += shared[s * Layout::elements + e];
      sums[e] = sum;
    }
  }

 private:
  /// The member `lane / 4` of each group, at inner indices lane % 4 and lane % 4 + 4 of a strip, in a fixed order.
  struct Loaded {
    double re[Layout::groups][2], im[Layout::groups][2];
  };

  template <bool of_rows, class Context>
  PIVOTLAB_DEVICE static Loaded load(Context& context, const PlanesOf<R>& A, Pair pair, int strip) {
    const int member = context.lane() / 4, inner = context.lane() % 4;
    Loaded x;
    if constexpr (of_rows) {
#pragma unroll
      for (int m = 0; m < Layout::groups / 2; ++m)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
          const std::int64_t at = A.at(place<b>(pair, 16 * m + 2 * member), 8 * strip + inner + 4 * e);
          const DoublePair re = load_pair(context, A.re + at), im = load_pair(context, A.im + at);
          x.re[2 * m][e] = re.x, x.re[2 * m + 1][e] = re.y;
          x.im[2 * m][e] = -im.x, x.im[2 * m + 1][e] = -im.y;
        }
    } else {
#pragma unroll
      for (int g = 0; g < Layout::groups; ++g) {
        const std::int64_t at = A.at(8 * strip + 2 * inner, place<b>(pair, 8 * g + member));
        const DoublePair re = load_pair(context, A.re + at), im = load_pair(context, A.im + at);
        x.re[g][0] = re.x, x.re[g][1] = re.y;
        x.im[g][0] = im.x, x.im[g][1] = im.y;
      }
    }
    return x;
  }

  template <bool of_rows, class Context, class Array>
  PIVOTLAB_DEVICE static void sum_strips(Context& context, const Arguments& a, Pair pair, int chunk, Array& shared) {
    if constexpr (roles == 1) {
      sum_subtiles<of_rows, 0, Layout::subtiles>(context, a, pair, chunk, shared);
    } else {
      constexpr int share = Layout::subtiles / roles;
      static_assert(share * roles == Layout::subtiles && roles == 4);
      switch (context.warp() % roles) {
        case 0:
          return sum_subtiles<of_rows, 0, share>(context, a, pair, chunk, shared);
        case 1:
          return sum_subtiles<of_rows, share, share>(context, a, pair, chunk, shared);
        case 2:
          return sum_subtiles<of_rows, 2 * share, share>(context, a, pair, chunk, shared);
        default:
          return sum_subtiles<of_rows, 3 * share, share>(context, a, pair, chunk, shared);
      }
    }
  }

  template <bool of_rows, int first, int count, class Context, class Array>
  PIVOTLAB_DEVICE static void sum_subtiles(Context& context, const Arguments& a, Pair pair, int chunk, Array& shared) {
    double re[count][4] = {}, im[count][4] = {};
    const int own = context.warp() / roles, all = static_cast<int>(a.A.order / 8);
    const int begin = chunk * a.strips, end = begin + a.strips < all ? begin + a.strips : all;
    for (int strip = begin + own; strip < end; strip += strips_at_once) {
      const auto block = static_cast<std::uint32_t>(8 * strip / b);
      if (block == pair.p || block == pair.q) continue;
      const Loaded x = load<of_rows>(context, a.A, pair, strip);
      int t = 0;
#pragma unroll
      for (int i = 0; i < Layout::groups / 2; ++i) {
        const double left_re[4] = {x.re[2 * i][0], x.re[2 * i + 1][0], x.re[2 * i][1], x.re[2 * i + 1][1]};
        const double left_im[4] = {x.im[2 * i][0], x.im[2 * i + 1][0], x.im[2 * i][1], x.im[2 * i + 1][1]};
        const double minus_im[4] = {-left_im[0], -left_im[1], -left_im[2], -left_im[3]};
#pragma unroll
        for (int j = 2 * i; j < Layout::groups; ++j, ++t) {
          if (t < first || t >= first + count) continue;
          context.mma(re[t - first], left_re, x.re[j]);
          context.mma(im[t - first], left_re, x.im[j]);
          context.mma(re[t - first], left_im, x.im[j]);
          context.mma(im[t - first], minus_im, x.re[j]);
        }
      }
    }
#pragma unroll
    for (int t = 0; t < count; ++t) {
      const int at = own * Layout::elements + (first + t) * 256 + 2 * context.lane();
      context.store2(shared + at, re[t][0], re[t][1]);
      context.store2(shared + (at + 64), re[t][2], re[t][3]);
      context.store2(shared + (at + 128), im[t][0], im[t][1]);
      context.store2(shared + (at + 192), im[t][2], im[t][3]);
    }
  }
};

}  // namespace pivotlab::eig_device
