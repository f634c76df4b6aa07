// SPDX-License-Identifier: BSD-3-Clause
// The Hermitian eigensolver: the claims of its specification against eigenvalues in extended precision.
#include "defects.hpp"

#include <gtest/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>

#include <cstdint>
#include <limits>

namespace pivotlab::eigh_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
const char* const forms[] = {"HEV-RK-ME-BO;w=8", "HEV-CP-ME-FB;w=8", "HEV-RK-MM-PT", "HEV-CP-RR-BO;w=4;factor=qr",
                             "HEV-RK-ME-FB;w=8;fix"};

template <class T>
EighResult<T> solve(const Matrix<T>& A, const char* name = "HEV-RK-ME-BO;w=8") {
  return eigh<T>(A, {.variant = parse_eigh_variant(name), .threads = 1});
}

/// Checks what every result must have; returns the largest error and the largest error/estimate of the eigenvalues
/// that are not noise.
template <class T>
std::pair<double, double> check(const Matrix<T>& A, const EighResult<T>& r, const std::vector<Quad>& truth) {
  EXPECT_EQ(r.status, Status::passed) << r.message;
  EXPECT_LE(largest_defect(A, r), 4.0);
  EXPECT_TRUE(std::ranges::is_sorted(r.eigenvalues, std::ranges::greater()));
  EXPECT_EQ(r.inertia.positive + r.inertia.negative + r.inertia.zero, A.rows());
  const auto errors = relative_errors(r.eigenvalues, truth);
  double most = 0, ratio = 0;
  for (std::size_t j = 0; j < errors.size(); ++j) {
    if (r.noise[j]) continue;
    EXPECT_EQ(r.eigenvalues[j] > 0, truth[j] > Quad(0)) << "a wrong sign is not noise";
    most = std::max(most, errors[j]);
    ratio = std::max(ratio, errors[j] / r.estimate[j]);
  }
  return {most, ratio};
}

// Matrices of small integers times powers of two, whose eigenvalues were computed by mpmath with 80 digits:
//   R(i, j) = entry(max(i, j), min(i, j)) ± 4000 on the diagonal,  A = D·R·D,  D_i = 2^(−step·(5i mod 8)).
struct Committed {
  std::uint64_t seed;
  int step;
  double eigenvalues[8], remainders[8];  ///< the sum of both is the eigenvalue
};
constexpr Committed committed[] = {
    {1,
     0,
     {6044.202561665542, 4440.410913271628, 3986.5392677892946, 3140.856323746513, -2365.2361660862143,
      -4312.91473861149, -4946.612444332817, -6172.245717442456},
     {2.0860769206433704e-13, 4.0431969407004454e-13, -1.048254239640284e-13, -2.2036656002486122e-13,
      8.128258745262196e-14, 4.0084471009216017e-14, 1.44960757560864e-13, -9.931586728172983e-14}},
    {2,
     2,
     {239.67265731351574, 1.1136238570606136, 0.004536048091462193, 1.7208954077569117e-05, -0.00025520182479172514,
      -0.057155655512251026, -13.352428908142443, -4770.978102635092},
     {-9.01270855118443e-15, 8.69221962724764e-17, -1.8633484897495146e-19, 7.22542892426363e-22, 1.420981084671522e-20,
      7.788489100584424e-19, -1.4040564678010305e-17, -1.4438642575713952e-13}},
    {3,
     4,
     {15.588723229582667, 0.0002773449001189062, 2.543443083627026e-09, 7.593036870957955e-14, -1.4503527662294953e-11,
      -8.496464077338606e-07, -0.04992792432352922, -4640.443602918266},
     {-7.624550823606273e-16, 1.291758393741668e-21, -1.3379821840912458e-25, -4.8765336819870106e-30,
      -5.941280415863765e-28, -1.2089509326061534e-23, -1.0282002952575369e-18, 9.389354090069148e-14}}};

