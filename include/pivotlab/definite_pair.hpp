// The pair (F, G) of a definite generalized eigenproblem K·x = λ·M·x, as it arises from discretized operators.
#pragma once

#include <pivotlab/io.hpp>
#include <pivotlab/pair.hpp>

namespace pivotlab {

/// Computes the pair of upper triangular Cholesky factors F, G with FᴴF = K, GᴴG = M, both n × n. Its generalized
/// singular values are √λ of K·x = λ·M·x, and the columns of Z are the eigenvectors. Sums are computed in long double,
/// and each entry of a factor is rounded once. A zero row and column of K gives a zero row of F and σ = 0. The result
/// does not depend on the number of threads. Throws InputError that names K or M if they are not square, not of one
/// order and type, not exactly Hermitian, not finite, or not positive (semi)definite; the last error gives the order of
/// the first leading principal minor that is not positive.
AnyPair definite_pair(const AnyMatrix& K, const AnyMatrix& M);

}  // namespace pivotlab
