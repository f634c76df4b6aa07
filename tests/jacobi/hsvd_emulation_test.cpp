// SPDX-License-Identifier: BSD-3-Clause
// The device's kernels, run on the host by fibers: correct for every variant and shape, and bitwise the same for every
// order of the threads of a block.
#include "defects.hpp"
#include "forms.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/jacobi/device/hsvd_driver.hpp"

#include <gtest/gtest.h>

#include <pivotlab/error.hpp>

#include <memory>
#include <numeric>
#include <utility>

namespace pivotlab::hsvd_emulation_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();

template <class T>
HsvdResult<T> solve(const Matrix<T>& G, const std::vector<int>& J, const char* name,
                    LaneOrder order = LaneOrder::forward, int max_sweeps = 30) {
  return jacobi::hsvd_emulated<T>(
      G, J,
      {.variant = parse_hsvd_variant(name), .backend = Backend::emulation, .compute_v = true, .max_sweeps = max_sweeps},
      order);
}

/// All bits of a result and its counters, but times.
template <class T>
std::vector<double> numbers(const HsvdResult<T>& r) {
  std::vector<double> x = r.sigma;
  for (const auto* A : {&r.U, &r.V}) {
    const auto* parts = reinterpret_cast<const double*>(A->data());
    x.insert(x.end(), parts, parts + A->size() * (sizeof(T) / sizeof(double)));
  }
  x.insert(x.end(), r.estimate.begin(), r.estimate.end());
  for (const HsvdSweep& s : r.sweeps)
    for (const std::uint64_t n : {s.transformations, s.big, s.hyperbolic, s.clamped, s.skipped_tiles, s.qr_tiles,
                                  s.null_columns, static_cast<std::uint64_t>(s.max_inner_sweeps)})
      x.push_back(static_cast<double>(n));
  for (const HsvdSweep& s : r.sweeps) x.insert(x.end(), {s.largest_cosine, s.largest_tan, s.largest_tanh});
  return x;
}

std::uint64_t qr_tiles(const std::vector<HsvdSweep>& sweeps) {
  return std::accumulate(sweeps.begin(), sweeps.end(), std::uint64_t(0),
                         [](std::uint64_t sum, const HsvdSweep& s) { return sum + s.qr_tiles; });
}

/// Checks the decomposition, and compares it with the host's, whose arithmetic has another order.
template <class T>
HsvdResult<T> check(const Matrix<T>& G, const std::vector<int>& J, const char* name) {
  const auto r = solve(G, J, name);
  HsvdVariant variant = parse_hsvd_variant(name);
  const bool nested = variant.width == 64;
  if (nested) variant.width = 32;  // that of its halves
  const auto host = hsvd<T>(G, J, {.variant = variant, .compute_v = true, .threads = 1});
  const double unit = static_cast<double>(G.cols()) * eps;
  EXPECT_EQ(r.status, Status::passed) << name << ": " << r.message;
  EXPECT_LE(defect_of_g(G, r, J), 10 * unit) << name;
  EXPECT_LE(defect_of_v(r, J), unit) << name;
  EXPECT_EQ(r.J, host.J) << name;
  for (std::size_t j = 0; j < r.sigma.size(); ++j) {
    EXPECT_NEAR(r.sigma[j], host.sigma[j], 10 * (r.estimate[j] + host.estimate[j]) * host.sigma[j]) << name;
    EXPECT_LE(r.estimate[j], 4 * host.estimate[j]) << name;
    EXPECT_GE(4 * r.estimate[j], host.estimate[j]) << name;
  }
  EXPECT_LE(r.sweeps.size(), host.sweeps.size() + 1) << name;
  if (!nested) {
    EXPECT_GE(r.sweeps.size() + 1, host.sweeps.size()) << name;
  }
  return r;
}

template <class T>
class HsvdEmulation : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(HsvdEmulation, Scalars);

TYPED_TEST(HsvdEmulation, DecomposesAsTheHostDoes) {
  std::mt19937_64 generator(1);
  for (const char* form : kernel_forms<TypeParam>()) {
    const Index n = columns_of_two_tiles(form);
    check(random_matrix<TypeParam>(n + 10, n, generator), half(n), form);
    check(random_matrix<TypeParam>(20, 20, generator), {}, form);
    check(random_matrix<TypeParam>(24, 17, generator), std::vector<int>(17, -1), form);
    check(random_matrix<TypeParam>(3, 1, generator), {-1}, form);
  }
}

