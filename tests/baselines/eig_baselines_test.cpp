// SPDX-License-Identifier: BSD-3-Clause
// Each baseline's eigendecomposition has the properties that the library documents.
#include <pivotlab/baselines.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <tests/baselines/eig_support.hpp>

#include <limits>

namespace pivotlab::eig_baselines_test {
namespace {

using Complex = std::complex<double>;

template <class T>
class EveryEigBaseline : public testing::Test {
 protected:
  void SetUp() override {
    if (eig_baselines(scalar_type<T>, "lapack:").empty()) GTEST_SKIP() << "this build has no LAPACK";
  }
};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(EveryEigBaseline, Scalars);

TYPED_TEST(EveryEigBaseline, DecomposesAtEveryOrder) {
  using T = TypeParam;
  for (const std::string& name : eig_baselines(scalar_type<T>, "lapack:"))
    for (const Index n : {0, 1, 2, 3, 5, 10, 50, 120}) {
      SCOPED_TRACE(testing::Message() << name << ", n = " << n);
      const auto A = random_matrix<T>(n, n, 7);
      expect_decomposition(A, solve_eig_with_baseline<T>(name, A, false, 1), false);
      expect_decomposition(A, solve_eig_with_baseline<T>(name, A, true, 1), true);
    }
}

TYPED_TEST(EveryEigBaseline, OrdersByDescendingModulus) {
  using T = TypeParam;
  Matrix<T> A(3, 3);
  A(0, 0) = 1.0, A(1, 1) = -3.0, A(2, 2) = 2.0;
  for (const std::string& name : eig_baselines(scalar_type<T>, "lapack:"))
    EXPECT_EQ(solve_eig_with_baseline<T>(name, A).eigenvalues, (std::vector<Complex>{-3.0, 2.0, 1.0}));
}

TYPED_TEST(EveryEigBaseline, RefusesWhatCannotBeDecomposed) {
  using T = TypeParam;
  const auto refusal = [](const std::string& name, const Matrix<T>& A) -> std::string {
    try {
      solve_eig_with_baseline<T>(name, A);
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  for (const std::string& name : eig_baselines(scalar_type<T>, "lapack:")) {
    EXPECT_EQ(refusal(name, Matrix<T>(2, 3)), "matrix A: it is 2 x 3; it must be square");
    Matrix<T> A(2, 2);
    A(1, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refusal(name, A), "matrix A: element (2, 1) is not finite; remove NaN and Inf from the input");
  }
  EXPECT_TRUE(refusal("lapack:geevx", Matrix<T>(1, 1)).starts_with("baseline 'lapack:geevx': no such baseline for "));
}

TEST(EigBaselines, GpuBaselinesAreNotSupportedWithoutGpu) {
  if (why_no_device().empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(eig_baselines(ScalarType::z, "cusolver:"),
            (std::vector<std::string>{"cusolver:zgeev", "cusolver:zgeev;mixed"}));
  EXPECT_THROW(solve_eig_with_baseline<Complex>("cusolver:zgeev", Matrix<Complex>(2, 2)), NotSupported);
}

}  // namespace
}  // namespace pivotlab::eig_baselines_test
