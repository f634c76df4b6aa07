// SPDX-License-Identifier: BSD-3-Clause
// cuSOLVER's factorizations have the properties that the library documents.
#include <tests/baselines/ldlt_support.hpp>
#include <tests/gpu_test.hpp>

namespace pivotlab::ldlt_gpu_baselines_test {
namespace {

using test::Structure;
using test::structured;

template <class T>
class CusolverLdlt : public GpuTest {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(CusolverLdlt, Scalars);

TYPED_TEST(CusolverLdlt, FactorsAndSolvesAtEveryOrder) {
  using T = TypeParam;
  for (const Structure structure : {Structure::dense, Structure::zero_diagonal, Structure::saddle_point})
    for (const Index n : {2, 3, 5, 10, 50, 150, 500})
      for (const std::string& name : ldlt_baselines(scalar_type<T>, Symmetry::symmetric, "cusolver:")) {
        SCOPED_TRACE(testing::Message() << name << ", n = " << n << ", structure " << static_cast<int>(structure));
        const auto A = structured<T>(structure, n, 7, Symmetry::symmetric);
        const auto B = random_matrix<T>(n, 3, 8);
        expect_factorization(A, B, Symmetry::symmetric, factor_with_baseline<T>(name, A, B, Symmetry::symmetric));
      }
}

TYPED_TEST(CusolverLdlt, FactorsSingularMatrixWithoutSolution) {
  using T = TypeParam;
  for (const std::string& name : ldlt_baselines(scalar_type<T>, Symmetry::symmetric, "cusolver:")) {
    const auto f = factor_with_baseline<T>(name, Matrix<T>(4, 4), Matrix<T>(4, 1), Symmetry::symmetric);
    EXPECT_EQ(f.X.size(), 0);
    EXPECT_EQ(f.diagonal, std::vector<T>(4));
  }
}

}  // namespace
}  // namespace pivotlab::ldlt_gpu_baselines_test
