// Baselines of the generalized hyperbolic SVD in their common form.
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/baselines/gsvd_baseline.hpp>
#include <kernels/baselines/jacobi_baseline.hpp>
#include <kernels/jacobi/shared/problem.hpp>
#include <kernels/libraries/blas.hpp>

namespace pivotlab {

std::vector<BaselineInfo> list_ghsvd_baselines(ScalarType type) {
  return type == ScalarType::d ? baselines::list(baselines::lapack_ghsvd_baselines<double>())
                               : baselines::list(baselines::lapack_ghsvd_baselines<std::complex<double>>());
}

template <class T>
GhsvdResult<T> solve_ghsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                         const std::vector<int>& J, int threads) {
  const auto& baseline = baselines::find_baseline(name, baselines::lapack_ghsvd_baselines<T>(),
                                                  is_complex<T> ? "complex pairs" : "real pairs");
  jacobi::require_pair(F, G, J);
  detail::largest_parts(F, 'F', 1);  // requires finite elements
  detail::largest_parts(G, 'G', 1);
  const lapack::BlasThreads scope(threads);
  GhsvdResult<T> result;
  try {
    if (F.cols > 0) baseline.solve(F, G, J.empty() ? std::vector<int>(static_cast<std::size_t>(F.rows), 1) : J, result);
    result.status = Status::passed;
  } catch (const baselines::DecompositionFailed& failure) {
    const double seconds = result.compute_seconds;
    result = {};
    result.compute_seconds = seconds;
    result.message = failure.what();
  }
  return result;
}

using Complex = std::complex<double>;
template GhsvdResult<double> solve_ghsvd_with_baseline(std::string_view, MatrixView<const double>,
                                                       MatrixView<const double>, const std::vector<int>&, int);
template GhsvdResult<Complex> solve_ghsvd_with_baseline(std::string_view, MatrixView<const Complex>,
                                                        MatrixView<const Complex>, const std::vector<int>&, int);

}  // namespace pivotlab
