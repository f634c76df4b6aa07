// SPDX-License-Identifier: BSD-3-Clause
// Checked calls of the CUDA runtime.
#pragma once

#include <cuda_runtime_api.h>
#include <source_location>
#include <stdexcept>
#include <string>

namespace pivotlab {

/// Error of a call of the CUDA runtime; the message gives file, line, call and the runtime's reason.
class CudaError : public std::runtime_error {
 public:
  CudaError(cudaError_t code, const std::string& message) : std::runtime_error(message), status(code) {}

  const cudaError_t status;
};

namespace cuda {

/// Throws std::bad_alloc if the device's memory does not suffice, CudaError for every other failure.
void check(cudaError_t status, const char* call, std::source_location where = std::source_location::current());

}  // namespace cuda
}  // namespace pivotlab
