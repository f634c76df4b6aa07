// SPDX-License-Identifier: BSD-3-Clause
// Refinements by the host's products and by exact ones on an emulated device, against values in closed form. Python's
// tests have truth for others.
#include <gtest/gtest.h>
#include <kernels/exact/integer_products.hpp>
#include <kernels/refine/device_machine.hpp>
#include <kernels/refine/problems.hpp>
#include <kernels/refine/refinement.hpp>

#include <tests/extended/host_machine.hpp>
#include <tests/refine/refine_problems.hpp>

#include <omp.h>

#include <algorithm>
#include <complex>

namespace pivotlab::refine_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

TEST(Refine, ValuesInClosedFormAreWithinTheirBoundsAndAHalfUlp) {
  refine_sines(48, 1e-9, {}, [](const char* name, const auto& truth, const Refined<double>& refined) {
    const Accuracy accuracy = accuracy_of(refined, truth);
    EXPECT_EQ(accuracy.determined, 48) << name;
    EXPECT_LE(accuracy.largest_excess, 1) << name;
    EXPECT_LE(accuracy.largest_in_ulps, 0.5001) << name;
    EXPECT_LE(accuracy.largest_bound, 1e-24) << name;
  });
}

using Emulated = refine::DeviceMachine<HostMachine, exact::HostIntegers>;

/// The emulated device's products are exact ones; both bounds must hold.
template <class T>
void expect_same_values(const Refined<T>& device, const Refined<T>& host) {
  ASSERT_EQ(device.values.size(), host.values.size());
  for (std::size_t j = 0; j < host.values.size(); ++j) {
    EXPECT_TRUE(device.determined[j] && host.determined[j]);
    const Quad difference =
        Quad(device.values[j]) + Quad(device.values_lo[j]) - Quad(host.values[j]) - Quad(host.values_lo[j]);
    EXPECT_LE(static_cast<double>(abs(difference)), device.bound[j] + host.bound[j]);
  }
  for (Index e = 0; e < host.vectors.size(); ++e)
    EXPECT_LE(std::abs(device.vectors.data()[e] - host.vectors.data()[e]), 0x1p-50);
}

template <class T>
Matrix<T> hermitian(Index n) {
  std::mt19937_64 engine(2);
  std::normal_distribution<double> draw;
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      if constexpr (is_complex<T>)
        A(i, j) = i == j ? T(draw(engine)) : T(draw(engine), draw(engine));
      else
        A(i, j) = draw(engine);
      A(j, i) = conjugate(A(i, j));
    }
  return A;
}

// The host would solve the whole problem instead, once a step.
TEST(Refine, EndsAtOnceWithVectorsFromWhichNothingIsKnown) {
  constexpr Index n = 520;
  const Refined<double> refined = refine_eigh<double>(hermitian<double>(n), Matrix<double>::identity(n));
  EXPECT_EQ(refined.steps, 0);
  EXPECT_TRUE(std::ranges::none_of(refined.determined, [](bool x) { return x; }));
}

TEST(Refine, SeparatesNoLargeClusterForValuesAlone) {
  constexpr Index n = 520;
  Matrix<double> A = Matrix<double>::identity(n);
  for (Index i = 0; i + 1 < n; ++i) A(i + 1, i) = A(i, i + 1) = 1e-16;
  const Refined<double> refined = refine_eigh<double>(A, Matrix<double>::identity(n), {.vectors = false});
  EXPECT_EQ(refined.steps, 0);
  EXPECT_TRUE(std::ranges::all_of(refined.values, [](double x) { return x == 1; }));
  EXPECT_TRUE(std::ranges::all_of(refined.bound, [](double x) { return x >= 2e-16 && x <= 1e-15; }));
}

TEST(Refine, GivesTheSameValuesWithoutVectors) {
  const Matrix<double> F = hermitian<double>(9), I = Matrix<double>::identity(9);
  const Refined<double> all = refine_gsvd<double>(F, I, I), values = refine_gsvd<double>(F, I, I, {.vectors = false});
  EXPECT_TRUE(all.values == values.values && all.bound == values.bound);
  EXPECT_EQ(values.vectors.size() + values.U.size() + values.V.size(), 0);
}

template <class T>
class RefineOnDevice : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(RefineOnDevice, Scalars);

TYPED_TEST(RefineOnDevice, HasTheValuesOfTheHost) {
  using T = TypeParam;
  omp_set_num_threads(1);  // emulated kernels this small are slowed down by threads
  const Index n = 6;
  const refine::Run<T> run = [](const refine::Problem<T>& problem, const Matrix<T>& start, int most_steps) {
    Emulated machine;
    return refine::Refinement<Emulated, T>(machine, problem).run(start, most_steps);
  };
  const Matrix<T> A = hermitian<T>(n), B = hermitian<T>(n + 1);
  const MatrixView<const T> F = A.view().block(0, 0, n, n - 2), G = B.view().block(0, 0, n + 1, n - 2);
  // The vectors of the host's refinement from the identity are good ones: all values are a cluster first.
  const Matrix<T> I = Matrix<T>::identity(n), small = Matrix<T>::identity(n - 2);
  const auto eigh = refine_eigh<T>(A.view(), I.view());
  expect_same_values(refine::refine_hermitian<T>(run, A.view(), eigh.vectors.view(), {}), eigh);
  const Matrix<T> unread(n, n - 2);
  const auto svd = refine_svd<T>(F, unread.view(), small.view());
  const auto gsvd = refine_gsvd<T>(F, G, small.view());
  expect_same_values(refine::refine_matrix<T>(run, F, unread.view(), svd.vectors.view(), {}), svd);
  expect_same_values(refine::refine_pair<T>(run, F, G, gsvd.vectors.view(), {}), gsvd);
}

}  // namespace
}  // namespace pivotlab::refine_test
