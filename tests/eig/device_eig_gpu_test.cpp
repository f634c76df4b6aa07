// SPDX-License-Identifier: BSD-3-Clause
// Plans for the eigendecomposition of matrices that are on a GPU: the eigenvalues' bits of the host call.
#include "device.hpp"
#include "tests/gpu_matrix.hpp"
#include "tests/gpu_test.hpp"

#include <pivotlab/device_eig.hpp>
#include <pivotlab/error.hpp>

#include <limits>

namespace pivotlab::device_eig_gpu_test {
namespace {

using namespace test;

class DeviceEigGpu : public GpuTest {};

template <class T>
void expect_as_host_call(DeviceEig<T>& plan, const Matrix<T>& A, const EigOptions& options, bool is_first) {
  const Index n = A.rows();
  const auto expected = eig<T>(A, options);
  const GpuMatrix<T> a(A);
  const GpuMatrix<Complex> v(n, n);
  const std::size_t before = free_gpu_memory();
  const auto r = plan.run(a.view(), v.view());
  if (!is_first) {
    EXPECT_EQ(free_gpu_memory(), before);
  }
  EXPECT_EQ(r.status, expected.status);
  EXPECT_EQ(r.eigenvalues, expected.eigenvalues);
  EXPECT_EQ(r.history.size(), expected.history.size());
  const Matrix<Complex> V = v.on_host();
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) EXPECT_LE(std::abs(V(i, j) - expected.V(i, j)), 1e-14);
  EXPECT_TRUE(equal(a.on_host(), A));
}

TEST_F(DeviceEigGpu, HasTheEigenvaluesOfTheHostCall) {
  const Index n = 100;
  const GpuStream own;
  const Matrix<Complex> A = gaussian(n, 3);
  Matrix<double> real(n, n);
  for (Index k = 0; k < real.size(); ++k) real.data()[k] = A.data()[k].real();
  for (const char* variant : {"ZEIG-(RR);b=16", "ZEIG-(RR);b=16;mixed", "ZEIG-(RR);fused", "ZEIG-(RR)"}) {
    SCOPED_TRACE(variant);
    const EigOptions options{.variant = parse_eig_variant(variant), .backend = Backend::cuda};
    const GpuMemory workspace = gpu_memory(DeviceEig<Complex>::workspace_bytes(n, options));
    for (const cudaStream_t stream : {static_cast<cudaStream_t>(own), cudaStream_t{}}) {
      {
        DeviceEig<Complex> plan(n, options, stream, stream ? workspace.get() : nullptr);
        bool is_first = true;
        for (const auto& matrix : {A, badly_scaled(n, 10, 3).A, A}) {
          expect_as_host_call(plan, matrix, options, is_first);
          is_first = false;
        }
      }
      DeviceEig<double> plan(n, options, stream, stream ? workspace.get() : nullptr);
      expect_as_host_call(plan, real, options, true);
      real(3, 4) = std::numeric_limits<double>::quiet_NaN();
      const GpuMatrix<Complex> v(n, n);
      EXPECT_THROW(plan.run(GpuMatrix<double>(real).view(), v.view()), InputError);
      real(3, 4) = 1;
    }
  }
}

TEST_F(DeviceEigGpu, RefusesWhatTheHostComputes) {
  EXPECT_THROW(DeviceEig<double>(0), InputError);
  EXPECT_THROW(DeviceEig<double>(4, {.left_vectors = true}), NotSupported);
  EXPECT_THROW(DeviceEig<double>(4, {.triangular_form = true}), NotSupported);
  EXPECT_THROW(DeviceEig<double>(4, {.variant = parse_eig_variant("ZEIG-(RR);b=16;refine")}), NotSupported);
  EXPECT_THROW(DeviceEig<double>(4, {}), NotSupported);  // the default has finish
  DeviceEig<double> plan(4, {.variant = parse_eig_variant("ZEIG-(RR);b=16"), .right_vectors = false});
  const GpuMatrix<double> A(Matrix<double>::identity(4)), other(5, 5);
  EXPECT_EQ(plan.run(A.view(), {}).eigenvalues, std::vector<Complex>(4, Complex(1)));
  EXPECT_THROW(plan.run(other.view(), {}), InputError);
}

}  // namespace
}  // namespace pivotlab::device_eig_gpu_test
