// Driver of the Hermitian eigensolver on a device.
#include "kernels/jacobi/device/device_eigh.hpp"

#include "kernels/jacobi/device/columns_of_g.hpp"
#include "kernels/jacobi/device/device_hsvd.hpp"
#include "kernels/jacobi/shared/signed_factor.hpp"
#include "kernels/jacobi/shared/spectral_rules.hpp"
#include "kernels/ldlt/device/device_ldlt.hpp"
#include "kernels/numerics/zeros.hpp"
#include "support/timer.hpp"

#include <complex>
#include <functional>
#include <utility>

namespace pivotlab::jacobi {
namespace {

/// The backend's part of a solution.
template <class T>
struct Backends {
  std::function<ResidentFactors<T>(PackedTriangle<T>, const LdltOptions&)> eliminate;
  std::function<std::unique_ptr<DeviceSolver>(const SolverPlan&)> make_solver;
  std::unique_ptr<EighDevice<T>> device;
};

/// Sets G on the device and returns J. The matrix may have rank less than n.
template <class T>
std::vector<int> factor(MatrixView<const T> A, const EighOptions& options, const Backends<T>& backends,
                        double& compute_seconds) {
  const LdltOptions ldlt_options = factorization_options(options);
  ResidentFactors<T> resident =
      backends.eliminate(pack<T>(A, ldlt_options.triangle, ldlt_options.symmetry), ldlt_options);
  EighDevice<T>& device = *backends.device;
  const LdltFactorization<T>& f = resident.factors;
  const Timer timer;
  compute_seconds += f.compute_seconds;
  const ResidentColumns<T> columns = columns_of_g(f);
  const std::vector<int> rows(f.permutation.begin(), f.permutation.end());
  device.make_g(resident.factorizer->triangle(), columns.of_g, rows);
  std::vector<int> J = columns.J;
  if (columns.singular || has_noise_pivots(f, device.row_norms(rows, columns.leading))) {
    SignedFactor<T> remaining = signed_factor(complete(std::move(resident), ldlt_options));
    device.upload_g(remaining.G.data(), remaining.G.cols());
    J = std::move(remaining.J);
  }
  compute_seconds += timer.seconds();
  return J;
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

template <class T>
EighParts<T> solve(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps,
                   const Backends<T>& backends) {
  EighParts<T> parts;
  const Timer timer;
  std::vector<int> J = factor(A, options, backends, parts.compute_seconds);
  parts.rank = std::ssize(J);
  parts.factor_seconds = timer.seconds();
  HsvdResult<T>& hsvd = parts.hsvd;
  if (parts.rank == 0) {
    hsvd.status = Status::passed;
    hsvd.U = Matrix<T>(A.rows, 0);
    return parts;
  }
  EighDevice<T>& device = *backends.device;
  if (options.variant.spectral) {
    device.upload_a(A.data, A.stride);
    const Timer spectral_timer;
    parts.spectral = precondition(device, J);
    parts.spectral_seconds = spectral_timer.seconds();
    parts.compute_seconds += parts.spectral_seconds;
  }
  const Timer sweep_timer;
  const CallerMatrix Y = parts.spectral.used ? device.y() : device.copy_of_g();
  {
    const SolverPlan plan = make_plan(is_complex<T>, A.rows, parts.rank, sweeps);
    const std::unique_ptr<DeviceSolver> solver = backends.make_solver(plan);
    DeviceHsvdValues values = decompose(*solver, plan, Y, J, sweeps, Y, CallerMatrix{});
    hsvd.status = values.status;
    hsvd.message = std::move(values.message);
    hsvd.sigma = std::move(values.sigma);
    hsvd.J = std::move(values.J);
    hsvd.estimate = std::move(values.estimate);
    hsvd.sweeps = std::move(values.sweeps);
    parts.compute_seconds += values.compute_seconds;
  }
  parts.sweep_seconds = sweep_timer.seconds();
  const Timer error_timer;
  for (const double ratio : device.row_products(hsvd.sigma))
    parts.errors.push_back(std::numeric_limits<double>::epsilon() * ratio * ratio);
  parts.compute_seconds += error_timer.seconds();
  if (!options.vectors) return parts;
  hsvd.U = zeros<T>(A.rows, parts.rank, options.threads);
  device.download_y(hsvd.U.data());
  return parts;
}

}  // namespace

template <class T>
EighParts<T> eigh_on_cuda(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps) {
  return solve<T>(
      A, options, sweeps,
      {eliminate_on_cuda<T>, [](const SolverPlan& plan) { return make_cuda_solver(plan); }, make_cuda_eigh<T>(A.rows)});
}

template <class T>
EighParts<T> eigh_emulated(MatrixView<const T> A, const EighOptions& options, const HsvdOptions& sweeps,
                           LaneOrder order) {
  const auto eliminate = [order](PackedTriangle<T> triangle, const LdltOptions& ldlt_options) {
    return eliminate_emulated<T>(std::move(triangle), ldlt_options, order);
  };
  return solve<T>(A, options, sweeps,
                  {eliminate, [order](const SolverPlan& plan) { return make_emulated_solver(plan, order); },
                   make_emulated_eigh<T>(A.rows, order)});
}

using Complex = std::complex<double>;
template EighParts<double> eigh_on_cuda(MatrixView<const double>, const EighOptions&, const HsvdOptions&);
template EighParts<Complex> eigh_on_cuda(MatrixView<const Complex>, const EighOptions&, const HsvdOptions&);
template EighParts<double> eigh_emulated(MatrixView<const double>, const EighOptions&, const HsvdOptions&, LaneOrder);
template EighParts<Complex> eigh_emulated(MatrixView<const Complex>, const EighOptions&, const HsvdOptions&, LaneOrder);

}  // namespace pivotlab::jacobi
