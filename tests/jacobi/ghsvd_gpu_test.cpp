// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD on a GPU: values, vectors and estimates as the host's, for every shape and rank, and
// plans for pairs that are there already. With PIVOTLAB_GPU_LARGE=1 the seconds at n = 1024 and 4096.
#include "ghsvd_checks.hpp"
#include "tests/gpu_matrix.hpp"
#include "tests/gpu_test.hpp"

#include "kernels/jacobi/shared/products.hpp"
#include "support/timer.hpp"

#include <pivotlab/device_ghsvd.hpp>
#include <pivotlab/error.hpp>

#include <cstdlib>
#include <iostream>

namespace pivotlab::ghsvd_gpu_test {
namespace {

using namespace test;

template <class T>
class GhsvdGpu : public GpuTest {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(GhsvdGpu, Scalars);

const char* const working = "GHSVD-TR-ME-BO;precision=working";
const char* const variants[] = {"GHSVD-TR-ME-BO;w=16", working};

TYPED_TEST(GhsvdGpu, SolvesAsTheHostDoes) {
  using T = TypeParam;
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    for (const auto& [m_f, m_g, n] : std::vector<std::array<Index, 3>>{
             {1, 1, 1}, {3, 2, 2}, {40, 37, 35}, {33, 130, 33}, {200, 161, 129}, {300, 290, 258}})
      expect_the_hosts(random_pair<T>(m_f, m_g, n, {}, static_cast<unsigned>(n)), name, Backend::cuda);
    expect_the_hosts(random_pair<T>(64, 40, 33, {.f_columns = 6, .g_columns = 4}, 2), name, Backend::cuda);
    expect_the_hosts(neutral_pair<T>(20, 3), name, Backend::cuda);
  }
  expect_the_hosts(random_pair<T>(64, 64, 32, {.f_rows = 8}, 11), variants[0], Backend::cuda);
}

TYPED_TEST(GhsvdGpu, EigenvaluesAreAsExactAsEstimated) {
  using T = TypeParam;
  for (const Gradings& g :
       std::initializer_list<Gradings>{{}, {.f_columns = 12}, {.f_columns = 8, .g_columns = 8}, {.f_rows = 8}}) {
    const auto pair = random_pair<T>(64, 64, 32, g, 11);
    const auto truth = true_eigenvalues(pair);
    for (const char* name : variants) {
      SCOPED_TRACE(name);
      const GhsvdErrors e = errors_of(solve_pair(pair, name, 1, Backend::cuda), truth);
      EXPECT_LE(e.estimate, 10);
      if (name != working || g.f_rows == 0) {
        EXPECT_LE(e.largest, 1e-12);
      }
    }
  }
}

TYPED_TEST(GhsvdGpu, EveryRankIsSolvedAsOnTheHost) {
  using T = TypeParam;
  auto zeros = random_pair<T>(70, 80, 60, {}, 10);
  for (const Index j : {0, 7, 59}) std::ranges::fill(zeros.F.col(j), T(0));
  const SignedPair<T> no_f{Matrix<T>(7, 5), Matrix<T>::identity(5), thirds(7)};
  const SignedPair<T> no_rows{Matrix<T>(0, 5), random_pair<T>(0, 9, 5, {}, 1).G, {}};
  auto dependent = random_pair<T>(60, 60, 50, {}, 12);
  for (Index i = 0; i < 60; ++i) dependent.G(i, 7) = dependent.G(i, 2) + dependent.G(i, 3);
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    for (const auto& pair : {random_pair<T>(9, 80, 60, {}, 9), zeros, no_f, no_rows})
      expect_the_hosts(pair, name, Backend::cuda);
    const auto r = solve_pair(dependent, name, 1, Backend::cuda);
    EXPECT_EQ(r.status, Status::failed);
    EXPECT_NE(r.message.find("full column rank"), std::string::npos) << r.message;
  }
}

/// Memory of a GPU for a decomposition.
template <class T>
struct GpuFactors {
  GpuFactors(Index m_f, Index m_g, Index n) : U(m_f, n), V(m_g, n), Z(n, n) {}
  DeviceGhsvdFactors<T> views() const { return {U.view(), V.view(), Z.view()}; }
  GpuMatrix<T> U, V, Z;
};

TYPED_TEST(GhsvdGpu, PlansWorkOnAStreamInAWorkspace) {
  using T = TypeParam;
  const Index m_f = 105, m_g = 90, n = 70;
  const GpuStream own;
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    const GhsvdOptions options{.variant = parse_ghsvd_variant(name), .threads = 1};
    const GpuMemory workspace = gpu_memory(DeviceGhsvd<T>::workspace_bytes(m_f, m_g, n, options));
    for (const cudaStream_t stream : {static_cast<cudaStream_t>(own), cudaStream_t{}}) {
      DeviceGhsvd<T> plan(m_f, m_g, n, options, stream, stream ? workspace.get() : nullptr);
      for (unsigned run = 0; run < 3; ++run) {
        const auto pair = random_pair<T>(m_f, m_g, n, {.f_columns = 2.0 * run}, 20 + run);
        const auto expected = solve_pair(pair, name, 1, Backend::cuda);
        const GpuMatrix<T> f(pair.F), g(pair.G);
        const GpuFactors<T> factors(m_f, m_g, n);
        const std::size_t before = free_gpu_memory();
        GhsvdResult<T> r{plan.run(f.view(), g.view(), pair.J, factors.views()), {}, {}, {}};
        if (run > 0) {
          EXPECT_EQ(free_gpu_memory(), before);
        }
        r.U = factors.U.on_host(), r.V = factors.V.on_host(), r.Z = factors.Z.on_host();
        check_pair(pair, r, 64 * std::numeric_limits<double>::epsilon());
        EXPECT_EQ(r.eigenvalues, expected.eigenvalues);
        EXPECT_EQ(r.estimate, expected.estimate);
        EXPECT_TRUE(equal(f.on_host(), pair.F) && equal(g.on_host(), pair.G));
      }
    }
  }
}

