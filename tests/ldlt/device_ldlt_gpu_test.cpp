// SPDX-License-Identifier: BSD-3-Clause
// Plans for the factorization of matrices that are on a GPU: the bits of the host call on the backend cuda.
#include "device.hpp"
#include "tests/gpu_matrix.hpp"
#include "tests/gpu_test.hpp"

#include <pivotlab/device_ldlt.hpp>
#include <pivotlab/error.hpp>

#include <limits>

namespace pivotlab::device_ldlt_gpu_test {
namespace {

using namespace test;

template <class T>
class DeviceLdltGpu : public GpuTest {};
using Scalars = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DeviceLdltGpu, Scalars);

TYPED_TEST(DeviceLdltGpu, HasTheBitsOfTheHostCall) {
  using T = TypeParam;
  const Index n = 150;
  const GpuStream own;
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial})
    for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric}) {
      SCOPED_TRACE(testing::Message() << to_string(pivoting) << " " << int(symmetry));
      LdltOptions options{.variant = {.pivoting = pivoting}, .backend = Backend::cuda, .symmetry = symmetry};
      const GpuMemory workspace = gpu_memory(DeviceLdlt<T>::workspace_bytes(n, options));
      for (const cudaStream_t stream : {static_cast<cudaStream_t>(own), cudaStream_t{}}) {
        DeviceLdlt<T> plan(n, options, stream, stream ? workspace.get() : nullptr);
        bool is_first = true;
        for (const Structure structure : {Structure::dense, Structure::low_rank, Structure::zero_diagonal}) {
          auto A = structured<T>(structure, n, 3);
          if (symmetry == Symmetry::symmetric) A = unpack(pack<T>(A, InputTriangle::lower), symmetry);
          const auto expected = ldlt<T>(A, options);
          const GpuMatrix<T> a(A), m(n, n);
          const std::size_t before = free_gpu_memory();
          const auto f = plan.run(a.view(), m.view());
          EXPECT_EQ(f.diagonal, expected.diagonal);
          EXPECT_EQ(f.subdiagonal, expected.subdiagonal);
          EXPECT_EQ(f.permutation, expected.permutation);
          EXPECT_EQ(f.interchanges, expected.interchanges);
          EXPECT_EQ(f.rank, expected.rank);
          EXPECT_EQ(f.inertia, expected.inertia);
          EXPECT_EQ(f.stages.size(), expected.stages.size());
          EXPECT_EQ(f.tolerance, expected.tolerance);
          if (!is_first) {  // the first run loads kernels
            EXPECT_EQ(free_gpu_memory(), before);
          }
          is_first = false;
          EXPECT_TRUE(equal(m.on_host(), expected.M));
          EXPECT_TRUE(equal(a.on_host(), A));
          plan.run(a.view(), a.view());  // in place
          EXPECT_TRUE(equal(a.on_host(), expected.M));
        }
      }
    }
}

TYPED_TEST(DeviceLdltGpu, RefusesWhatTheHostCallRefuses) {
  using T = TypeParam;
  auto A = structured<T>(Structure::dense, 40, 3);
  A(3, 9) = T(std::numeric_limits<double>::quiet_NaN());
  const GpuMatrix<T> bad(A), m(40, 40), other(41, 40);
  EXPECT_THROW(DeviceLdlt<T>(40).run(bad.view(), m.view()), InputError);
  EXPECT_THROW(DeviceLdlt<T>(40, {.triangle = InputTriangle::upper}).run(bad.view(), m.view()), InputError);
  DeviceLdlt<T>(40, {.triangle = InputTriangle::lower}).run(bad.view(), m.view());  // does not read it
  EXPECT_THROW(DeviceLdlt<T>(40).run(m.view(), other.view()), InputError);
  EXPECT_THROW(DeviceLdlt<T>(0), InputError);
  EXPECT_THROW(DeviceLdlt<T>(4, {.variant = {.equilibrate = true}}), NotSupported);
}

}  // namespace
}  // namespace pivotlab::device_ldlt_gpu_test
