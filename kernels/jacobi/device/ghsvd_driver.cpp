// SPDX-License-Identifier: BSD-3-Clause
// Driver of the generalized hyperbolic SVD by tangent reduction on a device.
#include "kernels/jacobi/device/ghsvd_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/jacobi/shared/ghsvd_values.hpp"
#include "kernels/numerics/first_touch.hpp"
#include "support/timer.hpp"

#include <complex>
#include <limits>
#include <utility>

namespace pivotlab::jacobi {
namespace {

EighOptions options_for_tangent(const GhsvdOptions& options) {
  return {.variant = {.pivoting = Pivoting::complete, .sweeps = options.variant.sweeps},
          .backend = options.backend,
          .max_sweeps = options.max_sweeps,
          .max_inner_sweeps = options.max_inner_sweeps,
          .threads = options.threads};
}

HsvdOptions options_for_sweeps(const GhsvdOptions& options) {
  HsvdOptions sweeps = sweep_options(options_for_tangent(options));
  sweeps.compute_v = true;
  return sweeps;
}

template <class T>
MatrixView<T> as_view(const CallerMatrix& A, Index rows, Index cols) {
  return {reinterpret_cast<T*>(A.data), rows, cols, A.stride};
}

std::vector<double> as_reals(const std::vector<int>& values) {
  return {values.begin(), values.end()};
}

std::vector<ColumnKind> kinds_of(const std::vector<bool>& pairs) {
  std::vector<ColumnKind> kinds;
  for (std::size_t j = 0; j < pairs.size(); ++j)
    kinds.push_back(pairs[j]                ? ColumnKind::first_of_pair
                    : j > 0 && pairs[j - 1] ? ColumnKind::second_of_pair
                                            : ColumnKind::single);
  return kinds;
}

/// Sets G_T on the device.
template <class T>
DeviceSignedFactor factor(GhsvdMachinery<T>& machinery, const std::vector<int>& J,
                          const FactorOnHost<T>& factor_on_host) {
  const GhsvdOptions& options = machinery.options;
  if (options.variant.precision == TangentPrecision::working)
    return factor_given(machinery.solver, machinery.device->tangent(), options_for_tangent(options));
  Matrix<T> B(machinery.shape.m_f, machinery.shape.n);
  machinery.device->download_b(B.data());
  const SignedFactor<T> f = factor_on_host(B, J);
  machinery.solver.device->upload_g(f.G.data(), f.G.cols());
  return {f.J, {f.rows.begin(), f.rows.end()}, f.pairs};
}

/// Computes the hyperbolic SVD of (G_T, J') on the device.
template <class T>
HsvdOnDevice<T> sweep(GhsvdMachinery<T>& machinery, const DeviceSignedFactor& factor, DeviceHsvdResult& values) {
  EighDevice<T>& solver = *machinery.solver.device;
  const Index n = machinery.shape.n, r = std::ssize(factor.J);
  const CallerMatrix X = solver.y();
  HsvdOnDevice<T> d{.G = as_view<T>(solver.g(), n, r),
                    .X = as_view<T>(X, n, r),
                    .W = machinery.device->w(r),
                    .rows = factor.rows,
                    .kinds = kinds_of(factor.pairs),
                    .factor_signs = as_reals(factor.J),
                    .signs = {},
                    .sigma = {}};
  if (r == 0) {
    values.status = Status::passed;
    return d;
  }
  solver.copy_of_g();
  values = sweep(machinery.solver, n, factor.J, X, options_for_sweeps(machinery.options),
                 {reinterpret_cast<double*>(d.W.data), d.W.stride});
  d.signs = as_reals(values.J);
  d.sigma = values.sigma;
  return d;
}

/// Returns the columns of X in descending order of the n eigenvalues, −1 for λ = 0.
std::vector<int> order_of_vectors(const DeviceHsvdResult& hsvd, Index n) {
  std::vector<int> order;
  for (const Index from : descending_order(hsvd, n))
    order.push_back(from >= 0 && hsvd.sigma[from] > 0 ? static_cast<int>(from) : -1);
  return order;
}

/// Stores eigenvalues, singular values and estimates. `eps` is that of T and its factorization.
void store_values(const DeviceHsvdResult& hsvd, const std::vector<int>& order, const ErrorSums& sums, double eps,
                  int exponent, GhsvdValues<double>& result) {
  for (const int from : order) {
    if (from < 0) {
      store_value(0, 0.0, 1.0, -exponent, result);
      continue;
    }
    const double sigma = hsvd.sigma[from];
    const auto in_factor = [&](double norm) { return eps * (norm / sigma) * (norm / sigma); };
    const double estimate = estimate_of<double>({hsvd.estimate[from], in_factor(sums.factorization[from]),
                                                 in_factor(sums.tangent[from]), sums.qr[from], sums.substitution[from]},
                                                sigma);
    store_value(hsvd.J[from], sigma, estimate, -exponent, result);
  }
}

}  // namespace

template <class T>
GhsvdMachinery<T> make_cuda_machinery(const Shape& shape, const GhsvdOptions& options, CallerStream stream,
                                      void* workspace) {
  auto device = on_cuda<make_cuda_ghsvd<T>>(shape, stream);
  device->use(workspace);
  void* const behind = workspace ? static_cast<std::byte*>(workspace) + device->workspace_bytes() : nullptr;
  auto solver = make_cuda_machinery<T>(shape.n, options_for_tangent(options), behind, stream, true);
  return {shape, options, std::move(device), std::move(solver)};
}

template <class T>
GhsvdMachinery<T> make_emulated_machinery(const Shape& shape, const GhsvdOptions& options, LaneOrder order) {
  auto device = make_emulated_ghsvd<T>(shape, order, options.threads);
  device->use(nullptr);
  return {shape, options, std::move(device),
          make_emulated_machinery<T>(shape.n, options_for_tangent(options), order, nullptr, true)};
}

template <class T>
std::size_t ghsvd_workspace_bytes(const Shape& shape, const GhsvdOptions& options) {
  return on_cuda<make_cuda_ghsvd<T>>(shape, CallerStream{})->workspace_bytes() +
         eigh_workspace_bytes<T>(shape.n, options_for_tangent(options), true);
}

template <class T>
GhsvdValues<double> solve_given(GhsvdMachinery<T>& machinery, const DevicePair<T>& pair, const std::vector<int>& J,
                                const FactorOnHost<T>& factor_on_host) {
  const Index n = machinery.shape.n;
  GhsvdDevice<T>& device = *machinery.device;
  const bool extended = machinery.options.variant.precision == TangentPrecision::extended;
  GhsvdValues<double> result;
  const Timer timer;
  const std::vector<int> signs = J.empty() ? std::vector<int>(machinery.shape.m_f, 1) : J;
  if (const std::string reason = device.reduce(pair.F, pair.G, as_reals(signs)); !reason.empty()) {
    result = values_of_deficient<double>(n);
    result.message += " (" + reason + ")";
    return result;
  }
  result.reduction_seconds = timer.seconds();
  const Timer factor_timer;
  const DeviceSignedFactor factors = factor(machinery, J, factor_on_host);
  result.factor_seconds = factor_timer.seconds();

  const Timer sweep_timer;
  DeviceHsvdResult hsvd;
  const HsvdOnDevice<T> d = sweep(machinery, factors, hsvd);
  result.sweep_seconds = sweep_timer.seconds();
  const std::vector<int> order = order_of_vectors(hsvd, n);
  device.set_u(d, order, pair.U);
  using Extended = std::numeric_limits<ExtendedReal<double>>;
  using Working = std::numeric_limits<double>;
  const double eps = extended ? static_cast<double>(Extended::epsilon()) : Working::epsilon();
  store_values(hsvd, order, device.error_sums(d), eps, device.exponent(), result);
  if (!device.set_v_and_z(d, order, result.sigma_g, pair.V, pair.Z)) return values_of_deficient<double>(n);
  result.rank = d.rank();
  result.tangent_bits = extended ? Extended::digits : Working::digits;
  result.factored_on = extended ? Backend::host : machinery.options.backend;
  result.status = hsvd.status;
  result.message = std::move(hsvd.message);
  result.sweeps = std::move(hsvd.sweeps);
  result.compute_seconds = timer.seconds();
  return result;
}

template <class T>
GhsvdResult<T> solve_on_host_pair(GhsvdMachinery<T> machinery, MatrixView<const T> F, MatrixView<const T> G,
                                  const std::vector<int>& J, const FactorOnHost<T>& factor_on_host) {
  GhsvdDevice<T>& device = *machinery.device;
  const DevicePair<T> pair = device.upload(F, G);
  const auto memory = [](MatrixView<T> A) { return Matrix<T>::uninitialized(A.rows, A.cols); };
  Matrix<T> U = memory(pair.U), V = memory(pair.V), Z = memory(pair.Z);
  const GhsvdValues<double> values = [&] {
    const FirstTouch touch(machinery.options.threads, U, V, Z);
    return solve_given(machinery, pair, J, factor_on_host);
  }();
  if (values.status == Status::failed) return {values, {}, {}, {}};
  device.download(U.data(), pair.U), device.download(V.data(), pair.V), device.download(Z.data(), pair.Z);
  return {values, std::move(U), std::move(V), std::move(Z)};
}

using Complex = std::complex<double>;
template std::size_t ghsvd_workspace_bytes<double>(const Shape&, const GhsvdOptions&);
template std::size_t ghsvd_workspace_bytes<Complex>(const Shape&, const GhsvdOptions&);
template GhsvdMachinery<double> make_cuda_machinery(const Shape&, const GhsvdOptions&, CallerStream, void*);
template GhsvdMachinery<Complex> make_cuda_machinery(const Shape&, const GhsvdOptions&, CallerStream, void*);
template GhsvdMachinery<double> make_emulated_machinery(const Shape&, const GhsvdOptions&, LaneOrder);
template GhsvdMachinery<Complex> make_emulated_machinery(const Shape&, const GhsvdOptions&, LaneOrder);
template GhsvdValues<double> solve_given(GhsvdMachinery<double>&, const DevicePair<double>&, const std::vector<int>&,
                                         const FactorOnHost<double>&);
template GhsvdValues<double> solve_given(GhsvdMachinery<Complex>&, const DevicePair<Complex>&, const std::vector<int>&,
                                         const FactorOnHost<Complex>&);
template GhsvdResult<double> solve_on_host_pair(GhsvdMachinery<double>, MatrixView<const double>,
                                                MatrixView<const double>, const std::vector<int>&,
                                                const FactorOnHost<double>&);
template GhsvdResult<Complex> solve_on_host_pair(GhsvdMachinery<Complex>, MatrixView<const Complex>,
                                                 MatrixView<const Complex>, const std::vector<int>&,
                                                 const FactorOnHost<Complex>&);

}  // namespace pivotlab::jacobi
