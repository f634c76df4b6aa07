// SPDX-License-Identifier: BSD-3-Clause
// Exact products on a GPU: the bits of the host, and with PIVOTLAB_GPU_LARGE=1 sampled entries of large products
// against long integers.
#include <tests/gpu_test.hpp>

#include <pivotlab/error.hpp>
#include <tests/exact/exact_data.hpp>
#include <tests/gpu_matrix.hpp>

#include <cstdlib>
#include <cstring>
#include <iostream>

namespace pivotlab::exact_gpu_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

class ExactOnGpu : public GpuTest {};

template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() &&
         std::memcmp(a.data(), b.data(), sizeof(T) * static_cast<std::size_t>(a.size())) == 0;
}

/// Holds a factor in the memory of the GPU.
template <class T>
class GpuLimbs {
 public:
  explicit GpuLimbs(const Limbs<T>& limbs) : hi_(limbs.hi), lo_(limbs.lo), has_low_(limbs.lo.size() > 0) {}
  ExactFactor<T> factor() const {
    return {hi_.view(), has_low_ ? MatrixView<const T>(lo_.view()) : MatrixView<const T>{}};
  }

 private:
  GpuMatrix<T> hi_, lo_;
  bool has_low_;
};

template <class T>
ExactProduct<T> product_on_gpu(const Problem<T>& problem, const ExactOptions& options) {
  const GpuLimbs<T> A(problem.A), B(problem.B);
  const Index m = problem.A.hi.rows(), n = problem.B.hi.cols();
  const GpuMatrix<T> hi(m, n), lo(m, n);
  const GpuMatrix<double> bounds(m, n);
  DeviceExactProduct<T> plan(m, n, problem.A.hi.cols(), options);
  plan.run({.hi = hi.view(), .lo = lo.view()}, A.factor(), B.factor());
  plan.bound_entries(bounds.view());
  const ExactReport report = plan.report();
  return {hi.on_host(), lo.on_host(), bounds.on_host(), report};
}

/// The device's bounds are without the rounding to two limbs.
template <class T>
bool same_product(const ExactProduct<T>& device, const ExactProduct<T>& host) {
  bool same = same_bits(device.hi, host.hi) && same_bits(device.lo, host.lo) &&
              device.report.moduli == host.report.moduli && device.report.left_error == host.report.left_error &&
              device.report.right_error == host.report.right_error &&
              device.report.left_lost == host.report.left_lost && device.report.right_lost == host.report.right_lost &&
              device.report.rows_not_finite == host.report.rows_not_finite &&
              device.report.columns_not_finite == host.report.columns_not_finite;
  for (Index e = 0; e < host.bound.size(); ++e) same = same && !(device.bound.data()[e] > host.bound.data()[e]);
  return same;
}

template <class T>
void expect_bits_of_the_host(Index m, Index n, Index k) {
  for (const Kind& kind : kinds) {
    const Problem<T> problem = make_problem<T>(kind, m, n, k);
    for (const int moduli : {0, 8, 10, 11, 15, 16, 20, 21, 25, 26})
      for (const bool balance : {false, true}) {
        const ExactOptions options{.moduli = moduli, .balance = balance, .panel = balance ? 64 : 0};
        EXPECT_TRUE(same_product(product_on_gpu<T>(problem, options),
                                 exact_product<T>(problem.A.factor(), problem.B.factor(), options)))
            << kind.name << ", " << moduli << " moduli, balance " << balance;
      }
  }
}

TEST_F(ExactOnGpu, ProductsHaveTheBitsOfTheHosts) {
  expect_bits_of_the_host<double>(33, 25, 101);
  expect_bits_of_the_host<double>(133, 170, 1001);
  expect_bits_of_the_host<Complex>(65, 77, 300);
}

template <class T>
void expect_gram() {
  const Problem<T> problem = make_problem<T>(kinds[4], 150, 1, 333);
  const GpuLimbs<T> A(problem.A);
  const GpuMatrix<T> hi(Matrix<T>(333, 333)), lo(Matrix<T>(333, 333));
  const ExactOptions options{.moduli = 18, .gram = true, .panel = 64};
  DeviceExactProduct<T> plan(333, 333, 150, options);
  plan.run({.hi = hi.view(), .lo = lo.view(), .subtract = true, .lower = true}, A.factor().adjoint(), A.factor());
  Matrix<T> host_hi(333, 333), host_lo(333, 333);
  exact_update<T>({.hi = host_hi, .lo = host_lo, .subtract = true, .lower = true}, problem.A.factor().adjoint(),
                  problem.A.factor(), options);
  EXPECT_TRUE(same_bits(hi.on_host(), host_hi));
  EXPECT_TRUE(same_bits(lo.on_host(), host_lo));
}

