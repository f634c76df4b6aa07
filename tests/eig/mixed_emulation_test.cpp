// SPDX-License-Identifier: BSD-3-Clause
// First sweeps in single precision by the device's kernels, run on the host by fibers: results are as accurate as
// without them, nothing changes where the transformation is too ill-conditioned, and bits depend on no order of
// threads.
#include "device.hpp"

#include "kernels/eig/device/first_sweeps.hpp"
#include "kernels/exec/host_executor.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

namespace pivotlab::mixed_emulation_test {
namespace {

using namespace test;

EigOptions emulated(const std::string& name) {
  return {.variant = parse_eig_variant(name), .backend = Backend::emulation, .triangular_form = true};
}

EigResult<double> in_double_precision(const Matrix<Complex>& A, const std::string& name) {
  return eig<Complex>(A, emulated(name));
}
EigResult<double> mixed(const Matrix<Complex>& A, const std::string& name) {
  return eig<Complex>(A, emulated(name + ";mixed"));
}

TEST(EigMixedEmulation, DecomposesMatricesOfEveryOrder) {
  // One element, less than a block, and several blocks of which the last is padded.
  const std::pair<const char*, std::vector<Index>> cases[] = {{"ZEIG-(RR);b=8", {1, 2, 3, 18, 26}},
                                                              {"ZEIG-(ME);b=16", {3, 33}},
                                                              {"ZEIG-(MM);b=32", {18, 33}},
                                                              {"ZEIG-(RR);b=16;exponent=0.25", {18}}};
  for (const auto& [name, orders] : cases)
    for (const Index n : orders) {
      SCOPED_TRACE(std::string(name) + ", n = " + std::to_string(n));
      const Matrix<Complex> A = gaussian(n, static_cast<unsigned>(n));
      const auto result = mixed(A, name), plain = in_double_precision(A, name);
      EXPECT_EQ(fault(A, result, 1e-13), "");
      EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-14);
      EXPECT_LE(result.sweeps(), plain.sweeps() + 2);
      EXPECT_EQ(result.eigenvalues != plain.eigenvalues, n > 1);
    }
}

TEST(EigMixedEmulation, FindsTrueEigenvaluesOfHardMatrices) {
  const struct {
    TestMatrix matrix;
    double tolerance;
  } cases[] = {{normal_matrix("normal", random_spectrum(24, 4), 5), 1e-13},
               {with_condition("kappa = 1e2", 24, 1e2, 6), 1e-13},
               {with_condition("kappa = 1e4", 24, 1e4, 6), 1e-11},
               {cyclic_shift(24), 1e-13}};
  for (const auto& [matrix, tolerance] : cases) {
    SCOPED_TRACE(matrix.name);
    const auto result = mixed(matrix.A, "ZEIG-(RR);b=8");
    EXPECT_EQ(fault(matrix.A, result, 1e-13), "");
    EXPECT_LE(eigenvalue_error(result.eigenvalues, matrix.truth), tolerance * two_norm(matrix.A));
  }
}

TEST(EigMixedEmulation, ChangesNothingForAnIllConditionedSimilarity) {
  for (const TestMatrix& matrix : {grcar(40), defective(16, 1), with_condition("kappa = 1e6", 24, 1e6, 1)}) {
    SCOPED_TRACE(matrix.name);
    EXPECT_EQ(mixed(matrix.A, "ZEIG-(RR);b=8").eigenvalues, in_double_precision(matrix.A, "ZEIG-(RR);b=8").eigenvalues);
  }
}

TEST(EigMixedEmulation, HasNoTroubleWithSmallElements) {
  Matrix<Complex> graded = gaussian(32, 2);
  for (Index j = 0; j < 32; ++j)
    for (Index i = 0; i < 32; ++i) graded(i, j) *= std::pow(10.0, -double(i + j) / 4);
  for (const Matrix<Complex>& A : {badly_scaled(24, 250, 5).A, graded, Matrix<Complex>(5, 5)}) {
    const auto result = mixed(A, "ZEIG-(RR);b=8"), plain = in_double_precision(A, "ZEIG-(RR);b=8");
    EXPECT_EQ(result.status, Status::passed);
    if (plain.history.back().norm == 0) continue;
    EXPECT_LE(right_residual(A, result), 2 * right_residual(A, plain));
  }
}

TEST(EigMixedEmulation, CountsAmongTheSweeps) {
  const Matrix<Complex> A = gaussian(18, 1);
  EigOptions options = emulated("ZEIG-(RR);b=8;mixed");
  const int sweeps = eig<Complex>(A, options).sweeps();
  for (options.max_sweeps = 0; options.max_sweeps < sweeps; ++options.max_sweeps) {
    const auto result = eig<Complex>(A, options);
    EXPECT_EQ(result.status, Status::not_converged);
    EXPECT_EQ(result.sweeps(), options.max_sweeps);
    EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-14);
    for (std::size_t k = 1; k < result.history.size(); ++k) {
      // the iterate that is formed in double precision differs by errors of single precision
      EXPECT_LE(result.history[k].norm, result.history[k - 1].norm * (1 + 1e-5));
      EXPECT_GT(result.history[k].largest_tau, 0);
    }
  }
}

