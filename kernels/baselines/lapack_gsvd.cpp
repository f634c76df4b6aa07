// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by LAPACK, in three ways.
#include <fmt/format.h>
#include <kernels/baselines/baseline.hpp>
#include <kernels/baselines/normal_equations.hpp>
#include <kernels/libraries/lapack.hpp>
#include <kernels/libraries/padded.hpp>
#include <kernels/numerics/parts.hpp>

namespace pivotlab::baselines {
namespace {

using lapack::Padded;

/// Computes B := Aᴴ.
template <class T>
void adjoint(MatrixView<const T> A, MatrixView<T> B) {
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) B(j, i) = conjugate(A(i, j));
}

template <class T>
bool has_zero_on_diagonal(MatrixView<const T> R) {
  for (Index j = 0; j < R.cols; ++j)
    if (R(j, j) == T(0)) return true;
  return false;
}

/// Calls xGGSVD3: UᴴFQ = Σ_F·R, VᴴGQ = Σ_G·R with R of order k + l, where l = n and k = 0 if G has full column rank.
/// Then Z = Q·R⁻¹.
template <class T>
void solve_by_ggsvd3(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  const Index n = F.cols;
  Padded<T> A(F), B(G), U(F.rows, F.rows), V(G.rows, G.rows), Z(n, n);
  result.sigma_f.resize(n);
  result.sigma_g.resize(n);
  {
    const ScopeTimer timer(result.compute_seconds);
    lapack_int k = 0, l = 0;
    const lapack_int info = lapack::ggsvd3<T>(A, B, k, l, result.sigma_f.data(), result.sigma_g.data(), U, V, Z);
    if (info > 0) throw DecompositionFailed(fmt::format("xGGSVD3: xTGSJA did not converge (info = {})", info));
    const MatrixView<const T> R = A.view().block(0, 0, n, n);
    if (l < n || has_zero_on_diagonal(R))
      throw DecompositionFailed(fmt::format("xGGSVD3: G is numerically not of full column rank: rank {} of {}", l, n));
    lapack::trsm<T>(Side::right, Triangle::upper, Op::none, R, Z);
  }
  result.U = Matrix<T>(MatrixView<const T>(U.view().cols_range(0, n)));
  result.V = Matrix<T>(MatrixView<const T>(V.view().cols_range(0, n)));
  result.Z = Z.compact();
}

/// Solves the normal equations by xSYGVD/xHEGVD. xᴴGᴴGx = 1, so Z = x·σ_G.
template <class T>
void solve_pair_by_hegvd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  const auto set_k = [](MatrixView<const T> f, MatrixView<T> K) { lapack::gram(Triangle::upper, f, K); };
  const auto set_z = [&](const std::vector<double>& lambda, MatrixView<T> X) -> MatrixView<const T> {
    divide_columns<T>(X, store_sigmas(lambda, result.sigma_f, result.sigma_g));
    return X;
  };
  solve_by_normal_equations(F, G, result, set_k, set_z);
}

/// Computes [F; G] = [Q₁; Q₂]·R, Q₁ = U·Σ_F·Wᴴ by xGESDD, then Q₂W = V·Σ_G and Z = R⁻¹W. Σ_G must be the column norms
/// of Q₂W: √(1−σ_F²) would lose a small σ_G.
template <class T>
void solve_by_qr_and_svd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result) {
  const Index n = F.cols, m_f = F.rows, m_g = G.rows;
  Padded<T> Q(m_f + m_g, n), U(m_f, n), V(m_g, n), Z(n, n), Q1(m_f, n), WH(n, n), R(n, n);
  const MatrixView<T> top = Q.view().block(0, 0, m_f, n), bottom = Q.view().block(m_f, 0, m_g, n);
  copy_into<T>(F, top);
  copy_into<T>(G, bottom);
  std::vector<T> tau(n);
  result.sigma_f.resize(n);
  {
    const ScopeTimer timer(result.compute_seconds);
    lapack::geqrf<T>(Q, tau.data());
    copy_into<T>(Q.view().block(0, 0, n, n), R);  // its upper triangle is R
    if (has_zero_on_diagonal<T>(R))
      throw DecompositionFailed("xGEQRF: [F; G] is not of full column rank: R has a zero on its diagonal");
    lapack::ungqr<T>(Q, tau.data());

    copy_into<T>(top, Q1);
    const lapack_int info = lapack::gesdd<T>(Q1, result.sigma_f.data(), U, WH);
    if (info > 0) throw DecompositionFailed(fmt::format("xGESDD: xBDSDC did not converge (info = {})", info));
    adjoint<T>(WH, Z);

    lapack::gemm<T>(Op::none, 1, bottom, Z, 0, V);
    for (Index j = 0; j < n; ++j) result.sigma_g.push_back(lapack::norm(std::span<const T>(V.view().col(j))));
    divide_columns<T>(V, result.sigma_g);
    lapack::trsm<T>(Side::left, Triangle::upper, Op::none, R, Z);
  }
  result.U = U.compact();
  result.V = V.compact();
  result.Z = Z.compact();
}

}  // namespace

template <class T>
std::vector<GsvdBaseline<T>> lapack_gsvd_baselines() {
  return {{pick<T>("lapack:dggsvd3", "lapack:zggsvd3"),
           "the GSVD driver: rank-revealing QR, then the Kogbetliantz-like xTGSJA", solve_by_ggsvd3<T>},
          {pick<T>("lapack:dsygvd", "lapack:zhegvd"), "eigenvectors of FᴴF - λGᴴG; fast, squares the condition",
           solve_pair_by_hegvd<T>},
          {pick<T>("lapack:dgeqrf+dgesdd", "lapack:zgeqrf+zgesdd"),
           "QR of [F; G], then the SVD of Q₁; normwise backward stable", solve_by_qr_and_svd<T>}};
}
template decltype(lapack_gsvd_baselines<double>) lapack_gsvd_baselines<double>;
template decltype(lapack_gsvd_baselines<lapack::Complex>) lapack_gsvd_baselines<lapack::Complex>;

}  // namespace pivotlab::baselines
