// SPDX-License-Identifier: BSD-3-Clause
// A Schur form by unitary transformations of A alone, for matrices on which sweeps do not suffice.
//
//   E = Q·R;  B := Qᴴ·A·Q, upper triangular up to about κ(E)·ε‖A‖
//   more than n·ε·‖B‖_F below the diagonal:  B := Zᴴ·B·Z,  Q := Q·Z by the QR algorithm
//
// A·Q = Q·B holds to a small multiple of ε‖A‖ for any κ(E). Sweeps of unitary transformations alone do not replace it:
// if B is far from normal they do not converge (docs/notebook/performance-eig.md).
#pragma once

#include "kernels/eig/host/dense.hpp"
#include "kernels/eig/host/vectors.hpp"

namespace pivotlab::eig_detail {

template <class R>
struct SchurForm {
  SplitComplex<R> T, Q;  ///< n × n, A·Q = Q·T
  bool found = false;    ///< whether T is upper triangular up to n·ε·‖T‖_F
};

/// Computes the orthonormal factor of E, n × n; I if E is not finite.
template <class R>
SplitComplex<R> orthonormal_factor(SplitComplex<R> E) {
  const Index n = E.cols();
  for (Index j = 0; j < n; ++j) normalize(E.re(j), E.im(j), n);  // no column overflows
  Matrix<std::complex<R>> whole = Matrix<std::complex<R>>::identity(n);
  multiply_by_q<std::complex<R>>(qr_factors<std::complex<R>>(joined(E, n, 0, n)), whole);
  SplitComplex<R> Q = split<R>(whole);
  const R squared = IterateNorms<R>(Q).squared;
  if (!(squared <= R(2 * n))) Q.set_identity();  // or NaN
  return Q;
}

/// Computes T := Zᴴ·T·Z, upper triangular, and Q := Q·Z. Returns whether this succeeded. Eigen deflates where a
/// subdiagonal element is small relative to its neighbours on the diagonal, which never ends if they vanish, as in
/// nilpotent matrices. With ‖T‖_F added to the diagonal it is compared with ‖T‖_F, as required for backward stability.
template <class R>
bool apply_qr_algorithm(SchurForm<R>& form, int threads) {
  using C = std::complex<R>;
  const Index n = form.T.cols();
  for (const R& shift : {R(0), R(square_root(IterateNorms<R>(form.T).squared))}) {
    Matrix<C> T = joined(form.T, n, 0, n), U;
    for (Index j = 0; j < n; ++j) T(j, j) += C(shift);
    if (!complex_schur(T, U)) continue;
    for (Index j = 0; j < n; ++j) T(j, j) -= C(shift);
    form.T = split<R>(T);
    form.Q = product(form.Q, split<R>(U), threads);
    return true;
  }
  return false;
}

/// Computes the Schur form of A, n × n, from the orthonormal factor of E, n × n.
template <class R>
SchurForm<R> schur_form(const SplitComplex<R>& A, SplitComplex<R> E, int threads) {
  SchurForm<R> form;
  form.Q = orthonormal_factor(std::move(E));
  form.T = product(adjoint_of(form.Q), product(A, form.Q, threads), threads);
  const IterateNorms<R> norms(form.T);
  const R tolerance = R(A.cols()) * std::numeric_limits<R>::epsilon();
  form.found = norms.lower_squared <= tolerance * tolerance * norms.squared || apply_qr_algorithm(form, threads);
  return form;
}

}  // namespace pivotlab::eig_detail
