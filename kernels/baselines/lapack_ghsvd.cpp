// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD by LAPACK.
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/normal_equations.hpp>

namespace pivotlab::baselines {
namespace {

/// Returns the rows of F whose signs are equal to `sign`.
template <class T>
lapack::Padded<T> rows_of_sign(MatrixView<const T> F, const std::vector<int>& J, int sign) {
  lapack::Padded<T> rows(std::ranges::count(J, sign), F.cols);
  for (Index j = 0; j < F.cols; ++j)
    for (Index i = 0, to = 0; i < F.rows; ++i)
      if (J[i] == sign) rows.view()(to++, j) = F(i, j);
  return rows;
}

/// Computes the upper triangle of K := FᴴJF; K is zero before.
template <class T>
void signed_gram(MatrixView<const T> F, const std::vector<int>& J, MatrixView<T> K) {
  lapack::Padded<T> negative(F.cols, F.cols);
  const lapack::Padded<T> added = rows_of_sign(F, J, 1), subtracted = rows_of_sign(F, J, -1);
  if (added.rows() > 0) lapack::gram<T>(Triangle::upper, added, K);
  if (subtracted.rows() > 0) lapack::gram<T>(Triangle::upper, subtracted, negative);
  for (Index j = 0; j < K.cols; ++j)
    for (Index i = 0; i <= j; ++i) K(i, j) -= negative.view()(i, j);
}

/// Stores λ and what follows from it: J', σ_F/σ_G = √|λ|, σ_F² + σ_G² = 1.
template <class T>
void store_value(double lambda, GhsvdResult<T>& result) {
  const double sigma = std::sqrt(std::abs(lambda)), length = std::hypot(1.0, sigma);
  const int sign = lambda > 0 ? 1 : lambda < 0 ? -1 : 0;
  (sign > 0 ? result.inertia.positive : sign < 0 ? result.inertia.negative : result.inertia.zero) += 1;
  result.eigenvalues.push_back(lambda);
  result.J.push_back(sign);
  result.sigma_f.push_back(sigma / length);
  result.sigma_g.push_back(1 / length);
}

/// xSYGVD/xHEGVD on (FᴴJF, GᴴG). Z = x·σ_G.
template <class T>
void solve_by_hegvd(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J, GhsvdResult<T>& result) {
  const Index n = F.cols;
  lapack::Padded<T> Z(n, n);
  const auto set_z = [&](const std::vector<double>& lambda, MatrixView<const T> X) -> MatrixView<const T> {
    for (Index j = 0; j < n; ++j) {
      const Index from = n - 1 - j;
      store_value(lambda[from], result);
      const double factor = result.sigma_g.back();
      std::ranges::transform(X.col(from), Z.view().col(j).begin(), [factor](const T& x) { return x * factor; });
    }
    return Z;
  };
  solve_by_normal_equations(
      F, G, result, [&](MatrixView<const T>, MatrixView<T> K) { signed_gram<T>(F, J, K); }, set_z);
}

}  // namespace

template <class T>
std::vector<GhsvdBaseline<T>> lapack_ghsvd_baselines() {
  return {{pick<T>("lapack:dsygvd", "lapack:zhegvd"), "Eigenvectors of F*JF - λG*G; fast, squares the condition",
           solve_by_hegvd<T>}};
}
template decltype(lapack_ghsvd_baselines<double>) lapack_ghsvd_baselines<double>;
template decltype(lapack_ghsvd_baselines<lapack::Complex>) lapack_ghsvd_baselines<lapack::Complex>;

}  // namespace pivotlab::baselines
