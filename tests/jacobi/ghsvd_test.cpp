// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic SVD: the claims of its specification against eigenvalues in quadruple precision.
#include "ghsvd_checks.hpp"

#include <gtest/gtest.h>

#include <pivotlab/gsvd.hpp>

namespace pivotlab::ghsvd_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();

/// The pairs whose eigenvalues are determined to 1e-13: n = 32, m = 64, as in the specification.
template <class T>
std::vector<SignedPair<T>> determined_pairs() {
  std::vector<SignedPair<T>> pairs;
  for (const Gradings& g : std::initializer_list<Gradings>{
           {}, {.f_columns = 8}, {.f_columns = 12}, {.f_columns = 8, .g_columns = 8}, {.g_rows = 8}, {.f_rows = 8}})
    pairs.push_back(random_pair<T>(64, 64, 32, g, 11));
  return pairs;
}

template <class T>
void keeps_digits() {
  const auto pairs = determined_pairs<T>();
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto truth = true_eigenvalues(pairs[k]);
    for (const char* form : ghsvd_forms) {
      SCOPED_TRACE("pair " + std::to_string(k) + ", " + form);
      const auto r = solve_pair(pairs[k], form);
      EXPECT_EQ(r.tangent_bits, 106);
      check_pair(pairs[k], r, 32 * eps);
      const GhsvdErrors e = errors_of(r, truth);
      EXPECT_EQ(e.noise, 0);
      EXPECT_LE(e.largest, 1e-13);
      EXPECT_LE(e.estimate, 10);
    }
  }
}

TEST(Ghsvd, EigenvaluesOfGradedPairsKeepThirteenDigits) {
  keeps_digits<double>();
}
TEST(Ghsvd, EigenvaluesOfComplexGradedPairsKeepThirteenDigits) {
  keeps_digits<Complex>();
}

// Two ways to the truth: Cholesky's factor of G*G, and the tangent reduction, both in Quad.
template <class T>
void truths_agree() {
  auto pairs = determined_pairs<T>();
  pairs.push_back(generated_pair<T>("waves;overlap=0.25", 48, 24, "third", 3));
  pairs.push_back(neutral_pair<T>(24, 3));
  for (const auto& pair : pairs) {
    const auto truth = true_eigenvalues(pair);
    const auto r = ghsvd<Rebind<T, Quad>>(converted<Quad>(pair.F), converted<Quad>(pair.G), pair.J,
                                          {.variant = parse_ghsvd_variant("GHSVD-TR-ME-PT"), .threads = 1});
    EXPECT_EQ(r.status, Status::passed);
    for (std::size_t j = 0; j < truth.size(); ++j)
      EXPECT_LE(static_cast<double>(abs(Quad(r.eigenvalues[j] - truth[j]))), 1e-15 * std::abs(double(truth[j])));
  }
}

TEST(Ghsvd, TruthOfTheTestsAgreesWithTheReductionInQuad) {
  truths_agree<double>();
}
TEST(Ghsvd, ComplexTruthOfTheTestsAgreesWithTheReductionInQuad) {
  truths_agree<Complex>();
}

template <class T>
void estimate_holds() {
  for (const auto& pair : {wave_pair<T>(32, 11), neutral_pair<T>(32, 11)}) {
    const auto truth = true_eigenvalues(pair);
    for (const char* form : {ghsvd_forms[0], ghsvd_forms[1], "GHSVD-TR-ME-PT;precision=working"}) {
      const auto r = solve_pair(pair, form);
      check_pair(pair, r, 32 * eps);
      const GhsvdErrors e = errors_of(r, truth);
      EXPECT_GE(e.largest, 1e-12);  // otherwise the pair is no test
      EXPECT_LE(e.estimate, 10) << form << " " << e.largest;
    }
  }
}

TEST(Ghsvd, EstimateHoldsWhereTheInputDeterminesFewDigits) {
  estimate_holds<double>();
}
TEST(Ghsvd, ComplexEstimateHoldsWhereTheInputDeterminesFewDigits) {
  estimate_holds<Complex>();
}

TEST(Ghsvd, WorkingPrecisionOfGradedRowsIsFoundOutAndReplaced) {
  const auto pair = random_pair<double>(64, 64, 32, {.f_rows = 8}, 11);
  const auto r = solve_pair(pair, "GHSVD-TR-ME-BO;w=8;precision=working");
  EXPECT_EQ(r.tangent_bits, 113);
  check_pair(pair, r, 32 * eps);
  const GhsvdErrors e = errors_of(r, true_eigenvalues(pair));
  EXPECT_LE(e.largest, eps);
  EXPECT_LE(e.estimate, 10);
}

// Orders 1 to 12, full and deficient ranks, integers: an eigenvalue is as accurate as estimated, or is flagged as
// noise.
TEST(Ghsvd, NoRandomProblemPassesWithAWrongEigenvalue) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937_64 generator(seed);
    const Index n = 1 + seed % 12;
    auto pair = random_pair<double>(seed % 20, n + seed % 3, n,
                                    {.f_columns = seed % 4 * 3.0, .g_columns = seed % 3 * 4.0}, seed);
    if (seed % 5 == 0)
      for (Index i = 0; i < pair.F.size(); ++i) pair.F.data()[i] = static_cast<double>(generator() % 5) - 2;
    const auto truth = true_eigenvalues(pair);
    const auto r = solve_pair(pair, ghsvd_forms[seed % std::size(ghsvd_forms)]);
    ASSERT_EQ(r.status, Status::passed) << seed << ": " << r.message;
    const auto errors = relative_errors(r.eigenvalues, truth);
    const double largest = std::max(std::abs(r.eigenvalues.front()), std::abs(r.eigenvalues.back()));
    const auto is_zero = [&](std::size_t j) {  // but for rounding errors of the true values
      return r.eigenvalues[j] == 0 && std::abs(static_cast<double>(truth[j])) <= 1e-25 * largest;
    };
    for (std::size_t j = 0; j < errors.size(); ++j)
      EXPECT_TRUE(r.noise[j] || is_zero(j) || errors[j] <= 10 * r.estimate[j])
          << seed << " " << j << " " << r.eigenvalues[j] << " " << errors[j] << " " << r.estimate[j];
  }
}

