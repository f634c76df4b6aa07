// SPDX-License-Identifier: BSD-3-Clause
// Digests of decompositions by the kernels. Cases are lines "variant m_f m_g n pair"; the pair is made of integers.
#pragma once

#include "tests/digests/digests.hpp"

#include <pivotlab/gsvd.hpp>

namespace pivotlab::test {

/// FNV-1a, 64 bits, of the bits of σ_F, σ_G, σ, U, V, Z. T is double or std::complex<double>.
template <class T>
std::uint64_t digest(const GsvdResult<T>& result);

}  // namespace pivotlab::test
