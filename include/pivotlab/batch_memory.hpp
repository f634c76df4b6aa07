// SPDX-License-Identifier: BSD-3-Clause
// Memory of a backend for batches (batch.hpp) whose matrices are on the host, and the time of their kernels.
#pragma once

#include <pivotlab/variant.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

namespace pivotlab {

/// Memory of the host or, on cuda, of the current GPU, which is released with the object.
class BatchMemory {
 public:
  /// Throws NotSupported for cuda without a GPU and in a build without CUDA.
  explicit BatchMemory(Backend backend);
  BatchMemory(const BatchMemory&) = delete;

  /// Returns `bytes` bytes, aligned to 256. Throws std::bad_alloc if the memory does not suffice.
  void* take(std::size_t bytes);
  /// Copies from the host into this memory, or back; finished on return.
  void upload(void* to, const void* from, std::size_t bytes) const;
  void download(void* to, const void* from, std::size_t bytes) const;
  /// Calls work() and returns the seconds until all of it is done, on cuda by events on the default stream.
  double seconds_of(const std::function<void()>& work) const;

 private:
  Backend backend_;
  std::vector<std::shared_ptr<void>> pieces_;
};

}  // namespace pivotlab