TEST(Ghsvd, WithoutSignsItIsTheGeneralizedSvd) {
  auto pair = random_pair<double>(50, 40, 24, {.f_columns = 6}, 5);
  const auto gsvd = pivotlab::gsvd<double>(pair.F, pair.G);
  pair.J.assign(50, 1);
  for (const std::vector<int>& J : {pair.J, std::vector<int>{}}) {
    const auto r = ghsvd<double>(pair.F, pair.G, J, {.threads = 1});
    check_pair(pair, r, 32 * eps);
    auto sigma = gsvd.sigma;
    std::ranges::sort(sigma, std::ranges::greater());
    for (std::size_t j = 0; j < 24; ++j)
      EXPECT_NEAR(r.eigenvalues[j], sigma[j] * sigma[j], 1e-13 * r.eigenvalues[j]) << j;
  }
  pair.J.assign(50, -1);
  const auto r = solve_pair(pair);
  check_pair(pair, r, 32 * eps);
  EXPECT_EQ(r.inertia, (Inertia{0, 24, 0}));
}

template <class T>
void expect_same_bits(const GhsvdResult<T>& a, const GhsvdResult<T>& b) {
  EXPECT_EQ(a.eigenvalues, b.eigenvalues);
  EXPECT_EQ(a.estimate, b.estimate);
  for (const auto member : {&GhsvdResult<T>::U, &GhsvdResult<T>::V, &GhsvdResult<T>::Z})
    EXPECT_TRUE(std::equal((a.*member).data(), (a.*member).data() + (a.*member).size(), (b.*member).data()));
}

TEST(Ghsvd, ThreadsChangeNoBit) {
  const auto pair = random_pair<double>(150, 141, 90, {.f_columns = 4}, 6);
  const auto other = random_pair<Complex>(70, 75, 41, {.f_rows = 4}, 7);
  for (const char* form :
       {"GHSVD-TR-ME-BO;w=8", "GHSVD-TR-ME-PT", "GHSVD-TR-ME-PT;precision=working", "GHSVD-HZ-ME-PT"}) {
    SCOPED_TRACE(form);
    expect_same_bits(solve_pair(pair, form, 1), solve_pair(pair, form, 3));
    expect_same_bits(solve_pair(other, form, 1), solve_pair(other, form, 3));
  }
}

// Columns of (F, G) may be multiplied by any numbers, F and G too: only powers of two round nothing.
TEST(Ghsvd, PowersOfTwoChangeNoBitOfTheEigenvalues) {
  const auto pair = random_pair<double>(30, 28, 17, {.f_columns = 3}, 8);
  const auto r = solve_pair(pair);
  for (const int k : {-300, 7, 300}) {
    auto scaled = pair;
    for (Index j = 0; j < 17; ++j) {
      for (double& x : scaled.F.col(j)) x = std::ldexp(x, k / 4 + static_cast<int>(j));
      for (double& x : scaled.G.col(j)) x = std::ldexp(x, k + static_cast<int>(j));
    }
    const auto s = solve_pair(scaled);
    for (std::size_t j = 0; j < 17; ++j) EXPECT_EQ(s.eigenvalues[j], std::ldexp(r.eigenvalues[j], 2 * (k / 4 - k)));
  }
}

/// The specification's claim for the direct method: it loses digits of graded columns of F, and its estimate says so.
template <class T>
void direct_method_is_as_accurate_as_estimated(const std::vector<SignedPair<T>>& pairs) {
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    SCOPED_TRACE("pair " + std::to_string(k));
    const auto r = solve_pair(pairs[k], "GHSVD-HZ-ME-PT");
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_EQ(r.tangent_bits, 0);
    const GhsvdErrors e = errors_of(r, true_eigenvalues(pairs[k]));
    const GhsvdDefects d = defects(pairs[k], r);
    EXPECT_LE(d.u, 32 * eps);
    EXPECT_LE(d.v, 32 * eps);
    EXPECT_LE(d.g, 32 * eps);
    EXPECT_LE(d.residual, 32 * eps);
    if (k == 2) {
      EXPECT_GE(e.largest, 1e-10);  // columns of F extend over twelve decades
    }
    EXPECT_LE(e.estimate, 30);
  }
}

TEST(Ghsvd, DirectMethodIsAsAccurateAsEstimated) {
  auto pairs = determined_pairs<double>();
  pairs.push_back(wave_pair<double>(32, 11)), pairs.push_back(neutral_pair<double>(32, 11));
  pairs.push_back(random_pair<double>(40, 33, 21, {.f_columns = 2}, 3));  // an odd number of columns
  direct_method_is_as_accurate_as_estimated(pairs);
}
TEST(Ghsvd, ComplexDirectMethodIsAsAccurateAsEstimated) {
  direct_method_is_as_accurate_as_estimated(determined_pairs<Complex>());
}

}  // namespace
}  // namespace pivotlab::ghsvd_test
