// SPDX-License-Identifier: BSD-3-Clause
// The kinds of general square matrices, one function each. T is double or std::complex<double>. The functions return
// the matrix and the eigenvalues from which it was made; the caller sets the other members.
#pragma once

#include <cstdint>
#include <generators/name.hpp>
#include <pivotlab/general.hpp>

namespace pivotlab {

struct GeneralProblem {
  Index n;  // ≥ 1
  std::uint64_t seed;
  int threads;
  OptionValues options;
};

// Matrices with prescribed eigenvalues, made in Quad, follow. Q, U, W are Haar-distributed.

/// Makes Q·Λ·Qᴴ.
template <class T>
GeneralMatrix<T> make_normal(const GeneralProblem& problem);
/// Makes Q·Λ·Qᴴ with real eigenvalues, exactly Hermitian.
template <class T>
GeneralMatrix<T> make_hermitian(const GeneralProblem& problem);
/// Makes Q·Λ·Qᴴ with eigenvalues of modulus 1.
template <class T>
GeneralMatrix<T> make_unitary(const GeneralProblem& problem);
/// Makes S·Λ·S⁻¹, S = U·D·Wᴴ with singular values D from 1 to 1/kappa.
template <class T>
GeneralMatrix<T> make_similarity(const GeneralProblem& problem);
/// Makes S·Λ·S⁻¹ with few different eigenvalues: each is multiple, none defective.
template <class T>
GeneralMatrix<T> make_repeated(const GeneralProblem& problem);
/// Makes Q·J·Qᴴ with Jordan blocks of the eigenvalue 1.
template <class T>
GeneralMatrix<T> make_defective(const GeneralProblem& problem);

// Classical matrices follow.

template <class T>
GeneralMatrix<T> make_random_general(const GeneralProblem& problem);
/// Makes the companion matrix of a polynomial with random coefficients, which are in the first row.
template <class T>
GeneralMatrix<T> make_companion(const GeneralProblem& problem);
/// Makes Grcar's matrix: −1 below the diagonal, 1 on it and on k superdiagonals; its eigenvalues are very
/// ill-conditioned (Grcar 1989).
template <class T>
GeneralMatrix<T> make_grcar(const GeneralProblem& problem);
/// Makes one Jordan block of the eigenvalue 1 plus random noise.
template <class T>
GeneralMatrix<T> make_noisy_jordan(const GeneralProblem& problem);
/// Makes the cyclic shift: 1 above the diagonal and in the corner; its eigenvalues are the roots of unity.
template <class T>
GeneralMatrix<T> make_cyclic_shift(const GeneralProblem& problem);
/// Makes D⁻¹·R·D with a random R and D from 1 to 10^decades.
template <class T>
GeneralMatrix<T> make_badly_scaled(const GeneralProblem& problem);
/// Makes D·R·D with a random R and D from 10^−g to 10^g.
template <class T>
GeneralMatrix<T> make_graded_general(const GeneralProblem& problem);

}  // namespace pivotlab
