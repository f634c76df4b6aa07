// SPDX-License-Identifier: BSD-3-Clause
// The operations of the generalized hyperbolic SVD by emulated kernels and LAPACK.
#include "kernels/exec/host_executor.hpp"
#include "kernels/gsvd/tangent/host/lapack_library.hpp"
#include "kernels/jacobi/device/ghsvd_machine.hpp"
#include "kernels/libraries/blas.hpp"

#include <complex>

namespace pivotlab::jacobi {
namespace {

/// LAPACK with a number of threads of its BLAS.
class LibraryWithThreads : public tangent::LapackLibrary {
 public:
  explicit LibraryWithThreads(int threads) : threads_(std::make_unique<lapack::BlasThreads>(threads)) {}

 private:
  std::unique_ptr<lapack::BlasThreads> threads_;
};

}  // namespace

template <class T>
std::unique_ptr<GhsvdDevice<T>> make_emulated_ghsvd(const Shape& shape, LaneOrder order, int threads) {
  lapack::require("backend 'emulation': the generalized hyperbolic SVD");
  const auto make_library = [threads](const HostExecutor&) { return LibraryWithThreads(threads); };
  return std::make_unique<GhsvdMachine<T, HostExecutor, LibraryWithThreads>>(shape, make_library, order);
}

template std::unique_ptr<GhsvdDevice<double>> make_emulated_ghsvd(const Shape&, LaneOrder, int);
template std::unique_ptr<GhsvdDevice<std::complex<double>>> make_emulated_ghsvd(const Shape&, LaneOrder, int);

}  // namespace pivotlab::jacobi
