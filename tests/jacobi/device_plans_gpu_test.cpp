// SPDX-License-Identifier: BSD-3-Clause
// Plans for matrices that are on a GPU: the bits of the host calls on the backend cuda, on streams of the caller and
// the default one, without allocation from the second run on.
#include "defects.hpp"
#include "tests/gpu_matrix.hpp"
#include "tests/gpu_test.hpp"

#include <pivotlab/device_eigh.hpp>
#include <pivotlab/device_hsvd.hpp>
#include <pivotlab/error.hpp>

#include <complex>
#include <limits>

namespace pivotlab::device_plans_gpu_test {
namespace {

using namespace test;

template <class T>
class DevicePlansGpu : public GpuTest {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(DevicePlansGpu, Scalars);

TYPED_TEST(DevicePlansGpu, HsvdHasTheBitsOfTheHostCall) {
  using T = TypeParam;
  const Index m = 105, n = 70;
  HsvdOptions options{.variant = {.width = 16}, .compute_v = true};
  const GpuStream own;
  const GpuMemory workspace = gpu_memory(DeviceHsvd<T>::workspace_bytes(m, n, options));
  for (const cudaStream_t stream : {static_cast<cudaStream_t>(own), cudaStream_t{}}) {
    DeviceHsvd<T> plan(m, n, options, stream, stream ? workspace.get() : nullptr);
    std::mt19937_64 generator(5);
    for (int run = 0; run < 3; ++run) {
      const auto G = random_matrix<T>(m, n, generator);
      HsvdOptions on_cuda = options;
      on_cuda.backend = Backend::cuda;
      const auto expected = hsvd<T>(G, half(n), on_cuda);
      const GpuMatrix<T> g(G), u(m, n), v(n, n);
      const std::size_t before = free_gpu_memory();
      const auto r = plan.run(g.view(), half(n), u.view(), v.view());
      EXPECT_EQ(r.status, Status::passed) << r.message;
      EXPECT_EQ(r.sigma, expected.sigma);
      EXPECT_EQ(r.J, expected.J);
      EXPECT_EQ(r.estimate, expected.estimate);
      EXPECT_TRUE(equal(u.on_host(), expected.U));
      EXPECT_TRUE(equal(v.on_host(), expected.V));
      EXPECT_TRUE(equal(g.on_host(), G));
      if (run > 0) {
        EXPECT_EQ(free_gpu_memory(), before);
      }
    }
  }
}

TYPED_TEST(DevicePlansGpu, HsvdRefusesWhatTheHostCallRefuses) {
  using T = TypeParam;
  auto G = Matrix<T>::identity(3);
  DeviceHsvd<T> plan(3, 3);
  const GpuMatrix<T> good(G), u(3, 3), other(4, 3);
  G(2, 1) = T(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(plan.run(GpuMatrix<T>(G).view(), {}, u.view()), InputError);
  EXPECT_THROW(plan.run(good.view(), {1, 1}, u.view()), InputError);
  EXPECT_THROW(plan.run(good.view(), {}, other.view()), InputError);
  EXPECT_THROW(DeviceHsvd<T>(2, 3), InputError);
  EXPECT_THROW(DeviceHsvd<T>(3, 3, {.variant = parse_hsvd_variant("HSVD-ME-PT")}), NotSupported);
  const auto r = plan.run(good.view(), {}, good.view());  // in place
  EXPECT_EQ(r.sigma, std::vector<double>(3, 1.0));
}

TYPED_TEST(DevicePlansGpu, EighHasTheBitsOfTheHostCall) {
  using T = TypeParam;
  const Index n = 70;
  auto singular = graded<T>(n, 6, 3);
  for (Index i = 0; i < n; ++i) singular(i, 69) = singular(69, i) = T(0);
  const GpuStream own;
  for (const char* name : {"HEV-RK-ME-BO;w=16", "HEV-CP-ME-FB;w=16"}) {
    SCOPED_TRACE(name);
    EighOptions options{.variant = parse_eigh_variant(name), .backend = Backend::cuda};
    const GpuMemory workspace = gpu_memory(DeviceEigh<T>::workspace_bytes(n, options));
    for (const cudaStream_t stream : {static_cast<cudaStream_t>(own), cudaStream_t{}}) {
      DeviceEigh<T> plan(n, options, stream, stream ? workspace.get() : nullptr);
      int run = 0;
      for (const auto& A : {graded<T>(n, 6, 3), quasi_definite<T>(n, 4, 5), graded<T>(n, 2, 8), singular}) {
        const auto expected = eigh<T>(A, options);
        const GpuMatrix<T> a(A), u(n, n);
        const std::size_t before = free_gpu_memory();
        const auto r = plan.run(a.view(), u.view());
        EXPECT_EQ(r.status, Status::passed) << r.message;
        EXPECT_EQ(r.eigenvalues, expected.eigenvalues);
        EXPECT_EQ(r.estimate, expected.estimate);
        EXPECT_EQ(r.rank, expected.rank);
        auto U = u.on_host();
        for (Index j = 0; j < n; ++j)
          if (r.eigenvalues[j] == 0) std::ranges::copy(expected.U.col(j), U.col(j).begin());
        EXPECT_TRUE(equal(U, expected.U));
        EXPECT_TRUE(equal(a.on_host(), A));
        if (run++ > 0 && r.rank == n) {
          EXPECT_EQ(free_gpu_memory(), before);
        }
      }
      auto bad = singular;
      bad(1, 0) += T(1);
      const GpuMatrix<T> u(n, n);
      EXPECT_THROW(plan.run(GpuMatrix<T>(bad).view(), u.view()), InputError);
      bad(1, 0) = T(std::numeric_limits<double>::quiet_NaN());
      EXPECT_THROW(plan.run(GpuMatrix<T>(bad).view(), u.view()), InputError);
    }
  }
}

TYPED_TEST(DevicePlansGpu, TwoStagesHaveTheBitsOfTheHostCallAndTheValuesOfTheEmulation) {
  using T = TypeParam;
  const GpuStream own;
  for (const Index n : {1, 2, 70, 300}) {
    SCOPED_TRACE(n);
    EighOptions options{.variant = parse_eigh_variant("HEV-2STAGE"), .backend = Backend::cuda};
    const GpuMemory workspace = gpu_memory(DeviceEigh<T>::workspace_bytes(n, options));
    for (const cudaStream_t stream : {static_cast<cudaStream_t>(own), cudaStream_t{}}) {
      DeviceEigh<T> plan(n, options, stream, stream ? workspace.get() : nullptr);
      int run = 0;
      for (const auto& A : {graded<T>(n, 6, 3), graded<T>(n, 2, 8), Matrix<T>(n, n)}) {
        options.backend = Backend::cuda, options.subset = {};
        const auto expected = eigh<T>(A, options);
        const Index first = n / 3, count = n - n / 2;
        options.subset = {.first = first, .count = count};
        const auto of_host = eigh<T>(A, options);
        const GpuMatrix<T> a(A), u(n, n), part(n, count);
        const std::size_t before = free_gpu_memory();
        const auto r = plan.run(a.view(), u.view()), p = plan.run(a.view(), part.view(), options.subset),
                   values = plan.run(a.view(), {});
        EXPECT_EQ(r.status, Status::passed) << r.message;
        EXPECT_LE(largest_defect(A, expected), 4.0);
        EXPECT_EQ(r.eigenvalues, expected.eigenvalues);
        EXPECT_EQ(r.estimate, expected.estimate);
        EXPECT_EQ(p.eigenvalues, expected.eigenvalues);
        EXPECT_TRUE(equal(u.on_host(), expected.U));
        EXPECT_TRUE(equal(part.on_host(), of_host.U));
        EXPECT_TRUE(equal(a.on_host(), A));
        if (run++ > 0) {
          EXPECT_EQ(free_gpu_memory(), before);
        }
        const auto& lambda = expected.eigenvalues;
        const double norm = std::max(std::abs(lambda.front()), std::abs(lambda.back()));
        const double both = 4 * static_cast<double>(n + 4) * 0x1p-53 * norm;  // errors of two results
        options.backend = n > 70 ? Backend::cuda : Backend::emulation;
        const auto emulated = eigh<T>(A, options);
        for (std::size_t j = 0; j < lambda.size(); ++j) {
          EXPECT_NEAR(values.eigenvalues[j], lambda[j], both);
          EXPECT_NEAR(emulated.eigenvalues[j], lambda[j], both);
        }
      }
      auto bad = Matrix<T>::identity(n);
      bad(0, n - 1) = T(std::numeric_limits<double>::quiet_NaN());
      EXPECT_THROW(plan.run(GpuMatrix<T>(bad).view(), {}), InputError);
    }
  }
}

TYPED_TEST(DevicePlansGpu, EighIsPreconditioned) {
  using T = TypeParam;
  const auto A = graded<T>(200, 4, 8);
  EighOptions options{.variant = parse_eigh_variant("HEV-RK-ME-BO;spectral"), .backend = Backend::cuda};
  const auto expected = eigh<T>(A, options);
  DeviceEigh<T> plan(200, options);
  const GpuMatrix<T> a(A);
  for (int run = 0; run < 2; ++run) {
    const auto r = plan.run(a.view(), {});
    EXPECT_TRUE(r.spectral.used) << r.spectral.refusal;
    for (std::size_t j = 0; j < 200; ++j)
      EXPECT_NEAR(r.eigenvalues[j], expected.eigenvalues[j],
                  10 * (r.estimate[j] + expected.estimate[j]) * std::abs(expected.eigenvalues[j]));
  }
}

}  // namespace
}  // namespace pivotlab::device_plans_gpu_test
