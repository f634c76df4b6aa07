// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD by the device's kernels, run on the host by fibers, and LAPACK: results and estimates
// are the host's, for every rank, and bits do not depend on the order of the threads of a block.
#include "ghsvd_checks.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/jacobi/device/ghsvd_driver.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::ghsvd_emulation_test {
namespace {

using namespace pivotlab::test;

template <class T>
class GhsvdEmulation : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(GhsvdEmulation, Scalars);

const char* const variants[] = {"GHSVD-TR-ME-BO;w=16", "GHSVD-TR-ME-FB;w=16;precision=working"};

template <class T>
GhsvdResult<T> emulated(const SignedPair<T>& pair, const char* name) {
  return solve_pair(pair, name, 1, Backend::emulation);
}

template <class T>
void expect_the_hosts(const SignedPair<T>& pair, const char* name) {
  test::expect_the_hosts(pair, name, Backend::emulation);
}

TYPED_TEST(GhsvdEmulation, SolvesAsTheHostDoes) {
  using T = TypeParam;
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    expect_the_hosts(random_pair<T>(40, 37, 35, {}, 1), name);
    expect_the_hosts(random_pair<T>(64, 40, 33, {.f_columns = 6, .g_columns = 4}, 2), name);
    expect_the_hosts(random_pair<T>(3, 2, 1, {}, 4), name);
    auto without_signs = random_pair<T>(20, 21, 18, {}, 5);
    without_signs.J.assign(20, 1);
    expect_the_hosts(without_signs, name);
  }
  // In double the host has no more digits of U and F·Z than T has, either.
  expect_the_hosts(random_pair<T>(64, 64, 32, {.f_rows = 8}, 11), variants[0]);
  expect_the_hosts(random_pair<T>(20, 40, 20, {.g_rows = 4}, 3), variants[0]);
}

// Columns of F*JF with diagonal elements next to zero: 2×2 pivots.
TYPED_TEST(GhsvdEmulation, PivotsOfOrderTwo) {
  const auto pair = neutral_pair<TypeParam>(20, 3);
  for (const char* name : variants) expect_the_hosts(pair, name);
}

TYPED_TEST(GhsvdEmulation, EigenvaluesAreAsExactAsEstimated) {
  using T = TypeParam;
  for (const auto& [pair, determined] :
       {std::pair(random_pair<T>(64, 64, 32, {.f_columns = 8, .g_columns = 8}, 11), true),
        std::pair(random_pair<T>(64, 64, 32, {.f_rows = 8}, 11), true), std::pair(wave_pair<T>(32, 11), false)}) {
    const auto truth = true_eigenvalues(pair);
    for (const char* name : variants) {
      SCOPED_TRACE(name);
      const GhsvdErrors e = errors_of(emulated(pair, name), truth);
      EXPECT_LE(e.estimate, 10);
      if (determined && name == variants[0]) {
        EXPECT_LE(e.largest, 1e-13);
      }
    }
  }
}

TYPED_TEST(GhsvdEmulation, FewRowsAndZeroColumnsGiveZeroEigenvalues) {
  using T = TypeParam;
  auto zeros = random_pair<T>(40, 40, 20, {}, 10);
  for (const Index j : {0, 7, 19}) std::ranges::fill(zeros.F.col(j), T(0));
  const SignedPair<T> no_f{Matrix<T>(7, 5), Matrix<T>::identity(5), thirds(7)};
  const SignedPair<T> no_rows{Matrix<T>(0, 5), random_pair<T>(0, 9, 5, {}, 1).G, {}};
  for (const char* name : variants) {
    SCOPED_TRACE(name);
    expect_the_hosts(random_pair<T>(9, 40, 20, {}, 9), name);
    expect_the_hosts(zeros, name);
    expect_the_hosts(no_f, name);
    expect_the_hosts(no_rows, name);
  }
}

TYPED_TEST(GhsvdEmulation, DependentColumnsOfGFail) {
  using T = TypeParam;
  auto pair = random_pair<T>(30, 30, 12, {}, 12);
  for (Index i = 0; i < 30; ++i) pair.G(i, 7) = pair.G(i, 2) + pair.G(i, 3);
  for (const bool equal : {false, true}) {
    const auto r = emulated(pair, variants[1]);
    EXPECT_EQ(r.status, Status::failed);
    EXPECT_NE(r.message.find("full column rank"), std::string::npos) << r.message;
    EXPECT_TRUE(r.eigenvalues.empty() && r.Z.size() == 0);
    for (Index i = 0; !equal && i < 30; ++i) pair.G(i, 7) = pair.G(i, 2);
  }
}

TYPED_TEST(GhsvdEmulation, RefusesWhatTheHostRefuses) {
  auto pair = random_pair<TypeParam>(6, 6, 4, {}, 14);
  pair.F(5, 1) = TypeParam(std::numeric_limits<double>::quiet_NaN());
  EXPECT_THROW(emulated(pair, variants[0]), InputError);
  pair.F(5, 1) = TypeParam(1);
  std::ranges::fill(pair.G.col(2), TypeParam(0));
  EXPECT_THROW(emulated(pair, variants[0]), InputError);
  pair.J.pop_back();
  EXPECT_THROW(emulated(pair, variants[0]), InputError);
}

// The form for matrices that are in device memory: one set of parts for pairs of several ranks, in any order of the
// threads of a block, in one workspace.
TYPED_TEST(GhsvdEmulation, PartsSolveForPairsOfTheDeviceOneAfterTheOther) {
  using T = TypeParam;
  const GhsvdOptions options{
      .variant = parse_ghsvd_variant(variants[1]), .backend = Backend::emulation, .max_sweeps = 9, .threads = 1};
  auto deficient = random_pair<T>(25, 23, 20, {}, 6);
  std::ranges::fill(deficient.F.col(3), T(0));
  std::vector<GhsvdValues<double>> forward;
  std::vector<Matrix<T>> vectors;
  for (const LaneOrder order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::shuffled}) {
    auto machinery = jacobi::make_emulated_machinery<T>({25, 23, 20}, options, order);
    std::size_t k = 0;
    for (const auto& pair :
         {random_pair<T>(25, 23, 20, {.f_columns = 3}, 5), deficient, random_pair<T>(25, 23, 20, {}, 8)}) {
      Surrounded<T> F(pair.F), G(pair.G), U(pair.F), V(pair.G), Z(Matrix<T>(20, 20));
      const auto r = jacobi::solve_given<T>(machinery, {F.view(), G.view(), U.view(), V.view(), Z.view()}, pair.J, {});
      EXPECT_EQ(r.status, Status::passed) << r.message;
      if (order == LaneOrder::forward) {
        forward.push_back(r), vectors.emplace_back(Z.view());
        continue;
      }
      EXPECT_EQ(r.eigenvalues, forward[k].eigenvalues);
      EXPECT_EQ(r.estimate, forward[k].estimate);
      for (Index j = 0; j < 20; ++j) EXPECT_TRUE(std::ranges::equal(Z.view().col(j), vectors[k].col(j)));
      ++k;
    }
  }
}

}  // namespace
}  // namespace pivotlab::ghsvd_emulation_test
