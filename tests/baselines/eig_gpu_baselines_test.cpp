// SPDX-License-Identifier: BSD-3-Clause
// cuSOLVER's eigendecompositions have the properties that the library documents.
#include <pivotlab/error.hpp>
#include <tests/baselines/eig_support.hpp>
#include <tests/gpu_test.hpp>

namespace pivotlab::eig_gpu_baselines_test {
namespace {

template <class T>
class CusolverEig : public GpuTest {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(CusolverEig, Scalars);

TYPED_TEST(CusolverEig, DecomposesAtEveryOrder) {
  using T = TypeParam;
  for (const Index n : {1, 2, 3, 10, 50, 150, 500})
    for (const std::string& name : eig_baselines(scalar_type<T>, "cusolver:")) {
      SCOPED_TRACE(testing::Message() << name << ", n = " << n);
      const auto A = random_matrix<T>(n, n, 7);
      try {
        expect_decomposition(A, solve_eig_with_baseline<T>(name, A), false);
      } catch (const NotSupported&) {  // by an older cuSOLVER, or for real matrices
        EXPECT_TRUE(name.ends_with(";mixed"));
      }
    }
}

TYPED_TEST(CusolverEig, HasNoLeftEigenvectors) {
  using T = TypeParam;
  for (const std::string& name : eig_baselines(scalar_type<T>, "cusolver:"))
    EXPECT_THROW(solve_eig_with_baseline<T>(name, Matrix<T>(2, 2), true), NotSupported);
}

}  // namespace
}  // namespace pivotlab::eig_gpu_baselines_test