TEST(EigMixedEmulation, IsNotForLeftVectorsAndNotForTheHost) {
  const Matrix<Complex> A = gaussian(20, 3);
  EXPECT_EQ(eig<Complex>(A, everything("ZEIG-(RR);b=8;mixed", Backend::emulation)).eigenvalues,
            eig<Complex>(A, everything("ZEIG-(RR);b=8", Backend::emulation)).eigenvalues);
  EXPECT_EQ(eig<Complex>(A, {.variant = parse_eig_variant("ZEIG-(RR);b=8;mixed")}).eigenvalues,
            eig<Complex>(A, {.variant = parse_eig_variant("ZEIG-(RR);b=8")}).eigenvalues);
}

TEST(EigMixedEmulation, GivesTheSameBitsInEveryOrderOfThreads) {
  for (const char* name : {"ZEIG-(RR);b=8;mixed", "ZEIG-(ME);b=16;mixed", "ZEIG-(RR);b=32;mixed"}) {
    SCOPED_TRACE(name);
    EigOptions options = emulated(name);
    options.max_sweeps = 2;
    const Matrix<Complex> A = gaussian(options.variant.block == 16 ? 34 : 20, 5);
    expect_the_same_bits_in_every_order(A, options);
  }
}

TEST(EigMixedEmulation, InvertsPositiveDefiniteMatrices) {
  constexpr std::int64_t n = 96;
  HostExecutor executor;
  const Matrix<Complex> E = gaussian(n, 4);
  const Eigen::MatrixXcd G = dense_product<Complex>(adjoint(E), E);
  auto planes = executor.allocate<double>(2 * n * n),
       strips = executor.allocate<double>(4 * eig_device::pivot_rows * n);
  const eig_device::Planes X{planes.data(), planes.data() + n * n, n};
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) X.re[X.at(i, j)] = G(i, j).real(), X.im[X.at(i, j)] = G(i, j).imag();
  eig_device::invert_positive_definite(executor, X, strips.data());
  Eigen::MatrixXcd inverse(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) inverse(i, j) = Complex(X.re[X.at(i, j)], X.im[X.at(i, j)]);
  EXPECT_LE((dense_product<Complex>(view_of<Complex>(G), view_of<Complex>(inverse)) - Eigen::MatrixXcd::Identity(n, n))
                .norm(),
            1e-8);
}

TEST(EigMixedEmulation, RoundsReciprocalRootsWell) {
  for (float x = 1; x < 4; x = std::nextafter(x * 1.00001F, 5.0F))
    for (const float scale : {1.0F, 0x1p-100F, 0x1p100F}) {
      const double exact = 1 / std::sqrt(double(x) * scale);
      ASSERT_NEAR(float_bits::reciprocal_square_root(x * scale) / exact, 1, 1.5e-7) << x;
    }
}

}  // namespace
}  // namespace pivotlab::mixed_emulation_test
