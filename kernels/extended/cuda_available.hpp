// SPDX-License-Identifier: BSD-3-Clause
// Test for a GPU that the machine of cuda_machine.hpp can use. This header is plain C++.
#pragma once

namespace pivotlab::extended {

/// Returns whether a GPU and cuBLAS are available. The first call starts CUDA in this process.
bool cuda_available();

}  // namespace pivotlab::extended
