// SPDX-License-Identifier: BSD-3-Clause
// General matrices: the eigenvalues that they claim, the same bits for any number of threads.
#include <gtest/gtest.h>

#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <tests/dense.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab::general_test {
namespace {

using Complex = std::complex<double>;
using QuadComplex = std::complex<Quad>;

template <class T>
GeneralMatrix<T> make(const std::string& name, Index n, int threads = 1, std::uint64_t seed = 3) {
  return std::get<GeneralMatrix<T>>(generate_general({name, scalar_type<T>, n, seed, threads}));
}

std::vector<Complex> rounded(const std::vector<QuadComplex>& values) {
  std::vector<Complex> result;
  for (const auto& z : values) result.emplace_back(static_cast<double>(z.real()), static_cast<double>(z.imag()));
  return result;
}

/// The largest distance of one of `from` to the nearest of `to`.
double distance(const std::vector<Complex>& from, const std::vector<Complex>& to) {
  double largest = 0;
  for (const Complex& x : from) {
    double nearest = INFINITY;
    for (const Complex& y : to) nearest = std::min(nearest, std::abs(x - y));
    largest = std::max(largest, nearest);
  }
  return largest;
}

std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const GeneratorInfo& kind : list_general_generators()) names.push_back(kind.name);
  for (const char* name : {"normal;spectrum=circle", "similarity;kappa=10;spectrum=geometric;ratio=100",
                           "repeated;distinct=3;kappa=5", "defective;blocks=4", "graded;g=2;order=random"})
    names.emplace_back(name);
  return names;
}

std::string refusal(const GeneralRequest& request) {
  try {
    generate_general(request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

template <class T>
class GeneralGenerator : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(GeneralGenerator, Scalars);

TYPED_TEST(GeneralGenerator, EigenvaluesDescendForEveryOrder) {
  for (const std::string& name : all_names())
    for (const Index n : {0, 1, 2, 3, 8, 9}) {
      SCOPED_TRACE(name + ", n = " + std::to_string(n));
      const auto matrix = make<TypeParam>(name, n);
      ASSERT_EQ(matrix.A.rows(), n);
      ASSERT_EQ(matrix.A.cols(), n);
      ASSERT_EQ(std::ssize(matrix.eigenvalues), n);
      for (std::size_t k = 1; k < matrix.eigenvalues.size(); ++k)
        EXPECT_LE(std::abs(rounded(matrix.eigenvalues)[k]), std::abs(rounded(matrix.eigenvalues)[k - 1]) * (1 + 1e-15));
    }
}

TYPED_TEST(GeneralGenerator, HasTheEigenvaluesThatItClaims) {
  for (const std::string& name : all_names()) {
    if (name.starts_with("defective") || name == "jordan" || name == "grcar" || name == "scaled")
      continue;  // ill-conditioned
    SCOPED_TRACE(name);
    const auto matrix = make<TypeParam>(name, 24);
    Matrix<Complex> T(24, 24), U;
    std::copy_n(matrix.A.data(), matrix.A.size(), T.data());
    ASSERT_TRUE(complex_schur(T, U));
    const std::vector<Complex> claimed = rounded(matrix.eigenvalues);
    std::vector<Complex> values(24);
    for (Index k = 0; k < 24; ++k) values[static_cast<std::size_t>(k)] = T(k, k);
    const double condition = name == "similarity" ? 1e4 : 10;
    EXPECT_LE(distance(values, claimed), 1e-14 * condition * as_eigen(matrix.A.view()).norm());
    EXPECT_LE(distance(claimed, values), 1e-14 * condition * as_eigen(matrix.A.view()).norm());
  }
}

TYPED_TEST(GeneralGenerator, ComputesPrescribedSpectrumBeyondDouble) {
  for (const Index n : {12, 40}) {  // in 100 digits, in double-double
    const auto matrix = make<TypeParam>("cyclic", n);
    std::vector<QuadComplex> computed = extended_eigenvalues<TypeParam>(matrix.A);
    for (const QuadComplex& x : matrix.eigenvalues) {
      Quad nearest(1);
      for (const QuadComplex& y : computed) {
        const QuadComplex difference = x - y;
        nearest = std::min(nearest, Quad(abs(difference.real()) + abs(difference.imag())));
      }
      EXPECT_LT(static_cast<double>(nearest), 1e-29) << "n = " << n;
    }
  }
}

TYPED_TEST(GeneralGenerator, GivesTheSameBitsForAnyNumberOfThreads) {
  for (const std::string& name : all_names()) {
    const auto one = make<TypeParam>(name, 72, 1), two = make<TypeParam>(name, 72, 2);
    EXPECT_TRUE(std::equal(one.A.data(), one.A.data() + one.A.size(), two.A.data())) << name;
    EXPECT_EQ(one.eigenvalues, two.eigenvalues) << name;
  }
}

TEST(GeneralGenerator, PrescribesRealMatricesInConjugatePairs) {
  for (const char* name : {"normal", "similarity;kappa=10", "unitary", "repeated"}) {
    const std::vector<Complex> values = rounded(make<double>(name, 9).eigenvalues);
    for (const Complex& z : values)
      EXPECT_EQ(std::ranges::count(values, z), std::ranges::count(values, std::conj(z))) << name;
  }
}

TEST(GeneralGenerator, HermitianOnesAreExactlySo) {
  const auto A = make<Complex>("hermitian", 20).A;
  for (Index j = 0; j < 20; ++j)
    for (Index i = 0; i <= j; ++i) EXPECT_EQ(A(i, j), std::conj(A(j, i)));
}

TEST(GeneralGenerator, LeavesTheTruthAwayWhereItIsNotWanted) {
  EXPECT_TRUE(make<Complex>("random;truth=none", 8).eigenvalues.empty());
  EXPECT_TRUE(make<Complex>("random", 129).eigenvalues.empty());
  EXPECT_EQ(make<Complex>("normal;truth=computed", 8).eigenvalues.size(), 8U);
}

TEST(GeneralGenerator, RefusesWhatItHasNot) {
  EXPECT_TRUE(refusal({.generator = "grcarr", .n = 4}).starts_with("generator 'grcarr': no such generator; "));
  EXPECT_EQ(refusal({.generator = "random", .n = -1}), "n = -1: an order is not negative; use n ≥ 0");
  EXPECT_EQ(refusal({.generator = "random;truth=computed", .n = 1025}),
            "generator: truth=computed: n = 1025 is beyond 1024; use a smaller n or truth=none");
}

}  // namespace
}  // namespace pivotlab::general_test
