// SPDX-License-Identifier: BSD-3-Clause
// The judge's GPU code, emulated, measures the same errors as on the host.
#include <gtest/gtest.h>

#include <experiments/ldlt/ldlt_errors.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <kernels/verification/device/ldlt_exact_measure.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/ldlt.hpp>
#include <tests/experiments/ldlt_judged.hpp>
#include <tests/extended/host_machine.hpp>

namespace pivotlab::experiments::ldlt_device_measure_test {
namespace {

using Complex = std::complex<double>;
using ldlt_judged::generated;
using ldlt_judged::given;
using pivotlab::test::HostMachine;

template <class T>
double on_host(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f) {
  return reconstruction_error<Rebind<T, DoubleDouble>>(matrix, f, exponent_of(elements(matrix.A)), 1);
}

template <class T>
double on_device(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f, Index block_columns) {
  LdltDeviceMeasure<HostMachine, T> measure(block_columns);
  return measure.reconstruction_error(given(matrix, f));
}

/// Returns the error and its bound by exact products.
template <class T>
std::pair<double, double> proved(const SymmetricMatrix<T>& matrix, const LdltFactors<T>& f, int moduli,
                                 Index block_columns = 64) {
  LdltExactMeasure<HostMachine, exact::HostIntegers, T> measure(moduli, block_columns);
  const double error = measure.reconstruction_error(given(matrix, f));
  return {error, measure.bound()};
}

/// The documented accuracy of an error is 24 bits, 4n times less in the worst case.
constexpr double promised = 1e-5;

template <class T>
void expect_the_hosts(const SymmetricMatrix<T>& matrix, Pivoting pivoting, bool equilibrate = false) {
  const LdltVariant variant{.pivoting = pivoting, .equilibrate = equilibrate};
  const auto f = ldlt<T>(matrix.A, {.variant = variant, .symmetry = matrix.symmetry});
  const LdltFactors<T> factors = factors_of(f);
  const double expected = on_host(matrix, factors);
  for (const Index block_columns : {7, 64, 1000})
    EXPECT_NEAR(on_device(matrix, factors, block_columns), expected, promised * expected)
        << matrix.provenance << ' ' << to_string(pivoting) << ' ' << block_columns;
  const int moduli = pivoting == Pivoting::partial ? 14 : 22;
  const auto [error, bound] = proved(matrix, factors, moduli);
  EXPECT_LE(std::abs(error - expected), bound + 1e-13 * expected) << matrix.provenance << ' ' << moduli;
  if (moduli == 22) {
    EXPECT_LE(bound, 1e-6 * expected + 1e-27) << matrix.provenance << ' ' << to_string(pivoting);
  }
}

TEST(LdltDeviceMeasure, IsTheHosts) {
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
    expect_the_hosts(generated<double>("random", 90), pivoting);
    expect_the_hosts(generated<Complex>("random", 50), pivoting);
    expect_the_hosts(generated<Complex>("random", 50, Symmetry::symmetric), pivoting);
    expect_the_hosts(generated<double>("random", 1), pivoting);
  }
}

TEST(LdltDeviceMeasure, AgreesWithHostForHardMatrices) {
  for (const char* generator : {"graded;g=20", "graded;g=20;order=rising", "graded;g=20;order=random", "kkt",
                                "spectrum;kappa=1e14", "hilbert", "fiedler", "lowrank", "unbounded;eps=1e-12"})
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::partial})
      expect_the_hosts(generated<double>(generator, 60), pivoting);
  expect_the_hosts(generated<Complex>("graded;g=20", 33), Pivoting::rook);
}

TEST(LdltDeviceMeasure, AgreesWithHostForEquilibratedMatrices) {
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::partial}) {
    expect_the_hosts(generated<double>("graded;g=20;order=random", 60), pivoting, true);
    expect_the_hosts(generated<Complex>("graded;g=20", 33, Symmetry::symmetric), pivoting, true);
  }
}

TEST(LdltDeviceMeasure, IndependentOfScale) {
  for (const double factor : {0x1p-1000, 0x1p1000}) {
    auto matrix = generated<double>("random", 20);
    for (Index i = 0; i < matrix.A.size(); ++i) matrix.A.data()[i] *= factor;
    expect_the_hosts(matrix, Pivoting::complete);
  }
}

TEST(LdltDeviceMeasure, ZeroWithoutError) {
  const auto matrix = generated<double>("hadamard", 32);
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
    const auto f = ldlt<double>(matrix.A, {.variant = {.pivoting = pivoting}});
    EXPECT_EQ(on_device(matrix, factors_of(f), 10), 0) << to_string(pivoting);
  }
}

TEST(LdltDeviceMeasure, TakesTridiagonalD) {
  const auto matrix = generated<Complex>("clement", 9);
  const Matrix<Complex> M = Matrix<Complex>::identity(9);
  std::vector<Complex> diagonal(9), subdiagonal;
  std::vector<Index> permutation;
  for (Index i = 0; i < 9; ++i) {
    permutation.push_back(i);
    subdiagonal.push_back(i < 8 ? matrix.A(i + 1, i) : 0);
  }
  LdltFactors<Complex> factors{M, diagonal, subdiagonal, permutation};
  factors.tridiagonal = true;
  EXPECT_EQ(on_device(matrix, factors, 4), 0);
  subdiagonal[3] += Complex(0, 0.5);
  EXPECT_EQ(on_device(matrix, factors, 4), on_host(matrix, factors));
  EXPECT_GT(on_device(matrix, factors, 4), 0);
}

TEST(LdltDeviceMeasure, SeesFaults) {
  const auto matrix = generated<double>("equidistant", 40);
  const auto right = ldlt<double>(matrix.A, {.variant = {.pivoting = Pivoting::rook}});
  const auto expect_seen = [&](const auto& change) {
    auto f = right;
    change(f);
    const LdltFactors<double> factors = factors_of(f);
    const double error = on_device(matrix, factors, 16);
    EXPECT_NEAR(error, on_host(matrix, factors), promised * error);
    EXPECT_GT(error, 1e-9);
  };
  expect_seen([](auto& f) { f.M(35, 3) += 1e-8; });
  expect_seen([](auto& f) { f.M(35, 20) += 1e-8; });
  expect_seen([](auto& f) { f.diagonal[39] += 1e-7; });
  expect_seen([](auto& f) { std::swap(f.permutation[2], f.permutation[37]); });
}

}  // namespace
}  // namespace pivotlab::experiments::ldlt_device_measure_test