TYPED_TEST(GhsvdGpu, PlansRefuseWhatTheyCannotDo) {
  using T = TypeParam;
  auto pair = random_pair<T>(6, 6, 4, {}, 14);
  DeviceGhsvd<T> plan(6, 6, 4, {.variant = parse_ghsvd_variant(working)});
  const GpuFactors<T> factors(6, 6, 4), other(5, 6, 4);
  const GpuMatrix<T> f(pair.F), g(pair.G);
  EXPECT_EQ(plan.run(f.view(), g.view(), {}, factors.views()).status, Status::passed);
  EXPECT_THROW(plan.run(f.view(), g.view(), {1, -1}, factors.views()), InputError);
  EXPECT_THROW(plan.run(f.view(), g.view(), {1, -1, 0, 1, 1, 1}, factors.views()), InputError);
  EXPECT_THROW(plan.run(f.view(), g.view(), {}, other.views()), InputError);
  pair.F(2, 1) = T(std::numeric_limits<double>::quiet_NaN());
  const auto r = plan.run(GpuMatrix<T>(pair.F).view(), g.view(), {}, factors.views());
  EXPECT_EQ(r.status, Status::failed);
  EXPECT_FALSE(r.message.empty());
  EXPECT_THROW(DeviceGhsvd<T>(6, 3, 4), InputError);
  EXPECT_THROW(DeviceGhsvd<T>(6, 6, 4, {.variant = parse_ghsvd_variant("GHSVD-TR-ME-PT")}), NotSupported);
  EXPECT_THROW(DeviceGhsvd<T>(6, 6, 4, {.variant = parse_ghsvd_variant("GHSVD-HZ-ME-PT")}), NotSupported);
}

