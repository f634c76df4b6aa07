// The GSVD of a definite generalized eigenproblem K·x = λ·M·x, as from structures and other discretized operators.
#pragma once

#include <pivotlab/io.hpp>
#include <pivotlab/pair.hpp>

namespace pivotlab {

/// The pair of upper triangular Cholesky factors F, G with FᴴF = K, GᴴG = M, both n × n: its generalized singular
/// values are √λ of K·x = λ·M·x, and the columns of Z the eigenvectors. Sums are taken in long double and each entry of
/// a factor rounded once. A zero row and column of K (no stiffness there) gives a zero row of F and σ = 0. The result
/// does not depend on the number of threads. Throws InputError naming K or M: not square, not of one order and type,
/// not exactly Hermitian, not finite, or not positive (semi)definite, then with the order of the first leading
/// principal minor that is not positive.
AnyPair definite_pair(const AnyMatrix& K, const AnyMatrix& M);

}  // namespace pivotlab
