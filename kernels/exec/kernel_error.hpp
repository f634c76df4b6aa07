// SPDX-License-Identifier: BSD-3-Clause
// Errors of kernels that emulation finds. Messages begin with the kernel's name, the block and the thread.
#pragma once

#include <stdexcept>

namespace pivotlab {

class KernelError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Some threads have ended or wait at another barrier while others wait for them. On a device this is a deadlock or
/// undefined.
class DivergentBarrier : public KernelError {
 public:
  using KernelError::KernelError;
};

/// An access to shared memory outside of the array, an array outside of the block's shared memory, or one not aligned.
class SharedMemoryOverrun : public KernelError {
 public:
  using KernelError::KernelError;
};

}  // namespace pivotlab