/// Returns the largest element of A*·B − diag(d).
double largest_defect(const Matrix<double>& A, const Matrix<double>& B, const std::vector<double>& d) {
  const Matrix<double> C = jacobi::product(true, A, B, thread_count(0));
  double largest = 0;
  for (Index j = 0; j < C.cols(); ++j)
    for (Index i = 0; i < C.rows(); ++i)
      largest = std::max(largest, std::abs(C(i, j) - (i == j ? d[static_cast<std::size_t>(j)] : 0)));
  return largest;
}

/// Returns ‖A·Z − Y·diag(sigma)‖/(‖A‖·‖Z‖), Frobenius norms.
double relative_residual(const Matrix<double>& A, const Matrix<double>& Z, const Matrix<double>& Y,
                         const std::vector<double>& sigma) {
  Matrix<double> difference = jacobi::product(false, A, Z, thread_count(0));
  for (Index j = 0; j < Z.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) difference(i, j) -= Y(i, j) * sigma[static_cast<std::size_t>(j)];
  return frobenius(difference) / (frobenius(A) * frobenius(Z));
}

class GhsvdGpuLarge : public GpuTest {};

TEST_F(GhsvdGpuLarge, Seconds) {
  if (!std::getenv("PIVOTLAB_GPU_LARGE")) GTEST_SKIP() << "set PIVOTLAB_GPU_LARGE=1 for n = 1024 and 4096";
  for (const auto& [n, name] :
       std::vector<std::pair<Index, const char*>>{{1024, working}, {1024, "GHSVD-TR-ME-BO"}, {4096, working}}) {
    const auto pair = random_pair<double>(n, n, n, {}, 7);
    const GhsvdOptions options{.variant = parse_ghsvd_variant(name)};
    std::cout << "  workspace for n = " << n << ": "
              << static_cast<double>(DeviceGhsvd<double>::workspace_bytes(n, n, n, options)) / double(8 * n * n)
              << " matrices\n";
    DeviceGhsvd<double> plan(n, n, n, options);
    const GpuMatrix<double> f(pair.F), g(pair.G);
    const GpuFactors<double> factors(n, n, n);
    DeviceGhsvdResult r;
    for (int run = 0; run < (name == working ? 4 : 1); ++run) {
      cudaDeviceSynchronize();
      const Timer timer;
      r = plan.run(f.view(), g.view(), pair.J, factors.views());
      cudaDeviceSynchronize();
      std::cout << "  real n = " << n << ", " << name << ": reduction " << r.reduction_seconds << " s, factorization "
                << r.factor_seconds << " s, " << r.sweeps.size() << " sweeps " << r.sweep_seconds << " s, compute "
                << r.compute_seconds << " s, all " << timer.seconds() << " s" << std::endl;
    }
    ASSERT_EQ(r.status, Status::passed) << r.message;
    const Matrix<double> U = factors.U.on_host(), V = factors.V.on_host(), Z = factors.Z.on_host();
    Matrix<double> JU = U;
    jacobi::scale_rows(JU, pair.J);
    double longest = 0;
    for (Index j = 0; j < n; ++j) {
      double square = 0;
      for (const double u : U.col(j)) square += u * u;
      longest = std::max(longest, square);
    }
    const double eps = std::numeric_limits<double>::epsilon(), unit = static_cast<double>(n) * eps;
    const double u = largest_defect(U, JU, {r.J.begin(), r.J.end()}) / longest,
                 v = largest_defect(V, V, std::vector<double>(static_cast<std::size_t>(n), 1.0)),
                 residual_f = relative_residual(pair.F, Z, U, r.sigma_f),
                 residual_g = relative_residual(pair.G, Z, V, r.sigma_g);
    std::cout << "    U*JU - J' " << u / eps << " eps, V*V - I " << v / eps << " eps, residuals " << residual_f / eps
              << " and " << residual_g / eps << " eps, largest estimate " << *std::ranges::max_element(r.estimate)
              << std::endl;
    EXPECT_LE(u, unit);
    EXPECT_LE(v, unit);
    EXPECT_LE(residual_f, unit);
    EXPECT_LE(residual_g, unit);
  }
}

}  // namespace
}  // namespace pivotlab::ghsvd_gpu_test
