// SPDX-License-Identifier: BSD-3-Clause
// Baselines of the Hermitian eigensolver and of the singular value decomposition in their common form.
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/gsvd/shared/pair.hpp>
#include <kernels/ldlt/shared/input.hpp>
#include <kernels/numerics/dense.hpp>
#include <kernels/numerics/zeros.hpp>

#include <algorithm>

namespace pivotlab {
namespace {

using namespace baselines;
using Complex = std::complex<double>;

template <class T>
constexpr std::string_view real_or_complex = pick<T>("real matrices", "complex matrices");

template <class T>
const std::vector<EighBaseline<T>>& eigh_baselines() {
  static const auto all = joined(
      lapack_eigh_baselines<T>(),
      {{pick<T>("cusolver:dsyevd", "cusolver:zheevd"), "Tridiagonal form, divide and conquer, on the GPU",
        on_gpu<cusolver_heevd<T>>},
       {pick<T>("cusolver:dsyevd;two-stage", "cusolver:zheevd;two-stage"),
        "The same in two stages, by a band matrix (cuSOLVER 12.4)", on_gpu<cusolver_heevd_two_stage<T>>},
       {pick<T>("cusolver:dsyevj", "cusolver:zheevj"),
        "Two-sided Jacobi on the GPU, to tolerance 1e-15 in at most 100 sweeps", on_gpu<cusolver_heevj<T>>},
       {pick<T>("cusolver:dstedc;two-stage", "cusolver:zstedc;two-stage"),
        "Own reduction in two stages on the GPU, divide and conquer of cuSOLVER 12.4", on_gpu<cusolver_stedc<T>>}});
  return all;
}

template <class T>
const std::vector<SvdBaseline<T>>& svd_baselines() {
  static const auto all = joined(lapack_svd_baselines<T>(),
                                 {{pick<T>("cusolver:dgesvdj", "cusolver:zgesvdj"),
                                   "One-sided Jacobi on the GPU, to its default accuracy", on_gpu<cusolver_gesvdj<T>>},
                                  {pick<T>("cusolver:dgesvdp", "cusolver:zgesvdp"), "Polar decomposition on the GPU",
                                   on_gpu<cusolver_gesvdp<T>>}});
  return all;
}

}  // namespace

std::vector<BaselineInfo> list_eigh_baselines(ScalarType type) {
  return baselines::list(type, eigh_baselines<double>(), eigh_baselines<Complex>());
}

std::vector<BaselineInfo> list_svd_baselines(ScalarType type) {
  return baselines::list(type, svd_baselines<double>(), svd_baselines<Complex>());
}

template <class T>
EighResult<T> solve_eigh_with_baseline(std::string_view name, MatrixView<const T> A, int threads) {
  const auto& baseline = find_baseline(name, eigh_baselines<T>(), real_or_complex<T>);
  if (A.rows != A.cols) throw InputError(fmt::format("matrix A: it is {} x {}; it must be square", A.rows, A.cols));
  detail::largest_parts(A, 'A', thread_count(threads));  // for its check of the elements
  ldlt_detail::require_real_diagonal(A);
  ldlt_detail::require_symmetric<true>(A, threads);
  return solved<EighResult<T>>(threads, [&](EighResult<T>& result) {
    if (A.rows > 0) baseline.solve(A, result);
    std::ranges::reverse(result.eigenvalues);
#pragma omp parallel for num_threads(thread_count(threads)) schedule(static)
    for (Index j = 0; j < result.U.cols() / 2; ++j)
      std::ranges::swap_ranges(result.U.col(j), result.U.col(result.U.cols() - 1 - j));
    for (const double x : result.eigenvalues)
      (x > 0 ? result.inertia.positive : x < 0 ? result.inertia.negative : result.inertia.zero) += 1;
  });
}

template <class T>
HsvdResult<T> solve_svd_with_baseline(std::string_view name, MatrixView<const T> G, int threads) {
  const auto& baseline = find_baseline(name, svd_baselines<T>(), real_or_complex<T>);
  if (G.rows < G.cols) {  // G*·U = V·Σ
    HsvdResult<T> result = solve_svd_with_baseline<T>(name, matrix_of(adjoint(G)), threads);
    std::swap(result.U, result.V);
    return result;
  }
  detail::largest_parts(G, 'G', thread_count(threads));
  return solved<HsvdResult<T>>(threads, [&](HsvdResult<T>& result) {
    if (G.cols > 0)
      baseline.solve(G, result);
    else
      result.U = Matrix<T>(G.rows, 0);
    result.J.assign(result.sigma.size(), 1);
  });
}

template decltype(solve_eigh_with_baseline<double>) solve_eigh_with_baseline<double>;
template decltype(solve_eigh_with_baseline<Complex>) solve_eigh_with_baseline<Complex>;
template decltype(solve_svd_with_baseline<double>) solve_svd_with_baseline<double>;
template decltype(solve_svd_with_baseline<Complex>) solve_svd_with_baseline<Complex>;

}  // namespace pivotlab
