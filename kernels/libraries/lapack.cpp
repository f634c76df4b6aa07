// SPDX-License-Identifier: BSD-3-Clause
// The versions of BLAS and LAPACK.
#include <fmt/format.h>
#include <kernels/libraries/dynamic_library.hpp>
#include <kernels/libraries/lapack.hpp>
#include <pivotlab/baselines.hpp>

#include <sstream>

namespace pivotlab {

std::string blas_version() {
  lapack_int major = 0, minor = 0, patch = 0;
  LAPACKE_ilaver(&major, &minor, &patch);
  const std::string lapack =  // with leading dimensions of padded.hpp
      fmt::format("LAPACK {}.{}.{}, padded columns", major, minor, patch);
  const auto config = linked_symbol<char*()>("openblas_get_config");
  const auto core = linked_symbol<char*()>("openblas_get_corename");
  if (config == nullptr || core == nullptr) return "unknown BLAS, " + lapack;
  std::istringstream words(config());  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  std::string name, version;
  words >> name >> version;
  return fmt::format("{} {} ({} kernels), {}", name, version, core(), lapack);
}

}  // namespace pivotlab
