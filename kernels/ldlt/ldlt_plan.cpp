// SPDX-License-Identifier: BSD-3-Clause
// The public interface to the factorization of matrices of a GPU.
#include <pivotlab/device_ldlt.hpp>

#include "kernels/exec/build.hpp"
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "kernels/numerics/require_shape.hpp"

#include <complex>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

template <class T>
ldlt_device::FactorizationPlan checked_plan(Index n, const LdltOptions& options) {
  ldlt_detail::require_valid(options);
  if (n < 1) throw InputError("matrix A: it has no column; a plan is for at least one");
  const auto missing = [](const std::string& what) {
    return NotSupported("a plan for matrices of a GPU has no " + what + "; call ldlt() with a matrix of the host");
  };
  if (options.variant.equilibrate) throw missing("equilibration");
  if (options.variant.pivoting == Pivoting::none) throw missing("factorization without a search");
  return factorization_plan<T>(n, options);
}

}  // namespace

template <class T>
struct DeviceLdlt<T>::Parts {
  Index n;
  LdltOptions options;
  std::unique_ptr<ldlt_device::DeviceFactorizer<T>> factorizer;
};

template <class T>
std::size_t DeviceLdlt<T>::workspace_bytes(Index n, const LdltOptions& options) {
  return ldlt_device::workspace_bytes<T>(checked_plan<T>(n, options));
}

template <class T>
DeviceLdlt<T>::DeviceLdlt(Index n, const LdltOptions& options, void* stream, void* workspace) {
  const ldlt_device::FactorizationPlan plan = checked_plan<T>(n, options);
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  parts_.reset(
      new Parts{n, options, on_cuda<ldlt_device::make_cuda_factorizer<T>>(plan, workspace, CallerStream{stream})});
}

template <class T>
DeviceLdltResult<T> DeviceLdlt<T>::run(MatrixView<const T> A, MatrixView<T> M) {
  auto& [n, options, factorizer] = *parts_;
  require_shape("A", A, n, n), require_shape("M", M, n, n);
  LdltFactorization<T> f = factor_given(*factorizer, A, options);
  if (!f.scaling.empty())
    throw InputError("matrix A: D exceeds the range of double; multiply A by a power of two such as 2^500 or 2^-500");
  factorizer->export_m(M);
  return {.diagonal = std::move(f.diagonal),
          .subdiagonal = std::move(f.subdiagonal),
          .permutation = std::move(f.permutation),
          .interchanges = std::move(f.interchanges),
          .stages = std::move(f.stages),
          .rank = f.rank,
          .doubtful = f.doubtful,
          .inertia = f.inertia,
          .tolerance = f.tolerance,
          .largest_element = f.largest_element,
          .remainder = f.remainder,
          .swaps_1x1 = f.swaps_1x1,
          .swaps_2x2 = f.swaps_2x2,
          .compute_seconds = f.compute_seconds};
}

template class DeviceLdlt<double>;
template class DeviceLdlt<std::complex<double>>;

}  // namespace pivotlab
