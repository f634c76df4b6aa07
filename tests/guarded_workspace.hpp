// SPDX-License-Identifier: BSD-3-Clause
// A workspace of the emulation, with a guard behind it, and matrices with rows between their columns.
#pragma once

#include <pivotlab/matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace pivotlab::test {

/// Memory aligned to 256 bytes. It and the guard hold signaling NaNs at first.
class GuardedWorkspace {
  static constexpr std::size_t line = 32;  // doubles

 public:
  explicit GuardedWorkspace(std::size_t bytes)
      : doubles_(bytes / sizeof(double)),
        memory_(doubles_ + 2 * line, std::numeric_limits<double>::signaling_NaN()),
        first_(line - reinterpret_cast<std::uintptr_t>(memory_.data()) / sizeof(double) % line) {}

  void* data() { return memory_.data() + first_; }
  /// Returns whether nothing was written around the workspace.
  bool intact() const {
    const auto is_nan = [](double x) { return std::isnan(x); };
    const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(first_);
    return std::all_of(memory_.begin(), begin, is_nan) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(doubles_), memory_.end(), is_nan);
  }

 private:
  std::size_t doubles_;
  std::vector<double> memory_;
  std::size_t first_;
};

/// A copy of A inside of a larger matrix of NaNs.
template <class T>
class Surrounded {
 public:
  explicit Surrounded(const Matrix<T>& A) : around_(A.rows() + 5, A.cols()), rows_(A.rows()) {
    std::fill_n(around_.data(), around_.size(), T(std::numeric_limits<double>::quiet_NaN()));
    for (Index j = 0; j < A.cols(); ++j) std::ranges::copy(A.col(j), view().col(j).begin());
  }
  MatrixView<T> view() { return around_.view().block(0, 0, rows_, around_.cols()); }

 private:
  Matrix<T> around_;
  Index rows_;
};

}  // namespace pivotlab::test
