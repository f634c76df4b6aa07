#include <fmt/format.h>
#include <kernels/libraries/cublas.hpp>
#include <kernels/libraries/cusolver.hpp>
#include <kernels/libraries/libraries.hpp>

#include <exception>

namespace pivotlab::cuda {
namespace {

/// `version_part` returns a part of the version (library property); both libraries have such a function.
template <class VersionPart>
LibraryFound find(const char* name, VersionPart version_part) {
  try {
    return {
        name,
        fmt::format("{}.{}.{}", version_part(MAJOR_VERSION), version_part(MINOR_VERSION), version_part(PATCH_LEVEL)),
        ""};
  } catch (const std::exception& error) {
    return {name, "", error.what()};
  }
}

}  // namespace

std::vector<LibraryFound> find_libraries() {
  return {find("cuBLAS",
               [](libraryPropertyType part) {
                 int value = 0;
                 check(cublas().property(part, &value), "cublasGetProperty");
                 return value;
               }),
          find("cuSOLVER", [](libraryPropertyType part) {
            int value = 0;
            check(cusolver().property(part, &value), "cusolverGetProperty");
            return value;
          })};
}

}  // namespace pivotlab::cuda
