// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic SVD and the eigensolver on a GPU: the bits of the emulation for every form, the committed digests, the
// same bits in every run, results as exact as the host's at n = 1000 and as estimated, and usable after an error. With
// PIVOTLAB_GPU_LARGE=1 the seconds of eigh() at n = 1024, 4096, 9728. Every kernel in every form on small matrices, for
// compute-sanitizer too:
//
//   compute-sanitizer --tool memcheck  jacobi_gpu_test --gtest_filter='HsvdGpuSmall*'
//   compute-sanitizer --tool racecheck jacobi_gpu_test --gtest_filter='HsvdGpuSmall*'
#include "defects.hpp"
#include "forms.hpp"
#include "tests/digests/digests.hpp"
#include "tests/gpu_test.hpp"

#include "kernels/jacobi/device/hsvd_driver.hpp"
#include "support/timer.hpp"

#include <pivotlab/error.hpp>

#include <cstdlib>
#include <iostream>
#include <new>

namespace pivotlab::jacobi_gpu_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T>
void expect_same_bits(const HsvdResult<T>& a, const HsvdResult<T>& b) {
  EXPECT_EQ(a.sigma, b.sigma);
  EXPECT_EQ(a.J, b.J);
  EXPECT_EQ(a.estimate, b.estimate);
  EXPECT_TRUE(std::equal(a.U.data(), a.U.data() + a.U.size(), b.U.data()));
  EXPECT_TRUE(std::equal(a.V.data(), a.V.data() + a.V.size(), b.V.data()));
  ASSERT_EQ(a.sweeps.size(), b.sweeps.size());
  for (std::size_t s = 0; s < a.sweeps.size(); ++s) {
    const HsvdSweep &x = a.sweeps[s], &y = b.sweeps[s];
    EXPECT_EQ(std::tie(x.transformations, x.big, x.hyperbolic, x.clamped, x.skipped_tiles, x.qr_tiles, x.null_columns,
                       x.max_inner_sweeps, x.largest_cosine, x.largest_tan, x.largest_tanh),
              std::tie(y.transformations, y.big, y.hyperbolic, y.clamped, y.skipped_tiles, y.qr_tiles, y.null_columns,
                       y.max_inner_sweeps, y.largest_cosine, y.largest_tan, y.largest_tanh));
  }
}

template <class T>
HsvdResult<T> solve(const Matrix<T>& G, const std::vector<int>& J, const std::string& name, Backend backend,
                    int max_sweeps = 30) {
  return hsvd<T>(
      G, J, {.variant = parse_hsvd_variant(name), .backend = backend, .compute_v = true, .max_sweeps = max_sweeps});
}

