// The generalized hyperbolic SVD: the claims of its specification against eigenvalues in quadruple precision.
#include "pairs.hpp"

#include <gtest/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/gsvd.hpp>

#include <limits>

namespace pivotlab::ghsvd_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
const char* const forms[] = {"GHSVD-TR-ME-BO;w=8", "GHSVD-TR-ME-PT", "GHSVD-TR-MM-FB;w=8",
                             "GHSVD-TR-RR-BO;w=4;factor=qr"};

template <class T>
GhsvdResult<T> solve(const SignedPair<T>& pair, const char* name = forms[0], int threads = 1) {
  return ghsvd<T>(pair.F, pair.G, pair.J, {.variant = parse_ghsvd_variant(name), .threads = threads});
}

struct Errors {
  double largest = 0;   ///< largest relative error of the eigenvalues that are not noise
  double estimate = 0;  ///< largest error/estimate of these
  int noise = 0;        ///< number of eigenvalues that are noise
};

template <class T>
Errors errors_of(const GhsvdResult<T>& r, const std::vector<Quad>& truth) {
  Errors result;
  const auto errors = relative_errors(r.eigenvalues, truth);
  for (std::size_t j = 0; j < errors.size(); ++j) {
    if (r.noise[j]) {
      ++result.noise;
      continue;
    }
    EXPECT_EQ(r.eigenvalues[j] > 0, truth[j] > Quad(0)) << "a wrong sign is not noise";
    result.largest = std::max(result.largest, errors[j]);
    result.estimate = std::max(result.estimate, errors[j] / r.estimate[j]);
  }
  return result;
}

