// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <experiments/gsvd/gsvd_errors.hpp>
#include <experiments/gsvd/host_measurements.hpp>
#include <experiments/metrics/condition.hpp>
#include <kernels/verification/device/gsvd_measure.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd.hpp>
#include <tests/extended/host_machine.hpp>

#include <numeric>

namespace pivotlab::experiments::device_measure_test {
namespace {

using Complex = std::complex<double>;
using pivotlab::test::HostMachine;

template <class T>
Pair<T> make_pair(const std::string& generator, Index n, Index m_f, Index m_g) {
  return std::get<Pair<T>>(generate_pair({generator, scalar_type<T>, n, m_f, m_g, 3, 1}));
}

/// Equal but for the order of a few dozen additions, and what the measurement itself may be off: `bounds`, or relative
/// `error`.
void expect_near(const std::vector<double>& x, const std::vector<double>& expected, const char* what, double error = 0,
                 const std::vector<double>& bounds = {}) {
  ASSERT_EQ(x.size(), expected.size()) << what;
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(x[i], expected[i], (1e-11 + error) * expected[i] + (bounds.empty() ? 0 : bounds[i]))
        << what << ' ' << i;
}

void expect_near(const SideMeasurements& x, const SideMeasurements& expected, const GsvdMeasurements& all, Index rows) {
  expect_near(x.errors, expected.errors, "errors", 0, x.error_bounds);
  expect_near(x.weights, expected.weights, "weights");
  for (std::size_t j = 0; j < expected.reach.size(); ++j) {
    EXPECT_LE(x.reach[j], expected.reach[j]) << j;
    EXPECT_GE(x.reach[j], (1 - 0x1p-8) * expected.reach[j]) << j;
  }
  expect_near({x.norm_of_a, x.norm_1_of_a}, {expected.norm_of_a, expected.norm_1_of_a}, "norms");
  const double root = std::sqrt(static_cast<double>(rows)), bound = x.error_bounds.empty() ? 0 : x.orthogonality_bound,
               with_x = all.x_norms.empty() ? 0
                                            : std::transform_reduce(x.error_bounds.begin(), x.error_bounds.end(),
                                                                    all.x_norms.begin(), 0.0);
  expect_near({x.orthogonality, x.orthogonality_1}, {expected.orthogonality, expected.orthogonality_1}, "orthogonality",
              0, {bound, root * bound});
  expect_near({x.error_with_x, x.rotated_error_1}, {expected.error_with_x, expected.rotated_error_1}, "with X",
              all.error_of_x, {with_x, root * with_x});
}

template <class T>
void expect_same_measurements(const Pair<T>& pair, const GsvdResult<T>& result) {
  const GivenPair<T> given = given_pair(pair, result, 1);
  const auto [Z, f, g] = scaled(given, 1);
  const GsvdMeasurements expected = measure_on_host<DoubleDouble>(f, g, Z, 1);
  DeviceMeasure<HostMachine, exact::HostIntegers, T> judge;
  const GsvdMeasurements measured = judge.measure(given.f, given.g, given.Z);
  EXPECT_EQ(judge.measure(f, g, Z).f.errors, measured.f.errors);
  const Index rows = std::max({pair.F.rows(), pair.G.rows(), pair.F.cols()});
  expect_near(measured.f, expected.f, measured, rows);
  expect_near(measured.g, expected.g, measured, rows);
  const SideMeasurements alone = judge.measure(g, Z).f;
  EXPECT_EQ(alone.errors, measured.g.errors);
  EXPECT_EQ(alone.error_with_x, measured.g.error_with_x);
  EXPECT_EQ(alone.orthogonality, measured.g.orthogonality);
  expect_near(measured.x_norms, expected.x_norms, "x", measured.error_of_x);
  EXPECT_LE(measured.error_of_x, 1e-7);
  EXPECT_EQ(std::isnan(measured.unitarity_1), std::isnan(expected.unitarity_1));
  EXPECT_FALSE(measured.unitarity_1 > static_cast<double>(Z.Z.cols()) * 0x1p-50);  // rounding noise on both sides
}

template <class T>
class DeviceMeasurement : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(DeviceMeasurement, Scalars);

TYPED_TEST(DeviceMeasurement, IsTheHosts) {
  for (const auto& [name, n, m_f, m_g] :
       {std::tuple("paper;form=usx", 40, 40, 40), std::tuple("paper;form=usx;cond_x=1e9", 30, 30, 30),
        std::tuple("graded;g=6", 17, 25, 19), std::tuple("random", 1, 1, 2)}) {
    SCOPED_TRACE(name);
    const auto pair = make_pair<TypeParam>(name, n, m_f, m_g);
    expect_same_measurements(pair, gsvd<TypeParam>(pair.F, pair.G, {}));
  }
}

/// A QR factorization in double does not give X to seven digits.
TYPED_TEST(DeviceMeasurement, IsTheHostsForIllConditionedZ) {
  const auto pair = make_pair<TypeParam>("paper;form=usx;cond_x=1e13", 20, 20, 20);
  const GsvdResult<TypeParam> result = gsvd<TypeParam>(pair.F, pair.G, {});
  expect_same_measurements(pair, result);
  const GivenPair<TypeParam> given = given_pair(pair, result, 1);
  DeviceMeasure<HostMachine, exact::HostIntegers, TypeParam> judge;
  EXPECT_EQ(judge.measure(given.f, given.g, given.Z).error_of_x, 0);
  EXPECT_EQ(std::ranges::count(judge.phases(), "A − U·Σ·X", &Phase::name), 1);
}

TYPED_TEST(DeviceMeasurement, SeesZeroColumnsAndASingularZAsTheHostDoes) {
  const auto pair = make_pair<TypeParam>("random", 12, 14, 12);
  GsvdResult<TypeParam> result = gsvd<TypeParam>(pair.F, pair.G, {});
  result.sigma_f[3] = 0;
  for (TypeParam& x : result.U.col(3)) x = 0;
  expect_same_measurements(pair, result);
  for (TypeParam& x : result.Z.col(5)) x = 0;
  expect_same_measurements(pair, result);
}

TYPED_TEST(DeviceMeasurement, ConditionIsTheHosts) {
  for (const std::string name : {"paper;form=usx;cond_x=1e8", "random", "identity"}) {
    const auto pair = make_pair<TypeParam>(name, 30, 30, 30);
    const PairCondition expected = condition_numbers<TypeParam>(pair.F, pair.G, 1);
    DeviceMeasure<HostMachine, exact::HostIntegers, TypeParam> judge;
    EXPECT_NEAR(judge.condition_number(pair.F), expected.f.value, 1e-5 * expected.f.value) << name;
    EXPECT_NEAR(judge.condition_number(pair.G), expected.g.value, 1e-5 * expected.g.value) << name;
  }
  // The condition is too large for an inverse in double.
  const auto pair = make_pair<TypeParam>("paper;form=usx;cond_x=1e15", 20, 20, 20);
  const PairCondition expected = condition_numbers<TypeParam>(pair.F, pair.G, 1);
  DeviceMeasure<HostMachine, exact::HostIntegers, TypeParam> judge;
  EXPECT_GT(expected.f.value, 1e13);
  EXPECT_NEAR(judge.condition_number(pair.F), expected.f.value, 1e-5 * expected.f.value);
  EXPECT_EQ(std::ranges::count(judge.phases(), "inverse by LU", &Phase::name), 1);
  EXPECT_EQ((DeviceMeasure<HostMachine, exact::HostIntegers, TypeParam>().condition_number(Matrix<TypeParam>(4, 4))),
            std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace pivotlab::experiments::device_measure_test
