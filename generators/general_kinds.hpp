// The kinds of general square matrices: one function each. T is double or std::complex<double>; what they return has
// its matrix and the eigenvalues that it was made from, the rest is the caller's.
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

// Prescribed eigenvalues, made in Quad. Q, U, W are Haar-distributed.

/// Q·Λ·Qᴴ
template <class T>
GeneralMatrix<T> make_normal(const GeneralProblem& problem);
/// The same with real eigenvalues, exactly Hermitian.
template <class T>
GeneralMatrix<T> make_hermitian(const GeneralProblem& problem);
/// The same with eigenvalues of modulus 1.
template <class T>
GeneralMatrix<T> make_unitary(const GeneralProblem& problem);
/// S·Λ·S⁻¹, S = U·D·Wᴴ with the singular values D from 1 to 1/kappa.
template <class T>
GeneralMatrix<T> make_similarity(const GeneralProblem& problem);
/// The same with few different eigenvalues: each multiple, none defective.
template <class T>
GeneralMatrix<T> make_repeated(const GeneralProblem& problem);
/// Q·J·Qᴴ with Jordan blocks of the eigenvalue 1.
template <class T>
GeneralMatrix<T> make_defective(const GeneralProblem& problem);

// Classics.

template <class T>
GeneralMatrix<T> make_random_general(const GeneralProblem& problem);
/// Of a polynomial with random coefficients, which are in the first row.
template <class T>
GeneralMatrix<T> make_companion(const GeneralProblem& problem);
/// −1 below the diagonal, 1 on it and on k superdiagonals: eigenvalues very ill-conditioned (Grcar 1989).
template <class T>
GeneralMatrix<T> make_grcar(const GeneralProblem& problem);
/// One Jordan block of the eigenvalue 1, and random noise.
template <class T>
GeneralMatrix<T> make_noisy_jordan(const GeneralProblem& problem);
/// 1 above the diagonal and in the corner: the roots of unity.
template <class T>
GeneralMatrix<T> make_cyclic_shift(const GeneralProblem& problem);
/// D⁻¹·R·D with a random R and D from 1 to 10^decades.
template <class T>
GeneralMatrix<T> make_badly_scaled(const GeneralProblem& problem);
/// D·R·D with a random R and D from 10^−g to 10^g.
template <class T>
GeneralMatrix<T> make_graded_general(const GeneralProblem& problem);

}  // namespace pivotlab
