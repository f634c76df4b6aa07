// SPDX-License-Identifier: BSD-3-Clause
// The pair (F, G) of a definite generalized eigenproblem K·x = λ·M·x, as it arises from discretized operators.
#pragma once

#include <pivotlab/io.hpp>
#include <pivotlab/pair.hpp>
#include <vector>

namespace pivotlab {

/// Computes the pair of Cholesky factors F, G with FᴴF = K, GᴴG = M, both n × n, for positive semidefinite K and M. Its
/// generalized singular values are √λ of K·x = λ·M·x, and the columns of Z are the eigenvectors; a common null space of
/// K and M is not part of the decomposition. The factor of a definite matrix is upper triangular, also where rows and
/// columns of zeros make it semidefinite. Other semidefinite matrices have diagonal pivots: row k of the factor is that
/// of the k-th pivot, and rows beyond the rank are zero. A matrix counts as semidefinite if negative remainders are not
/// larger than n·ε times the diagonal. Sums are computed in long double, and each entry of a factor is rounded once.
/// The result does not depend on the number of threads, 0: OpenMP's choice. Throws InputError that names K or M if they
/// are not square, not of one order and type, not exactly Hermitian, not finite, or indefinite.
AnyPair definite_pair(const AnyMatrix& K, const AnyMatrix& M, int threads = 0);

/// A pair, and a sign for each row of F.
struct IndefinitePair {
  AnyPair pair;
  std::vector<int> J;
};

/// Computes H = Fᴴ·diag(J)·F by an LDLᵀ factorization with complete pivoting in double-double and the Cholesky factor G
/// of S = GᴴG, for a Hermitian H and a positive definite S of order n. F has as many rows as the rank of H. ghsvd() of
/// (F, G; J) gives the eigenvalues of H·c = E·S·c; the vectors c = z/σ_G have cᴴ·S·c = 1. Each entry of a factor is
/// rounded once. Throws InputError as definite_pair() does, and for an S that is not positive definite up to rounding
/// errors of long double.
IndefinitePair indefinite_pair(const AnyMatrix& H, const AnyMatrix& S, int threads = 0);

}  // namespace pivotlab
