// SPDX-License-Identifier: BSD-3-Clause
// Matrices on the GPU, and what the baselines on it have in common.
#pragma once

#include <kernels/baselines/device_columns.hpp>
#include <kernels/exec/device_matrix.hpp>
#include <kernels/libraries/cublas.hpp>
#include <kernels/libraries/cusolver.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar_traits.hpp>

#include <algorithm>
#include <memory>
#include <type_traits>
#include <vector>

namespace pivotlab::baselines {

using cuda::allocate;
using cuda::check;
using cuda::DeviceMatrix;
using cuda::size;

/// The stream in which all work of this thread's GPU runs, with the libraries' handles. They exist as long as the
/// process.
struct Gpu {
  cudaStream_t stream;
  cuda::Cublas blas;
  cuda::Cusolver solver;
};
const Gpu& gpu();

/// Parameters of a routine, which convert to the library's type. Copies share them.
template <class Handle>
class Parameters {
 public:
  Parameters(cusolverStatus_t (*create)(Handle*), cusolverStatus_t (*destroy)(Handle)) {
    Handle made = nullptr;
    check(create(&made), "the parameters of a routine");
    handle_ = {made, destroy};
  }
  operator Handle() const { return handle_.get(); }

 private:
  std::shared_ptr<std::remove_pointer_t<Handle>> handle_;
};

/// Routines with a choice of algorithm, by their numbers in cusolverDnFunction_t of cuSOLVER 12.4. Older headers lack
/// them, and older libraries refuse them.
enum class WithAlgorithms { syevd = 4, geev = 6 };

/// Returns parameters that select an algorithm; CUSOLVER_ALG_0 is the library's own choice. Throws NotSupported if this
/// cuSOLVER does not have the algorithm.
Parameters<cusolverDnParams_t> algorithm_of(WithAlgorithms routine, cusolverAlgMode_t algorithm);

template <class T>
void copy(MatrixView<const std::type_identity_t<T>> from, MatrixView<T> to) {
  cuda::copy<T>(from, to, gpu().stream);
}

template <class T>
void upload(const std::vector<T>& from, Buffer<T>& to) {
  check(cudaMemcpyAsync(to.data(), from.data(), from.size() * sizeof(T), cudaMemcpyDefault, gpu().stream), "upload");
}

template <class T>
std::vector<T> download(const T* from, Index count, Index stride = 1) {
  std::vector<T> to(count);
  check(cudaMemcpy2DAsync(to.data(), sizeof(T), from, static_cast<std::size_t>(stride) * sizeof(T), sizeof(T),
                          to.size(), cudaMemcpyDefault, gpu().stream),
        "download");
  check(cudaStreamSynchronize(gpu().stream), "download");
  return to;
}

template <class T>
std::vector<T> diagonal(MatrixView<const T> A) {
  return download(A.data, std::min(A.rows, A.cols), A.stride + 1);
}

/// Returns info of a routine: 0, or its value for the decomposition. Throws std::logic_error for an invalid argument.
int checked_info(const char* routine, const Buffer<int>& info);

/// Binds the arguments that a routine and the query of its workspace begin with; both are called with the last ones.
template <class... First>
auto bound(const char* name, First... first) {
  return [=](auto* routine, auto... last) {
    check(routine(gpu().solver.handle(), cuda::raw(first)..., cuda::raw(last)...), name);
  };
}

/// Allocates the workspace of a routine with bound arguments, and returns the routine as a function of info. `last`
/// ends the arguments of the routine and of the query, which counts elements T.
template <class T, class Bound, class Query, class Routine, class... Last>
auto with_workspace(Bound call, Query* query, Routine* routine, Last... last) {
  int length = 0;
  call(query, &length, last...);
  return [=, work = allocate<T>(length)](int* info) { call(routine, work.data(), length, info, last...); };
}

/// The same for routines that have workspaces on the GPU and on the host; `last` ends those of the routine alone.
template <class Bound, class Query, class Routine, class... Last>
auto with_workspaces(Bound call, Query* query, Routine* routine, Last... last) {
  std::size_t bytes = 0, host_bytes = 0;
  call(query, &bytes, &host_bytes);
  return [=, work = allocate<char>(static_cast<Index>(bytes)), host_work = std::vector<char>(host_bytes)](
             int* info) mutable { call(routine, work.data(), bytes, host_work.data(), host_bytes, info, last...); };
}

/// Calls a routine on info, sets the seconds that it takes, and returns whether it converges.
template <class Routine>
bool timed(const char* name, Routine&& routine, double& seconds) {
  const auto info = allocate<int>(1);
  cuda::DeviceStopwatch stopwatch(gpu().stream);
  routine(info.data());
  seconds = stopwatch.stop();
  return checked_info(name, info) == 0;
}

template <class T>
inline constexpr cudaDataType type_of = is_complex<T> ? CUDA_C_64F : CUDA_R_64F;

template <class T>
Matrix<T> to_host(const DeviceMatrix<T>& A) {
  Matrix<T> result = Matrix<T>::uninitialized(A.rows(), A.cols());
  A.download(result, gpu().stream);
  return result;
}

template <class T>
DeviceMatrix<T> to_device(MatrixView<const T> A) {
  return {A, gpu().stream};
}

/// Computes C := A·B.
template <class T>
void multiply(MatrixView<const T> A, MatrixView<const T> B, MatrixView<T> C) {
  gpu().blas.gemm(Op::none, Op::none, 1, A, B, 0, C);
}

/// Computes norms[j] = ‖column j‖₂.
template <class T>
void column_norms(const DeviceMatrix<T>& A, const Buffer<double>& norms) {
  column_norms(reinterpret_cast<const double*>(A.view().data), (is_complex<T> ? 2 : 1) * A.rows(), A.cols(),
               norms.data(), gpu().stream);
}

/// Computes A := A·diag(1/divisors); a column with divisor 0 becomes zero.
template <class T>
void divide_columns(const DeviceMatrix<T>& A, const Buffer<double>& divisors) {
  divide_columns(reinterpret_cast<double*>(A.view().data), (is_complex<T> ? 2 : 1) * A.rows(), A.cols(),
                 divisors.data(), gpu().stream);
}

}  // namespace pivotlab::baselines