template <class T>
HsvdResult<T> expect_same_bits_in_all_orders(const Matrix<T>& G, const std::vector<int>& J, const char* form,
                                             int sweeps) {
  const auto forward = solve(G, J, form, LaneOrder::forward, sweeps);
  for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled})
    EXPECT_TRUE(numbers(solve(G, J, form, order, sweeps)) == numbers(forward)) << form;
  return forward;
}

// Two sweeps execute all code that can differ, four also that for columns that are rounding noise.
TYPED_TEST(HsvdEmulation, TheOrderOfTheThreadsDoesNotMatter) {
  std::mt19937_64 generator(2);
  for (const char* form : kernel_forms<TypeParam>()) {
    const Index n = columns_of_two_tiles(form);
    expect_same_bits_in_all_orders(random_matrix<TypeParam>(n + 4, n, generator), half(n), form, 2);
  }
  auto pairs = random_matrix<TypeParam>(40, 36, generator);
  for (Index j = 1; j < 36; j += 2) std::ranges::copy(pairs.col(j - 1), pairs.col(j).begin());
  std::uint64_t cleared = 0;
  for (const HsvdSweep& sweep : expect_same_bits_in_all_orders(pairs, {}, "HSVD-ME-BO;w=16", 4).sweeps)
    cleared += sweep.null_columns;
  EXPECT_GT(cleared, 0u);
}

TYPED_TEST(HsvdEmulation, GradedColumnsKeepTheirDigits) {
  std::mt19937_64 generator(3);
  auto G = random_matrix<TypeParam>(40, 40, generator);
  for (Index j = 0; j < 40; ++j)
    for (TypeParam& x : G.col(j)) x *= std::ldexp(1.0, -static_cast<int>(j * 37 % 40) * 10);
  check(G, half(40), "HSVD-ME-BO;w=16");
}

TYPED_TEST(HsvdEmulation, ColumnsThatCholeskyCannotFactorGoToQr) {
  std::mt19937_64 generator(4);
  auto G = random_matrix<TypeParam>(50, 40, generator);
  for (Index j = 1; j < 40; j += 2)
    for (Index i = 0; i < 50; ++i) G(i, j) = G(i, j - 1) + G(i, j) * 0x1p-28;
  for (const char* form : kernel_forms<TypeParam>()) {
    const auto r = check(G, {}, form);
    EXPECT_EQ(qr_tiles(r.sweeps) > 0, parse_hsvd_variant(form).factor == TileFactor::cholesky) << form;
  }
}

TYPED_TEST(HsvdEmulation, DependentColumnsGiveZeros) {
  std::mt19937_64 generator(5);
  const auto G =
      multiplied(false, random_matrix<TypeParam>(40, 20, generator), random_matrix<TypeParam>(20, 36, generator));
  const auto r = solve(G, {}, "HSVD-ME-BO;w=16");
  EXPECT_EQ(r.status, Status::passed) << r.message;
  for (std::size_t j = 0; j < 36; ++j) EXPECT_EQ(10 * r.estimate[j] >= 1, j >= 20) << r.sigma[j];
  const auto UU = multiplied(true, r.U, r.U);
  for (Index j = 0; j < 36; ++j)
    for (Index i = 0; i < 36; ++i) EXPECT_LE(std::abs(UU(i, j) - TypeParam(i == j)), 100 * eps);
}

// Rank 64 of 128 columns: tiles lose pivots in the first sweep, and again in later ones, which are recorded without QR.
TEST(HsvdEmulationSpecial, ATileThatLosesAPivotLaterWaitsForTheNextSweep) {
  std::mt19937_64 generator(11);
  auto G = random_matrix<double>(150, 128, generator);
  for (Index j = 64; j < 128; ++j)
    for (Index i = 0; i < 150; ++i) G(i, j) = G(i, j - 64) + G(i, (j + 5) % 64) + G(i, (j + 37) % 64) / 2;
  const auto r = expect_same_bits_in_all_orders(G, {}, "HSVD-ME-BO;w=32", 30);
  EXPECT_EQ(r.status, Status::passed) << r.message;
  bool later = false;
  for (std::size_t s = 1; s < r.sweeps.size(); ++s) later |= r.sweeps[s - 1].qr_tiles == 0 && r.sweeps[s].qr_tiles > 0;
  EXPECT_TRUE(later);
  EXPECT_LE(defect_of_g(G, r, {}), 1e-12);
  for (std::size_t j = 0; j < 128; ++j) EXPECT_EQ(10 * r.estimate[j] >= 1, j >= 64) << r.sigma[j];
}