Matrix<double> committed_matrix(const Committed& c) {
  const auto entry = [&](std::uint64_t i, std::uint64_t j) {
    std::uint64_t x = (c.seed * 1103515245 + 12345 + 7919 * i + 104729 * j) % 2147483648;
    for (int k = 0; k < 2; ++k) x = (x * 1103515245 + 12345) % 2147483648;
    return static_cast<double>(x / 65536 % 2001) - 1000;
  };
  Matrix<double> A(8, 8);
  for (Index j = 0; j < 8; ++j)
    for (Index i = 0; i < 8; ++i) {
      const double r = entry(std::max(i, j), std::min(i, j)) + (i != j ? 0 : i % 2 == 1 ? 4000 : -4000);
      A(i, j) = std::ldexp(r, -c.step * static_cast<int>(5 * i % 8 + 5 * j % 8));
    }
  return A;
}

TEST(Eigh, TruthOfTheTestsAgreesWithMpmath) {
  for (const Committed& c : committed) {
    const auto truth = true_eigenvalues(committed_matrix(c));
    for (std::size_t j = 0; j < 8; ++j) {
      const Quad known = Quad(c.eigenvalues[j]) + Quad(c.remainders[j]);
      EXPECT_LE(std::abs(static_cast<double>((truth[j] - known) / known)), 1e-28) << c.seed << " " << j;
    }
  }
}

TEST(Eigh, EstimateHoldsForEveryEigenvalueOfEveryForm) {
  std::mt19937_64 generator(7);
  const Index n = 32;
  auto geometric = decades(n, 8);
  for (Index i = 1; i < n; i += 2) geometric[i] = -geometric[i];
  const Matrix<double> matrices[] = {hermitian(random_matrix<double>(n, n, generator)),
                                     with_eigenvalues<double>(geometric, generator),
                                     graded<double>(n, 12, 3),
                                     quasi_definite<double>(n, 12, 4),
                                     saddle_point(n, 16, 5),
                                     signed_hilbert(24),
                                     with_eigenvalues<double>(decades(n, 10), generator)};
  for (std::size_t k = 0; k < std::size(matrices); ++k) {
    const auto truth = true_eigenvalues(matrices[k]);
    for (const char* form : forms) {
      const auto [error, ratio] = check(matrices[k], solve(matrices[k], form), truth);
      EXPECT_LE(ratio, 10) << "matrix " << k << ", " << form << ", error " << error;
    }
  }
}

TEST(Eigh, EstimateHoldsForComplexMatrices) {
  std::mt19937_64 generator(8);
  for (const Matrix<Complex>& A : {hermitian(random_matrix<Complex>(24, 24, generator)), graded<Complex>(24, 12, 9),
                                   quasi_definite<Complex>(24, 10, 10)}) {
    const auto truth = true_eigenvalues(A);
    for (const char* form : {forms[0], forms[1], forms[2]})
      EXPECT_LE(check(A, solve(A, form), truth).second, 10) << form;
  }
}

TEST(Eigh, GradedAndQuasiDefiniteMatricesKeepTwelveDecades) {
  for (const Index n : {32, 128})
    for (const Matrix<double>& A : {graded<double>(n, 12, 11), quasi_definite<double>(n, 12, 12)}) {
      const auto truth = true_eigenvalues(A);
      for (const char* form : {"HEV-RK-ME-BO", "HEV-CP-ME-BO;w=16"})
        EXPECT_LE(check(A, solve(A, form), truth).first, 1e-13) << n << " " << form;
    }
}

// The roundings of a thousand transformations of each column exceed all other errors of the large eigenvalues.
TEST(Eigh, EstimateCountsTheRoundingsOfAllTransformations) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    const Matrix<double> A = saddle_point(128, 8, seed);
    EXPECT_LE(check(A, solve(A, "HEV-RK-ME-BO"), true_eigenvalues(A)).second, 5) << seed;
  }
}

