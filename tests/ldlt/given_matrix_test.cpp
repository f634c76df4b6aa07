// SPDX-License-Identifier: BSD-3-Clause
// The factorization of a matrix in device memory by the emulated kernels: the bits of the host call, for every
// triangle.
#include "device.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/ldlt/device/ldlt_driver.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::given_matrix_test {
namespace {

using namespace test;

template <class T>
class LdltGiven : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(LdltGiven, Scalars);

template <class T>
using Factorizer = ldlt_device::DeviceFactorizer<T>;

TYPED_TEST(LdltGiven, OneFactorizerHasTheBitsOfTheHostCallForEveryMatrixAndTriangle) {
  using T = TypeParam;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric}) {
    if (!is_complex<T> && symmetry == Symmetry::symmetric) continue;
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
      LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = symmetry};
      const auto plan = factorization_plan<T>(90, options);
      GuardedWorkspace workspace(ldlt_device::workspace_bytes<T>(plan));
      const auto factorizer = ldlt_device::make_emulated_factorizer<T>(plan, LaneOrder::forward, workspace.data());
      for (const auto& [structure, triangle] : {std::pair(Structure::dense, InputTriangle::whole),
                                                {Structure::low_rank, InputTriangle::lower},
                                                {Structure::zero_diagonal, InputTriangle::upper}}) {
        SCOPED_TRACE(testing::Message() << int(symmetry) << " " << to_string(pivoting) << " " << int(structure));
        options.triangle = triangle;
        Matrix<T> A = structured<T>(structure, 90, 3);
        for (Index i = 0; triangle == InputTriangle::upper && i < A.size(); ++i)
          A.data()[i] = times_power_of_two(A.data()[i], 700);
        if (symmetry == Symmetry::symmetric) A = unpack(pack<T>(A, InputTriangle::lower), symmetry);
        const auto expected = ldlt_emulated<T>(pack<T>(A, InputTriangle::whole, symmetry), options);
        for (Index j = 0; j < 90; ++j)
          for (Index i = 0; i < 90; ++i)
            if (i > j ? triangle == InputTriangle::upper : i < j && triangle == InputTriangle::lower)
              A(i, j) = T(std::numeric_limits<double>::quiet_NaN());
        Surrounded<T> around(A), M(Matrix<T>(90, 90));
        auto f = factor_given<T>(*factorizer, around.view(), options);
        factorizer->export_m(M.view());
        f.M = Matrix<T>(M.view());
        f.norm_inf = expected.norm_inf, f.max_multiplier = expected.max_multiplier;  // are not computed
        EXPECT_EQ(difference(f, expected), "");
        EXPECT_TRUE(workspace.intact());
      }
    }
  }
}

// No pivot of ones is noise, and the noise test reads the columns of M after the last pivot.
TYPED_TEST(LdltGiven, ExactlySingularMatricesHaveTheirRank) {
  using T = TypeParam;
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
    const LdltOptions options{.variant = {.pivoting = pivoting}};
    const auto factorizer = ldlt_device::make_emulated_factorizer<T>(factorization_plan<T>(70, options));
    for (const double x : {0.0, 1.0}) {
      const Matrix<T> A = from_lower<T>(70, [&](Index, Index) { return T(x); });
      const LdltFactorization<T> f = factor_given<T>(*factorizer, A, options);
      EXPECT_EQ(f.rank, x > 0 ? 1 : 0) << to_string(pivoting);
      EXPECT_EQ(f.doubtful, 0) << to_string(pivoting);
    }
  }
}

// Products of the first pivot underflow; the second one is three of the least positive numbers.
TYPED_TEST(LdltGiven, UnderflowMakesPivotsDoubtfulAsInTheHostCall) {
  using T = TypeParam;
  const LdltOptions options;
  const auto factorizer = ldlt_device::make_emulated_factorizer<T>(factorization_plan<T>(70, options));
  const Matrix<T> A = from_lower<T>(70, [](Index i, Index j) {
    return T(i > 1 ? (i == j ? 1.0 : 0.0) : i == 0 ? 0x1p-1040 : j == 0 ? 0x1p-1041 : 0x1p-1042 + 0x3p-1074);
  });
  EXPECT_GT(ldlt<T>(A, options).doubtful, 0);
  EXPECT_EQ(factor_given<T>(*factorizer, A, options).doubtful, ldlt<T>(A, options).doubtful);
}

TYPED_TEST(LdltGiven, RefusesWhatTheHostCallRefuses) {
  using T = TypeParam;
  const auto A = structured<T>(Structure::dense, 70, 3);
  const auto factorizer = ldlt_device::make_emulated_factorizer<T>(factorization_plan<T>(70, {}));
  const auto message_for = [&](Index i, Index j, const T& x, bool lower, bool upper) -> std::string {
    Matrix<T> bad = A;
    bad(i, j) = x;
    try {
      checked_size(*factorizer, {bad, lower, upper}, Symmetry::hermitian);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const T nan(std::numeric_limits<double>::quiet_NaN()), infinite(-std::numeric_limits<double>::infinity());
  for (const T& x : {nan, infinite}) {
    EXPECT_EQ(message_for(3, 68, x, true, true).rfind("matrix A: column 69 has an element that is not finite", 0), 0u);
    EXPECT_EQ(message_for(3, 68, x, true, false), "");
    EXPECT_NE(message_for(3, 68, x, false, true), "");
  }
  const std::string message = message_for(69, 2, A(69, 2) + T(0.5), true, true);
  EXPECT_EQ(message.rfind("matrix A: column 3 has an element that differs from that across the diagonal by 0.5", 0), 0u)
      << message;
  EXPECT_EQ(message_for(69, 2, A(69, 2) + T(0.5), false, true), "");
  if constexpr (is_complex<T>) {
    EXPECT_NE(message_for(5, 5, T(1, 0x1p-40), true, false), "");
  }
}

}  // namespace
}  // namespace pivotlab::given_matrix_test
