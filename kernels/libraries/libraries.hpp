// SPDX-License-Identifier: BSD-3-Clause
// The large libraries of NVIDIA that can be loaded.
#pragma once

#include <string>
#include <vector>

namespace pivotlab::cuda {

struct LibraryFound {
  std::string name;       ///< "cuBLAS"
  std::string version;    ///< "13.0.2"; empty without the library
  std::string complaint;  ///< "<reason why it is missing>; <remedy>", or empty
};

/// Loads cuBLAS and cuSOLVER and returns what was found; empty in a build without CUDA. Never throws.
std::vector<LibraryFound> find_libraries();

}  // namespace pivotlab::cuda
