// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/gsvd/shared/pair.hpp>
#include <kernels/numerics/order.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <ranges>

namespace pivotlab {
namespace {

using namespace baselines;
using Complex = std::complex<double>;

template <class T>
const std::vector<GsvdBaseline<T>>& all_gsvd_baselines() {
  static const auto all = joined(
      lapack_gsvd_baselines<T>(),
      {{pick<T>("cusolver:dsygvd", "cusolver:zhegvd"),
        "eigenvectors of FᴴF - λGᴴG on the GPU; fast, squares the condition", on_gpu<cusolver_hegvd<T>>},
       {pick<T>("cusolver:dgeqrf+dgesvdp", "cusolver:zgeqrf+zgesvdp"),
        "QR of [F; G] on the GPU, then the SVD of Q₁ by its polar decomposition", on_gpu<cusolver_qr_and_gesvdp<T>>},
       {pick<T>("cusolver:dgeqrf+dgesvdj", "cusolver:zgeqrf+zgesvdj"),
        "QR of [F; G] on the GPU, then the SVD of Q₁ by one-sided Jacobi", on_gpu<cusolver_qr_and_gesvdj<T>>}});
  return all;
}

/// Computes σ and sorts: LAPACK's routines have different orders; here σ is descending for all.
template <class T>
void complete(GsvdResult<T>& result, int threads) {
  result.sigma.resize(result.sigma_f.size());
  std::ranges::transform(result.sigma_f, result.sigma_g, result.sigma.begin(), std::divides{});
  if (!std::ranges::all_of(result.sigma, [](double x) { return std::isfinite(x); }))
    throw DecompositionFailed("G is numerically not of full column rank: a σ_G vanishes or is not finite");

  const std::vector<Index> order = descending_indices(result.sigma);
  for (Matrix<T>* factor : {&result.U, &result.V, &result.Z}) *factor = permuted(*factor, order, threads);
  for (auto* values : {&result.sigma_f, &result.sigma_g, &result.sigma}) *values = permuted(*values, order);
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

std::vector<double> baselines::store_sigmas(const std::vector<double>& lambda, std::vector<double>& sigma_f,
                                            std::vector<double>& sigma_g) {
  std::vector<double> norm;
  for (const double square : lambda) {
    const double sigma = std::sqrt(std::max(square, 0.0));
    norm.push_back(std::hypot(1.0, sigma));
    sigma_f.push_back(sigma / norm.back());
    sigma_g.push_back(1.0 / norm.back());
  }
  return norm;
}

std::vector<BaselineInfo> list_gsvd_baselines(ScalarType type) {
  return baselines::list(type, all_gsvd_baselines<double>(), all_gsvd_baselines<Complex>());
}

template <class T>
GsvdResult<T> solve_gsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                       int threads) {
  const auto& baseline = find_baseline(name, all_gsvd_baselines<T>(), pick<T>("real pairs", "complex pairs"));
  check_pair<T>(F, G, thread_count(threads));  // with the rules and messages of the solver
  return solved<GsvdResult<T>>(threads, [&](GsvdResult<T>& result) {
    baseline.solve(F, G, result);
    complete(result, thread_count(threads));
  });
}

template decltype(solve_gsvd_with_baseline<double>) solve_gsvd_with_baseline<double>;
template decltype(solve_gsvd_with_baseline<Complex>) solve_gsvd_with_baseline<Complex>;

}  // namespace pivotlab