template <class T>
class HsvdGpuSmall : public GpuTest {};
template <class T>
class HsvdGpu : public GpuTest {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(HsvdGpuSmall, Scalars);
TYPED_TEST_SUITE(HsvdGpu, Scalars);

// Two sweeps execute all code that can differ.
TYPED_TEST(HsvdGpuSmall, HasTheBitsOfTheEmulation) {
  std::mt19937_64 generator(1);
  for (const char* form : kernel_forms<TypeParam>()) {
    SCOPED_TRACE(form);
    const Index n = columns_of_two_tiles(form);
    auto G = random_matrix<TypeParam>(n + 10, n, generator);
    expect_same_bits(solve(G, half(n), form, Backend::cuda, 2), solve(G, half(n), form, Backend::emulation, 2));
    for (Index j = 1; j < n; j += 2)
      for (Index i = 0; i < n + 10; ++i) G(i, j) = G(i, j - 1) + G(i, j) * 0x1p-30;
    expect_same_bits(solve(G, {}, form, Backend::cuda, 2), solve(G, {}, form, Backend::emulation, 2));
    G = random_matrix<TypeParam>(1, 1, generator);
    expect_same_bits(solve(G, {-1}, form, Backend::cuda), solve(G, {-1}, form, Backend::emulation));
  }
}

TYPED_TEST(HsvdGpu, AThousandColumnsAreDecomposedAsOnTheHost) {
  std::mt19937_64 generator(2);
  const auto G = random_matrix<TypeParam>(1003, 1000, generator);
  const auto host = hsvd<TypeParam>(G, half(1000), {.variant = parse_hsvd_variant("HSVD-ME-BO")});
  for (const char* form : {"HSVD-ME-BO", "HSVD-ME-FB;w=16", "HSVD-ME-BO;w=64"}) {
    if (is_complex<TypeParam> && std::string(form).ends_with("64")) continue;  // real numbers only
    SCOPED_TRACE(form);
    const auto r = solve(G, half(1000), form, Backend::cuda);
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_EQ(r.J, host.J);
    for (std::size_t j = 0; j < 1000; ++j)
      EXPECT_NEAR(r.sigma[j], host.sigma[j], 10 * (r.estimate[j] + host.estimate[j]) * host.sigma[j]);
    EXPECT_LE(defect_of_g(G, r, half(1000)), 1e-11);
    EXPECT_LE(defect_of_v(r, half(1000)), 1e-12);
  }
}

TYPED_TEST(HsvdGpu, GivesTheSameBitsInEveryRun) {
  std::mt19937_64 generator(3);
  for (const Index n : {100, 600}) {
    const auto G = random_matrix<TypeParam>(n + 50, n, generator);
    for (const char* form : {"HSVD-ME-BO;w=16", "HSVD-ME-FB"}) {
      SCOPED_TRACE(form);
      const auto first = solve(G, half(n), form, Backend::cuda);
      for (int run = 0; run < 3; ++run) expect_same_bits(solve(G, half(n), form, Backend::cuda), first);
    }
  }
}

TYPED_TEST(HsvdGpu, EigenvaluesAreThoseOfTheHost) {
  for (const char* name : {"HEV-RK-ME-BO", "HEV-CP-ME-FB;w=16"}) {
    const auto A = graded<TypeParam>(200, 12, 4);
    EighOptions options{.variant = parse_eigh_variant(name)};
    const auto host = eigh<TypeParam>(A, options);
    options.backend = Backend::cuda;
    const auto r = eigh<TypeParam>(A, options);
    EXPECT_EQ(r.status, Status::passed) << r.message;
    for (std::size_t j = 0; j < 200; ++j)
      EXPECT_NEAR(r.eigenvalues[j], host.eigenvalues[j],
                  10 * (r.estimate[j] + host.estimate[j]) * std::abs(host.eigenvalues[j]));
  }
}

TYPED_TEST(HsvdGpu, EigenvaluesAreAsExactAsEstimated) {
  for (const auto& A : {graded<TypeParam>(96, 12, 6), quasi_definite<TypeParam>(96, 12, 7)}) {
    const auto truth = true_eigenvalues(A);
    for (const char* name : {"HEV-RK-ME-BO", "HEV-RK-ME-FB;w=16"}) {
      const auto r = eigh<TypeParam>(A, {.variant = parse_eigh_variant(name), .backend = Backend::cuda});
      EXPECT_EQ(r.status, Status::passed) << r.message;
      EXPECT_LE(largest_defect(A, r), 4.0) << name;
      const auto errors = relative_errors(r.eigenvalues, truth);
      EXPECT_LE(largest(errors), 1e-13) << name;
      for (std::size_t j = 0; j < errors.size(); ++j) EXPECT_LE(errors[j], 10 * r.estimate[j]) << name << " " << j;
    }
  }
}

class HsvdGpuSpecial : public GpuTest {};

TEST_F(HsvdGpuSpecial, TooLittleMemoryIsBadAllocAndTheProcessGoesOn) {
  jacobi::SolverPlan plan = jacobi::make_plan(false, 64, 64, {.variant = {.width = 16}, .backend = Backend::cuda});
  plan.rows = std::int64_t(1) << 40;
  EXPECT_THROW(jacobi::make_cuda_solver(plan), std::bad_alloc);
  EXPECT_EQ(solve(Matrix<double>::identity(40), {}, "HSVD-ME-BO;w=16", Backend::cuda).status, Status::passed);
}

TEST_F(HsvdGpuSpecial, RefusesWhatTheHostRefuses) {
  Matrix<double> nan = Matrix<double>::identity(3);
  nan(2, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(solve(nan, {}, "HSVD-ME-BO", Backend::cuda), InputError);
  for (const char* name : {"HSVD-ME-PT", "HSVD-ME-BO;qrp"})
    EXPECT_THROW(solve(Matrix<double>::identity(3), {}, name, Backend::cuda), NotSupported);
}

/// Solves twice and prints the times; without a library's eigenvectors both have the same bits. The first run has the
/// start of CUDA, if it is the first.
void print_seconds(const Matrix<double>& A, const std::string& name) {
  const EighOptions options{.variant = parse_eigh_variant(name), .backend = Backend::cuda};
  EighResult<double> first;
  for (int run = 0; run < 2; ++run) {
    const Timer timer;
    auto r = eigh<double>(A, options);
    const double all = timer.seconds();
    double kernels = 0;
    for (const HsvdSweep& sweep : r.sweeps) kernels += sweep.seconds;
    std::cout << "  " << name << ": factorization " << r.factor_seconds << " s, preconditioner " << r.spectral_seconds
              << " s " << r.spectral.refusal << ", " << r.sweeps.size() << " sweeps " << kernels
              << " s, hyperbolic SVD " << r.sweep_seconds << " s, all " << all << " s" << std::endl;
    EXPECT_EQ(r.status, Status::passed) << r.message;
    if (run == 0) {
      first = std::move(r);
      continue;
    }
    for (const HsvdSweep& s : r.sweeps)
      std::cout << "    " << s.seconds << " s, " << s.transformations << " transformations, " << s.big << " big, "
                << s.skipped_tiles << " tiles skipped, largest cos " << s.largest_cosine << ", tan " << s.largest_tan
                << "\n";
    EXPECT_TRUE(options.variant.spectral || (r.eigenvalues == first.eigenvalues && r.estimate == first.estimate &&
                                             std::equal(r.U.data(), r.U.data() + r.U.size(), first.U.data())));
  }
  const double defect = largest_defect(A, first);
  std::cout << "    largest defect " << defect << " n·ε" << std::endl;
  EXPECT_LE(defect, 4.0);
}

TEST_F(HsvdGpuSpecial, SecondsOfEigh) {
  if (!std::getenv("PIVOTLAB_GPU_LARGE")) GTEST_SKIP() << "set PIVOTLAB_GPU_LARGE=1 for n = 1024, 4096 and 9728";
  for (const Index n : {1024, 4096, 9728}) {
    std::mt19937_64 generator(static_cast<unsigned>(n));
    const Matrix<double> A = hermitian(random_matrix<double>(n, n, generator));
    std::cout << "real n = " << n << "\n";
    const std::string width = n == 1024 ? ";w=16" : ";w=64";
    for (const char* options : {"", ";spectral"}) print_seconds(A, "HEV-RK-ME-BO" + width + options);
    Matrix<double> graded = A;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        graded(i, j) = (A(i, j) + (i != j ? 0.0 : (j % 2 == 0 ? 4 : -4) * std::sqrt(double(n)))) *
                       std::pow(10.0, -12.0 * double(i + j) / double(2 * n - 2));
    std::cout << "D*R*D with a diagonally dominant R, D over six decades\n";
    print_seconds(graded, "HEV-CP-ME-BO" + width);
  }
}

// The kernels besides factorization and sweeps have the bits of the emulation, also where the rank test drops columns.
TYPED_TEST(HsvdGpuSmall, EigenvaluesHaveTheBitsOfTheEmulation) {
  for (auto A : {graded<TypeParam>(70, 6, 3), graded<TypeParam>(70, 30, 4), quasi_definite<TypeParam>(70, 4, 5)})
    for (const bool singular : {false, true}) {
      for (Index i = 0; singular && i < 70; ++i) A(i, 69) = A(69, i) = TypeParam(0);
      for (const char* name : {"HEV-RK-ME-BO;w=16", "HEV-CP-ME-FB;w=16"}) {
        SCOPED_TRACE(name);
        EighOptions options{.variant = parse_eigh_variant(name), .backend = Backend::cuda, .max_sweeps = 2};
        const auto a = eigh<TypeParam>(A, options);
        options.backend = Backend::emulation;
        const auto b = eigh<TypeParam>(A, options);
        EXPECT_EQ(a.eigenvalues, b.eigenvalues);
        EXPECT_EQ(a.estimate, b.estimate);
        EXPECT_EQ(a.rank, b.rank);
        EXPECT_LE(a.rank, singular ? 69 : 70);
        EXPECT_TRUE(std::equal(a.U.data(), a.U.data() + a.U.size(), b.U.data()));
      }
    }
}

TYPED_TEST(HsvdGpu, TheSpectralPreconditionerKeepsTheEigenvalues) {
  for (const auto& [A, is_used] :
       {std::pair(graded<TypeParam>(200, 4, 8), true), {graded<TypeParam>(200, 12, 8), false}}) {
    const auto host = eigh<TypeParam>(A, {.variant = parse_eigh_variant("HEV-RK-ME-BO")});
    const auto r =
        eigh<TypeParam>(A, {.variant = parse_eigh_variant("HEV-RK-ME-BO;spectral"), .backend = Backend::cuda});
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_EQ(r.spectral.used, is_used) << r.spectral.refusal;
    EXPECT_LE(r.sweeps.size(), is_used ? 3u : 30u);
    for (std::size_t j = 0; j < 200; ++j)
      EXPECT_NEAR(r.eigenvalues[j], host.eigenvalues[j],
                  10 * (r.estimate[j] + host.estimate[j]) * std::abs(host.eigenvalues[j]));
  }
}

class JacobiGpuDigest : public GpuTest {};

TEST_F(JacobiGpuDigest, IsTheCommittedOne) {
  for (const DigestCase& c : read_digests(committed_digests()))
    EXPECT_EQ(compute_digest(c.name, Backend::cuda), c.digest) << c.name;
}

}  // namespace
}  // namespace pivotlab::jacobi_gpu_test
