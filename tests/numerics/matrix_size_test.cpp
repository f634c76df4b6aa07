// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <pivotlab/matrix.hpp>
#include <pivotlab/packed_triangle.hpp>

#include <complex>
#include <new>

namespace pivotlab {
namespace {

// Their bytes, modulo 2^64, are few or none.
TEST(MatrixSize, BeyondTheAddressSpaceIsOutOfMemory) {
  const auto two_to = [](int exponent) { return Index{1} << exponent; };
  EXPECT_THROW(Matrix<double>(two_to(32), two_to(32)), std::bad_alloc);
  EXPECT_THROW(Matrix<std::complex<double>>(two_to(30), two_to(30)), std::bad_alloc);
  EXPECT_THROW(Matrix<double>::uninitialized(two_to(62), 4), std::bad_alloc);
  EXPECT_THROW(PackedTriangle<double>(two_to(32)), std::bad_alloc);
  EXPECT_THROW(PackedTriangle<double>(two_to(31) - 1), std::bad_alloc);
}

}  // namespace
}  // namespace pivotlab
