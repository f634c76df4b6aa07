// Which of NVIDIA's large libraries can be loaded.
#pragma once

#include <string>
#include <vector>

namespace pivotlab::cuda {

struct LibraryFound {
  std::string name;       ///< "cuBLAS"
  std::string version;    ///< "13.0.2"; empty without the library
  std::string complaint;  ///< "<why it is not there>; <remedy>", or empty
};

/// cuBLAS and cuSOLVER; loads them. Empty in a build without CUDA. Never throws.
std::vector<LibraryFound> find_libraries();

}  // namespace pivotlab::cuda
