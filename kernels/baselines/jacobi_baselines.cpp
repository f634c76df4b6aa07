// Baselines of the Hermitian eigensolver and of the singular value decomposition in their common form.
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/baselines/cusolver_jacobi.hpp>
#include <kernels/baselines/jacobi_baseline.hpp>
#include <kernels/gsvd/shared/pair.hpp>
#include <kernels/ldlt/shared/input.hpp>
#include <kernels/libraries/blas.hpp>
#include <kernels/numerics/zeros.hpp>

#include <algorithm>

namespace pivotlab {
namespace {

template <class T>
constexpr std::string_view real_or_complex = is_complex<T> ? "complex matrices" : "real matrices";

/// LAPACK's baselines and cuSOLVER's, which are listed in every build and throw NotSupported where they cannot run.
template <class Baseline>
std::vector<Baseline> joined(std::span<const Baseline> lapack, const std::vector<Baseline>& cusolver) {
  std::vector<Baseline> all(lapack.begin(), lapack.end());
  all.insert(all.end(), cusolver.begin(), cusolver.end());
  return all;
}

template <class T>
const std::vector<baselines::EighBaseline<T>>& eigh_baselines() {
  using Cusolver = baselines::CusolverJacobi<T>;
  static const auto all = joined<baselines::EighBaseline<T>>(
      baselines::lapack_eigh_baselines<T>(),
      {{is_complex<T> ? "cusolver:zheevd" : "cusolver:dsyevd", "Tridiagonal form, divide and conquer, on the GPU",
        Cusolver::heevd},
       {is_complex<T> ? "cusolver:zheevd;two-stage" : "cusolver:dsyevd;two-stage",
        "The same in two stages, by a band matrix (cuSOLVER 12.4)", Cusolver::heevd_two_stage},
       {is_complex<T> ? "cusolver:zheevj" : "cusolver:dsyevj",
        "Two-sided Jacobi on the GPU, to tolerance 1e-15 in at most 100 sweeps", Cusolver::heevj}});
  return all;
}

template <class T>
const std::vector<baselines::SvdBaseline<T>>& svd_baselines() {
  using Cusolver = baselines::CusolverJacobi<T>;
  static const auto all = joined<baselines::SvdBaseline<T>>(
      baselines::lapack_svd_baselines<T>(),
      {{is_complex<T> ? "cusolver:zgesvdj" : "cusolver:dgesvdj", "One-sided Jacobi on the GPU, to its default accuracy",
        Cusolver::gesvdj},
       {is_complex<T> ? "cusolver:zgesvdp" : "cusolver:dgesvdp", "Polar decomposition on the GPU", Cusolver::gesvdp}});
  return all;
}

}  // namespace

std::vector<BaselineInfo> list_eigh_baselines(ScalarType type) {
  return type == ScalarType::d ? baselines::list(eigh_baselines<double>())
                               : baselines::list(eigh_baselines<std::complex<double>>());
}

std::vector<BaselineInfo> list_svd_baselines(ScalarType type) {
  return type == ScalarType::d ? baselines::list(svd_baselines<double>())
                               : baselines::list(svd_baselines<std::complex<double>>());
}

template <class T>
EighResult<T> solve_eigh_with_baseline(std::string_view name, MatrixView<const T> A, int threads) {
  const auto& baseline = baselines::find_baseline(name, eigh_baselines<T>(), real_or_complex<T>);
  if (A.rows != A.cols) throw InputError(fmt::format("matrix A: it is {} x {}; it must be square", A.rows, A.cols));
  detail::largest_parts(A, 'A', thread_count(threads));  // for its check of the elements
  ldlt_detail::require_real_diagonal(A);
  ldlt_detail::require_symmetric<true>(A, threads);
  const lapack::BlasThreads scope(threads);
  EighResult<T> result;
  if (A.rows > 0 && !baseline.solve(A, result)) {
    EighResult<T> nothing;
    nothing.compute_seconds = result.compute_seconds;
    nothing.status = Status::not_converged;
    nothing.message = "the routine does not converge";
    return nothing;
  }
  std::ranges::reverse(result.eigenvalues);
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
  for (Index j = 0; j < result.U.cols() / 2; ++j)
    std::ranges::swap_ranges(result.U.col(j), result.U.col(result.U.cols() - 1 - j));
  for (const double x : result.eigenvalues)
    (x > 0 ? result.inertia.positive : x < 0 ? result.inertia.negative : result.inertia.zero) += 1;
  result.status = Status::passed;
  return result;
}

template <class T>
HsvdResult<T> solve_svd_with_baseline(std::string_view name, MatrixView<const T> G, int threads) {
  const auto& baseline = baselines::find_baseline(name, svd_baselines<T>(), real_or_complex<T>);
  if (G.rows < G.cols) {  // G*·U = V·Σ
    Matrix<T> adjoint(G.cols, G.rows);
    for (Index j = 0; j < G.cols; ++j)
      for (Index i = 0; i < G.rows; ++i) adjoint(j, i) = conjugate(G(i, j));
    HsvdResult<T> result = solve_svd_with_baseline<T>(name, adjoint, threads);
    std::swap(result.U, result.V);
    return result;
  }
  detail::largest_parts(G, 'G', thread_count(threads));
  const lapack::BlasThreads scope(threads);
  HsvdResult<T> result;
  if (G.cols == 0) result.U = Matrix<T>(G.rows, 0);
  if (G.cols > 0 && !baseline.solve(G, result)) {
    HsvdResult<T> nothing;
    nothing.compute_seconds = result.compute_seconds;
    nothing.status = Status::not_converged;
    nothing.message = "the routine does not converge";
    return nothing;
  }
  result.J.assign(result.sigma.size(), 1);
  result.status = Status::passed;
  return result;
}

using Complex = std::complex<double>;
template EighResult<double> solve_eigh_with_baseline(std::string_view, MatrixView<const double>, int);
template EighResult<Complex> solve_eigh_with_baseline(std::string_view, MatrixView<const Complex>, int);
template HsvdResult<double> solve_svd_with_baseline(std::string_view, MatrixView<const double>, int);
template HsvdResult<Complex> solve_svd_with_baseline(std::string_view, MatrixView<const Complex>, int);

}  // namespace pivotlab
