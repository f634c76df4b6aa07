// SPDX-License-Identifier: BSD-3-Clause
// The two-stage eigensolver on a GPU, with cuBLAS for products and, if asked for, cuSOLVER for the tridiagonal matrix.
#include "kernels/exec/cuda_executor.hpp"
#include "kernels/libraries/cublas.hpp"
#include "kernels/libraries/cusolver.hpp"
#include "kernels/two_stage/two_stage.hpp"

#include <algorithm>
#include <optional>
#include <pivotlab/error.hpp>
#include <vector>

namespace pivotlab::two_stage {

class CudaSide : public cuda::Cublas {
 public:
  CudaSide(cudaStream_t stream, bool with_solver) : Cublas(stream), stream_(stream) {
    if (with_solver) solver_.emplace(stream);
  }

  /// Each thread keeps as many elements as fit in registers.
  static constexpr int most_columns_of_strip = 7;
  static constexpr int rows_of_strip(int columns) { return 2 * columns; }
  static bool runs_at_once(Index blocks) { return blocks <= multiprocessors(); }
  static Index most_rows() { return std::min(two_stage::most_rows, Index(2) * bandwidth * multiprocessors()); }

  std::size_t tridiagonal_bytes(Index n) const { return info_bytes + solver_->stedc_bytes({nullptr, n, n, n}).device; }
  bool tridiagonal(double* d, double* e, MatrixView<double> Z, std::byte* work, std::size_t bytes) const {
    auto* const info = reinterpret_cast<int*>(work);
    std::vector<std::byte> host(solver_->stedc_bytes(Z).host);
    solver_->stedc(d, e, Z, {work + info_bytes, bytes - info_bytes}, host, info);
    int code = 0;
    cuda::check(cudaMemcpyAsync(&code, info, sizeof code, cudaMemcpyDeviceToHost, stream_), "cudaMemcpyAsync");
    cuda::check(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
    return code == 0;
  }

 private:
  static constexpr std::size_t info_bytes = 256;

  static int multiprocessors() {
    int device = 0, count = 0;
    cuda::check(cudaGetDevice(&device), "cudaGetDevice");
    cuda::check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "cudaDeviceGetAttribute");
    return count;
  }

  cudaStream_t stream_;
  std::optional<cuda::Cusolver> solver_;
};

template <class T>
std::unique_ptr<Eigensolver<T>> make_cuda_eigensolver(void* stream, Observer observer, Steps steps) {
  const bool by_library = steps.tridiagonal == TridiagonalSolver::library;
  if (by_library && !(cuda::Cusolver::available() && cuda::Cusolver::has_stedc()))
    throw NotSupported("the two-stage eigensolver: cuSOLVER has no Xstedc; install version 12.4 or later");
  return std::make_unique<EigensolverOn<T, CudaExecutor, CudaSide>>(
      CudaSide(static_cast<cudaStream_t>(stream), by_library), std::move(observer), steps,
      std::optional(CallerStream{stream}));
}

template std::unique_ptr<Eigensolver<double>> make_cuda_eigensolver(void*, Observer, Steps);
template std::unique_ptr<Eigensolver<std::complex<double>>> make_cuda_eigensolver(void*, Observer, Steps);

}  // namespace pivotlab::two_stage
