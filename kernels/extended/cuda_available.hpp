// Whether there is a GPU for the machine of cuda_machine.hpp. Plain C++.
#pragma once

namespace pivotlab::extended {

/// A GPU and cuBLAS are there. The first call starts CUDA in this process.
bool cuda_available();

}  // namespace pivotlab::extended
