// SPDX-License-Identifier: BSD-3-Clause
// The GSVD of any pair by LAPACK's xGGSVD3, with its result in the layout of gsvd_any().
#include <fmt/format.h>
#include <kernels/baselines/baseline_table.hpp>
#include <kernels/gsvd/shared/pair.hpp>
#include <kernels/libraries/orthogonal.hpp>
#include <kernels/libraries/padded.hpp>
#include <kernels/numerics/order.hpp>
#include <pivotlab/baselines.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd_any.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab {
namespace {

/// The factors that xGGSVD3 returns: UᴴFQ = D₁·[0 R], VᴴGQ = D₂·[0 R], with R in F and, if m_F < k + l, the rest in G.
template <class T>
struct Factors {
  lapack::Padded<T> F, G, U, V, Q;
  std::vector<double> alpha, beta;
  lapack_int k = 0, l = 0, info = 0;

  Factors(MatrixView<const T> f, MatrixView<const T> g)
      : F(f), G(g), U(f.rows, f.rows), V(g.rows, g.rows), Q(f.cols, f.cols) {
    alpha.resize(f.cols), beta.resize(f.cols);
    info = lapack::ggsvd3<T>(F, G, k, l, alpha.data(), beta.data(), U, V, Q);
  }

  Matrix<T> triangle() const {
    const Index m = F.rows(), n = Q.cols(), r = k + l;
    Matrix<T> R(r, r);
    for (Index j = 0; j < r; ++j)
      for (Index i = 0; i <= j; ++i) R(i, j) = i < m ? F.view()(i, n - r + j) : G.view()(i - k, n - r + j);
    return R;
  }
};

template <class T>
void fill(const Factors<T>& factors, AnyGsvdResult<T>& result) {
  const Index k = factors.k, l = factors.l, r = k + l, n = factors.Q.cols();
  result.reduced = true;
  result.k = k, result.l = l, result.r = r;
  std::vector<double> sigma;
  for (Index j = 0; j < r; ++j)
    sigma.push_back(j < k ? std::numeric_limits<double>::infinity() : factors.alpha[j] / factors.beta[j]);
  const std::vector<Index> order = descending_indices(sigma);  // the k infinite ones first, as they are

  const Matrix<T> R = factors.triangle();
  if (!std::isfinite(detail::largest_part<T>(std::span<const T>(R.data(), R.size()))))
    throw baselines::DecompositionFailed("xGGSVD3: numbers of R overflow");
  Matrix<T> sorted(r, r);
  result.U = Matrix<T>(factors.U.rows(), r), result.V = Matrix<T>(factors.V.rows(), r);
  for (Index j = 0; j < r; ++j) {
    const Index from = order[j];
    result.sigma.push_back(sigma[from]);
    result.sigma_f.push_back(factors.alpha[from]);
    result.sigma_g.push_back(factors.beta[from]);
    if (from < factors.U.cols()) std::ranges::copy(factors.U.view().col(from), result.U.col(j).begin());
    // V's first l columns belong to the finite σ; the next ones complete them.
    const Index of_v = from < k ? l + from : from - k;
    if (of_v < factors.V.cols()) std::ranges::copy(factors.V.view().col(of_v), result.V.col(j).begin());
    for (Index i = 0; i < r; ++i) sorted(j, i) = R(from, i);
  }

  // Sorting the rows of [0 R] makes one more RQ factorization necessary.
  result.Q = factors.Q.compact();
  const auto rq = lapack::rq<T>(sorted);
  for (Index j = 0; j < r; ++j) std::fill_n(sorted.col(j).begin(), r, T(0));
  for (Index j = 0; j < r; ++j) std::copy_n(rq.A.col(j).begin(), j + 1, sorted.col(j).begin());
  const MatrixView<T> last = result.Q.view().cols_range(n - r, r);
  lapack::multiply_by_adjoint<T>(last, rq);
  result.R = std::move(sorted);
  result.Z = Matrix<T>(MatrixView<const T>(last));
  if (r > 0) lapack::trsm<T>(Side::right, Triangle::upper, Op::none, result.R.view(), result.Z);
}

}  // namespace

template <class T>
AnyGsvdResult<T> solve_any_gsvd_with_baseline(std::string_view name, MatrixView<const T> F, MatrixView<const T> G,
                                              int threads) {
  constexpr std::string_view known = is_complex<T> ? "lapack:zggsvd3" : "lapack:dggsvd3";
  if (name != known) {
    const std::vector<BaselineInfo> all = list_gsvd_baselines(scalar_type<T>);
    (void)baselines::find_baseline(name, all, is_complex<T> ? "complex pairs" : "real pairs");
    throw NotSupported(fmt::format(
        "baseline '{}': takes no pair with fewer rows than columns or a G of deficient rank; use {}", name, known));
  }
  lapack::require(fmt::format("baseline '{}'", name));
  if (F.cols != G.cols)
    throw InputError(fmt::format("the pair: F has {} columns and G has {}; they must have the same number of columns",
                                 F.cols, G.cols));
  detail::largest_parts(F, 'F', 1);  // for their check of the elements
  detail::largest_parts(G, 'G', 1);
  return baselines::solved<AnyGsvdResult<T>>(threads, [&](AnyGsvdResult<T>& result) {
    const ScopeTimer timer(result.compute_seconds);
    const Factors<T> factors(F, G);
    if (factors.info > 0)
      throw baselines::DecompositionFailed(fmt::format("xGGSVD3: xTGSJA did not converge (info = {})", factors.info));
    fill(factors, result);
  });
}

template decltype(solve_any_gsvd_with_baseline<double>) solve_any_gsvd_with_baseline<double>;
template decltype(solve_any_gsvd_with_baseline<lapack::Complex>) solve_any_gsvd_with_baseline<lapack::Complex>;

}  // namespace pivotlab
