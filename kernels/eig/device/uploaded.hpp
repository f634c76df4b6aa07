// SPDX-License-Identifier: BSD-3-Clause
// A vector in device memory.
#pragma once

#include "kernels/exec/buffer.hpp"

#include <vector>

namespace pivotlab::eig_device {

template <class Executor, class T>
Buffer<T> uploaded(Executor& executor, const std::vector<T>& from) {
  auto buffer = executor.template allocate<T>(from.size());
  executor.upload(buffer.data(), from.data(), from.size());
  return buffer;
}

}  // namespace pivotlab::eig_device
