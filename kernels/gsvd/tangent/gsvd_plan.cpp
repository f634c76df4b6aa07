// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the tangent path on matrices of a GPU.
#include <pivotlab/device_gsvd.hpp>

#include "kernels/exec/build.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/tangent/device/tangent_driver.hpp"
#include "kernels/numerics/require_shape.hpp"

#include <complex>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <utility>

namespace pivotlab {
namespace {

tangent::Shape checked_shape(Index m_f, Index m_g, Index n, const TangentVariant& variant) {
  require_valid(variant);
  if (variant.refine)
    throw NotSupported("option refine: there is no plan for matrices of a GPU; take a variant without refine");
  require_shapes(m_f, m_g, n);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  return {m_f, m_g, n};
}

}  // namespace

template <class T>
struct DeviceGsvd<T>::Parts {
  tangent::Shape shape;
  tangent::DeviceTangent<T> tangent;
};

template <class T>
DeviceGsvd<T>::DeviceGsvd(Index m_f, Index m_g, Index n, const TangentVariant& variant, void* stream) {
  const tangent::Shape shape = checked_shape(m_f, m_g, n, variant);
  if constexpr (build::cuda) parts_.reset(new Parts{shape, {shape, variant, stream}});
}

template <class T>
std::size_t DeviceGsvd<T>::workspace_bytes() const {
  if constexpr (build::cuda) return parts_->tangent.workspace_bytes();
  return 0;
}

template <class T>
DeviceGsvdResult DeviceGsvd<T>::run(MatrixView<const T> F, MatrixView<const T> G, const DeviceGsvdFactors<T>& factors,
                                    void* workspace, bool estimate_errors) {
  const auto [m_f, m_g, n] = parts_->shape;
  require_shape("F", F, m_f, n), require_shape("G", G, m_g, n);
  require_shape("U", factors.U, m_f, n), require_shape("V", factors.V, m_g, n), require_shape("Z", factors.Z, n, n);
  if (factors.X.cols > 0) require_shape("X", factors.X, n, n);
  tangent::Outcome outcome;
  if constexpr (build::cuda)
    outcome = parts_->tangent.run(F, G, {factors.U, factors.V, factors.Z, factors.X}, estimate_errors, workspace);
  using tangent::Breakdown;
  return {.status = outcome.breakdown == Breakdown::none           ? Status::passed
                    : outcome.breakdown == Breakdown::no_reduction ? Status::failed
                    : outcome.breakdown == Breakdown::inaccurate   ? Status::incorrect
                                                                   : Status::not_converged,
          .message = std::move(outcome.reason),
          .sigma_f = std::move(outcome.sigma_f),
          .sigma_g = std::move(outcome.sigma_g),
          .sigma = std::move(outcome.sigma),
          .sigma_error = std::move(outcome.sigma_error),
          .report = std::move(outcome.report)};
}

template class DeviceGsvd<double>;
template class DeviceGsvd<std::complex<double>>;

}  // namespace pivotlab
