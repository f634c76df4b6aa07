// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/exact/integer_products.hpp"

namespace pivotlab::exact {
namespace {

std::int32_t dot(const std::int8_t* a, const std::int8_t* b, Index length) {
  std::int32_t sum = 0;
  for (Index k = 0; k < length; ++k) sum += static_cast<std::int16_t>(a[k]) * static_cast<std::int16_t>(b[k]);
  return sum;
}

}  // namespace

void HostIntegers::multiply(const IntegerProducts& p) const {
#pragma omp parallel for collapse(2) schedule(dynamic, 8)
  for (int t = 0; t < p.count; ++t)
    for (Index j = 0; j < p.cols; ++j)
      for (Index i = 0; i < p.rows; ++i) {
        std::int32_t& c = p.C[i + j * p.c_stride + t * p.c_plane];
        const std::int32_t sum =
            dot(p.A.data + t * p.A.plane + i * p.A.stride, p.B.data + t * p.B.plane + j * p.B.stride, p.inner);
        c = p.adds ? c + sum : sum;
      }
}

}  // namespace pivotlab::exact