// Orders 2 to 18, seven kinds, forms in turn: an eigenvalue that is not flagged as noise is as accurate as estimated.
TEST(Eigh, NoRandomProblemPassesWithAWrongEigenvalue) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::mt19937_64 generator(seed);
    const Index n = 2 + seed % 17;
    const double grading = seed % 4 * 5.0;
    std::vector<double> clusters;
    for (Index i = 0; i < n; ++i) clusters.push_back(static_cast<double>(i % 3) - 1);
    Matrix<double> integers(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i <= j; ++i) integers(i, j) = integers(j, i) = static_cast<double>(generator() % 5) - 2;
    for (const Matrix<double>& A : {hermitian(random_matrix<double>(n, n, generator)), graded<double>(n, grading, seed),
                                    quasi_definite<double>(n + 1, grading, seed), saddle_point(n + 1, grading, seed),
                                    signed_hilbert(n), with_eigenvalues<double>(clusters, generator), integers}) {
      const auto truth = true_eigenvalues(A);
      const auto r = solve(A, forms[seed % std::size(forms)]);
      EXPECT_EQ(r.status, Status::passed) << r.message;
      const auto errors = relative_errors(r.eigenvalues, truth);
      for (std::size_t j = 0; j < errors.size(); ++j)
        EXPECT_TRUE(r.noise[j] || errors[j] <= 10 * r.estimate[j]) << seed << " " << r.eigenvalues[j];
    }
  }
}

TEST(Eigh, HilbertMatrixReportsNoiseWhereDigitsAreLost) {
  const Matrix<double> A = signed_hilbert(32);
  const auto truth = true_eigenvalues(A);
  const auto r = solve(A);
  const auto errors = relative_errors(r.eigenvalues, truth);
  EXPECT_GT(largest(errors), 0.1);  // otherwise the matrix is no test
  for (std::size_t j = 0; j < errors.size(); ++j) EXPECT_TRUE(errors[j] < 1 || r.noise[j]) << j;
}

TEST(Eigh, ScaledRankTestFindsTheRankAndKeepsGradedSpectra) {
  std::mt19937_64 generator(13);
  std::vector<double> lambda(32, 0.0);
  std::uniform_real_distribution<double> between(1, 10);
  for (int i = 0; i < 24; ++i) lambda[i] = i % 2 == 0 ? between(generator) : -between(generator);
  for (const char* form : {"HEV-RK-ME-BO;w=8", "HEV-CP-ME-BO;w=8"}) {
    for (int trial = 0; trial < 5; ++trial) {
      const auto r = solve(with_eigenvalues<double>(lambda, generator), form);
      EXPECT_EQ(r.status, Status::passed) << r.message;
      EXPECT_EQ(r.rank, 24) << form;
      EXPECT_EQ(r.inertia, (Inertia{12, 12, 8})) << form;
      EXPECT_TRUE(r.noise[12] && r.eigenvalues[12] == 0) << form;
    }
    EXPECT_EQ(solve(graded<double>(32, 12, 14), form).rank, 32) << form;
    EXPECT_EQ(solve(graded<double>(32, 24, 14), form).rank, 32) << form;
    EXPECT_EQ(solve(quasi_definite<double>(32, 12, 14), form).rank, 32) << form;
  }
}

