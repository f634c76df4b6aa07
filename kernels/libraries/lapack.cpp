// SPDX-License-Identifier: BSD-3-Clause
// Loads CBLAS and LAPACKE. OpenBLAS has both in most systems; Debian has LAPACKE in a library of its own; the names of
// the Python package scipy-openblas32 begin with scipy_. The libraries are looked for in the folders that
// PIVOTLAB_LAPACK_LIBRARIES names, separated by ':'. Without this variable they are looked for where the system finds
// libraries; for a wheel, in site-packages/scipy_openblas32; for a bundle, in its folder lib.
#include <fmt/format.h>
#include <kernels/libraries/dynamic_library.hpp>
#include <kernels/libraries/lapack.hpp>
#include <pivotlab/baselines.hpp>

#include <cstdlib>
#include <sstream>
#include <string_view>
#include <utility>

namespace pivotlab {
namespace lapack {
namespace {

constexpr const char* kernels_variable = "OPENBLAS_CORETYPE";

/// Returns OpenBLAS's name of the kernels for the instructions of this processor; null for those of Prescott, which it
/// takes for a processor that it does not know, and which multiply matrices at a quarter of the speed.
const char* kernels_for_this_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

class Library {
 public:
  Library() {
    load();
    char* (*const core)() = find("openblas_get_corename");
    const char* const kernels = kernels_for_this_processor();
    if (core == nullptr || core() != std::string_view("Prescott") || !kernels || std::getenv(kernels_variable)) return;
    parts_.clear();  // OpenBLAS reads the variable when it is loaded
    setenv(kernels_variable, kernels, 1);
    load();
    unsetenv(kernels_variable);
  }

  Symbol find(const std::string& name) const {
    for (const DynamicLibrary& part : parts_)
      for (const char* prefix : {"", "scipy_"})
        if (const Symbol found = part.find((prefix + name).c_str()); found.address != nullptr) return found;
    return {nullptr};
  }

  bool complete() const { return !parts_.empty(); }

 private:
  void load() {
    const std::vector<std::string> chosen = folders_of("PIVOTLAB_LAPACK_LIBRARIES");
    for (const std::string& folder : std::getenv("PIVOTLAB_LAPACK_LIBRARIES") ? chosen : std::vector<std::string>{""})
      for (const auto& names : {std::pair{"libscipy_openblas.so", ""}, {"libopenblas.so.0", "liblapacke.so.3"}}) {
        parts_.clear();
        for (const char* name : {names.first, names.second})
          if (*name) parts_.emplace_back(std::initializer_list<const char*>{(folder + name).c_str()});
        if (find("LAPACKE_ilaver").address != nullptr) return;
      }
    parts_.clear();
  }

  std::vector<DynamicLibrary> parts_;
};

/// It is never closed, because its threads may run at the end of the program.
const Library& library() {
  static const Library& loaded = *new Library;
  return loaded;
}

}  // namespace

bool available() {
  return library().complete();
}

void require(std::string_view what) {
  if (!available())
    throw NotSupported(
        fmt::format("{} needs LAPACK, and none was found; install libopenblas0 and liblapacke, or the "
                    "Python package scipy-openblas32 and name its folder lib in PIVOTLAB_LAPACK_LIBRARIES",
                    what));
}

Symbol find(const std::string& name) {
  return library().find(name);
}

Symbol find_required(const std::string& name) {
  require(name);
  if (const Symbol found = find(name); found.address != nullptr) return found;
  throw NotSupported(fmt::format("the LAPACK that was found has no {}; install OpenBLAS 0.3.21 or newer", name));
}

}  // namespace lapack

std::string blas_version() {
  if (!lapack::available()) return {};
  int major = 0, minor = 0, patch = 0;
  void (*const version)(int*, int*, int*) = lapack::find_required("LAPACKE_ilaver");
  version(&major, &minor, &patch);
  const std::string lapack =  // with leading dimensions of padded.hpp
      fmt::format("LAPACK {}.{}.{}, padded columns", major, minor, patch);
  char* (*const config)() = lapack::find("openblas_get_config");
  char* (*const core)() = lapack::find("openblas_get_corename");
  if (config == nullptr || core == nullptr) return "unknown BLAS, " + lapack;
  std::istringstream words(config());  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  std::string name, version_text;
  words >> name >> version_text;
  return fmt::format("{} {} ({} kernels), {}", name, version_text, core(), lapack);
}

}  // namespace pivotlab
