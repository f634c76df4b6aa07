// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD of special pairs, and its errors for bad input.
#include "ghsvd_checks.hpp"

#include <gtest/gtest.h>

#include <pivotlab/error.hpp>

namespace pivotlab::ghsvd_special_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

const char* const direct = "GHSVD-HZ-ME-PT";
constexpr double eps = std::numeric_limits<double>::epsilon();

TEST(Ghsvd, FewRowsAndZeroColumnsGiveZeroEigenvalues) {
  for (const char* form : ghsvd_forms) {
    SCOPED_TRACE(form);
    const auto few = random_pair<double>(9, 40, 20, {}, 9);
    const auto r = solve_pair(few, form);
    check_pair(few, r, 20 * eps);
    EXPECT_EQ(r.rank, 9);
    EXPECT_EQ(r.inertia, (Inertia{6, 3, 11}));
    EXPECT_TRUE(!r.noise[6] && r.J[6] == 0 && r.eigenvalues[6] == 0);  // determined by the number of rows
    EXPECT_EQ(r.estimate[6], 0);

    auto zeros = random_pair<Complex>(40, 40, 20, {}, 10);
    for (const Index j : {0, 7, 19}) std::ranges::fill(zeros.F.col(j), Complex(0));
    const auto z = solve_pair(zeros, form);
    check_pair(zeros, z, 20 * eps);
    EXPECT_EQ(z.rank, 17);
    EXPECT_EQ(z.inertia.zero, 3);
  }
}

TEST(Ghsvd, DirectMethodFindsTheNullSpace) {
  const auto few = random_pair<double>(9, 40, 20, {}, 9);
  const auto r = solve_pair(few, direct);
  check_pair(few, r, 20 * eps);
  EXPECT_EQ(r.inertia, (Inertia{6, 3, 11}));
  EXPECT_EQ(r.rank, 9);
}

TEST(Ghsvd, SmallAndSpecialPairs) {
  for (const char* form : {ghsvd_forms[0], direct})
    EXPECT_EQ(solve_pair(SignedPair<double>{Matrix<double>(3, 0), Matrix<double>(2, 0), {}}, form).status,
              Status::passed);
  SignedPair<double> zero{Matrix<double>(7, 5), Matrix<double>::identity(5), thirds(7)};
  for (const Index rows : {7, 0}) {  // T = 0
    zero.F = Matrix<double>(rows, 5), zero.J = thirds(rows);
    for (const char* form : {ghsvd_forms[0], direct}) {
      const auto r = solve_pair(zero, form);
      check_pair(zero, r, 0);
      EXPECT_EQ(r.inertia, (Inertia{0, 0, 5}));
    }
  }
  SignedPair<double> one{Matrix<double>(2, 1), Matrix<double>(2, 1), {1, -1}};
  one.F(0, 0) = 3, one.F(1, 0) = 5, one.G(0, 0) = 0, one.G(1, 0) = -2;
  const auto r = solve_pair(one);
  check_pair(one, r, 4 * eps);
  EXPECT_NEAR(r.eigenvalues[0], -4, 16 * eps);
  EXPECT_NEAR(solve_pair(one, direct).eigenvalues[0], -4, 16 * eps);
  one.F(1, 0) = 3;  // a neutral column: F*JF = 0 and F ≠ 0
  const auto neutral = solve_pair(one);
  EXPECT_EQ(neutral.status, Status::passed);
  EXPECT_EQ(neutral.eigenvalues[0], 0);
  EXPECT_TRUE(neutral.noise[0]);
  SignedPair<double> swap{Matrix<double>(2, 2), Matrix<double>::identity(2), {1, -1}};  // F*JF = [0 1; 1 0]
  swap.F(0, 0) = swap.F(0, 1) = swap.F(1, 0) = std::sqrt(0.5), swap.F(1, 1) = -std::sqrt(0.5);
  for (const char* form : {ghsvd_forms[0], direct}) {
    EXPECT_NEAR(solve_pair(swap, form).eigenvalues[0], 1, 8 * eps);
    EXPECT_NEAR(solve_pair(swap, form).eigenvalues[1], -1, 8 * eps);
  }
}

TEST(Ghsvd, DependentColumnsOfGFail) {
  auto pair = random_pair<double>(30, 30, 12, {}, 12);
  for (Index i = 0; i < 30; ++i) pair.G(i, 7) = pair.G(i, 2) + pair.G(i, 3);
  for (const char* form : {ghsvd_forms[0], ghsvd_forms[1], direct}) {
    const auto r = solve_pair(pair, form);
    EXPECT_EQ(r.status, Status::failed);
    EXPECT_NE(r.message.find("full column rank"), std::string::npos) << r.message;
    EXPECT_TRUE(r.eigenvalues.empty());
  }
  for (Index i = 0; i < 30; ++i) pair.G(i, 7) = pair.G(i, 2);
  EXPECT_EQ(solve_pair(pair).status, Status::failed);
}

