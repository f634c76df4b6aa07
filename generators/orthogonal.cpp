// SPDX-License-Identifier: BSD-3-Clause
#include <generators/orthogonal.hpp>
#include <generators/reflector.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/threads.hpp>

#include <vector>

// High-level algorithm. Reflection k, H_k = I − v_k·v_kᴴ with ‖v_k‖² = 2, maps a random normal x (zero above row k) to
// a multiple of e_k. The product of the reflections in the compact WY form is
//
//   H_1·…·H_n = I − V·T·Vᴴ,   T⁻¹ = I + triu(VᴴV, 1)
//
// (Puglisi, SIAM J. Sci. Stat. Comput. 13 (1992)). So the first n columns Q = E − V·Y, with T⁻¹·Y = V₁ᴴ and V₁ the
// upper square of V, take two products and a triangular solve, all at the speed of the extended product. The columns of
// Q are multiplied by the phases of the diagonal of R of the normal matrix, which makes the distribution uniform.
namespace pivotlab {
namespace {

constexpr Index base = 32;  // order up to which plain loops solve triangular systems

/// Computes v of the reflection for the normal vector x, and the phase by which its column of Q is multiplied.
template <class T, class S>
T reflect(std::span<const S> x, std::span<T> v) {
  RealOf<T> norm2(0);
  for (std::size_t i = 0; i < x.size(); ++i) {
    v[i] = T(x[i]);
    norm2 += squared_length(v[i]);
  }
  const Reflector<T> reflector = make_reflector(v[0], norm2);
  v[0] = reflector.head;
  for (T& vi : v) vi *= reflector.scale;
  return reflector.phase;
}

/// Computes Y := (I + S)⁻¹·Y for S strictly upper and Y upper triangular, both n × n; the lower parts are not used.
template <class T>
void solve_unit_upper(MatrixView<const T> S, MatrixView<T> Y, int threads) {
  const Index n = S.rows, cols = Y.cols;
  if (n <= base) {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (Index j = 0; j < cols; ++j)
      for (Index k = std::min(n - 1, j); k > 0; --k)
        for (Index i = 0; i < k; ++i) Y(i, j) -= S(i, k) * Y(k, j);
    return;
  }
  const Index half = n / 2, rest = n - half;
  const MatrixView<T> lower = Y.block(half, half, rest, cols - half);
  solve_unit_upper(S.block(half, half, rest, rest), lower, threads);
  const Matrix<T> update = product<T>(S.block(0, half, half, rest), lower, threads);
  for (Index j = half; j < cols; ++j)
    for (Index i = 0; i < half; ++i) Y(i, j) -= update(i, j - half);
  solve_unit_upper(S.block(0, 0, half, half), Y.block(0, 0, half, cols), threads);
}

}  // namespace

template <class T>
Matrix<T> random_orthonormal(Index m, Index n, RandomStream& stream, int threads) {
  using S = Rebind<T, double>;
  const int team = thread_count(threads);
  const Matrix<S> normal = random_matrix<S>(m, n, Distribution::normal, stream, team);
  Matrix<T> V(m, n), Y(n, n);
  std::vector<T> phase(n);
#pragma omp parallel for num_threads(team) schedule(dynamic, 8)
  for (Index k = 0; k < n; ++k) {
    phase[k] = reflect<T, S>(normal.col(k).subspan(k), V.col(k).subspan(k));
    for (Index i = k; i < n; ++i) Y(k, i) = conjugate(V(i, k));
  }
  const Matrix<T> gram = product<T>({V, Op::adjoint}, V, team);
  solve_unit_upper(gram.view(), Y.view(), team);

  Matrix<T> Q = product<T>(V, Y, team);
#pragma omp parallel for num_threads(team) schedule(static)
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) Q(i, j) = (T(i == j ? 1 : 0) - Q(i, j)) * phase[j];
  return Q;
}

template Matrix<Quad> random_orthonormal(Index, Index, RandomStream&, int);
template Matrix<std::complex<Quad>> random_orthonormal(Index, Index, RandomStream&, int);

}  // namespace pivotlab
