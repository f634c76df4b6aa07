// SPDX-License-Identifier: BSD-3-Clause
// Factorizations from the diagonalized blocks of D: G·J·Gᴴ and the modified Cholesky factorization.
#pragma once

#include "kernels/ldlt/factors/factors.hpp"
#include "kernels/numerics/order.hpp"

#include <array>

namespace pivotlab::ldlt_detail {

/// Replaces columns k and k+1 of Y by their product with W.
template <class T>
void multiply_columns(MatrixView<T> Y, Index k, const std::array<std::array<T, 2>, 2>& W) {
  for (Index i = k; i < Y.rows; ++i) {
    const T x = Y(i, k), y = Y(i, k + 1);
    Y(i, k) = multiply_add(x, W[0][0], multiply(y, W[1][0]));
    Y(i, k + 1) = multiply_add(x, W[0][1], multiply(y, W[1][1]));
  }
}

template <class T>
void scale_column(MatrixView<T> Y, Index k, const RealOf<T>& factor) {
  for (Index i = k; i < Y.rows; ++i) Y(i, k) *= factor;
}

/// An eigenvalue of D: its sign, and the square root of its modulus, by which a column of G is scaled (1 for a zero).
template <class R>
struct SignAndRoot {
  int sign;
  R root;

  SignAndRoot(const R& eigenvalue, const R& zero)
      : sign(eigenvalue > zero    ? 1
             : -eigenvalue > zero ? -1
                                  : 0),
        root(sign == 0 ? R(1) : square_root<R>(absolute(eigenvalue))) {}
};

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
GjgFactorization<T> LdltFactorization<T>::gjg(bool sorted) const {
  using namespace ldlt_detail;
  require_hermitian(*this, "G J G*");
  const Real zero = zero_level(*this);
  GjgFactorization<T> result{M, std::vector<int>(order())};
  const MatrixView<T> G = result.G;
  for_blocks(*this, [&](Index k, int size) {
    if (size == 1) {
      const SignAndRoot<Real> d(real_part(diagonal[k]), zero);
      result.J[k] = d.sign;
      return scale_column(G, k, d.root);
    }
    HermitianSpectrum<T> spectrum(block_at(*this, k));
    const SignAndRoot<Real> first(spectrum.positive, zero), second(spectrum.negative, zero);
    for (auto& row : spectrum.Q) row[0] *= first.root, row[1] *= second.root;
    multiply_columns(G, k, spectrum.Q);
    result.J[k] = first.sign;
    result.J[k + 1] = second.sign;
  });
  unscale_rows(*this, G);
  if (!sorted) return result;

  const auto rank_of_sign = [&](Index k) { return result.J[k] == 0 ? 2 : result.J[k] < 0 ? 1 : 0; };
  const std::vector<Index> columns =
      sorted_indices(order(), [&](Index a, Index b) { return rank_of_sign(a) < rank_of_sign(b); });
  return {permuted(result.G, columns), permuted(result.J, columns)};
}

template <class T>
ModifiedCholesky<T> LdltFactorization<T>::modified_cholesky(std::optional<Real> delta) const {
  using namespace ldlt_detail;
  require_hermitian(*this, "modified Cholesky");
  if (pivoting() == Pivoting::partial || pivoting() == Pivoting::none)
    throw InputError(
        "modified Cholesky: " +
        std::string(pivoting() == Pivoting::none ? "a factorization without a search" : "partial pivoting") +
        " does not bound M, and the perturbation with it; take LDLT-RK");
  if (delta && !(*delta > Real(0)))
    throw InputError("modified Cholesky: delta = " + text_of(*delta) + " is not positive; choose a positive one");
  const Real root = square_root<Real>(unit_roundoff<Real>());
  ModifiedCholesky<T> result{M, delta.value_or(norm_inf > Real(0) ? Real(root * norm_inf) : root), Real(0), 0};
  const auto raise = [&](const Real& eigenvalue) {
    if (eigenvalue >= result.delta) return eigenvalue;
    result.largest_shift = std::max<Real>(result.largest_shift, result.delta - eigenvalue);
    ++result.raised_eigenvalues;
    return result.delta;
  };
  for_blocks(*this, [&](Index k, int size) {
    if (size == 1) return scale_column(result.L.view(), k, square_root<Real>(raise(real_part(diagonal[k]))));
    const HermitianSpectrum<T> spectrum(block_at(*this, k));
    const auto& Q = spectrum.Q;
    const Real first = raise(spectrum.positive), second = raise(spectrum.negative);
    // This is the Cholesky factor of Q·diag(first, second)·Qᴴ; the second pivot is computed from the determinant,
    // without cancellation.
    const Real corner = squared_magnitude(Q[0][0]) * first + squared_magnitude(Q[0][1]) * second;
    const T beside = multiply(Q[1][0], conjugate(Q[0][0])) * first + multiply(Q[1][1], conjugate(Q[0][1])) * second;
    const Real l = square_root<Real>(corner);
    multiply_columns<T>(result.L.view(), k,
                        {{{T(l), T(0)}, {T(beside / l), T(square_root<Real>(first / corner * second))}}});
  });
  unscale_rows(*this, result.L.view());
  return result;
}

}  // namespace pivotlab
