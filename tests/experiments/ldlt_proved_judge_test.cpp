// SPDX-License-Identifier: BSD-3-Clause
// The judge of a factorization by exact products, emulated, against the judge in Quad.
#include <gtest/gtest.h>

#include <experiments/ldlt/ldlt_errors.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/proved_error.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/verification/device/ldlt_exact_measure.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>
#include <tests/experiments/ldlt_judged.hpp>
#include <tests/extended/host_machine.hpp>

namespace pivotlab::experiments::ldlt_proved_judge_test {
namespace {

using Complex = std::complex<double>;
using ldlt_judged::generated;
using ldlt_judged::given;
using pivotlab::test::HostMachine;

template <class T>
std::optional<ProvedError> judged(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f, int moduli = 20) {
  const GivenLdlt<T> factors = given(matrix, f);
  const double threshold = 30 * static_cast<double>(f.M.rows()) * 0x1p-53 * norm_1(matrix.A, factors.exponent, 1);
  std::unique_ptr<LdltProvedJudge<T>> judge =
      std::make_unique<LdltExactMeasure<HostMachine, exact::HostIntegers, T>>(moduli, 64);
  return proved_error<T>(judge, factors, threshold);
}

template <class T>
double in_quad(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f) {
  return reconstruction_error<Rebind<T, Quad>>(matrix, f, exponent_of(elements(matrix.A)), 1);
}

/// Judges by exact products agree with the judge in Quad within their bounds, and see a change of one element of M by n
/// units in the last place.
template <class T>
void expect_quads(SymmetricMatrix<T> matrix, double factor = 1) {
  for (Index i = 0; i < matrix.A.size(); ++i) matrix.A.data()[i] *= factor;
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::partial}) {
    SCOPED_TRACE(matrix.provenance + " " + std::string(to_string(pivoting)));
    auto f = ldlt<T>(matrix.A, {.variant = {.pivoting = pivoting}, .symmetry = matrix.symmetry});
    const std::optional<ProvedError> before = judged(matrix, factors_of(f));
    ASSERT_TRUE(before.has_value());
    EXPECT_NEAR(before->error, in_quad(matrix, factors_of(f)), before->bound + 1e-13 * before->error);
    const Index n = matrix.A.rows();
    Index row = n - 1;  // the largest element of column 0 below the diagonal, by a 1-norm that counts
    for (Index i = 2; i < n; ++i)
      if (std::abs(f.M(i, 0)) > std::abs(f.M(row, 0))) row = i;
    f.M(row, 0) *= 1 + static_cast<double>(n) * 0x1p-52;
    const std::optional<ProvedError> after = judged(matrix, factors_of(f));
    ASSERT_TRUE(after.has_value());
    EXPECT_NEAR(after->error, in_quad(matrix, factors_of(f)), after->bound + 1e-13 * after->error);
    if (f.M(row, 0) != T(0)) {
      EXPECT_GT(std::abs(after->error - before->error), after->bound + before->bound);
    }
  }
}

TEST(LdltProvedJudge, IsWithinItsBoundOfQuad) {
  for (const double factor : {1.0, 1e150, 1e-150}) {
    expect_quads(generated<double>("random", 50), factor);
    expect_quads(generated<double>("graded;g=20", 40), factor);
    expect_quads(generated<Complex>("spectrum;kappa=1e14", 30), factor);
  }
  expect_quads(generated<Complex>("random", 30, Symmetry::symmetric));
}

TEST(LdltProvedJudge, LeavesToOthersWhatItDoesNotSettle) {
  const auto matrix = generated<double>("random", 40);
  const auto f = ldlt<double>(matrix.A, {.variant = {.pivoting = Pivoting::rook}});
  EXPECT_FALSE(judged(matrix, factors_of(f), 8).has_value());
  EXPECT_FALSE(proved_error<double>(nullptr, given(matrix, factors_of(f)), 1).has_value());
  EXPECT_TRUE(is_settled(1e-3, 1e-6, 1));
  EXPECT_FALSE(is_settled(1e-3, 1.1e-6, 1));
  EXPECT_FALSE(is_settled(1, 1e-9, 1 + 1e-10)) << "the bound is across the threshold";
  EXPECT_FALSE(is_settled(1, not_a_number, 2));
}

}  // namespace
}  // namespace pivotlab::experiments::ldlt_proved_judge_test
