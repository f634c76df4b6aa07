// SPDX-License-Identifier: BSD-3-Clause
// Operands of exact products seen as vectors, and what is reduced over each of them: exponents and norms.
#pragma once

#include "kernels/exact/integers.hpp"
#include "kernels/exec/portable.hpp"
#include "kernels/numerics/elements.hpp"

#include <pivotlab/matrix.hpp>

namespace pivotlab::exact {

/// Holds the numbers hi + lo of one real part; lo may be null.
struct Part {
  const double *hi, *lo;
};

/// Shows a factor as vectors of inner length: the rows of the left one, the columns of the right one. Part 1 is the
/// imaginary part, with the opposite sign if conjugated.
struct Operand {
  Part part[2];
  int parts;
  Index vectors, inner, vector_stride, inner_stride;
  bool conjugated;

  PIVOTLAB_DEVICE Index at(Index v, Index k) const { return v * vector_stride + k * inner_stride; }
  bool inner_contiguous() const { return inner_stride < vector_stride; }
  bool has_low() const { return part[0].lo != nullptr; }
  Operand across() const {
    return {{part[0], part[1]}, parts, inner, vectors, inner_stride, vector_stride, conjugated};
  }
};

/// Holds powers of two that multiply the inner indices of an operand: 2^(sign·exponent[k]).
struct InnerScaling {
  const int* exponent;  ///< may be null
  int sign;
  PIVOTLAB_DEVICE int operator()(Index k) const { return exponent == nullptr ? 0 : sign * exponent[k]; }
};

// ---- Reductions over vectors ----

/// Holds the number sum·2^(2·exponent), sum ≥ 1; of zero, and of NaN and Inf, the exponent alone counts.
struct Square {
  int exponent;
  double sum;
};

/// Returns the value of another lane.
template <class Context>
PIVOTLAB_DEVICE Square exchanged(Context& context, const Square& x, int mask) {
  return {context.shuffle_xor(x.exponent, mask), context.shuffle_xor(x.sum, mask)};
}
template <class Context>
PIVOTLAB_DEVICE int exchanged(Context& context, int x, int mask) {
  return context.shuffle_xor(x, mask);
}

/// Combines f.term(v, k) over 0 ≤ k < inner for each vector; partial[v + c·vectors] is the result of chunk c. The order
/// is fixed. If the inner index is contiguous, a warp has one vector, and there is one chunk; otherwise a block has 32
/// vectors, one a lane, and 512 inner indices, of which each warp takes every eighth.
template <class F>
struct ReduceVectors {
  using Value = typename F::Value;
  struct Arguments {
    F f;
    Index vectors, inner;
    bool inner_contiguous;
    Value* partial;
  };
  static constexpr int threads = 256, min_blocks = 1, warps = threads / warp_size;
  static constexpr int shared_bytes = threads * static_cast<int>(sizeof(Value));
  static constexpr Index chunk = 512;

