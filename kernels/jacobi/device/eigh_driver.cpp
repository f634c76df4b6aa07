// SPDX-License-Identifier: BSD-3-Clause
// Driver of the Hermitian eigensolver on a device.
#include "kernels/jacobi/device/eigh_driver.hpp"
#include "kernels/exec/build.hpp"

#include "kernels/jacobi/device/columns_of_g.hpp"
#include "kernels/jacobi/device/hsvd_driver.hpp"
#include "kernels/jacobi/shared/doubtful_pivots.hpp"
#include "kernels/jacobi/shared/problem.hpp"
#include "kernels/jacobi/shared/signed_factor.hpp"
#include "kernels/jacobi/shared/spectral_rules.hpp"
#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/numerics/first_touch.hpp"
#include "kernels/numerics/order.hpp"
#include "support/timer.hpp"

#include <complex>
#include <utility>

namespace pivotlab::jacobi {
namespace {

/// 2^exponent·A, A in device memory.
template <class T>
struct ScaledInput {
  ldlt_device::GivenMatrix<T> given;  ///< A
  double modulus;                     ///< of the largest element of A
  int exponent;
};

/// Sets G on the device. The matrix may have rank less than n.
template <class T>
DeviceSignedFactor factor(EighMachinery<T>& machinery, const ScaledInput<T>& input, const EighOptions& options,
                          double& compute_seconds) {
  const LdltOptions ldlt_options = factorization_options(options);
  IncompleteFactorization<T> incomplete{
      eliminate_given(*machinery.factorizer, input.given, input.modulus, input.exponent, ldlt_options)};
  EighDevice<T>& device = *machinery.device;
  const LdltFactorization<T>& f = incomplete.factors;
  const Timer timer;
  compute_seconds += f.compute_seconds;
  const SignedColumns<T> columns = columns_of_g(f);
  const std::vector<int> rows(f.permutation.begin(), f.permutation.end());
  device.make_g(machinery.factorizer->triangle(), columns.of_g, rows);
  DeviceSignedFactor signs{columns.J, rows, {}};
  for (const T& below : f.subdiagonal) signs.pairs.push_back(below != T(0));
  if (columns.singular || may_have_noise_pivots(f, device.row_norms(rows, columns.leading))) {
    const LdltFactorization<T> ldlt = complete(*machinery.factorizer, std::move(incomplete), ldlt_options);
    SignedFactor<T> remaining = signed_factor(ldlt);
    device.upload_g(remaining.G.data(), remaining.G.cols());
    signs = {std::move(remaining.J),
             {remaining.rows.begin(), remaining.rows.end()},
             std::move(remaining.pairs),
             size_of_zeros(ldlt, thread_count(options.threads))};
  }
  compute_seconds += timer.seconds();
  return signs;
}

template <class T>
SpectralReport precondition(EighDevice<T>& device, std::vector<int>& J) {
  SpectralReport report;
  const SpectralColumns chosen = choose_columns(device.eigenvectors(), J, "cuSOLVER", report);
  if (!report.refusal.empty()) return report;
  device.start_v(chosen.column, chosen.factors, J);
  make_j_unitary(
      report, [&] { return device.defect(J, chosen.signs); }, [&] { device.correct(chosen.signs); });
  if (!report.used) return report;
  device.multiply_g();
  J = chosen.signs;
  return report;
}

/// Returns ‖|G|*·|u_j|‖/σ_j for every column of U, as factorization_errors() does. G may be lost then.
template <class T>
std::vector<double> products_with_components(EighDevice<T>& device, Index n, const std::vector<double>& sigma) {
  std::vector<double> ratios = device.row_products(sigma), norms;
  for (std::size_t j = 0; j < sigma.size(); ++j) norms.push_back(ratios[j] * sigma[j]);
  if (!lacks_components(norms, n)) return ratios;
  std::vector<int> places(sigma.size());
  int place = 0;
  for (const Index j : descending_indices(sigma)) places[j] = place++;
  norms = device.add_components(norms, places, negligible_cosine<double>(n));
  for (std::size_t j = 0; j < sigma.size(); ++j) ratios[j] = sigma[j] > 0 ? norms[j] / sigma[j] : 0;
  return ratios;
}

template <class T>
EighParts<T> solve(EighMachinery<T>& machinery, const ScaledInput<T>& input, const EighOptions& options) {
  EighParts<T> parts;
  const Timer timer;
  DeviceSignedFactor factors = factor(machinery, input, options, parts.compute_seconds);
  std::vector<int> J = std::move(factors.J);
  parts.rank = std::ssize(J);
  parts.zeros = factors.zeros;
  if (parts.rank < input.given.A.rows) parts.zero_rows = machinery.device->zero_columns(input.given.A);
  parts.factor_seconds = timer.seconds();
  HsvdResult<T>& hsvd = parts.hsvd;
  if (parts.rank == 0) {
    hsvd.status = Status::passed;
    return parts;
  }
  EighDevice<T>& device = *machinery.device;
  if (options.variant.spectral) {
    device.import_a(input.given.A, input.exponent);
    const Timer spectral_timer;
    parts.spectral = precondition(device, J);
    parts.spectral_seconds = spectral_timer.seconds();
    parts.compute_seconds += parts.spectral_seconds;
  }
  const Timer sweep_timer;
  const CallerMatrix Y = parts.spectral.used ? device.y() : device.copy_of_g();
  DeviceHsvdResult values = sweep(machinery, input.given.A.rows, J, Y, sweep_options(options));
  hsvd.status = values.status;
  hsvd.message = std::move(values.message);
  hsvd.sigma = std::move(values.sigma);
  hsvd.J = std::move(values.J);
  hsvd.estimate = std::move(values.estimate);
  hsvd.sweeps = std::move(values.sweeps);
  parts.compute_seconds += values.compute_seconds;
  parts.sweep_seconds = sweep_timer.seconds();
  const Timer error_timer;
  for (const double ratio : products_with_components(device, input.given.A.rows, hsvd.sigma))
    parts.errors.push_back(std::numeric_limits<double>::epsilon() * ratio * ratio);
  parts.compute_seconds += error_timer.seconds();
  return parts;
}

/// Sizes of the pieces of a workspace.
struct Pieces {
  std::size_t factorizer, device, solver;
};
template <class T>
Pieces pieces_of(Index n, const EighOptions& options, bool compute_v) {
  HsvdOptions sweeps = sweep_options(options);
  sweeps.compute_v = compute_v;
  return {ldlt_device::workspace_bytes<T>(factorization_plan<T>(n, factorization_options(options))),
          eigh_workspace_bytes<T>(n), solver_workspace_bytes(is_complex<T>, n, sweeps)};
}

/// Calls make(factorization plan, place of the factorizer, of the device's part, of the solver) in a workspace or null.
template <class T, class Make>
EighMachinery<T> in_workspace(Index n, const EighOptions& options, void* workspace, bool compute_v, const Make& make) {
  const ldlt_device::FactorizationPlan plan = factorization_plan<T>(n, factorization_options(options));
  if (workspace == nullptr) return make(plan, nullptr, nullptr, nullptr);
  const Pieces pieces = pieces_of<T>(n, options, compute_v);
  auto* const first = static_cast<std::byte*>(workspace);
  return make(plan, first, first + pieces.factorizer, first + pieces.factorizer + pieces.device);
}

}  // namespace

// The solver with the fewest columns has the most rows of the border, of those with the same order.
std::size_t solver_workspace_bytes(bool complex, Index n, const HsvdOptions& options) {
  const SolverPlan most = make_plan(complex, n, n, options);
  return workspace_bytes(make_plan(complex, n, std::max<Index>(1, most.order - 2 * most.width + 1), options));
}

template <class T>
std::size_t eigh_workspace_bytes(Index n, const EighOptions& options, bool compute_v) {
  const Pieces pieces = pieces_of<T>(n, options, compute_v);
  return pieces.factorizer + pieces.device + pieces.solver;
}

template <class T>
EighMachinery<T> make_cuda_machinery(Index n, const EighOptions& options, void* workspace,
                                     const std::optional<CallerStream>& stream, bool compute_v) {
  return in_workspace<T>(
      n, options, workspace, compute_v, [&](const auto& plan, void* factorizer, void* device, void* solver) {
        return EighMachinery<T>{on_cuda<ldlt_device::make_cuda_factorizer<T>>(plan, factorizer, stream),
                                on_cuda<make_cuda_eigh<T>>(n, device, stream),
                                [solver, stream](const SolverPlan& solver_plan) {
                                  return on_cuda<make_cuda_solver>(solver_plan, solver, stream);
                                }};
      });
}

template <class T>
EighMachinery<T> make_emulated_machinery(Index n, const EighOptions& options, LaneOrder order, void* workspace,
                                         bool compute_v) {
  return in_workspace<T>(n, options, workspace, compute_v,
                         [&](const auto& plan, void* factorizer, void* device, void* solver) {
                           return EighMachinery<T>{ldlt_device::make_emulated_factorizer<T>(plan, order, factorizer),
                                                   make_emulated_eigh<T>(n, order, device),
                                                   [solver, order](const SolverPlan& solver_plan) {
                                                     return make_emulated_solver(solver_plan, order, solver);
                                                   }};
                         });
}

template <class T>
EighParts<T> solve_given(EighMachinery<T>& machinery, MatrixView<const T> A, const EighOptions& options, int& k) {
  const ldlt_device::GivenMatrix<T> given{A};
  const ldlt_device::ColumnSize size = checked_size(*machinery.factorizer, given, Symmetry::hermitian);
  k = quarter_exponent(size.part);
  return solve<T>(machinery, {given, size.modulus, 2 * k}, options);
}

template <class T>
DeviceSignedFactor factor_given(EighMachinery<T>& machinery, MatrixView<const T> A, const EighOptions& options) {
  const ldlt_device::GivenMatrix<T> given{A, true, false};
  const double size = checked_size(*machinery.factorizer, given, Symmetry::hermitian).modulus;
  double compute_seconds = 0;
  return factor<T>(machinery, {given, size, 0}, options, compute_seconds);
}

template <class T>
DeviceHsvdResult sweep(EighMachinery<T>& machinery, Index n, const std::vector<int>& J, const CallerMatrix& Y,
                       const HsvdOptions& options, const CallerMatrix& V) {
  const Index rank = std::ssize(J);
  const SolverPlan plan = make_plan(is_complex<T>, n, rank, options);
  if (machinery.rank != rank) {
    machinery.solver = nullptr;
    machinery.solver = machinery.make_solver(plan);
    machinery.rank = rank;
  }
  return decompose(*machinery.solver, plan, Y, J, options, Y, V);
}

template <class T>
void check_elements(MatrixView<const T> A, const EighOptions& options) {
  const LdltOptions ldlt_options = factorization_options(options);
  detail::largest_parts(A, 'A', thread_count(options.threads));
  pack<T>(A, ldlt_options.triangle, ldlt_options.symmetry);
}

namespace {

/// Solves for a matrix of the host.
template <class T>
EighResult<T> solve_on_host_matrix(EighMachinery<T> machinery, MatrixView<const T> A, const EighOptions& options) try {
  const Index n = A.rows;
  EighResult<T> result;
  if (options.vectors) result.U = Matrix<T>::uninitialized(n, n);
  int k = 0;
  EighParts<T> parts = [&] {
    const FirstTouch touch(options.threads, result.U);
    return solve_given(machinery, machinery.device->upload_to_y(A), options, k);
  }();
  const std::vector<Index> order = store_all_but_vectors(parts, n, k, result);
  if (!options.vectors) return result;
  machinery.device->download_y({order.begin(), order.end()}, result.U.data());
  if (result.inertia.zero > 0) complete_columns<T>(result.U, thread_count(options.threads));
  return result;
} catch (const InputError&) {
  check_elements(A, options);
  throw;
}

}  // namespace

template <class T>
EighResult<T> eigh_on_cuda(MatrixView<const T> A, const EighOptions& options) {
  return solve_on_host_matrix<T>(make_cuda_machinery<T>(A.rows, options), A, options);
}

template <class T>
EighResult<T> eigh_emulated(MatrixView<const T> A, const EighOptions& options, LaneOrder order) {
  return solve_on_host_matrix<T>(make_emulated_machinery<T>(A.rows, options, order), A, options);
}

using Complex = std::complex<double>;
template decltype(check_elements<double>) check_elements<double>;
template decltype(check_elements<Complex>) check_elements<Complex>;
template std::size_t eigh_workspace_bytes<double>(Index, const EighOptions&, bool);
template EighMachinery<double> make_cuda_machinery(Index, const EighOptions&, void*, const std::optional<CallerStream>&,
                                                   bool);
template EighMachinery<double> make_emulated_machinery(Index, const EighOptions&, LaneOrder, void*, bool);
template EighParts<double> solve_given(EighMachinery<double>&, MatrixView<const double>, const EighOptions&, int&);
template DeviceSignedFactor factor_given(EighMachinery<double>&, MatrixView<const double>, const EighOptions&);
template DeviceHsvdResult sweep(EighMachinery<double>&, Index, const std::vector<int>&, const CallerMatrix&,
                                const HsvdOptions&, const CallerMatrix&);
template EighResult<double> eigh_on_cuda(MatrixView<const double>, const EighOptions&);
template EighResult<double> eigh_emulated(MatrixView<const double>, const EighOptions&, LaneOrder);
template std::size_t eigh_workspace_bytes<Complex>(Index, const EighOptions&, bool);
template EighMachinery<Complex> make_cuda_machinery(Index, const EighOptions&, void*,
                                                    const std::optional<CallerStream>&, bool);
template EighMachinery<Complex> make_emulated_machinery(Index, const EighOptions&, LaneOrder, void*, bool);
template EighParts<Complex> solve_given(EighMachinery<Complex>&, MatrixView<const Complex>, const EighOptions&, int&);
template DeviceSignedFactor factor_given(EighMachinery<Complex>&, MatrixView<const Complex>, const EighOptions&);
template DeviceHsvdResult sweep(EighMachinery<Complex>&, Index, const std::vector<int>&, const CallerMatrix&,
                                const HsvdOptions&, const CallerMatrix&);
template EighResult<Complex> eigh_on_cuda(MatrixView<const Complex>, const EighOptions&);
template EighResult<Complex> eigh_emulated(MatrixView<const Complex>, const EighOptions&, LaneOrder);

}  // namespace pivotlab::jacobi
