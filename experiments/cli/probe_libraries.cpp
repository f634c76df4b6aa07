// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <experiments/cli/command.hpp>
#include <experiments/cli/findings.hpp>
#include <experiments/engine/process.hpp>
#include <experiments/engine/resources.hpp>
#include <kernels/libraries/lapack.hpp>

namespace pivotlab::cli {
namespace {

// Returns "OpenBLAS 0.3.21" of "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …".
std::string two_words(const std::string& text) {
  return text.substr(0, text.find(' ', text.find(' ') + 1));
}

std::vector<Finding> blas_and_lapack() {
  std::vector<Finding> findings;
  if (!lapack::available())
    return {{"BLAS", State::optional, "no OpenBLAS with LAPACK found: no baselines lapack:…",
             "apt install libopenblas0 liblapacke"}};
  char* (*const config)() = lapack::find("openblas_get_config");
  char* (*const core)() = lapack::find("openblas_get_corename");
  int (*const threads)() = lapack::find("openblas_get_num_threads");
  if (config != nullptr && core != nullptr && threads != nullptr)
    findings.push_back(
        {"BLAS", State::ok, fmt::format("{} (kernels {}, {} threads)", two_words(config()), core(), threads()), ""});
  else
    findings.push_back({"BLAS", State::optional, "found, but not OpenBLAS: version and threads are unknown",
                        "for times comparable to the published ones use OpenBLAS"});

  int major = 0, minor = 0, patch = 0;
  void (*const version)(int*, int*, int*) = lapack::find_required("LAPACKE_ilaver");
  version(&major, &minor, &patch);
  findings.push_back({"LAPACK", State::ok, fmt::format("{}.{}.{}", major, minor, patch), ""});
  return findings;
}

// pivotlab is not linked to MPI; this finding shows whether the multi-GPU target could be built.
Finding mpi() {
  const std::string launcher = experiments::find_on_path("mpirun");
  if (launcher.empty())
    return {"MPI", State::optional, "none: no mpirun on PATH",
            "only the multi-GPU target needs it: apt install libopenmpi-dev"};
  const std::string text = experiments::capture_process({launcher, "--version"}).value_or("of unknown version");
  return {"MPI", State::ok, fmt::format("{}: {}", launcher, text.substr(0, text.find('\n'))), ""};
}

}  // namespace

std::vector<Finding> probe_libraries() {
  std::vector<Finding> findings = blas_and_lapack();
  findings.push_back({"HDF5", State::ok, std::string(hdf5_version()), ""});
  findings.push_back(mpi());
  return findings;
}

}  // namespace pivotlab::cli