/// Checks what every result must have. `u` bounds max|U*JU − J'|/max‖u‖².
template <class T>
void check(const SignedPair<T>& pair, const GhsvdResult<T>& r, double u) {
  const auto n = static_cast<std::size_t>(pair.F.cols());
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_TRUE(std::ranges::is_sorted(r.eigenvalues, std::ranges::greater()));
  EXPECT_EQ(r.inertia.positive + r.inertia.negative + r.inertia.zero, pair.F.cols());
  const GhsvdDefects d = defects(pair, r);
  const double unit = static_cast<double>(n) * eps;
  EXPECT_LE(d.u, u);
  EXPECT_LE(d.v, 4 * unit);
  EXPECT_LE(d.f, 256 * eps);  // the reduction takes the better of two forms of Z from this ratio of sizes on
  EXPECT_LE(d.g, unit);
  EXPECT_LE(d.residual, unit);
  for (std::size_t j = 0; j < n; ++j) {
    const double ratio = r.sigma_f[j] / r.sigma_g[j];
    EXPECT_NEAR(r.J[j] * ratio * ratio, r.eigenvalues[j], 8 * eps * std::abs(r.eigenvalues[j]));
    EXPECT_NEAR(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j], 1, 4 * eps);
  }
}

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
    for (const char* form : forms) {
      SCOPED_TRACE("pair " + std::to_string(k) + ", " + form);
      const auto r = solve(pairs[k], form);
      EXPECT_EQ(r.tangent_bits, 113);
      // G_T is rounded to double; with rows of F graded, the condition of G_T's rows is about 1e3.
      check(pairs[k], r, k == 5 ? 1e-12 : 32 * eps);
      const Errors e = errors_of(r, truth);
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
  if constexpr (!is_complex<T>) pairs.push_back(wave_pair(24, 3));
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

TEST(Ghsvd, EstimateHoldsWhereTheInputDeterminesFewDigits) {
  for (const auto& pair : {wave_pair(32, 11), neutral_pair(32, 11)}) {
    const auto truth = true_eigenvalues(pair);
    for (const char* form : {forms[0], forms[1], "GHSVD-TR-ME-PT;precision=working"}) {
      const auto r = solve(pair, form);
      check(pair, r, 32 * eps);
      const Errors e = errors_of(r, truth);
      EXPECT_GE(e.largest, 1e-12);  // otherwise the pair is no test
      EXPECT_LE(e.estimate, 10) << form << " " << e.largest;
    }
  }
}

TEST(Ghsvd, WorkingPrecisionLosesDigitsOfGradedRowsAndSaysSo) {
  const auto pair = random_pair<double>(64, 64, 32, {.f_rows = 8}, 11);
  const auto truth = true_eigenvalues(pair);
  const auto r = solve(pair, "GHSVD-TR-ME-BO;w=8;precision=working");
  EXPECT_EQ(r.tangent_bits, 53);
  const Errors e = errors_of(r, truth);
  EXPECT_GE(e.largest, 1e-11);
  EXPECT_LE(e.estimate, 10);
}

// Orders 1 to 12, full and deficient ranks, integers: an eigenvalue is as accurate as estimated, or is flagged as
// noise.
TEST(Ghsvd, NoRandomProblemPassesWithAWrongEigenvalue) {
  for (unsigned seed = 0; seed < 48; ++seed) {
    std::mt19937_64 generator(seed);
    const Index n = 1 + seed % 12;
    auto pair = random_pair<double>(seed % 20, n + seed % 3, n,
                                    {.f_columns = seed % 4 * 3.0, .g_columns = seed % 3 * 4.0}, seed);
    if (seed % 5 == 0)
      for (Index i = 0; i < pair.F.size(); ++i) pair.F.data()[i] = static_cast<double>(generator() % 5) - 2;
    const auto truth = true_eigenvalues(pair);
    const auto r = solve(pair, forms[seed % std::size(forms)]);
    ASSERT_EQ(r.status, Status::passed) << seed << ": " << r.message;
    const auto errors = relative_errors(r.eigenvalues, truth);
    for (std::size_t j = 0; j < errors.size(); ++j)
      EXPECT_TRUE(r.noise[j] || errors[j] <= 10 * r.estimate[j])
          << seed << " " << j << " " << r.eigenvalues[j] << " " << errors[j] << " " << r.estimate[j];
  }
}

TEST(Ghsvd, WithoutSignsItIsTheGeneralizedSvd) {
  auto pair = random_pair<double>(50, 40, 24, {.f_columns = 6}, 5);
  const auto gsvd = pivotlab::gsvd<double>(pair.F, pair.G);
  pair.J.assign(50, 1);
  for (const std::vector<int>& J : {pair.J, std::vector<int>{}}) {
    const auto r = ghsvd<double>(pair.F, pair.G, J, {.threads = 1});
    check(pair, r, 32 * eps);
    auto sigma = gsvd.sigma;
    std::ranges::sort(sigma, std::ranges::greater());
    for (std::size_t j = 0; j < 24; ++j)
      EXPECT_NEAR(r.eigenvalues[j], sigma[j] * sigma[j], 1e-13 * r.eigenvalues[j]) << j;
  }
  pair.J.assign(50, -1);
  const auto r = solve(pair);
  check(pair, r, 32 * eps);
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
  for (const char* form : {"GHSVD-TR-ME-BO;w=8", "GHSVD-TR-ME-PT", "GHSVD-TR-ME-PT;precision=working"}) {
    SCOPED_TRACE(form);
    expect_same_bits(solve(pair, form, 1), solve(pair, form, 3));
    expect_same_bits(solve(other, form, 1), solve(other, form, 3));
  }
}

// Columns of (F, G) may be multiplied by any numbers, F and G too: only powers of two round nothing.
TEST(Ghsvd, PowersOfTwoChangeNoBitOfTheEigenvalues) {
  const auto pair = random_pair<double>(30, 28, 17, {.f_columns = 3}, 8);
  const auto r = solve(pair);
  for (const int k : {-300, 7, 300}) {
    auto scaled = pair;
    for (Index j = 0; j < 17; ++j) {
      for (double& x : scaled.F.col(j)) x = std::ldexp(x, k / 4 + static_cast<int>(j));
      for (double& x : scaled.G.col(j)) x = std::ldexp(x, k + static_cast<int>(j));
    }
    const auto s = solve(scaled);
    for (std::size_t j = 0; j < 17; ++j) EXPECT_EQ(s.eigenvalues[j], std::ldexp(r.eigenvalues[j], 2 * (k / 4 - k)));
  }
}

TEST(Ghsvd, FewRowsAndZeroColumnsGiveZeroEigenvalues) {
  for (const char* form : forms) {
    SCOPED_TRACE(form);
    const auto few = random_pair<double>(9, 40, 20, {}, 9);
    const auto r = solve(few, form);
    check(few, r, 20 * eps);
    EXPECT_EQ(r.rank, 9);
    EXPECT_EQ(r.inertia, (Inertia{6, 3, 11}));
    EXPECT_TRUE(r.noise[6] && r.J[6] == 0 && r.eigenvalues[6] == 0);

    auto zeros = random_pair<Complex>(40, 40, 20, {}, 10);
    for (const Index j : {0, 7, 19}) std::ranges::fill(zeros.F.col(j), Complex(0));
    const auto z = solve(zeros, form);
    check(zeros, z, 20 * eps);
    EXPECT_EQ(z.rank, 17);
    EXPECT_EQ(z.inertia.zero, 3);
  }
}

TEST(Ghsvd, SmallAndSpecialPairs) {
  EXPECT_EQ(ghsvd<double>(Matrix<double>(3, 0), Matrix<double>(2, 0)).status, Status::passed);
  SignedPair<double> zero{Matrix<double>(7, 5), Matrix<double>::identity(5), thirds(7)};
  for (const Index rows : {7, 0}) {  // T = 0
    zero.F = Matrix<double>(rows, 5), zero.J = thirds(rows);
    const auto r = solve(zero);
    check(zero, r, 0);
    EXPECT_EQ(r.inertia, (Inertia{0, 0, 5}));
  }
  SignedPair<double> one{Matrix<double>(2, 1), Matrix<double>(2, 1), {1, -1}};
  one.F(0, 0) = 3, one.F(1, 0) = 5, one.G(0, 0) = 0, one.G(1, 0) = -2;
  const auto r = solve(one);
  check(one, r, 4 * eps);
  EXPECT_NEAR(r.eigenvalues[0], -4, 16 * eps);
  one.F(1, 0) = 3;  // a neutral column: F*JF = 0 and F ≠ 0
  const auto neutral = solve(one);
  EXPECT_EQ(neutral.status, Status::passed);
  EXPECT_EQ(neutral.eigenvalues[0], 0);
  EXPECT_TRUE(neutral.noise[0]);
  SignedPair<double> swap{Matrix<double>(2, 2), Matrix<double>::identity(2), {1, -1}};  // F*JF = [0 1; 1 0]
  swap.F(0, 0) = swap.F(0, 1) = swap.F(1, 0) = std::sqrt(0.5), swap.F(1, 1) = -std::sqrt(0.5);
  EXPECT_NEAR(solve(swap).eigenvalues[0], 1, 8 * eps);
  EXPECT_NEAR(solve(swap).eigenvalues[1], -1, 8 * eps);
}

TEST(Ghsvd, DependentColumnsOfGFail) {
  auto pair = random_pair<double>(30, 30, 12, {}, 12);
  for (Index i = 0; i < 30; ++i) pair.G(i, 7) = pair.G(i, 2) + pair.G(i, 3);
  for (const char* form : {forms[0], forms[1]}) {
    const auto r = solve(pair, form);
    EXPECT_EQ(r.status, Status::failed);
    EXPECT_NE(r.message.find("full column rank"), std::string::npos) << r.message;
    EXPECT_TRUE(r.eigenvalues.empty());
  }
  for (Index i = 0; i < 30; ++i) pair.G(i, 7) = pair.G(i, 2);
  EXPECT_EQ(solve(pair).status, Status::failed);
}

TEST(Ghsvd, KernelsAgreeWithTheHost) {
  const auto pair = random_pair<double>(30, 31, 20, {.f_columns = 6}, 13);
  const auto host = solve(pair, "GHSVD-TR-ME-BO;w=16");
  const auto r = ghsvd<double>(pair.F, pair.G, pair.J,
                               {.variant = parse_ghsvd_variant("GHSVD-TR-ME-BO;w=16"), .backend = Backend::emulation});
  check(pair, r, 32 * eps);
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
  for (double& x : bad.F.col(2)) x *= 0x1p-300;
  refuse(bad.F, pair.G, pair.J, "column 3");
  EXPECT_THROW(ghsvd<double>(pair.F, pair.G, pair.J, {.max_sweeps = 0}), InputError);
  EXPECT_THROW(ghsvd<double>(pair.F, pair.G, pair.J, {.variant = {.sweeps = {.width = 3}}}), InputError);
  EXPECT_THROW(ghsvd<Quad>(converted<Quad>(pair.F), converted<Quad>(pair.G), pair.J, {.backend = Backend::emulation}),
               NotSupported);
}

}  // namespace
}  // namespace pivotlab::ghsvd_test
