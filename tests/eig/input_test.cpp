// SPDX-License-Identifier: BSD-3-Clause
// Invalid input is refused with one line that names the matrix or option, the place and the remedy.
#include "matrices.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace pivotlab::input_test {
namespace {

using namespace test;

template <class Action>
std::string refusal(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  } catch (const NotSupported& error) {
    return std::string("not supported: ") + error.what();
  }
  return "accepted";
}

TEST(EigInput, RefusesNonSquareMatrix) {
  EXPECT_EQ(refusal([] { eig<double>(Matrix<double>(4, 5)); }), "matrix A: it is 4 x 5; it must be square");
  EXPECT_EQ(refusal([] { eig_batched<double>(Matrix<double>(4, 10)); }),
            "matrices A: they have 4 rows and 10 columns together; lay square matrices side by side");
}

TEST(EigInput, RefusesNonFiniteElements) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()}) {
    const std::string expected = "matrix A: element (4, 2) is not finite; remove NaN and Inf from the input";
    Matrix<double> real(5, 5);
    real(3, 1) = bad;
    EXPECT_EQ(refusal([&] { eig<double>(real); }), expected);
    Matrix<Complex> complex = gaussian(5, 1);
    complex(3, 1) = {1, bad};
    EXPECT_EQ(refusal([&] { eig<Complex>(complex); }), expected);
    EXPECT_EQ(refusal([&] { eig_in_place<double>(complex); }), expected);
  }
}

TEST(EigInput, OptionsOutOfRangeAreRefused) {
  const Matrix<double> A = Matrix<double>::identity(3);
  EXPECT_EQ(refusal([&] { eig<double>(A, {.max_sweeps = -1}); }), "option max_sweeps: -1 is negative; take at least 0");
  EXPECT_EQ(refusal([&] { eig<double>(A, {.variant = {.block = 10}}); }),
            "variant: form is not usable; choose from steps, fused, b8, b16, b32");
  EXPECT_EQ(refusal([&] { eig<double>(A, {.variant = {.damping = 2}}); }),
            "variant: damping = 2 is not in (0, 1]; choose one, as in 0.5");
}

}  // namespace
}  // namespace pivotlab::input_test
