// SPDX-License-Identifier: BSD-3-Clause
// The SVD by eigenvectors of G*G on every backend; with LAPACK by loops of the host, and by emulated kernels.
#include "kernels/jacobi/device/spectral_svd.hpp"
#include "kernels/exact/host_product.hpp"
#include "kernels/exec/build.hpp"
#include "kernels/exec/host_executor.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/host/lapack_library.hpp"
#include "kernels/gsvd/tangent/host/loops.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"
#include "kernels/libraries/blas.hpp"
#include "kernels/numerics/first_touch.hpp"
#include "support/timer.hpp"

#include <complex>
#include <memory>
#include <new>
#include <optional>

namespace pivotlab::jacobi {
namespace {

struct Release {
  void operator()(unsigned char* block) const { ::operator delete (block, std::align_val_t{256}); }
};

template <class T, class Runner>
SpectralSvdOutcome attempt(Runner runner, MatrixView<const T> G, MatrixView<T> U, MatrixView<T> V, int threads) {
  lapack::require("a variant with spectral");
  const lapack::BlasThreads scope(threads);
  using Machine = tangent::Machine<Runner, tangent::LapackLibrary>;
  Machine machine(std::move(runner), tangent::LapackLibrary(), {});
  SpectralSvd<T, Machine> svd(machine, G.rows, G.cols, [&](exact::Plan plan) {
    plan.settings.panel = 256;
    return exact::make_host_product(plan);
  });
  const std::unique_ptr<unsigned char, Release> workspace(
      static_cast<unsigned char*>(::operator new (svd.workspace_bytes(), std::align_val_t{256})));
  const Timer timer;
  SpectralSvdOutcome outcome = svd.run(G, U, V, workspace.get());
  outcome.compute_seconds = timer.seconds();
  return outcome;
}

}  // namespace

template <class T>
SpectralSvdOutcome spectral_svd(Backend backend, MatrixView<const T> G, MatrixView<T> U, MatrixView<T> V, int threads) {
  if (backend == Backend::host) return attempt<T>(tangent::Loops(threads), G, U, V, threads);
  if (backend == Backend::cuda) {
    std::optional<FirstTouch> touch(std::in_place, threads, U, V);
    return on_cuda<spectral_svd_on_cuda<T>>(G, U, V, tangent::Observer(), [&] { touch.reset(); });
  }
  HostExecutor executor;
  return attempt<T>(tangent::Kernels<HostExecutor>(executor), G, U, V, threads);
}

template decltype(spectral_svd<double>) spectral_svd<double>;
template decltype(spectral_svd<std::complex<double>>) spectral_svd<std::complex<double>>;

}  // namespace pivotlab::jacobi