TEST(HsvdEmulationSpecial, ParallelColumnsOfDifferentSignAreClamped) {
  Matrix<double> G(4, 2);
  for (Index i = 0; i < 8; ++i) G.data()[i] = static_cast<double>(i % 4 + 1);
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    const auto r = hsvd<double>(G, half(2), {.variant = {.width = 16}, .backend = backend, .max_sweeps = 1});
    EXPECT_EQ(r.status, Status::not_converged);
    EXPECT_EQ(r.sweeps[0].clamped, 1u);
    EXPECT_EQ(r.sweeps[0].hyperbolic, 1u);
    EXPECT_EQ(r.sweeps[0].qr_tiles, 1u);
  }
}

TEST(HsvdEmulationSpecial, ZeroColumnsAndTheEmptyMatrix) {
  EXPECT_EQ(solve(Matrix<double>(3, 0), {}, "HSVD-ME-BO;w=16").status, Status::passed);
  Matrix<double> G(4, 3);
  G(1, 2) = 2;
  for (const char* form : kernel_forms<double>()) {
    const auto r = solve(G, {1, -1, 1}, form);
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_EQ(r.sigma, (std::vector<double>{2, 0, 0}));
  }
}

TEST(HsvdEmulationSpecial, TooFewSweepsEndAsNotConverged) {
  std::mt19937_64 generator(7);
  const auto r = hsvd<double>(random_matrix<double>(40, 40, generator), half(40),
                              {.variant = {.width = 16}, .backend = Backend::emulation, .max_sweeps = 1});
  EXPECT_EQ(r.status, Status::not_converged);
  EXPECT_NE(r.message.find("1 sweeps"), std::string::npos) << r.message;
}

TEST(HsvdEmulationSpecial, RefusesWhatTheHostRefusesAndWhatHasNoKernels) {
  const Matrix<double> G = Matrix<double>::identity(3);
  Matrix<double> tiny = G, nan = G;
  nan(2, 0) = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [matrix, J] : {std::pair{G, std::vector<int>{1, 1}}, {G, {1, 0, 1}}, {nan, std::vector<int>()}}) {
    std::string by_host, by_kernels;
    for (auto& [message, backend] : {std::pair{&by_host, Backend::host}, {&by_kernels, Backend::emulation}}) try {
        hsvd<double>(matrix, J, {.backend = backend});
      } catch (const InputError& error) {
        *message = error.what();
      }
    EXPECT_NE(by_host, "");
    EXPECT_EQ(by_kernels, by_host);
  }
  tiny(1, 1) = 0x1p-500;
  EXPECT_THROW(solve(tiny, {}, "HSVD-ME-BO"), InputError);
  EXPECT_THROW(solve(G, {}, "HSVD-ME-PT"), NotSupported);
  EXPECT_THROW(solve(G, {}, "HSVD-ME-BO;w=8"), NotSupported);
  EXPECT_THROW(solve(Matrix<Complex>::identity(3), {}, "HSVD-ME-BO;w=64"), NotSupported);
  EXPECT_THROW(solve(G, {}, "HSVD-ME-BO;qrp"), NotSupported);
}

