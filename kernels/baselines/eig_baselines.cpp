// SPDX-License-Identifier: BSD-3-Clause
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/eig/shared/decomposition.hpp>
#include <kernels/numerics/order.hpp>

namespace pivotlab {
namespace {

using namespace baselines;
using Complex = std::complex<double>;

template <class T>
const std::vector<EigBaseline<T>>& all_eig_baselines() {
  static const auto all =
      joined(lapack_eig_baselines<T>(),
             {{pick<T>("cusolver:dgeev", "cusolver:zgeev"), "the same on the GPU, right eigenvectors only",
               on_gpu<cusolver_geev<T>>},
              {pick<T>("cusolver:dgeev;mixed", "cusolver:zgeev;mixed"),
               "the same in mixed precision with refinement (cuSOLVER 12.4)", on_gpu<cusolver_geev_mixed<T>>}});
  return all;
}

/// Sorts the result in the order of eig().
void complete(EigResult<double>& result) {
  result.positions = eig_detail::descending(result.eigenvalues);
  result.eigenvalues = permuted(result.eigenvalues, result.positions);
  result.V = permuted(result.V, result.positions);
  result.W = permuted(result.W, result.positions);
  result.positions.clear();
}

}  // namespace

std::vector<BaselineInfo> list_eig_baselines(ScalarType type) {
  return baselines::list(type, all_eig_baselines<double>(), all_eig_baselines<Complex>());
}

template <class T>
EigResult<double> solve_eig_with_baseline(std::string_view name, MatrixView<const T> A, bool left, int threads) {
  const auto& baseline = find_baseline(name, all_eig_baselines<T>(), pick<T>("real matrices", "complex matrices"));
  eig_detail::require_square_and_finite(A);
  return solved<EigResult<double>>(threads, [&](EigResult<double>& result) {
    if (A.rows > 0) baseline.solve(A, left, result);
    complete(result);
  });
}

template decltype(solve_eig_with_baseline<double>) solve_eig_with_baseline<double>;
template decltype(solve_eig_with_baseline<Complex>) solve_eig_with_baseline<Complex>;

}  // namespace pivotlab