// Elements of V that are rounding errors need not be small relative to small elements of G.
TEST(Ghsvd, EqualColumnsOfManyRandomMatricesFail) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    auto pair = random_pair<double>(70, 80, 60, {}, seed);
    std::ranges::copy(pair.G.col(3), pair.G.col(7).begin());
    for (const Backend backend : {Backend::host, Backend::emulation})
      if (backend == Backend::host || seed < 4) {
        const auto r = solve_pair(pair, "GHSVD-TR-ME-BO;w=16;precision=working", 1, backend);
        EXPECT_EQ(r.status, Status::failed) << to_string(backend) << " " << seed;
      }
  }
}

TEST(Ghsvd, KernelsAgreeWithTheHost) {
  const auto pair = random_pair<double>(30, 31, 20, {.f_columns = 6}, 13);
  const auto host = solve_pair(pair, "GHSVD-TR-ME-BO;w=16");
  const auto r = ghsvd<double>(pair.F, pair.G, pair.J,
                               {.variant = parse_ghsvd_variant("GHSVD-TR-ME-BO;w=16"), .backend = Backend::emulation});
  check_pair(pair, r, 32 * eps);
  for (std::size_t j = 0; j < 20; ++j)
    EXPECT_NEAR(r.eigenvalues[j], host.eigenvalues[j],
                10 * (r.estimate[j] + host.estimate[j]) * std::abs(host.eigenvalues[j]));
}

