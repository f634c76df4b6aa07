// Name and number of threads of the BLAS of this process.
#include <dlfcn.h>
#include <fmt/format.h>
#include <kernels/libraries/blas_threads.hpp>
#include <kernels/libraries/lapack.hpp>
#include <pivotlab/baselines.hpp>

#include <sstream>

namespace pivotlab {
namespace {

/// Returns a function of OpenBLAS, looked up at run time, because the linked interface may belong to any BLAS.
template <class Function>
Function* openblas(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

namespace baselines {

BlasThreads::BlasThreads(int threads) {
  const auto get = openblas<int()>("openblas_get_num_threads");
  const auto set = openblas<void(int)>("openblas_set_num_threads");
  if (threads <= 0 || get == nullptr || set == nullptr) return;
  previous_ = get();
  set(threads);
}

BlasThreads::~BlasThreads() {
  if (previous_ > 0) openblas<void(int)>("openblas_set_num_threads")(previous_);
}

}  // namespace baselines

std::string blas_version() {
  lapack_int major = 0, minor = 0, patch = 0;
  LAPACKE_ilaver(&major, &minor, &patch);
  const std::string lapack =  // with leading dimensions of padded.hpp
      fmt::format("LAPACK {}.{}.{}, padded columns", major, minor, patch);
  const auto config = openblas<char*()>("openblas_get_config");
  const auto core = openblas<char*()>("openblas_get_corename");
  if (config == nullptr || core == nullptr) return "unknown BLAS, " + lapack;
  std::istringstream words(config());  // "OpenBLAS 0.3.21 NO_LAPACKE DYNAMIC_ARCH …"
  std::string name, version;
  words >> name >> version;
  return fmt::format("{} {} ({} kernels), {}", name, version, core(), lapack);
}

}  // namespace pivotlab
