// SPDX-License-Identifier: BSD-3-Clause
// Errors of P·A·Pᵀ = G·J·G* in double precision, and of the same factorization in Quad (Figure 3.22).
#pragma once

#include <pivotlab/ldlt.hpp>
#include <pivotlab/symmetric.hpp>

namespace pivotlab::experiments {

/// Relative errors ‖P·A·Pᵀ − G·J·G*‖∞/‖A‖∞, 0 for the zero matrix. Sums have twice the precision of the elements of G.
struct GjgErrors {
  double residual = 0;          ///< error with G computed in double
  double residual_rounded = 0;  ///< error with G computed in Quad and rounded: the least possible in double
  double residual_quad = 0;     ///< error with G in Quad
  bool inertia_agrees = false;  ///< J has as many 1, −1 and 0 as in Quad
};

/// Factors A again in Quad, with the pivoting and α of f and with the same tolerance in units of ulp·max|A|. T is
/// double or std::complex<double>; A is Hermitian. The same bits for any number of threads.
template <class T>
GjgErrors compare_gjg(const SymmetricMatrix<T>& matrix, const LdltFactorization<T>& f, double rank_tolerance,
                      int threads);

}  // namespace pivotlab::experiments
