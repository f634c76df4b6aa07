// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <kernels/libraries/cublas.hpp>
#include <kernels/libraries/cusolver.hpp>
#include <kernels/libraries/libraries.hpp>

#include <exception>

namespace pivotlab::cuda {
namespace {

/// `routines` loads a library, and returns its routines, of which one returns the parts of the version.
template <class Routines>
LibraryFound find(const char* name, Routines routines) {
  try {
    const auto part = [&](libraryPropertyType which) {
      int value = 0;
      check(routines().property(which, &value), "the version of the library");
      return value;
    };
    return {name, fmt::format("{}.{}.{}", part(MAJOR_VERSION), part(MINOR_VERSION), part(PATCH_LEVEL)), ""};
  } catch (const std::exception& error) {
    return {name, "", error.what()};
  }
}

}  // namespace

std::vector<LibraryFound> find_libraries() {
  return {find("cuBLAS", cublas_routines), find("cuSOLVER", cusolver_routines)};
}

}  // namespace pivotlab::cuda
