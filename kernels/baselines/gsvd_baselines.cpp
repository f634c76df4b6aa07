#include <fmt/format.h>
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/baselines/cusolver_gsvd.hpp>
#include <kernels/baselines/gsvd_baseline.hpp>
#include <kernels/gsvd/shared/pair.hpp>
#include <kernels/libraries/blas.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <ranges>

namespace pivotlab {
namespace {

using baselines::GsvdBaseline;

constexpr std::string_view normal_equations = "eigenvectors of FᴴF - λGᴴG on the GPU; fast, squares the condition";
constexpr std::string_view qr_and_polar_svd = "QR of [F; G] on the GPU, then the SVD of Q₁ by its polar decomposition";
constexpr std::string_view qr_and_jacobi_svd = "QR of [F; G] on the GPU, then the SVD of Q₁ by one-sided Jacobi";

/// The baselines of both libraries. Those on the GPU are listed in every build; they throw NotSupported where they
/// cannot run.
template <class T>
std::vector<GsvdBaseline<T>> make_baselines() {
  const auto lapack = baselines::lapack_baselines<T>();
  std::vector<GsvdBaseline<T>> all(lapack.begin(), lapack.end());
  constexpr bool real = !is_complex<T>;
  all.push_back(
      {real ? "cusolver:dsygvd" : "cusolver:zhegvd", normal_equations, baselines::CusolverGsvd<T>::normal_equations});
  all.push_back({real ? "cusolver:dgeqrf+dgesvdp" : "cusolver:zgeqrf+zgesvdp", qr_and_polar_svd,
                 baselines::CusolverGsvd<T>::qr_and_polar_svd});
  all.push_back({real ? "cusolver:dgeqrf+dgesvdj" : "cusolver:zgeqrf+zgesvdj", qr_and_jacobi_svd,
                 baselines::CusolverGsvd<T>::qr_and_jacobi_svd});
  return all;
}

template <class T>
std::span<const GsvdBaseline<T>> all_baselines() {
  static const std::vector<GsvdBaseline<T>> all = make_baselines<T>();
  return all;
}

/// Returns the columns of A in a new order.
template <class T>
Matrix<T> permuted(const Matrix<T>& A, const std::vector<Index>& order, int threads) {
  Matrix<T> result = Matrix<T>::uninitialized(A.rows(), A.cols());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < A.cols(); ++j)
    std::ranges::uninitialized_copy(A.col(order[static_cast<std::size_t>(j)]), result.col(j));
  return result;
}

template <class R>
std::vector<R> permuted(const std::vector<R>& values, const std::vector<Index>& order) {
  std::vector<R> result;
  for (const Index j : order) result.push_back(values[static_cast<std::size_t>(j)]);
  return result;
}

/// Computes σ and sorts: LAPACK's routines have different orders; here σ is descending for all.
template <class T>
void complete(GsvdResult<T>& result, int threads) {
  const std::size_t n = result.sigma_f.size();
  result.sigma.resize(n);
  std::ranges::transform(result.sigma_f, result.sigma_g, result.sigma.begin(), std::divides{});
  if (!std::ranges::all_of(result.sigma, [](double x) { return std::isfinite(x); }))
    throw baselines::DecompositionFailed("G is numerically not of full column rank: a σ_G vanishes or is not finite");

  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](Index j) { return result.sigma[static_cast<std::size_t>(j)]; });
  for (Matrix<T>* factor : {&result.U, &result.V, &result.Z}) *factor = permuted(*factor, order, threads);
  for (auto* values : {&result.sigma_f, &result.sigma_g, &result.sigma}) *values = permuted(*values, order);
  result.status = Status::passed;
}

}  // namespace

void baselines::check_hegvd(Index info, Index n) {
  if (info > n)
    throw DecompositionFailed(fmt::format(
        "xSYGVD: GᴴG is numerically not positive definite (leading minor of order {}); the normal equations square "
        "the condition of G",
        info - n));
  if (info > 0) throw DecompositionFailed(fmt::format("xSYGVD: xSYEVD did not converge (info = {})", info));
}

std::vector<BaselineInfo> list_gsvd_baselines(ScalarType type) {
  return type == ScalarType::d ? baselines::list(all_baselines<double>())
                               : baselines::list(all_baselines<std::complex<double>>());
}

template <class T>
GsvdResult<T> solve_gsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                       int threads) {
  const GsvdBaseline<T>& baseline =
      baselines::find_baseline(name, all_baselines<T>(), is_complex<T> ? "complex pairs" : "real pairs");
  check_pair<T>(F, G, thread_count(threads));  // with the rules and messages of the solver

  const lapack::BlasThreads scope(threads);
  GsvdResult<T> result;
  try {
    baseline.solve(F, G, result);
    complete(result, thread_count(threads));
  } catch (const baselines::DecompositionFailed& failure) {
    const double seconds = result.compute_seconds;
    result = {};
    result.compute_seconds = seconds;
    result.message = failure.what();
  }
  return result;
}

template GsvdResult<double> solve_gsvd_with_baseline(std::string_view, MatrixView<const double>,
                                                     MatrixView<const double>, int);
template GsvdResult<std::complex<double>> solve_gsvd_with_baseline(std::string_view,
                                                                   MatrixView<const std::complex<double>>,
                                                                   MatrixView<const std::complex<double>>, int);

}  // namespace pivotlab
