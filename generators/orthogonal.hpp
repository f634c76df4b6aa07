// SPDX-License-Identifier: BSD-3-Clause
// Random matrices with orthonormal columns, in quadruple precision.
#pragma once

#include <generators/random.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>

namespace pivotlab {

/// Makes an m × n matrix, m ≥ n, uniformly distributed (Haar): n Householder reflections of normally distributed
/// vectors, as in xLAROR (Stewart, SIAM J. Numer. Anal. 17 (1980)). T is Quad or std::complex<Quad>. ‖QᴴQ − I‖ is a few
/// times 1e-34·√n.
template <class T>
Matrix<T> random_orthonormal(Index m, Index n, RandomStream& stream, int threads);

}  // namespace pivotlab
