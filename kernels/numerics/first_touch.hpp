// SPDX-License-Identifier: BSD-3-Clause
// Memory of large results, prepared while a GPU computes them.
#pragma once

#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <cstddef>
#include <pivotlab/matrix.hpp>
#include <span>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

namespace pivotlab {

/// Has threads write zeros to the pages of new matrices, in the background, until the end of its life: the system takes
/// longer to provide new memory than a GPU to fill it. Nobody else may use the matrices in the meantime. Where no
/// thread can be started, their first use touches them. One thread touches matrices of a few megabytes, before it could
/// start others.
class FirstTouch {
 public:
  template <class... T>
  explicit FirstTouch(int threads, Matrix<T>&... matrices) : FirstTouch(threads, matrices.view()...) {}
  /// The same of views without gaps.
  template <class... T>
  explicit FirstTouch(int threads, MatrixView<T>... matrices) {
    std::vector<std::span<std::byte>> ranges;
    for (const auto range : {std::as_writable_bytes(std::span(matrices.data, matrices.rows * matrices.cols))...})
      if (range.size() >= least_bytes) ranges.push_back(range);
    if (ranges.empty()) return;
    try {
      thread_ = std::jthread([ranges, threads](const std::stop_token& stop) {
        for (const auto range : ranges)
          touch(range, range.size() < detail::mapped_bytes ? 1 : thread_count(threads), stop);
      });
    } catch (const std::system_error&) {
    }
  }

 private:
  static constexpr std::size_t least_bytes = std::size_t(1) << 20;

  static void touch(std::span<std::byte> memory, int threads, const std::stop_token& stop) {
    constexpr std::ptrdiff_t page = 4096, piece = std::ptrdiff_t(2) << 20;
    const std::ptrdiff_t bytes = std::ssize(memory);
#pragma omp parallel for num_threads(threads) schedule(dynamic, 1)
    for (std::ptrdiff_t first = 0; first < bytes; first += piece) {
      const std::ptrdiff_t end = stop.stop_requested() ? first : std::min(first + piece, bytes);
      for (std::ptrdiff_t at = first; at < end; at += page)
        *static_cast<volatile std::byte*>(memory.data() + at) = std::byte{0};
    }
  }

  std::jthread thread_;
};

}  // namespace pivotlab
