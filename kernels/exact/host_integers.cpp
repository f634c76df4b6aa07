// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/integer_products.hpp"

#include <algorithm>
#include <array>

namespace pivotlab::exact {
namespace {

constexpr Index block = 32;   ///< columns of each factor that are multiplied at once
constexpr Index depth = 512;  ///< terms of them: two blocks of 16-bit integers stay in the cache

using Block = std::array<std::array<std::int16_t, depth>, block>;

void widen(const std::int8_t* from, Index stride, Index length, Block& to) {
  for (Index v = 0; v < block; ++v) std::copy_n(from + v * stride, length, to[v].begin());
}

/// Adds the products of two columns of A and four of B, which compilers turn into multiply-add instructions of pairs.
void add_products(const Block& a, const Block& b, Index i, Index j, Index length, std::int32_t* c, Index stride) {
  constexpr int rows = 2, cols = 4;
  std::int32_t sums[rows][cols] = {};
  for (Index k = 0; k < length; ++k)
    for (int x = 0; x < rows; ++x)
      for (int y = 0; y < cols; ++y) sums[x][y] += a[i + x][k] * b[j + y][k];
  for (int y = 0; y < cols; ++y)
    for (int x = 0; x < rows; ++x) c[i + x + (j + y) * stride] += sums[x][y];
}

}  // namespace

void HostIntegers::multiply(const IntegerProducts& p) const {
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (int t = 0; t < p.count; ++t)
    for (Index col = 0; col < p.cols; col += block) {
      Block a, b;
      std::int32_t* C = p.C + t * p.c_plane + col * p.c_stride;
      if (!p.adds)
        for (Index j = 0; j < block; ++j) std::fill_n(C + j * p.c_stride, p.rows, 0);
      for (Index k = 0; k < p.inner; k += depth) {
        const Index length = std::min(depth, p.inner - k);
        widen(p.B.data + t * p.B.plane + col * p.B.stride + k, p.B.stride, length, b);
        for (Index row = 0; row < p.rows; row += block) {
          widen(p.A.data + t * p.A.plane + row * p.A.stride + k, p.A.stride, length, a);
          for (Index j = 0; j < block; j += 4)
            for (Index i = 0; i < block; i += 2) add_products(a, b, i, j, length, C + row, p.c_stride);
        }
      }
    }
}

}  // namespace pivotlab::exact