TEST_F(ExactOnGpu, TrianglesHaveTheBitsOfTheHosts) {
  expect_gram<double>();
  expect_gram<Complex>();
}

TEST_F(ExactOnGpu, MoreThanSixtyFiveThousandTermsHaveTheBitsOfTheHosts) {
  const Problem<double> problem = make_problem<double>(kinds[8], 40, 3, 66000);
  EXPECT_TRUE(
      same_product(product_on_gpu<double>(problem, {}), exact_product<double>(problem.A.factor(), problem.B.factor())));
}

TEST_F(ExactOnGpu, WorksOnTheCallersStreamAndWorkspaceAndAllocatesNothing) {
  const Problem<double> problem = make_problem<double>(kinds[0], 300, 200, 500);
  const ExactOptions options{.moduli = 19, .balance = true};
  const GpuLimbs<double> A(problem.A), B(problem.B);
  const GpuMatrix<double> hi(300, 200), lo(300, 200);
  const GpuStream stream;
  const GpuMemory workspace = gpu_memory(DeviceExactProduct<double>::workspace_bytes(300, 200, 500, options));
  DeviceExactProduct<double> plan(300, 200, 500, options, stream, workspace.get());
  const ExactTarget<double> C{.hi = hi.view(), .lo = lo.view()};
  plan.run(C, A.factor(), B.factor());  // cuBLAS takes memory at its first call
  const std::size_t before = free_gpu_memory();
  plan.run(C, A.factor(), B.factor());
  EXPECT_EQ(free_gpu_memory(), before);
  const auto expected = exact_product<double>(problem.A.factor(), problem.B.factor(), options);
  EXPECT_TRUE(same_bits(hi.on_host(), expected.hi));
  EXPECT_TRUE(same_bits(lo.on_host(), expected.lo));
  plan.run({.hi = hi.view(), .lo = lo.view(), .subtract = true, .start = ExactStart::c}, A.factor(), B.factor());
  EXPECT_TRUE(same_bits(hi.on_host(), Matrix<double>(300, 200)));
  EXPECT_TRUE(same_bits(lo.on_host(), Matrix<double>(300, 200)));
}

TEST_F(ExactOnGpu, MatricesOfAnotherShapeAreRefused) {
  const GpuMatrix<double> A(4, 4), B(4, 3);
  DeviceExactProduct<double> plan(4, 4, 4, {.moduli = 8});
  EXPECT_THROW(plan.run({.hi = A.view()}, MatrixView<const double>(A.view()), MatrixView<const double>(B.view())),
               InputError);
}

// ---- Large products ----

template <class T>
void expect_bounded(const Kind& kind, Index n, const ExactOptions& options) {
  const Problem<T> problem = make_problem<T>(kind, n, n, n);
  const ExactProduct<T> C = product_on_gpu<T>(problem, options);
  double largest = 0;
  constexpr Index samples = 6;
  for (Index s = 0; s < samples; ++s) {
    const Index i = s * 7919 % n, j = s * 104729 % n;
    const MatrixView<const T> row = problem.A.hi.view().block(i, 0, 1, n), col = problem.B.hi.view().block(0, j, n, 1);
    ExactFactor<T> a(row), b(col);
    if (problem.A.lo.size() > 0)
      a.lo = problem.A.lo.view().block(i, 0, 1, n), b.lo = problem.B.lo.view().block(0, j, n, 1);
    const auto exact = exact_entries<T>(a, b);
    const double size = std::abs(C.hi(i, j)), bound = C.bound(i, j) + 0x1p-103 * size;
    EXPECT_TRUE(is_within(squared_error(exact[0], C.hi(i, j), C.lo(i, j)), bound)) << kind.name << ' ' << i << ' ' << j;
    largest = std::max(largest, bound);
  }
  std::cout << kind.name << ", n = " << n << ", " << C.report.moduli << " moduli: lost " << C.report.left_lost << " + "
            << C.report.right_lost << ", bound 2^" << std::log2(C.report.bound()) << '\n';
}

TEST_F(ExactOnGpu, LargeProductsAreWithinTheirBounds) {
  if (!std::getenv("PIVOTLAB_GPU_LARGE")) GTEST_SKIP() << "set PIVOTLAB_GPU_LARGE=1 for n = 1000 to 9728";
  for (const Index n : {1000, 4096, 9728})
    for (const std::size_t kind : {0, 1, 2, 3, 4}) {
      expect_bounded<double>(kinds[kind], n, {.moduli = n > 4096 ? 20 : 18, .balance = true});
      if (n <= 4096) expect_bounded<Complex>(kinds[kind], n, {.moduli = 17});
    }
}

}  // namespace
}  // namespace pivotlab::exact_gpu_test
