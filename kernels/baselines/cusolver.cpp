// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <kernels/baselines/cusolver.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab::baselines {

const Gpu& gpu() {
  static const Gpu& all = *[] {
    if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("cuSOLVER: " + why);
    cuda::cublas_routines(), cuda::cusolver_routines();  // throw before there is a stream
    cudaStream_t stream = nullptr;
    check(cudaStreamCreate(&stream), "cudaStreamCreate");
    return new Gpu{stream, cuda::Cublas(stream), cuda::Cusolver(stream)};
  }();
  return all;
}

Parameters<cusolverDnParams_t> algorithm_of(WithAlgorithms routine, cusolverAlgMode_t algorithm) {
  const auto& library = cuda::cusolver_routines();
  Parameters made(library.create_params, library.destroy_params);
  if (algorithm != CUSOLVER_ALG_0 &&
      library.set_options(made, static_cast<cusolverDnFunction_t>(routine), algorithm) != CUSOLVER_STATUS_SUCCESS)
    throw NotSupported("cuSOLVER: this version does not have the algorithm; install version 12.4 or later");
  return made;
}

int checked_info(const char* routine, const Buffer<int>& info) {
  const int code = download(info.data(), 1).front();
  if (code < 0) throw std::logic_error(fmt::format("{}: argument {} is not valid", routine, -code));
  return code;
}

}  // namespace pivotlab::baselines
