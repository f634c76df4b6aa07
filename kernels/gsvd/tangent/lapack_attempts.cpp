// SPDX-License-Identifier: BSD-3-Clause
// The tangent path with LAPACK: by loops of the host, and by emulated kernels.
#include "kernels/exec/host_executor.hpp"
#include "kernels/gsvd/tangent/device/device_machine.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/gsvd/tangent/host/lapack_library.hpp"
#include "kernels/gsvd/tangent/host/loops.hpp"
#include "kernels/gsvd/tangent/shared/attempt.hpp"
#include "kernels/gsvd/tangent/shared/machine.hpp"
#include "kernels/gsvd/tangent/shared/pipeline.hpp"
#include "kernels/libraries/blas.hpp"
#include "support/timer.hpp"

#include <memory>
#include <new>

namespace pivotlab::tangent {
namespace {

struct Release {
  void operator()(unsigned char* block) const { ::operator delete (block, std::align_val_t{256}); }
};

template <class T, template <class, class> class MachineOf, class Runner>
Attempt<T> attempt(Runner runner, MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options) {
  lapack::require("the tangent path on the host");
  const lapack::BlasThreads scope(options.threads);
  const Index n = F.cols;
  Attempt<T> result{.outcome = {}, .U{F.rows, n}, .V{G.rows, n}, .Z{n, n}, .X{}};
  if (options.compute_x) result.X = Matrix<T>(n, n);
  MachineOf<Runner, LapackLibrary> machine(std::move(runner), LapackLibrary(), {});
  Pipeline<T, MachineOf<Runner, LapackLibrary>> pipeline(machine, {F.rows, G.rows, n}, options.variant);
  const std::unique_ptr<unsigned char, Release> workspace(
      static_cast<unsigned char*>(::operator new (pipeline.workspace_bytes(), std::align_val_t{256})));
  const ScopeTimer timer(result.compute_seconds);
  result.outcome =
      pipeline.run(F, G, {result.U, result.V, result.Z, result.X}, options.estimate_errors, workspace.get());
  return result;
}

}  // namespace

template <class T>
Attempt<T> attempt_on_host(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options) {
  return attempt<T, Machine>(Loops(options.threads), F, G, options);
}

template <class T>
Attempt<T> attempt_emulated(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options,
                            LaneOrder order) {
  HostExecutor executor(order);
  return attempt<T, DeviceMachine>(Kernels<HostExecutor>(executor), F, G, options);
}

using Complex = std::complex<double>;
template decltype(attempt_on_host<double>) attempt_on_host<double>;
template decltype(attempt_on_host<Complex>) attempt_on_host<Complex>;
template decltype(attempt_emulated<double>) attempt_emulated<double>;
template decltype(attempt_emulated<Complex>) attempt_emulated<Complex>;

}  // namespace pivotlab::tangent
