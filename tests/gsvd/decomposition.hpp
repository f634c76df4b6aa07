// SPDX-License-Identifier: BSD-3-Clause
// Checks the properties of a passed decomposition of a pair, to a tolerance.
#pragma once

#include "tests/gsvd/problems.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pivotlab::test {

template <class T>
void expect_decomposition(const TestPair<T>& pair, const GsvdResult<T>& r, double tolerance) {
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), tolerance);
  EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), tolerance);
  EXPECT_LE(orthogonality(r.U), tolerance);
  EXPECT_LE(orthogonality(r.V), tolerance);
  EXPECT_TRUE(std::is_sorted(r.sigma.rbegin(), r.sigma.rend()));
}

}  // namespace pivotlab::test
