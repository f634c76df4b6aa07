#include <kernels/baselines/baseline_table.hpp>
#include <kernels/baselines/cusolver_eig.hpp>
#include <kernels/baselines/eig_baseline.hpp>
#include <kernels/eig/shared/decomposition.hpp>
#include <kernels/libraries/blas.hpp>

namespace pivotlab {
namespace {

using baselines::EigBaseline;
using Complex = std::complex<double>;

constexpr std::string_view on_gpu = "the same on the GPU, right eigenvectors only";
constexpr std::string_view mixed = "the same in mixed precision with refinement (cuSOLVER 12.4)";

/// The baselines of both libraries. cuSOLVER's is listed in every build; it throws NotSupported where it cannot run.
template <class T>
const std::vector<EigBaseline<T>>& all_baselines() {
  static const std::vector<EigBaseline<T>> all = [] {
    const auto lapack = baselines::lapack_eig_baselines<T>();
    std::vector<EigBaseline<T>> baselines(lapack.begin(), lapack.end());
    constexpr bool real = !is_complex<T>;
    baselines.push_back({real ? "cusolver:dgeev" : "cusolver:zgeev", on_gpu, baselines::cusolver_geev<T>});
    baselines.push_back(
        {real ? "cusolver:dgeev;mixed" : "cusolver:zgeev;mixed", mixed, baselines::cusolver_geev_mixed<T>});
    return baselines;
  }();
  return all;
}

Matrix<Complex> permuted(const Matrix<Complex>& X, const std::vector<Index>& order) {
  Matrix<Complex> result(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) std::ranges::copy(X.col(order[j]), result.col(j).begin());
  return result;
}

/// Sorts the result in the order of eig().
void complete(EigResult<double>& result) {
  std::vector<Complex> values;
  result.positions = eig_detail::descending(result.eigenvalues);
  for (const Index k : result.positions) values.push_back(result.eigenvalues[k]);
  result.eigenvalues = std::move(values);
  result.V = permuted(result.V, result.positions);
  result.W = permuted(result.W, result.positions);
  result.positions.clear();
  result.status = Status::passed;
}

}  // namespace

std::vector<BaselineInfo> list_eig_baselines(ScalarType type) {
  return type == ScalarType::d ? baselines::list(all_baselines<double>()) : baselines::list(all_baselines<Complex>());
}

template <class T>
EigResult<double> solve_eig_with_baseline(std::string_view name, MatrixView<const T> A, bool left, int threads) {
  const EigBaseline<T>& baseline =
      baselines::find_baseline(name, all_baselines<T>(), is_complex<T> ? "complex matrices" : "real matrices");
  eig_detail::require_square_and_finite(A);
  const lapack::BlasThreads scope(threads);
  EigResult<double> result;
  if (A.rows == 0 || baseline.solve(A, left, result)) {
    complete(result);
    return result;
  }
  EigResult<double> nothing;
  nothing.compute_seconds = result.compute_seconds;
  nothing.status = Status::not_converged;
  nothing.message = "the QR algorithm does not converge";
  return nothing;
}

template EigResult<double> solve_eig_with_baseline(std::string_view, MatrixView<const double>, bool, int);
template EigResult<double> solve_eig_with_baseline(std::string_view, MatrixView<const Complex>, bool, int);

}  // namespace pivotlab
