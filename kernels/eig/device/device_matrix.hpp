// SPDX-License-Identifier: BSD-3-Clause
// A square complex matrix in device memory.
#pragma once

#include "kernels/eig/device/planes.hpp"
#include "kernels/exec/buffer.hpp"

#include <cstddef>

namespace pivotlab::eig_device {

template <class Executor, class R = double>
class DeviceMatrix {
 public:
  DeviceMatrix() = default;
  DeviceMatrix(Executor& executor, std::int64_t order)
      : elements_(executor.template allocate<R>(2 * std::size_t(order) * std::size_t(order))),
        planes_{elements_.data(), elements_.data() + order * order, order} {}
  const PlanesOf<R>& planes() const { return planes_; }
  /// Returns the number of real numbers.
  std::size_t size() const { return elements_.size(); }

 private:
  Buffer<R> elements_;
  PlanesOf<R> planes_;
};

}  // namespace pivotlab::eig_device
