// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/jacobi/device/two_stage_driver.hpp"
#include "kernels/exec/build.hpp"
#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/jacobi/device/two_stage_machine.hpp"
#include "kernels/libraries/blas.hpp"
#include "kernels/numerics/first_touch.hpp"

#include <complex>
#include <optional>

namespace pivotlab::jacobi {
namespace {

void refuse_host(Backend backend) {
  if (backend == Backend::host)
    throw NotSupported(
        "variant HEV-2STAGE: it runs on a GPU; take the backend cuda, or emulation for small matrices, or HEV-RK-ME-BO "
        "or LAPACK on the host");
}

template <class T>
std::unique_ptr<TwoStageDevice<T>> make_device(Index n, Backend backend) {
  require_two_stage_order<T>(n);
  return backend == Backend::cuda ? on_cuda<make_cuda_two_stage<T>>(n, nullptr, std::nullopt)
                                  : make_emulated_two_stage<T>(n);
}

}  // namespace

template <class T>
EighResult<T> eigh_in_two_stages(MatrixView<const T> A, const EighOptions& options) try {
  refuse_host(options.backend);
  const Index n = A.rows, most = options.subset.count < 0 ? n - options.subset.first : options.subset.count;
  EighResult<T> result;
  result.status = Status::passed;
  if (n == 0) return result;
  const auto device = make_device<T>(n, options.backend);
  std::optional<lapack::BlasThreads> of_emulation;
  if (options.backend == Backend::emulation) of_emulation.emplace(thread_count(options.threads));
  if (options.vectors) result.U = Matrix<T>::uninitialized(n, most);
  {
    const FirstTouch touch(options.threads, result.U);
    solve_in_two_stages(*device, device->upload_to_x(A), options.vectors, options.subset, result);
  }
  if (!options.vectors) return result;
  const Index count = columns_of(options.subset, result.eigenvalues).second;
  if (count != most) result.U = Matrix<T>::uninitialized(n, count);
  device->download_x(count, result.U.data());
  return result;
} catch (const InputError&) {
  check_elements(A, options);
  throw;
}

template <class T>
std::size_t two_stage_workspace_bytes(Index n) {
  return TwoStageMachine<SizeExecutor, T>(n, Arena(nullptr), [](auto&) { return nullptr; }).workspace_bytes();
}

using Complex = std::complex<double>;
template decltype(eigh_in_two_stages<double>) eigh_in_two_stages<double>;
template decltype(eigh_in_two_stages<Complex>) eigh_in_two_stages<Complex>;
template decltype(two_stage_workspace_bytes<double>) two_stage_workspace_bytes<double>;
template decltype(two_stage_workspace_bytes<Complex>) two_stage_workspace_bytes<Complex>;

}  // namespace pivotlab::jacobi
