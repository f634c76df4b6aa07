// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for DoubleDouble, with what the generalized hyperbolic SVD needs: T = B*JB is factored with it.
#include "kernels/ldlt/factors/gjg.hpp"
#include "kernels/ldlt/ldlt.hpp"
#include "kernels/numerics/double_double.hpp"

namespace pivotlab {

using Real = DoubleDouble;
using Complex = std::complex<DoubleDouble>;

template LdltFactorization<Real> ldlt(MatrixView<const Real>, const LdltOptions&);
template GjgFactorization<Real> LdltFactorization<Real>::gjg(bool) const;
template LdltFactorization<Complex> ldlt(MatrixView<const Complex>, const LdltOptions&);
template GjgFactorization<Complex> LdltFactorization<Complex>::gjg(bool) const;

}  // namespace pivotlab
