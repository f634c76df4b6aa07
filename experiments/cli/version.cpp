// SPDX-License-Identifier: BSD-3-Clause
// Writes what --version prints: the build as records name it, and the libraries that the program was built with.
#include <fmt/format.h>

#include <experiments/cli/command.hpp>
#include <experiments/engine/environment.hpp>
#include <kernels/libraries/libraries.hpp>
#include <pivotlab/baselines.hpp>

namespace pivotlab::cli {
namespace {

std::string or_none(std::string_view text) {
  return std::string(text.empty() ? "none" : text);
}

/// Returns the version of the CUDA toolkit, and of the libraries that are loaded at run time.
std::string cuda_versions() {
  std::string text = or_none(PIVOTLAB_CUDA_TOOLKIT);
  if (text == "none") return text;
  for (const cuda::LibraryFound& library : cuda::find_libraries())
    text += fmt::format(", {} {}", library.name, library.complaint.empty() ? library.version : "not found");
  return text;
}

}  // namespace

std::string_view hdf5_version() {
  return PIVOTLAB_HDF5;
}

std::string version_text() {
  const experiments::BuildInfo& build = experiments::build_info();
  std::string text = fmt::format("pivotlab {}\n", build.version);
  const auto line = [&](std::string_view part, std::string_view found) {
    text += fmt::format("{:<9} {}\n", part, found);
  };
  line("commit", build.commit + (build.clean || build.commit == "unknown" ? "" : ", with changes"));
  line("build", fmt::format("{}, {}, {}", PIVOTLAB_BUILD_TYPE, build.compiler, build.flags));
  line("LAPACK", or_none(blas_version()));
  line("CUDA", cuda_versions());
  line("MPI", or_none(PIVOTLAB_MPI_STANDARD));
  line("HDF5", hdf5_version());
  text.pop_back();
  return text;
}

}  // namespace pivotlab::cli