  static Index most_chunks(Index inner) { return inner <= chunk ? 1 : (inner + chunk - 1) / chunk; }
  static Index chunks(const Operand& x) { return x.inner_contiguous() ? 1 : most_chunks(x.inner); }
  static Index blocks(const Operand& x) {
    const Index vectors = x.inner_contiguous() ? warps : warp_size;  // of a block
    return (x.vectors + vectors - 1) / vectors * chunks(x);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    a.inner_contiguous ? run_along(context, a) : run_across(context, a);
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static void run_along(Context& context, const Arguments& a) {
    const Index v = Index(context.block()) * warps + context.warp();
    if (v >= a.vectors) return;
    Value value = F::identity;
    for (Index k = context.lane(); k < a.inner; k += warp_size) value = F::combine(value, a.f.term(v, k));
    for (int mask = warp_size / 2; mask > 0; mask /= 2) value = F::combine(value, exchanged(context, value, mask));
    if (context.lane() == 0) a.partial[v] = value;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run_across(Context& context, const Arguments& a) {
    const Index tiles = (a.vectors + warp_size - 1) / warp_size, c = context.block() / tiles;
    const Index v = context.block() % tiles * warp_size + context.lane();
    const Index end = a.inner < (c + 1) * chunk ? a.inner : (c + 1) * chunk;
    Value value = F::identity;
    if (v < a.vectors)
      for (Index k = c * chunk + context.warp(); k < end; k += warps) value = F::combine(value, a.f.term(v, k));
    auto values = context.template shared<Value>(0, threads);
    values[context.thread()] = value;
    context.sync();
    if (context.warp() != 0 || v >= a.vectors) return;
    for (int w = 1; w < warps; ++w) value = F::combine(value, values[w * warp_size + context.lane()]);
    a.partial[v + c * a.vectors] = value;
  }
};

/// Combines the chunks of ReduceVectors and stores the results.
template <class F>
struct CombineChunks {
  F f;
  const typename F::Value* partial;
  Index vectors, chunks;
  PIVOTLAB_DEVICE void operator()(Index v, Index) const {
    typename F::Value value = F::identity;
    for (Index c = 0; c < chunks; ++c) value = F::combine(value, partial[v + c * vectors]);
    f.store(v, value);
  }
};

struct LargestExponents {
  using Value = int;
  static constexpr int identity = exponent_of_zero;
  Operand operand;
  InnerScaling scaling;
  int* result;

  PIVOTLAB_DEVICE static int combine(int x, int y) { return x < y ? y : x; }
  PIVOTLAB_DEVICE int term(Index v, Index k) const {
    int largest = exponent_of_zero;
    for (int p = 0; p < operand.parts; ++p) {
      const Part& part = operand.part[p];
      largest = combine(largest, exponent_of(part.hi[operand.at(v, k)]));
      if (part.lo) largest = combine(largest, exponent_of(part.lo[operand.at(v, k)]));
    }
    return is_ordinary(largest) ? largest + scaling(k) : largest;
  }
  PIVOTLAB_DEVICE void store(Index v, int value) const { result[v] = value; }
};

/// Computes the squares of the norms of |hi| + |lo|; the exponent is that of the largest number.
struct Squares {
  using Value = Square;
  static constexpr Square identity{exponent_of_zero, 0};
  Operand operand;
  InnerScaling scaling;
  int* exponent;
  double* square;

  PIVOTLAB_DEVICE static Square combine(const Square& x, const Square& y) {
    const int e = x.exponent < y.exponent ? y.exponent : x.exponent;
    return {e, raised(x, e) + raised(y, e)};
  }
  PIVOTLAB_DEVICE Square term(Index v, Index k) const {
    Square result{exponent_of_zero, 0};
    for (int p = 0; p < operand.parts; ++p) {
      const Part& part = operand.part[p];
      const double hi = part.hi[operand.at(v, k)], lo = part.lo ? part.lo[operand.at(v, k)] : 0.0;
      const int of_hi = exponent_of(hi), of_lo = exponent_of(lo), e = of_hi < of_lo ? of_lo : of_hi;
      const double x = is_ordinary(e) ? std::fabs(scaled(hi, -e)) + std::fabs(scaled(lo, -e)) : 0;
      result = combine(result, {e, x * x});
    }
    if (is_ordinary(result.exponent)) result.exponent += scaling(k);
    return result;
  }
  PIVOTLAB_DEVICE void store(Index v, const Square& value) const {
    exponent[v] = value.exponent;
    square[v] = is_ordinary(value.exponent) ? value.sum : 1;
  }

 private:
  /// Returns the sum in units of 2^(2e), e not less than the exponent.
  PIVOTLAB_DEVICE static double raised(const Square& x, int e) {
    const int shift = 2 * (x.exponent - e);
    return shift < -1022 ? 0 : x.sum * power_of_two(shift);
  }
};

/// Computes the exponents of the lowest bits that are set; exponent_not_finite for zeros, 0 for vectors with NaN or
/// Inf.
struct LowestExponents {
  using Value = int;
  static constexpr int identity = exponent_not_finite;
  Operand operand;
  InnerScaling scaling;
  const int* exponent;
  int* result;

  PIVOTLAB_DEVICE static int combine(int x, int y) { return x < y ? x : y; }
  PIVOTLAB_DEVICE int term(Index v, Index k) const {
    int lowest = identity;
    if (!is_ordinary(exponent[v])) return lowest;
    for (int p = 0; p < operand.parts; ++p) {
      const Part& part = operand.part[p];
      lowest = combine(lowest, lowest_exponent(part.hi[operand.at(v, k)], identity));
      if (part.lo) lowest = combine(lowest, lowest_exponent(part.lo[operand.at(v, k)], identity));
    }
    return lowest == identity ? lowest : lowest + scaling(k);
  }
  PIVOTLAB_DEVICE void store(Index v, int value) const { result[v] = value; }
};

// ---- Scales of vectors ----

inline constexpr int shift_of_not_finite = 1 << 20;

/// Holds the scales of an operand, by numbers of vectors.
struct Scales {
  int* exponent;   ///< ⌊log₂⌋ of the largest number
  double* square;  ///< of the norm, in units of 2^(2·exponent), at least 1
  int* shift;      ///< μ: integers are the numbers times 2^μ
  int* lost;       ///< the square of the error is at most lost·2^(−2μ − 2)

  /// Returns at least log₂ of the norm, as a multiple of 2⁻²¹.
  PIVOTLAB_DEVICE double log2_norm(Index v) const { return exponent[v] + log2_bound(square[v]) / 2 + 0x1p-20; }
};

/// Chooses the shifts: the norm of an integer vector has `budget` bits.
struct TakeShifts {
  Scales scales;
  double budget;
  PIVOTLAB_DEVICE void operator()(Index v, Index) const {
    const int e = scales.exponent[v];
    scales.shift[v] = is_ordinary(e)          ? static_cast<int>(std::floor(budget - scales.log2_norm(v)))
                      : e == exponent_of_zero ? 0
                                              : shift_of_not_finite;
  }
};

/// Replaces lowest exponents by the budgets with which integers lose no bits.
struct TakeNeeds {
  Scales scales;
  const int* lowest;
  double* need;
  PIVOTLAB_DEVICE void operator()(Index v, Index) const {
    need[v] = is_ordinary(scales.exponent[v]) ? scales.log2_norm(v) - lowest[v] : 0;
  }
};

/// Chooses the inner scaling for which the largest numbers of column k of A and of row k of B have one size; zeros, NaN
/// and Inf are not scaled. of_b is overwritten.
struct Balance {
  const int* of_a;
  int* of_b;
  PIVOTLAB_DEVICE void operator()(Index k, Index) const {
    const int difference = of_b[k] - of_a[k];
    of_b[k] = is_ordinary(of_a[k]) && is_ordinary(of_b[k]) ? (difference - (difference & 1)) / 2 : 0;
  }
};

/// Chooses the inner scaling for which the largest numbers of the columns of A are near 1.
struct ScaleToOne {
  const int* of_a;
  int* scaling;
  PIVOTLAB_DEVICE void operator()(Index k, Index) const { scaling[k] = is_ordinary(of_a[k]) ? -of_a[k] : 0; }
};

}  // namespace pivotlab::exact
