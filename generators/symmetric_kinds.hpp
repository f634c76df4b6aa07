// SPDX-License-Identifier: BSD-3-Clause
// The kinds of symmetric and Hermitian matrices, one function each. T is double or std::complex<double>. The functions
// return the matrix and the known properties of its spectrum; the caller sets the other members.
#pragma once

#include <cstdint>
#include <generators/name.hpp>
#include <pivotlab/symmetric.hpp>
#include <vector>

namespace pivotlab {

struct SymmetricProblem {
  Index n;  // ≥ 1
  std::uint64_t seed;
  int threads;
  Symmetry symmetry;
  OptionValues options;
};

/// A := D·A·D, D diagonal.
template <class T>
void scale_rows_and_columns(Matrix<T>& A, const std::vector<double>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) *= d[i] * d[j];
}

// Matrices with prescribed spectra follow: Q·Λ·Qᴴ with Haar-distributed Q, before rounding in Quad, on a GPU in
// double-double.

/// Makes eigenvalues equidistant from −n to n − 1 (the thesis, section 3.5); the `nullity` eigenvalues nearest to zero
/// are zero.
template <class T>
SymmetricMatrix<T> make_equidistant(const SymmetricProblem& problem);
/// Makes eigenvalues with magnitudes from 1/kappa to 1; the fraction `negative` of them is negative.
template <class T>
SymmetricMatrix<T> make_spectrum(const SymmetricProblem& problem);
/// Makes the ten types of DLATB4 for symmetric matrices.
template <class T>
SymmetricMatrix<T> make_latb4(const SymmetricProblem& problem);

// Random matrices without a prescribed spectrum follow.

template <class T>
SymmetricMatrix<T> make_random_symmetric(const SymmetricProblem& problem);
/// Makes D·R·D with a normal R, or one of condition 10, and D from 10^−g to 10^g.
template <class T>
SymmetricMatrix<T> make_graded_symmetric(const SymmetricProblem& problem);
/// Makes B·diag(±1)·Bᴴ with integers, so that the rank is exact; B is unit lower trapezoidal.
template <class T>
SymmetricMatrix<T> make_low_rank(const SymmetricProblem& problem);
/// Makes [H Bᴴ; B −δI] with a positive definite H and B of full row rank.
template <class T>
SymmetricMatrix<T> make_saddle_point(const SymmetricProblem& problem);
/// Makes the R of D·R·D: eigenvalues of magnitude 0.1 to 1, half of them negative.
template <class T>
SymmetricMatrix<T> make_conditioned_core(const SymmetricProblem& problem);
/// Makes D·[H Bᴴ; B −K]·D with positive definite H and K of condition 10.
template <class T>
SymmetricMatrix<T> make_quasi_definite(const SymmetricProblem& problem);

// Classical matrices follow.

/// Makes Sylvester's Hadamard matrix of order 2^k: H² = n·I.
template <class T>
SymmetricMatrix<T> make_hadamard(const SymmetricProblem& problem);
/// Makes Clement's (Kac's) matrix, symmetrized: √(i(n−i)) beside a zero diagonal; eigenvalues ±(n−1), ±(n−3), …
template <class T>
SymmetricMatrix<T> make_clement(const SymmetricProblem& problem);
template <class T>
SymmetricMatrix<T> make_hilbert(const SymmetricProblem& problem);
/// Makes |i − j|, which has one positive eigenvalue.
template <class T>
SymmetricMatrix<T> make_fiedler(const SymmetricProblem& problem);
/// Makes min(i, j), which is positive definite; its inverse is a second difference.
template <class T>
SymmetricMatrix<T> make_min_ij(const SymmetricProblem& problem);
/// Makes blocks [0 ε 0; ε 0 1; 0 1 1], whose M has an element 1/ε under partial pivoting (Higham, SIAM J. Matrix Anal.
/// Appl. 18 (1997)).
template <class T>
SymmetricMatrix<T> make_unbounded(const SymmetricProblem& problem);

}  // namespace pivotlab