// Saddle points [H B; B* 0] of integers, H singular, with tiny couplings B; eigenvalues by mpmath with 400 digits. A
// pivot that is noise in H is none in the rows of B.
TEST(Eigh, TinyCouplingsAreNoNoise) {
  struct Known {
    std::vector<double> lower, eigenvalues;  // the lower triangle by columns
  };
  const Known known[] = {
      {{-3, -6, 4, -2e-38, 0, 4, 1e-38, -4, -1e-38, 0},
       {4.761355820929153, 1.6035674514745462e-38, -1.6035674514745462e-38, -11.761355820929154}},
      {{1, 1, -1e-38, -1e-38, 1, 1e-38, -2e-38, 0, 0, 0},
       {2, 1.5811388300841896e-38, -1.8e-76, -1.5811388300841896e-38}},
      {{0, 0, 0, 0, -1e-44, 1, -2, -2e-44, -3e-44, 4, 2e-44, -2e-44, 0, 0, 0},
       {5, 3.813790538909024e-44, 2.345244663740176e-45, -2.345244663740176e-45, -3.813790538909024e-44}},
      {{19,         2,        0x1p-843, 19,       0x1p-843, 0,        16, 0,         2,        0x1p-843, 10,
        -0x1p-1057, 0x1p-843, 0,        0x3p-844, 19,       0x1p-843, 0,  0x1p-1058, 0x1p-844, 11},
       {38.42598933775799684, 23.469203573053656806, 3.1048070891883463539, 0x1p-1058, 0, -0x1p-1057}}};
  for (const Known& k : known) {
    const auto n = std::ssize(k.eigenvalues);
    Matrix<double> A(n, n);
    auto next = k.lower.begin();
    for (Index j = 0; j < n; ++j)
      for (Index i = j; i < n; ++i) A(i, j) = A(j, i) = *next++;
    for (const char* form : forms) {
      const auto r = solve(A, form);
      EXPECT_FALSE(r.noise[0]);
      for (std::size_t j = 0; j < k.eigenvalues.size(); ++j)
        EXPECT_TRUE(r.noise[j] || std::abs(r.eigenvalues[j] - k.eigenvalues[j]) <=
                                      (10 * r.estimate[j] + eps) * std::abs(k.eigenvalues[j]))
            << form << " " << r.eigenvalues[j] << " for " << k.eigenvalues[j];
    }
  }
}

TEST(Eigh, EigenvaluesOfZeroRowsAreDetermined) {
  Matrix<double> A(4, 4);
  A(1, 1) = A(1, 2) = A(2, 1) = A(2, 2) = 1;
  const auto r = solve(A);  // the fourth eigenvalue is zero for no other reason than the values of the elements
  EXPECT_EQ(r.inertia, (Inertia{1, 0, 3}));
  EXPECT_EQ(std::ranges::count(r.noise, true), 1);
  EXPECT_EQ(std::ranges::count(r.estimate, 0.0), 2);
  EXPECT_EQ(std::ranges::count(solve(Matrix<double>(5, 5)).noise, true), 0);
  // A row whose elements are lost by scaling is not zero.
  Matrix<double> wide(2, 2);
  wide(0, 0) = 1e300, wide(1, 1) = 5e-324;
  try {
    EXPECT_TRUE(solve(wide).noise[1] || solve(wide).eigenvalues[1] > 0);
  } catch (const InputError&) {
  }
}

TEST(Eigh, EstimatesIncludeUnderflow) {
  Matrix<double> A(2, 2);
  A(0, 0) = A(1, 1) = 5e-324, A(0, 1) = A(1, 0) = 1e-323;  // 1, 2 units: 3 and −1
  const auto r = solve(A);
  EXPECT_EQ(r.eigenvalues, (std::vector{1.5e-323, -5e-324}));
  EXPECT_GE(r.estimate[0], 0.1);
  A(0, 0) = A(1, 1) = 0x1p1023, A(0, 1) = A(1, 0) = 0x1p1023;
  EXPECT_THROW(solve(A), InputError);  // 2^1024
}

TEST(Eigh, PowersOfFourChangeNoBit) {
  const Matrix<double> A = graded<double>(20, 6, 15);
  const auto r = solve(A);
  for (const int k : {-240, -3, 1, 240}) {
    Matrix<double> scaled = A;
    for (Index i = 0; i < A.size(); ++i) scaled.data()[i] = std::ldexp(A.data()[i], 2 * k);
    const auto s = solve(scaled);
    for (Index i = 0; i < A.size(); ++i) EXPECT_EQ(s.U.data()[i], r.U.data()[i]);
    for (std::size_t j = 0; j < 20; ++j) EXPECT_EQ(std::ldexp(s.eigenvalues[j], -2 * k), r.eigenvalues[j]);
  }
}