TEST(Ghsvd, RefusesWhatItCannotDo) {
  const auto pair = random_pair<double>(6, 6, 4, {}, 14);
  const auto refuse = [&](const Matrix<double>& F, const Matrix<double>& G, const std::vector<int>& J,
                          const std::string& text) {
    try {
      ghsvd<double>(F, G, J);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  refuse(Matrix<double>(6, 3), pair.G, pair.J, "the same number of columns");
  refuse(pair.F, Matrix<double>(3, 4), pair.J, "fewer rows than columns");
  refuse(pair.F, Matrix<double>(6, 4), pair.J, "column 1 is zero");
  refuse(pair.F, pair.G, {1, 1, -1}, "F has 6 rows");
  refuse(pair.F, pair.G, {1, 1, -1, 0, 1, 1}, "take 1 or -1");
  auto bad = pair;
  bad.F(5, 1) = std::numeric_limits<double>::quiet_NaN();
  refuse(bad.F, pair.G, pair.J, "matrix F: element (6, 2)");
  bad.G(0, 3) = std::numeric_limits<double>::infinity();
  refuse(pair.F, bad.G, pair.J, "matrix G: element (1, 4)");
  bad = pair;
  for (Index i = 0; i < bad.F.size(); ++i) bad.F.data()[i] *= 0x1p600;
  refuse(bad.F, pair.G, pair.J, "eigenvalue 1 or its vector leaves the range of double");
  EXPECT_THROW(ghsvd<double>(pair.F, pair.G, pair.J, {.max_sweeps = 0}), InputError);
  EXPECT_THROW(ghsvd<double>(pair.F, pair.G, pair.J, {.variant = {.sweeps = {.width = 3}}}), InputError);
  EXPECT_THROW(
      ghsvd<double>(pair.F, pair.G, pair.J, {.variant = parse_ghsvd_variant(direct), .backend = Backend::emulation}),
      NotSupported);
  EXPECT_THROW(ghsvd<Quad>(converted<Quad>(pair.F), converted<Quad>(pair.G), pair.J, {.backend = Backend::emulation}),
               NotSupported);
}

const char* const all_variants[] = {"GHSVD-TR-ME-BO", "GHSVD-TR-ME-PT", "GHSVD-TR-ME-BO;precision=working", direct};

Matrix<double> by_columns(Index rows, std::initializer_list<double> elements) {
  Matrix<double> A(rows, std::ssize(elements) / rows);
  std::ranges::copy(elements, A.data());
  return A;
}

/// Checks the equations to 1e-13, and the eigenvalues to their estimates.
void check_special(const SignedPair<double>& pair, const std::vector<double>& truth) {
  for (const char* name : all_variants) {
    SCOPED_TRACE(name);
    const auto r = solve_pair(pair, name);
    check_pair(pair, r, 1e-14);
    for (std::size_t j = 0; j < truth.size(); ++j)
      if (!r.noise[j]) {
        EXPECT_LE(std::abs(r.eigenvalues[j] - truth[j]), (30 * r.estimate[j] + eps) * std::abs(truth[j])) << j;
      }
  }
}

// F has dependent columns, and J both signs: in double a column of noise would be normalized to a column of U.
TEST(Ghsvd, DependentColumnsOfFAreNoColumnsOfU) {
  check_special({by_columns(3, {0, -8, 6, 0, -4, 3}), by_columns(2, {4, -2, 2, -3}), {-1, 1, -1}}, {1.75, 0});
}

// Two rows of F cancel: F*JF has a smaller rank than F, and U must come from F*Z.
TEST(Ghsvd, CancellingRowsOfFKeepTheResidual) {
  check_special({by_columns(3, {0, -2, 0, -3, 4, -3}), by_columns(3, {-1, 2, -2, -2, 4, 1}), {1, -1, -1}}, {0, -2.848});
  const auto random = random_pair<double>(9, 12, 7, {}, 3);
  SignedPair<double> twice{Matrix<double>(12, 7), random.G, random.J};
  for (Index j = 0; j < 7; ++j)
    for (Index i = 0; i < 12; ++i) twice.F(i, j) = random.F(i % 9, j);
  for (std::size_t i = 0; i < 3; ++i) twice.J.push_back(-random.J[i]);
  check_special(twice, {});
}

TEST(Ghsvd, NearlyParallelColumnsOfGAreWithinTheEstimate) {
  check_special({by_columns(3, {0, -1, 2, 2, 1, 0}),
                 by_columns(3, {-1.999999999301508, 1.9999999997671694, -2.0000000009313226, -2, 2, -2}),
                 {1, -1, -1}},
                {0.3333333333333333, -2.8379606267245466e+18});
}

// The rounding errors of the first row of F are 28 decades larger than the second row, but couple no column with the
// first one.
TEST(Ghsvd, EigenvaluesThatRoundingErrorsHideAreNoise) {
  const double u = 0x1p-144, v = 0x1p-237;
  check_special({by_columns(2, {0, 3 * v, -2 * u, -2 * v, -2 * u, -3 * v, u, -v}),
                 by_columns(4, {2, -2, 1, 4, 1, 3, -2, 2, 1, -1, -3, -4, 3, -3, 0, -2}),
                 {1, 1}},
                {3.24939015836642072e-87, 2.85533856471796009e-143, 0, 0});
}

TEST(Ghsvd, ScalesOfTheWholeRangeAreTakenExactly) {
  const auto pair = random_pair<double>(7, 6, 4, {}, 9);
  for (const char* name : all_variants) {
    SCOPED_TRACE(name);
    const auto r = solve_pair(pair, name);
    for (const auto& [f, g] : {std::pair{-500, 0}, {0, 500}, {500, 10}, {-1000, -900}, {900, 1000}, {-600, 100}}) {
      auto scaled = pair;
      for (Index i = 0; i < scaled.F.size(); ++i) scaled.F.data()[i] = std::ldexp(scaled.F.data()[i], f);
      for (Index i = 0; i < scaled.G.size(); ++i) scaled.G.data()[i] = std::ldexp(scaled.G.data()[i], g);
      const auto s = solve_pair(scaled, name);
      ASSERT_EQ(s.status, Status::passed) << f << " " << g << ": " << s.message;
      for (std::size_t j = 0; j < 4; ++j) {
        const double expected = std::ldexp(r.eigenvalues[j], 2 * (f - g));
        EXPECT_NEAR(s.eigenvalues[j], expected, 1e-14 * std::abs(expected)) << f << " " << g;
        EXPECT_EQ(s.noise[j], expected == 0);  // underflow
      }
    }
  }
  auto wide = pair;
  for (double& x : wide.F.col(2)) x *= 0x1p-450;  // squares beside those of the other columns underflow
  const auto r = solve_pair(wide);
  EXPECT_EQ(r.tangent_bits, 113);
  check_pair(wide, r, 32 * eps);
  EXPECT_TRUE(std::ranges::none_of(r.noise, std::identity()));
}

TEST(Ghsvd, EigenvaluesBeyondDoubleBesideUnitMatricesAreVerified) {
  SignedPair<double> pair{by_columns(2, {0x1p-70, 0, 0, 0x1p-70}), by_columns(2, {1, 0, 0, 0x1p-530}), {1, -1}};
  for (const char* name : all_variants) {
    const auto r = solve_pair(pair, name);
    EXPECT_EQ(r.status, Status::passed) << name << ": " << r.message;
    EXPECT_EQ(r.eigenvalues, (std::vector<double>{0x1p-140, -0x1p920}));
  }
}

TEST(Ghsvd, ZerosAreDeterminedWhereFLeavesNoRoom) {
  for (const char* name : all_variants) {
    const auto r = solve_pair(SignedPair<double>{Matrix<double>(3, 2), Matrix<double>::identity(2), {1, -1, 1}}, name);
    EXPECT_EQ(r.estimate, (std::vector<double>{0, 0}));
    EXPECT_TRUE(!r.noise[0] && !r.noise[1]);
  }
}

}  // namespace
}  // namespace pivotlab::ghsvd_special_test
