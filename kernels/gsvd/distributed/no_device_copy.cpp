// SPDX-License-Identifier: BSD-3-Clause
// A build without CUDA.
#include "kernels/gsvd/distributed/staged_transport.hpp"

namespace pivotlab {

CopyBytes copy_between_devices() {
  return {};
}

std::unique_ptr<Staging> make_cuda_staging(int) {
  throw NotSupported("this build has no CUDA");
}

}  // namespace pivotlab
