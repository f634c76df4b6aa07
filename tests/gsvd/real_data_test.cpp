// SPDX-License-Identifier: BSD-3-Clause
// Pairs from practice: the folder that PIVOTLAB_DATA names.
#include "problems.hpp"

#include "experiments/metrics/condition.hpp"

#include <pivotlab/baselines.hpp>
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace pivotlab::real_data_test {
namespace {

using namespace test;
using experiments::condition_numbers;

class RealData : public testing::Test {
 protected:
  void SetUp() override {
    const char* set = std::getenv("PIVOTLAB_DATA");
    if (set == nullptr || *set == '\0') GTEST_SKIP() << "PIVOTLAB_DATA is not set";
    directory_ = set;
  }
  AnyMatrix read(const std::string& name) const { return read_matrix(directory_ / (name + ".mtx.gz")); }

  static TestPair<double> test_pair(AnyPair pair) {
    auto& p = std::get<Pair<double>>(pair);
    return {std::move(p.F), std::move(p.G)};
  }

 private:
  std::filesystem::path directory_;
};

// The eigenvalues of (K, M) are σ². dsygv's error bound is absolute: n·ε·κ₂(M)·max λ (LAPACK Users' Guide,
// section 4.10).
TEST_F(RealData, EigenvaluesOfADefinitePairAgreeWithLapack) {
  if (list_gsvd_baselines(ScalarType::d).empty()) GTEST_SKIP() << "built without LAPACK";
  const auto pair = test_pair(definite_pair(read("lund_a"), read("lund_b")));
  const auto ours = gsvd<double>(pair.F, pair.G);
  const auto lapack = solve_gsvd_with_baseline<double>("lapack:dsygvd", pair.F, pair.G, 1);
  ASSERT_EQ(ours.status, Status::passed);
  ASSERT_EQ(lapack.status, Status::passed);
  const double kappa = std::pow(condition_numbers<double>(pair.F, pair.G).g.value, 2),
               largest = ours.sigma[0] * ours.sigma[0];
  const double bound = 147 * std::numeric_limits<double>::epsilon() * kappa * largest;
  for (std::size_t j = 0; j < ours.sigma.size(); ++j)
    EXPECT_NEAR(ours.sigma[j] * ours.sigma[j], lapack.sigma[j] * lapack.sigma[j], bound);
  EXPECT_LE(bound, 1e-3 * largest);
}

TEST_F(RealData, StiffnessPairAgreesWithBaseline) {
  if (list_gsvd_baselines(ScalarType::d).empty()) GTEST_SKIP() << "built without LAPACK";
  const auto pair = test_pair(definite_pair(read("lund_a"), read("lund_b")));
  const auto ours = gsvd<double>(pair.F, pair.G);
  const auto baseline = solve_gsvd_with_baseline<double>("lapack:dgeqrf+dgesdd", pair.F, pair.G, 1);
  const auto kappa = condition_numbers<double>(pair.F, pair.G);
  EXPECT_LE(largest_relative_error(ours.sigma, baseline.sigma),
            147 * std::numeric_limits<double>::epsilon() * std::max(kappa.f.value, kappa.g.value));
}

// F is singular to working precision: σ far below roundoff is noise, the rest must be there.
TEST_F(RealData, RegularizationPairsOfHansenDecompose) {
  for (const auto* name : {"heat_200", "shaw_200"}) {
    SCOPED_TRACE(name);
    const AnyMatrix F = read(name);
    const TestPair<double> pair{Matrix<double>(std::get<Matrix<double>>(F).view().cols_range(0, 120)),
                                difference_operator(120, 1)};
    const auto r = gsvd<double>(pair.F, pair.G);
    ASSERT_EQ(r.status, Status::passed) << r.message;
    EXPECT_LE(residual(pair.F, r.Z, r.U, r.sigma_f), 1e-14);
    EXPECT_LE(residual(pair.G, r.Z, r.V, r.sigma_g), 1e-14);
    EXPECT_LE(orthogonality(r.V), 1e-12);

    using Long = long double;
    const auto exact = gsvd<Long>(convert<Long>(pair.F), convert<Long>(pair.G)).sigma;
    for (std::size_t j = 0; j < exact.size(); ++j)
      EXPECT_NEAR(r.sigma[j], static_cast<double>(exact[j]), 1e-14 * static_cast<double>(exact[0])) << j;
  }
}

}  // namespace
}  // namespace pivotlab::real_data_test
