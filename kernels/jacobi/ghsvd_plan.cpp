// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the generalized hyperbolic SVD of pairs that are in the memory of a GPU.
#include <pivotlab/device_ghsvd.hpp>

#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/device/ghsvd_driver.hpp"
#include "kernels/jacobi/ghsvd_pair.hpp"
#include "kernels/jacobi/ghsvd_tangent.hpp"
#include "kernels/numerics/require_shape.hpp"

#include <complex>

namespace pivotlab {
namespace {

template <class T>
GhsvdOptions checked(Index m_f, Index m_g, Index n, GhsvdOptions options) {
  options.backend = Backend::cuda;
  require_valid(options.variant);
  if (options.variant.method == GhsvdMethod::hari_zimmermann)
    throw NotSupported("backend 'cuda': the direct method has no kernels; take a variant by tangent reduction");
  if (m_f < 0 || n < 1 || m_g < n)
    throw InputError("the pair: F is " + std::to_string(m_f) + " x " + std::to_string(n) + " and G is " +
                     std::to_string(m_g) + " x " + std::to_string(n) +
                     "; a plan is for at least one column, and for a G of at least as many rows");
  jacobi::make_plan(is_complex<T>, n, n, jacobi::checked_sweep_options(options));
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  return options;
}

}  // namespace

template <class T>
struct DeviceGhsvd<T>::Parts {
  jacobi::GhsvdMachinery<T> machinery;
};

template <class T>
std::size_t DeviceGhsvd<T>::workspace_bytes(Index m_f, Index m_g, Index n, const GhsvdOptions& options) {
  return jacobi::ghsvd_workspace_bytes<T>({m_f, m_g, n}, checked<T>(m_f, m_g, n, options));
}

template <class T>
DeviceGhsvd<T>::DeviceGhsvd(Index m_f, Index m_g, Index n, const GhsvdOptions& options, void* stream, void* workspace)
    : parts_(new Parts{jacobi::make_cuda_machinery<T>({m_f, m_g, n}, checked<T>(m_f, m_g, n, options),
                                                      CallerStream{stream}, workspace)}) {}

template <class T>
DeviceGhsvdResult DeviceGhsvd<T>::run(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                                      const DeviceGhsvdFactors<T>& factors) {
  const auto [m_f, m_g, n] = parts_->machinery.shape;
  require_shape("F", F, m_f, n), require_shape("G", G, m_g, n);
  require_shape("U", factors.U, m_f, n), require_shape("V", factors.V, m_g, n), require_shape("Z", factors.Z, n, n);
  jacobi::require_signs(J, m_f, "F has " + std::to_string(m_f) + " rows");
  return jacobi::solve_given<T>(parts_->machinery, {F, G, factors.U, factors.V, factors.Z}, J,
                                jacobi::factor_on_host<T>(thread_count(parts_->machinery.options.threads)));
}

template class DeviceGhsvd<double>;
template class DeviceGhsvd<std::complex<double>>;

}  // namespace pivotlab
