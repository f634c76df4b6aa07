// SPDX-License-Identifier: BSD-3-Clause
// Runs the kernel that factors a panel of a QR factorization, on any executor.
#pragma once

#include "kernels/gsvd/tangent/device/panel_qr.hpp"

#include <complex>
#include <cstdint>
#include <vector>

namespace pivotlab::test {

/// The panel after the factorization, V and T⁻¹, column by column.
template <class T>
struct FactoredPanel {
  std::vector<T> A, V, t_inverse;
  bool operator==(const FactoredPanel&) const = default;
};

/// Reproducible numbers in (−1, 1), rows scaled down by up to 2⁻³⁰, columns by up to 2^±300.
template <class T>
std::vector<T> panel_of_many_scales(Index rows, Index cols) {
  std::uint64_t state = 88172645463325252u;
  const auto next = [&state] {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return static_cast<double>(static_cast<std::int64_t>(state)) * 0x1p-63;
  };
  std::vector<T> A;
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) {
      const double scale = std::ldexp(1.0, static_cast<int>(300 * (j % 3 - 1) - 30 * i / rows));
      if constexpr (is_complex<T>) {
        const double re = next();
        A.push_back(T(scale * re, scale * next()));
      } else {
        A.push_back(scale * next());
      }
    }
  return A;
}

template <class T, int Slots, int Values = 8, class Executor>
FactoredPanel<T> factored_panel(Executor& executor, const std::vector<T>& A, Index rows, Index cols) {
  using Body = tangent::PanelQr<T, Slots, Values>;
  const auto size = static_cast<std::size_t>(rows * cols), square = static_cast<std::size_t>(cols * cols);
  const auto a = executor.template allocate<T>(size), v = executor.template allocate<T>(size),
             t = executor.template allocate<T>(square);
  FactoredPanel<T> result{A, std::vector<T>(size), std::vector<T>(square)};
  executor.upload(a.data(), A.data(), size);
  executor.upload(t.data(), result.t_inverse.data(), square);
  executor.template launch<Body>(
      Body::cluster_blocks, Body::shared_bytes,
      {{a.data(), rows, cols, rows}, {v.data(), rows, cols, rows}, {t.data(), cols, cols, cols}});
  executor.download(result.A.data(), a.data(), size);
  executor.download(result.V.data(), v.data(), size);
  executor.download(result.t_inverse.data(), t.data(), square);
  return result;
}

/// The same on the first GPU.
template <class T, int Slots, int Values = 8>
FactoredPanel<T> factored_panel_on_cuda(const std::vector<T>& A, Index rows, Index cols);

}  // namespace pivotlab::test
