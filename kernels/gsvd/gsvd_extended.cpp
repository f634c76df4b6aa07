// SPDX-License-Identifier: BSD-3-Clause
// Instantiation for long double and Quad, the reference of the tests.
#include "kernels/gsvd/gsvd.hpp"

namespace pivotlab {

template decltype(gsvd<long double>) gsvd<long double>;
template decltype(gsvd_pointwise<long double>) gsvd_pointwise<long double>;
template decltype(gsvd_in_place<long double>) gsvd_in_place<long double>;
template decltype(gsvd<std::complex<long double>>) gsvd<std::complex<long double>>;
template decltype(gsvd_pointwise<std::complex<long double>>) gsvd_pointwise<std::complex<long double>>;
template decltype(gsvd_in_place<std::complex<long double>>) gsvd_in_place<std::complex<long double>>;
template decltype(gsvd<Quad>) gsvd<Quad>;
template decltype(gsvd_pointwise<Quad>) gsvd_pointwise<Quad>;
template decltype(gsvd_in_place<Quad>) gsvd_in_place<Quad>;
template decltype(gsvd<std::complex<Quad>>) gsvd<std::complex<Quad>>;
template decltype(gsvd_pointwise<std::complex<Quad>>) gsvd_pointwise<std::complex<Quad>>;
template decltype(gsvd_in_place<std::complex<Quad>>) gsvd_in_place<std::complex<Quad>>;

}  // namespace pivotlab
