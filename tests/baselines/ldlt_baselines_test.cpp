// SPDX-License-Identifier: BSD-3-Clause
// Each baseline's factorization has the properties that the library documents, and its own solver solves a system.
#include <pivotlab/baselines.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <tests/baselines/ldlt_support.hpp>

#include <limits>

namespace pivotlab::ldlt_baselines_test {
namespace {

using Complex = std::complex<double>;
using test::Structure;
using test::structured;

template <class T>
class EveryLdltBaseline : public testing::Test {
 protected:
  void SetUp() override {
    if (ldlt_baselines(ScalarType::d, Symmetry::symmetric).empty()) GTEST_SKIP() << "this build has no LAPACK";
  }
  /// visit(name, symmetry)
  template <class Visit>
  static void for_baselines(Visit visit) {
    for (const Symmetry symmetry : both)
      for (const std::string& name : ldlt_baselines(scalar_type<T>, symmetry)) {
        SCOPED_TRACE(name);
        visit(name, symmetry);
      }
  }
};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(EveryLdltBaseline, Scalars);

TYPED_TEST(EveryLdltBaseline, FactorsAndSolvesAtEveryOrder) {
  using T = TypeParam;
  for (const Structure structure : {Structure::dense, Structure::zero_diagonal, Structure::saddle_point})
    for (const Index n : {1, 2, 3, 5, 10, 50, 150})  // from 64 on LAPACK works by blocks
      this->for_baselines([&](const std::string& name, Symmetry symmetry) {
        if (n == 1 && structure != Structure::dense) return;  // singular
        SCOPED_TRACE(testing::Message() << "n = " << n << ", structure " << static_cast<int>(structure));
        const auto A = structured<T>(structure, n, 7, symmetry);
        const auto B = random_matrix<T>(n, 3, 8);
        expect_factorization(A, B, symmetry, factor_with_baseline<T>(name, A, B, symmetry, 1));
      });
}

TYPED_TEST(EveryLdltBaseline, FactorsSingularMatrixWithoutSolution) {
  using T = TypeParam;
  this->for_baselines([&](const std::string& name, Symmetry symmetry) {
    const Matrix<T> A(4, 4), B = random_matrix<T>(4, 1, 1);
    const auto f = factor_with_baseline<T>(name, A, B, symmetry, 1);
    EXPECT_EQ(f.X.size(), 0);
    EXPECT_EQ(f.diagonal, std::vector<T>(4));
  });
}

TYPED_TEST(EveryLdltBaseline, FactorsTheEmptyMatrix) {
  using T = TypeParam;
  this->for_baselines([&](const std::string& name, Symmetry symmetry) {
    const auto f = factor_with_baseline<T>(name, Matrix<T>(0, 0), Matrix<T>(0, 2), symmetry);
    EXPECT_TRUE(f.permutation.empty());
    EXPECT_EQ(f.X.cols(), 2);
  });
}

TYPED_TEST(EveryLdltBaseline, RefusesWhatTheSolverRefuses) {
  using T = TypeParam;
  this->for_baselines([&](const std::string& name, Symmetry symmetry) {
    const Matrix<T> A = Matrix<T>::identity(3), B(3, 1);
    Matrix<T> skew = A, bad = A;
    skew(2, 0) = T(1);
    bad(1, 1) = T(std::numeric_limits<double>::quiet_NaN());
    const auto factor = [&](const Matrix<T>& given, const Matrix<T>& right) {
      factor_with_baseline<T>(name, given, right, symmetry, 1);
    };
    EXPECT_THROW(factor(skew, B), InputError);
    EXPECT_THROW(factor(bad, B), InputError);
    EXPECT_THROW(factor(Matrix<T>(3, 2), B), InputError);
    EXPECT_THROW(factor(A, Matrix<T>(2, 1)), InputError);
  });
}

TEST(LdltBaselines, FitTheSymmetry) {
  const auto count = [](ScalarType type, Symmetry symmetry, std::string_view library) {
    return ldlt_baselines(type, symmetry, library).size();
  };
  for (const Symmetry symmetry : both) EXPECT_EQ(count(ScalarType::d, symmetry, "cusolver:"), 1u);
  EXPECT_EQ(count(ScalarType::z, Symmetry::symmetric, "cusolver:"), 1u);
  EXPECT_EQ(count(ScalarType::z, Symmetry::hermitian, "cusolver:"), 0u);  // cuSOLVER has no zhetrf
  for (const std::string& name : ldlt_baselines(ScalarType::z, Symmetry::hermitian))
    EXPECT_TRUE(name.starts_with("lapack:zh")) << name;
}

TEST(LdltBaselines, AnUnknownNameIsAnsweredWithTheNearest) {
  if (ldlt_baselines(ScalarType::d, Symmetry::symmetric).empty()) GTEST_SKIP() << "this build has no LAPACK";
  const Matrix<Complex> A = Matrix<Complex>::identity(2);
  try {
    factor_with_baseline<Complex>("lapack:zsytrf", A, A);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(
        std::string(error.what()).find("baseline 'lapack:zsytrf': no such baseline for Hermitian matrices; nearest: "),
        0u)
        << error.what();
  }
}

TEST(LdltBaselines, OnTheGpuSayWhyTheyCannotRun) {
  if (!list_devices().empty()) GTEST_SKIP() << "there is a GPU";
  const Matrix<double> A = Matrix<double>::identity(2);
  try {
    factor_with_baseline<double>("cusolver:dsytrf", A, A);
    FAIL();
  } catch (const NotSupported& error) {
    EXPECT_EQ(error.what(), "cuSOLVER: " + why_no_device());
  }
}

}  // namespace
}  // namespace pivotlab::ldlt_baselines_test
