// SPDX-License-Identifier: BSD-3-Clause
// The kernel that splits numbers into residues, and those between splitting and products.
#pragma once

#include "kernels/exact/vectors.hpp"

namespace pivotlab::exact {

/// Holds residues of an operand: a plane a modulus, of padded_vectors columns with padded_inner bytes each, zeros where
/// there is no number. Real operands have N planes; complex ones N of the real part, N of the imaginary one and N of
/// the sum.
struct Planes {
  std::uint8_t* data;
  Index padded_vectors, padded_inner;

  PIVOTLAB_DEVICE Index size() const { return padded_vectors * padded_inner; }
  PIVOTLAB_DEVICE uint32_t* word(Index plane, Index v, Index k) const {
    return reinterpret_cast<uint32_t*>(data + plane * size() + v * padded_inner + k);
  }
};

/// Splits one part. A block has 32 vectors and 128 inner indices, which it reads in the order of the memory and keeps
/// in shared memory as [k][v], 33 numbers a row, hi before lo. A warp then takes every eighth vector, a lane four inner
/// indices, whose residues it writes as one word a modulus. lost[v + chunk·padded_vectors] is the number of inexact
/// parts.
struct Split {
  struct Arguments {
    ResidueSystem system;
    Part part;
    Index vectors, inner, vector_stride, inner_stride;
    bool inner_contiguous;
    InnerScaling scaling;
    const int* shift;
    int words;  ///< of the integers, 3 or 4
    Planes to;  ///< of this part
    int* lost;
    bool adds_lost;  ///< to those of another part
  };
  static constexpr int threads = 256, min_blocks = 1;
  static constexpr int tile = warp_size, depth = 128, pitch = tile + 1, numbers = depth * pitch;
  static constexpr int shared_bytes(bool has_low) { return (has_low ? 2 : 1) * numbers * 8; }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index tiles = a.to.padded_vectors / tile;
    const Index first_v = context.block() % tiles * tile, chunk = context.block() / tiles, first_k = chunk * depth;
    const bool has_low = a.part.lo != nullptr;
    auto high = context.template shared<double>(0, numbers);
    auto low = context.template shared<double>(has_low ? numbers * 8 : 0, numbers);
    for (int e = context.thread(); e < tile * depth; e += threads) {
      const int v = a.inner_contiguous ? e / depth : e % tile, k = a.inner_contiguous ? e % depth : e / tile;
      const bool inside = first_v + v < a.vectors && first_k + k < a.inner;
      const Index from = (first_v + v) * a.vector_stride + (first_k + k) * a.inner_stride;
      high[k * pitch + v] = inside ? a.part.hi[from] : 0;
      if (has_low) low[k * pitch + v] = inside ? a.part.lo[from] : 0;
    }
    context.sync();

    const int k = context.lane() * 4;
    for (int row = context.warp(); row < tile; row += threads / warp_size) {
      const Index v = first_v + row;
      const int shift = v < a.vectors ? a.shift[v] : shift_of_not_finite;
      Integer x[4];
      int lost = 0;
      std::int32_t any = 0;
      for (int i = 0; i < 4; ++i) {
        const int place = (k + i) * pitch + row;
        const bool is_number = shift != shift_of_not_finite && first_k + k + i < a.inner;
        x[i] = is_number ? integer_of(high[place], has_low ? low[place] : 0.0, shift + a.scaling(first_k + k + i))
                         : Integer{};
        lost += x[i].lost;
        for (const std::int32_t digits : x[i].digits) any |= digits;
      }
#pragma unroll 2
      for (int t = 0; t < a.system.moduli; ++t) {
        const Modulus& m = a.system.modulus[t];
        uint32_t bytes = 0;
        if (any != 0)  // many are zeros behind the last number
          for (int i = 0; i < 4; ++i) bytes |= (residue_byte(x[i], a.words, m) & 255) << 8 * i;
        *a.to.word(t, v, first_k + k) = bytes;
      }
      for (int mask = warp_size / 2; mask > 0; mask /= 2) lost += context.shuffle_xor(lost, mask);
      if (context.lane() == 0) {
        int& sum = a.lost[v + chunk * a.to.padded_vectors];
        sum = a.adds_lost ? sum + lost : lost;
      }
    }
  }
};

struct SumLost {
  const int* partial;
  Index padded_vectors, chunks;
  int* lost;
  PIVOTLAB_DEVICE void operator()(Index v, Index) const {
    int sum = 0;
    for (Index c = 0; c < chunks; ++c) sum += partial[v + c * padded_vectors];
    lost[v] = sum;
  }
};

/// Computes the residues of re + im, or of re − im if conjugated, word by word; column t is modulus t.
struct SumOfParts {
  ResidueSystem system;
  const uint32_t *re, *im;
  Index plane_words;
  bool conjugated;
  uint32_t* sum;

  PIVOTLAB_DEVICE void operator()(Index w, Index t) const {
    const int p = static_cast<int>(system.modulus[t].p), half = p >> 1;
    const uint32_t x = re[w + t * plane_words], y = im[w + t * plane_words];
    uint32_t bytes = 0;
    for (int i = 0; i < 32; i += 8) {
      const int a = signed_byte(x >> i), b = signed_byte(y >> i);
      int s = conjugated ? a - b : a + b;
      s = s > half ? s - p : s < -half ? s + p : s;
      bytes |= (static_cast<uint32_t>(s) & 255) << i;
    }
    sum[w + t * plane_words] = bytes;
  }
};

/// Replaces sums of products by their residues between −p/2 and p/2, so that more products may be added; column t is
/// modulus t mod N.
struct ReduceSums {
  ResidueSystem system;
  std::int32_t* sums;
  Index plane;

  PIVOTLAB_DEVICE void operator()(Index e, Index t) const {
    const Modulus& m = system.modulus[t % system.moduli];
    std::int32_t& sum = sums[e + t * plane];
    const auto r = static_cast<std::int32_t>(reduced(nearly_reduced(sum, m), m));
    sum = r > static_cast<std::int32_t>(m.p >> 1) ? r - static_cast<std::int32_t>(m.p) : r;
  }
};

}  // namespace pivotlab::exact
