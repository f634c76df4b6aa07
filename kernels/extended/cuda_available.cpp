// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/extended/cuda_available.hpp"

#include "kernels/libraries/cublas.hpp"

#include <pivotlab/device.hpp>

namespace pivotlab::extended {

bool cuda_available() {
  static const bool available = why_no_device().empty() && cuda::Cublas::available();
  return available;
}

}  // namespace pivotlab::extended
