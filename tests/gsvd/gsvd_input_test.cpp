// SPDX-License-Identifier: BSD-3-Clause
// Invalid input is refused with one line that names the matrix, the place and the remedy.
#include "problems.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

namespace pivotlab::gsvd_input_test {
namespace {

using namespace test;

std::string refusal(const TestPair<double>& pair, const GsvdOptions& options = {}) {
  try {
    gsvd<double>(pair.F, pair.G, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(GsvdInput, RefusesFewerRowsThanColumns) {
  EXPECT_EQ(refusal({Matrix<double>(4, 5), Matrix<double>(6, 5)}),
            "matrix F: it is 4 x 5, with fewer rows than columns; append rows of zeros or a regularization");
}

TEST(GsvdInput, RefusesDifferentColumnCounts) {
  EXPECT_EQ(refusal({Matrix<double>(6, 5), Matrix<double>(6, 4)}),
            "the pair: F is 6 x 5 and G is 6 x 4; they must have the same number of columns");
}

TEST(GsvdInput, RefusesZeroColumns) {
  EXPECT_EQ(refusal({Matrix<double>(0, 0), Matrix<double>(0, 0)}),
            "the pair: there are no columns (n = 0); give at least one");
}

TEST(GsvdInput, NotFiniteIsRefusedWithItsPlace) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    auto pair = random_pair<double>(6, 6, 5);
    pair.G(3, 2) = bad;
    EXPECT_EQ(refusal(pair), "matrix G: element (4, 3) is not finite; remove NaN and Inf from the input");
  }
  auto pair = random_pair<std::complex<double>>(6, 6, 5);
  pair.F(0, 1) = {1.0, std::numeric_limits<double>::quiet_NaN()};
  EXPECT_THROW(gsvd<std::complex<double>>(pair.F, pair.G), InputError);
}

TEST(GsvdInput, ZeroColumnOfGIsRefused) {
  auto pair = random_pair<double>(6, 6, 5);
  for (auto& x : pair.G.col(2)) x = 0;
  EXPECT_EQ(refusal(pair), "matrix G: column 3 is zero; G must have full column rank");
}

TEST(GsvdInput, RankDeficientGIsRefused) {
  for (const auto& name : expand_pattern("DHZ{0,2}-(ME-{FB,BO}-ME);w={4,16};factor={cholesky,qr}")) {
    SCOPED_TRACE(name);
    auto pair = random_pair<double>(60, 60, 50);
    for (Index i = 0; i < 60; ++i) pair.G(i, 49) = pair.G(i, 3) - 2 * pair.G(i, 17) + pair.G(i, 30);
    EXPECT_NE(refusal(pair, {.variant = parse_gsvd_variant(name).variant}).find("numerically not of full column rank"),
              std::string::npos);
  }
}

// The matrices have integer elements, so that the rank is exact; Z, from whose columns the solver determines the rank,
// is ill-conditioned.
TEST(GsvdInput, ReportsRankOfG) {
  std::mt19937_64 generator(11);
  const auto integers = [&](Index rows, Index cols) {
    Matrix<double> A(rows, cols);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] = 2.0 * static_cast<double>(generator() % 4) - 3;  // ±1, ±3
    return A;
  };
  for (const Backend backend : {Backend::host, Backend::emulation})
    for (const Index rank : backend == Backend::host ? std::vector<Index>{1, 2, 5, 8} : std::vector<Index>{5, 8})
      for (const bool f_is_regular : {true, false}) {
        GsvdOptions options;
        options.backend = backend;
        TestPair<double> pair{integers(11, 9), product_of<double>(integers(10, rank), integers(rank, 9))};
        for (Index j = 0; j < 9; ++j) {
          as_eigen(pair.F.view()).col(j) *= std::ldexp(1.0, 20 * static_cast<int>(j) - 80);
          as_eigen(pair.G.view()).col(j) *= std::ldexp(1.0, 20 * static_cast<int>(j) - 80);
        }
        if (!f_is_regular) as_eigen(pair.F.view()).col(3) = 0x1p-80 * as_eigen(pair.F.view()).col(7);
        EXPECT_EQ(refusal(pair, options), "matrix G: it is numerically not of full column rank (" +
                                              std::to_string(rank) +
                                              " of 9); append rows that make its columns independent" +
                                              (f_is_regular ? ", or swap F and G" : ""));
      }
}

TEST(GsvdInput, ParallelColumnsOfGAreRefused) {
  auto pair = random_pair<double>(40, 40, 20);
  for (Index i = 0; i < 40; ++i) pair.G(i, 5) = 0.1 * pair.G(i, 4);
  EXPECT_NE(refusal(pair).find("numerically not of full column rank"), std::string::npos);
}

// G·z of a dependent z is no noise by the elements of the rows of these G, because they have zeros.
TEST(GsvdInput, EqualColumnsOfSmallIntegersAreRefused) {
  TestPair<double> pair{Matrix<double>(3, 3), Matrix<double>(3, 3)};
  for (Index i = 0; i < 3; ++i) pair.F(i, i) = static_cast<double>(3 - i);
  for (const int number : {250, 268, 298, 316, 406, 424, 466, 484}) {
    for (Index i = 0, digits = number; i < 6; ++i, digits /= 3) pair.G.data()[i] = static_cast<double>(digits % 3 - 1);
    std::ranges::copy(pair.G.col(0), pair.G.col(2).begin());
    EXPECT_NE(refusal(pair).find("numerically not of full column rank"), std::string::npos) << number;
  }
}

TEST(GsvdInput, BadlyScaledButIndependentRowsOfGAreAccepted) {
  auto pair = random_pair<double>(24, 24, 24);
  for (Index j = 0; j < 24; ++j)
    for (Index i = 0; i < 24; ++i) pair.G(i, j) *= std::pow(10.0, -8 + 16.0 * static_cast<double>(i) / 23);
  EXPECT_EQ(refusal(pair), "accepted");
}

TEST(GsvdInput, ColumnsOfFTooFarApartAreRefused) {
  const auto with_column = [](double factor) {
    auto pair = random_pair<double>(24, 24, 8);
    for (auto& x : pair.F.col(3)) x *= factor;
    return pair;
  };
  EXPECT_EQ(refusal(with_column(0x1p-240)), "accepted");
  EXPECT_EQ(refusal(with_column(0)), "accepted");
  for (const double factor : {0x1p-300, 0x1p-990})
    EXPECT_EQ(refusal(with_column(factor)).find("matrix F: column 4, relative to G's, is only 2^-"), 0u) << factor;
}

template <class T>
std::string unsupported(Backend backend) {
  const auto pair = random_pair<T>(6, 6, 5);
  try {
    gsvd<T>(pair.F, pair.G, {.variant = {}, .backend = backend});
  } catch (const NotSupported& error) {
    return error.what();
  }
  return "served";
}

TEST(GsvdBackend, CudaWithoutAGpuTellsWhyThereIsNone) {
  if (!list_devices().empty()) GTEST_SKIP() << "there is a GPU";
  EXPECT_EQ(unsupported<double>(Backend::cuda), "backend 'cuda': " + why_no_device());
  EXPECT_EQ(unsupported<std::complex<double>>(Backend::cuda), "backend 'cuda': " + why_no_device());
}

TEST(GsvdInput, UnknownVariantNumbersAreRefused) {
  const auto pair = random_pair<double>(6, 6, 5);
  EXPECT_THROW(GsvdVariant{}.with_id(8), InputError);
  EXPECT_NE(refusal(pair, {.variant = {.width = 7}}).find("width = 7"), std::string::npos);
}

}  // namespace
}  // namespace pivotlab::gsvd_input_test
