// SPDX-License-Identifier: BSD-3-Clause
// The SVD by eigenvectors of G*G on a GPU: small σ of dense matrices against Quad. With PIVOTLAB_GPU_LARGE=1 the
// seconds of its steps at n = 1024, 4096, 9728 beside the iteration and cuSOLVER.
#include "defects.hpp"
#include "tests/gpu_test.hpp"

#include "kernels/jacobi/device/spectral_svd_outcome.hpp"
#include "support/timer.hpp"

#include <pivotlab/baselines.hpp>

#include <cstdlib>
#include <iostream>
#include <map>

namespace pivotlab::svd_gpu_test {
namespace {

using namespace test;
using Complex = std::complex<double>;
constexpr double eps = std::numeric_limits<double>::epsilon();

template <class T>
class SvdGpu : public GpuTest {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(SvdGpu, Scalars);

TYPED_TEST(SvdGpu, HasTheDigitsOfSmallSingularValues) {
  for (const double kappa : {1e2, 1e8, 1e16})
    for (const Index m : {40, 61}) {
      const Matrix<TypeParam> G = dense<TypeParam>(m, 40, kappa, 5);
      const auto r = hsvd<TypeParam>(
          G, {},
          {.variant = parse_hsvd_variant("HSVD-ME-BO;exact;spectral"), .backend = Backend::cuda, .compute_v = true});
      ASSERT_EQ(r.status, Status::passed) << r.message;
      EXPECT_TRUE(r.sweeps.empty());
      EXPECT_LE(defect_of_v(r, {}), eps);
      EXPECT_LE(defect_of_g(G, r, {}), 400 * eps);
      const auto truth = hsvd<Rebind<TypeParam, Quad>>(converted<Quad>(G), {}, {.variant = {.form = JacobiForm::PT}});
      for (std::size_t j = 0; j < r.sigma.size(); ++j) {
        const double error = static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j]);
        EXPECT_LE(2 * std::abs(error), r.estimate[j]) << kappa << ", " << m << ", " << j;
        EXPECT_LE(r.estimate[j], 400 * eps) << kappa << ", " << m << ", " << j;
      }
    }
}

class SvdGpuLarge : public GpuTest {};

TEST_F(SvdGpuLarge, Seconds) {
  if (!std::getenv("PIVOTLAB_GPU_LARGE")) GTEST_SKIP() << "set PIVOTLAB_GPU_LARGE=1 for n = 1024, 4096 and 9728";
  for (const Index n : {1024, 4096, 9728}) {
    std::mt19937_64 generator(static_cast<unsigned>(n));
    const Matrix<double> G = random_matrix<double>(n, n, generator);
    Matrix<double> U(n, n), V(n, n);
    std::cout << "random, n = " << n << "\n";
    std::vector<double> sigma;
    for (int run = 0; run < 3; ++run) {
      const auto outcome = jacobi::spectral_svd_on_cuda<double>(G, U, V);
      ASSERT_EQ(outcome.reason, "");
      std::cout << "  exact;spectral " << outcome.compute_seconds << " s, " << outcome.steps << " steps\n";
      sigma = outcome.sigma;
    }
    std::map<std::string, double> seconds;
    Timer timer;
    double before = 0;
    jacobi::spectral_svd_on_cuda<double>(G, U, V, [&](std::string_view step, double) {
      cudaDeviceSynchronize();
      const double now = timer.seconds();
      seconds[std::string(step)] += now - before;
      before = now;
    });
    for (const auto& [step, s] : seconds) std::cout << "    " << step << ": " << s << " s\n";
    const auto compare = [&](const char* name, const HsvdResult<double>& r) {
      double apart = 0;
      for (std::size_t j = 0; j < r.sigma.size(); ++j)
        apart = std::max(apart, std::abs(r.sigma[j] - sigma[j]) / sigma[j]);
      std::cout << "  " << name << " " << r.compute_seconds << " s, sigma differ by " << apart << std::endl;
    };
    for (const char* baseline : {"cusolver:dgesvdp", "cusolver:dgesvdj"})
      for (int run = 0; run < 2 && (n < 9000 || baseline[15] == 'p'); ++run)
        compare(baseline, solve_svd_with_baseline<double>(baseline, G));
    const char* plain = n == 1024 ? "HSVD-ME-BO;w=16" : n == 4096 ? "HSVD-ME-BO" : "HSVD-ME-BO;w=64";
    for (int run = 0; run < 2; ++run)
      compare(plain,
              hsvd<double>(G, {}, {.variant = parse_hsvd_variant(plain), .backend = Backend::cuda, .compute_v = true}));
  }
}

}  // namespace
}  // namespace pivotlab::svd_gpu_test