/// The form for matrices that are in device memory: strides, separate U and V, a workspace, and one solver for several
/// matrices.
TEST(HsvdEmulationSpecial, ASolverDecomposesStridedMatricesOneAfterTheOther) {
  std::mt19937_64 generator(8);
  const Index m = 45, n = 40;
  const HsvdOptions options{.variant = {.width = 16}, .backend = Backend::emulation, .compute_v = true};
  const auto plan = jacobi::make_plan(false, m, n, options);
  GuardedWorkspace workspace(jacobi::workspace_bytes(plan));
  const auto solver = jacobi::make_emulated_solver(plan, LaneOrder::forward, workspace.data());
  for (int problem = 0; problem < 2; ++problem) {
    const auto G = random_matrix<double>(m, n, generator);
    const auto expected = hsvd<double>(G, half(n), options);
    Matrix<double> around(m + 3, n), U(m + 5, n), V(n + 7, n);
    for (Index j = 0; j < n; ++j) std::ranges::copy(G.col(j), around.col(j).begin());
    const auto values = jacobi::decompose(*solver, plan, {around.data(), m + 3}, half(n), options, {U.data(), m + 5},
                                          {V.data(), n + 7});
    EXPECT_EQ(values.status, Status::passed);
    EXPECT_EQ(values.sigma, expected.sigma);
    EXPECT_EQ(values.J, expected.J);
    EXPECT_EQ(values.estimate, expected.estimate);
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < m + 5; ++i) EXPECT_EQ(U(i, j), i < m ? expected.U(i, j) : 0);
      for (Index i = 0; i < n + 7; ++i) EXPECT_EQ(V(i, j), i < n ? expected.V(i, j) : 0);
    }
    EXPECT_TRUE(workspace.intact());
  }
}

TYPED_TEST(HsvdEmulation, EighHasTheEigenvaluesOfTheHost) {
  for (const char* name : {"HEV-RK-ME-BO;w=16", "HEV-CP-ME-FB;w=16"}) {
    const auto A = graded<TypeParam>(40, 8, 9);
    EighOptions options{.variant = parse_eigh_variant(name)};
    const auto host = eigh<TypeParam>(A, options);
    options.backend = Backend::emulation;
    const auto r = eigh<TypeParam>(A, options);
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_EQ(r.rank, 40);
    for (std::size_t j = 0; j < 40; ++j)
      EXPECT_NEAR(r.eigenvalues[j], host.eigenvalues[j],
                  10 * (r.estimate[j] + host.estimate[j]) * std::abs(host.eigenvalues[j]));
  }
}

TEST(EmulatedHsvd, TinyParallelColumnsStayFiniteAndWideMatricesWork) {
  const Index n = 5;
  Matrix<Complex> G(n, n);
  for (Index j = 0; j + 1 < n; ++j)
    for (Index i = 0; i + 1 < n; ++i) G(i, j) = Complex(i + 1, 2 - i) * Complex(2 - j, j + 1) * std::ldexp(1.0, -414);
  G(n - 1, n - 1) = 1;
  const auto r = solve(G, {}, "HSVD-ME-BO;w=16");
  EXPECT_EQ(r.status, Status::passed) << r.message;
  EXPECT_LE(defect_of_v(r, {}), n * eps);
  G(n - 1, n - 1) = 0x1p20;
  EXPECT_THROW(solve(G, {}, "HSVD-ME-BO;w=16"), InputError);  // columns too far apart; the host decomposes them
  const auto wide = hsvd<Complex>(Matrix<Complex>(2, 3), {}, {.backend = Backend::emulation, .compute_v = true});
  EXPECT_EQ(wide.estimate, (std::vector<double>{0, 0}));
  Matrix<double> H(4, 4);
  for (Index i = 0; i < 4; ++i) H(i, 0) = i + 1, H(i, 2) = 3 * (i + 1);  // parallel columns and columns of zeros
  EXPECT_EQ(solve(H, {}, "HSVD-ME-BO;w=16").estimate[1], 1);
  EXPECT_EQ(solve(H, {}, "HSVD-ME-BO;w=16").estimate[2], 0);
}

TEST(EmulatedHsvd, RestoresTheJOrthogonalityOfV) {
  const std::vector<int> J = {1, 1, -1};
  Matrix<double> G(4, 3);
  for (Index j = 0; j < 3; ++j) G(0, j) = 1, G(j + 1, j) = 1e-4;
  const auto r = hsvd<double>(
      G, J, {.variant = parse_hsvd_variant("HSVD-ME-BO;w=16"), .backend = Backend::emulation, .compute_v = true});
  EXPECT_EQ(r.status, Status::passed) << r.message;
  EXPECT_LE(defect_of_v(r, J), 3 * eps);
}

}  // namespace
}  // namespace pivotlab::hsvd_emulation_test
