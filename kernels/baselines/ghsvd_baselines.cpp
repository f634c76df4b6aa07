// SPDX-License-Identifier: BSD-3-Clause
// Baselines of the generalized hyperbolic SVD in their common form.
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/jacobi/shared/problem.hpp>

namespace pivotlab {

using Complex = std::complex<double>;

namespace {

template <class T>
std::vector<baselines::GhsvdBaseline<T>> all_baselines() {
  return baselines::joined(baselines::lapack_ghsvd_baselines<T>(), {});
}

}  // namespace

std::vector<BaselineInfo> list_ghsvd_baselines(ScalarType type) {
  return baselines::list(type, all_baselines<double>(), all_baselines<Complex>());
}

template <class T>
GhsvdResult<T> solve_ghsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                         const std::vector<int>& J, int threads) {
  const auto all = all_baselines<T>();
  const auto& baseline = baselines::find_baseline(name, all, pick<T>("real pairs", "complex pairs"));
  jacobi::require_pair(F, G, J);
  detail::largest_parts(F, 'F', 1);  // requires finite elements
  detail::largest_parts(G, 'G', 1);
  return baselines::solved<GhsvdResult<T>>(threads, [&](GhsvdResult<T>& result) {
    if (F.cols > 0) baseline.solve(F, G, J.empty() ? std::vector<int>(F.rows, 1) : J, result);
  });
}

template decltype(solve_ghsvd_with_baseline<double>) solve_ghsvd_with_baseline<double>;
template decltype(solve_ghsvd_with_baseline<Complex>) solve_ghsvd_with_baseline<Complex>;

}  // namespace pivotlab
