// SPDX-License-Identifier: BSD-3-Clause
// Memory that is prepared in the background.
#include "kernels/numerics/first_touch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace pivotlab::first_touch_test {
namespace {

TEST(FirstTouch, NewMatricesStayZero) {
  Matrix<double> large(2300, 2000), small(3, 3);
  { const FirstTouch touch(2, large, small); }
  for (const auto* A : {&large, &small})
    EXPECT_TRUE(std::all_of(A->data(), A->data() + A->size(), [](double x) { return x == 0; }));
}

TEST(FirstTouch, NothingIsWrittenAfterItsEnd) {
  Matrix<double> A = Matrix<double>::uninitialized(2300, 2000);
  { const FirstTouch touch(2, A); }
  std::fill(A.data(), A.data() + A.size(), 1.0);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(std::all_of(A.data(), A.data() + A.size(), [](double x) { return x == 1; }));
}

}  // namespace
}  // namespace pivotlab::first_touch_test