TEST(Eigh, ThreadsChangeNoBit) {
  for (const char* form : {"HEV-RK-ME-BO;w=8", "HEV-RK-ME-PT"}) {
    const Matrix<double> A = graded<double>(150, 6, 16);
    EighOptions options{.variant = parse_eigh_variant(form), .threads = 1};
    const auto one = eigh<double>(A, options);
    options.threads = 3;
    const auto three = eigh<double>(A, options);
    EXPECT_EQ(one.eigenvalues, three.eigenvalues);
    EXPECT_EQ(one.estimate, three.estimate);
    EXPECT_TRUE(std::ranges::equal(std::span(one.U.data(), one.U.size()), std::span(three.U.data(), three.U.size())));
  }
}

TEST(Eigh, SmallAndSpecialMatrices) {
  EXPECT_EQ(solve(Matrix<double>(0, 0)).status, Status::passed);
  const auto zero = solve(Matrix<double>(5, 5));
  EXPECT_EQ(zero.status, Status::passed);
  EXPECT_EQ(zero.inertia, (Inertia{0, 0, 5}));
  EXPECT_EQ(zero.estimate, std::vector<double>(5, 0.0));
  EXPECT_LE(largest_defect(Matrix<double>(5, 5), zero), 1.0);
  Matrix<double> A(1, 1);
  A(0, 0) = -3;
  EXPECT_NEAR(solve(A).eigenvalues[0], -3, 6 * eps);
  Matrix<double> swap(2, 2);
  swap(0, 1) = swap(1, 0) = 1;
  const auto r = solve(swap);
  EXPECT_NEAR(r.eigenvalues[0], 1, 2 * eps);
  EXPECT_NEAR(r.eigenvalues[1], -1, 2 * eps);
  for (const double sign : {1.0, -1.0}) {
    std::mt19937_64 generator(17);
    Matrix<double> definite = with_eigenvalues<double>(decades(12, 3), generator);
    for (Index i = 0; i < definite.size(); ++i) definite.data()[i] *= sign;
    const auto truth = true_eigenvalues(definite);
    EXPECT_LE(check(definite, solve(definite), truth).second, 10);
  }
}

TEST(Eigh, SpectralPreconditionerAgreesAndSavesSweeps) {
  const auto agree = [](const Matrix<double>& A, bool used) {
    const auto truth = true_eigenvalues(A);
    const auto plain = solve(A, "HEV-RK-ME-BO;w=8"), fast = solve(A, "HEV-RK-ME-BO;w=8;spectral");
    EXPECT_EQ(fast.spectral.used, used) << fast.spectral.refusal;
    EXPECT_LE(check(A, plain, truth).second, 10);
    EXPECT_LE(check(A, fast, truth).second, 10);
    EXPECT_TRUE(used ? fast.sweeps.size() <= 2 : fast.eigenvalues == plain.eigenvalues);
  };
  try {
    std::mt19937_64 generator(18);
    agree(hermitian(random_matrix<double>(48, 48, generator)), true);
    agree(graded<double>(48, 4, 19), true);
    agree(saddle_point(48, 8, 20), true);
    agree(graded<double>(48, 12, 21), false);
  } catch (const NotSupported& why) {
    GTEST_SKIP() << why.what();
  }
}

TEST(Eigh, RefusesWhatItCannotDo) {
  Matrix<double> A(3, 2);
  EXPECT_THROW(eigh<double>(A), InputError);
  Matrix<double> B(2, 2);
  B(0, 1) = 1;
  EXPECT_THROW(eigh<double>(B), InputError);
  B(0, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(eigh<double>(B), InputError);
  const Matrix<double> I = Matrix<double>::identity(2);
  EXPECT_THROW(eigh<double>(I, {.variant = {.pivoting = Pivoting::partial}}), InputError);
  EXPECT_THROW(eigh<double>(I, {.max_sweeps = 0}), InputError);
  EXPECT_THROW(eigh<Quad>(Matrix<Quad>::identity(2), {.backend = Backend::emulation}), NotSupported);
  EXPECT_THROW(eigh<Quad>(Matrix<Quad>::identity(2), {.variant = {.spectral = true}}), NotSupported);
}

}  // namespace
}  // namespace pivotlab::eigh_test
