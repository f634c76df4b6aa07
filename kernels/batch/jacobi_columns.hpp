// SPDX-License-Identifier: BSD-3-Clause
// What several adjacent threads do with columns in shared memory: sums, transformations, an orthonormal vector.
#pragma once

#include "kernels/batch/team.hpp"
#include "kernels/jacobi/shared/rotation.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <type_traits>

namespace pivotlab::batch {

/// Elements from a column to the next one: the rows of `lanes` threads and of adjacent columns are in different banks,
/// unless those of one column are in all of them.
template <class T>
constexpr int column_stride(int rows, int lanes) {
  constexpr int bytes_of_banks = 128;
  if (lanes * static_cast<int>(sizeof(T)) >= bytes_of_banks) return rows;
  const int stride = rows + lanes - rows % (2 * lanes);
  return stride < rows ? stride + 2 * lanes : stride;
}

/// Sums over the `lanes` threads of a pair.
template <int lanes, class Context>
PIVOTLAB_DEVICE inline double sum_of_lanes(Context& context, double x) {
  for (int mask = lanes / 2; mask > 0; mask /= 2) x += context.shuffle_xor(x, mask);
  return x;
}

/// Returns the largest over the `lanes` threads of a pair.
template <int lanes, class Context>
PIVOTLAB_DEVICE inline double largest_of_lanes(Context& context, double x) {
  for (int mask = lanes / 2; mask > 0; mask /= 2) {
    const double other = context.shuffle_xor(x, mask);
    x = x < other ? other : x;
  }
  return x;
}

template <class Number>
PIVOTLAB_DEVICE inline void exchange(Number& x, Number& y) {
  const Number old = x;
  x = y, y = old;
}

/// Turns a permutation, place[j] being the column that comes to j, to exchanges of columns j and place[j] ≥ j.
template <class Integers>
PIVOTLAB_DEVICE inline void exchanges_of(const Integers& place, int n) {
  for (int j = 0; j < n; ++j) {
    int from = place[j];
    while (from < j) from = place[from];
    place[j] = from;
  }
}

/// Returns the imaginary part, 0 of a real number.
template <class T>
PIVOTLAB_DEVICE inline double imaginary_part(const T& x) {
  if constexpr (is_complex<T>)
    return x.imag();
  else
    return 0;
}

/// Pair k of a round of a sweep over `order` columns, a power of two: columns i and i XOR (order − 1 − round).
PIVOTLAB_DEVICE inline void pair_of(int order, int round, int k, int& p, int& q) {
  const int mask = order - 1 - round;
  int half = order / 2;  // the highest bit of the mask
  while (half > mask) half /= 2;
  const int low = k & (half - 1);
  p = 2 * (k - low) + low, q = p ^ mask;
}

/// Sets column z of the m × n matrix U, which is zero, to the unit vector that is farthest from the other columns,
/// minus its components along them (Gram–Schmidt, three times). `rows` and `columns` are shared vectors of length m and
/// n.
template <int lanes, class Context, class BlockTeam, class Numbers, class Shared>
PIVOTLAB_DEVICE void complete_column(Context& context, BlockTeam& team, const Numbers& U, int stride, int m, int n,
                                     int z, const Shared& rows, const Shared& columns) {
  using T = std::remove_reference_t<decltype(U[0])>;
  constexpr int threads = BlockTeam::warps * warp_size;
  const int thread = context.thread(), lane = thread % lanes;
  LargestAt farthest;
  for (int i = thread; i < m; i += threads) {
    double sum = 0;
    for (int j = 0; j < n; ++j) sum += squared_magnitude(T(U[j * stride + i]));
    farthest.consider(sum < 1 ? 2 - sum : 1, i);
  }
  farthest = team.largest(farthest);
  for (int i = thread; i < m; i += threads) rows[i] = T(i == farthest.place ? 1.0 : 0.0);
  team.sync();
  for (int pass = 0; pass < 3; ++pass) {
    for (int first = 0; first < n; first += threads / lanes) {
      const int j = first + thread / lanes;
      double re = 0, im = 0;
      for (int i = lane; j < n && i < m; i += lanes) {
        const T x = multiply(T(conjugate(T(U[j * stride + i]))), T(rows[i]));
        re += real_part(x), im += imaginary_part(x);
      }
      re = sum_of_lanes<lanes>(context, re);
      if constexpr (is_complex<T>) {
        im = sum_of_lanes<lanes>(context, im);
        if (j < n && lane == 0) columns[j] = T(re, im);
      } else if (j < n && lane == 0) {
        columns[j] = re;
      }
    }
    team.sync();
    for (int i = thread; i < m; i += threads) {
      T x = rows[i];
      for (int j = 0; j < n; ++j) x = multiply_add(negated(T(U[j * stride + i])), T(columns[j]), x);
      rows[i] = x;
    }
    team.sync();
    double sum = 0;
    for (int i = 0; i < m; ++i) sum += squared_magnitude(T(rows[i]));
    team.sync();
    const double norm = square_root(sum);
    for (int i = thread; i < m; i += threads) rows[i] = divided_by_real(T(rows[i]), norm);
    team.sync();
  }
  for (int i = thread; i < m; i += threads) U[z * stride + i] = rows[i];
  team.sync();
}

}  // namespace pivotlab::batch
