// The device's kernels, run on the host by fibers: correct eigenpairs for every form and order, the same bits in
// whatever order the threads of a block are taken, sweeps as on the host.
#include "matrices.hpp"

#include "kernels/eig/device/device_eig.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace pivotlab {
namespace {

using namespace test;
using namespace eig_detail;

double norm(const Matrix<Complex>& A) {
  double squares = 0;
  for (Index i = 0; i < A.size(); ++i) squares += std::norm(A.data()[i]);
  return std::sqrt(squares);
}

/// ‖A·V − V·Λ‖_F/‖A‖_F
double residual(const Matrix<Complex>& A, const EigResult<double>& r) {
  Matrix<Complex> difference = times(A, r.V);
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) difference(i, j) -= r.V(i, j) * r.eigenvalues[static_cast<std::size_t>(j)];
  return norm(difference) / norm(A);
}

/// ‖Aᴴ·W − W·Λᴴ‖_F/‖A‖_F
double left_residual(const Matrix<Complex>& A, const EigResult<double>& r) {
  Matrix<Complex> difference = times(adjoint(A), r.W);
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i)
      difference(i, j) -= r.W(i, j) * std::conj(r.eigenvalues[static_cast<std::size_t>(j)]);
  return norm(difference) / norm(A);
}

EigOptions options_of(const char* variant) {
  EigOptions options;
  options.variant = parse_eig_variant(variant);
  options.left_vectors = options.condition_numbers = options.triangular_form = true;
  return options;
}

bool same_bits(const SplitComplex<double>& a, const SplitComplex<double>& b) {
  const auto count = static_cast<std::size_t>(a.rows() * a.cols()) * sizeof(double);
  return a.cols() == b.cols() &&
         (count == 0 || (std::memcmp(a.re(0), b.re(0), count) == 0 && std::memcmp(a.im(0), b.im(0), count) == 0));
}

std::string difference(const DeviceDecomposition<double>& a, const DeviceDecomposition<double>& b) {
  if (a.iteration.diagonal != b.iteration.diagonal) return "diagonals";
  if (!same_bits(a.iterate, b.iterate)) return "T";
  if (!same_bits(a.similarity.E, b.similarity.E)) return "E";
  if (!same_bits(a.similarity.inverse_transposed, b.similarity.inverse_transposed)) return "inverse of E";
  if (!same_bits(a.right, b.right)) return "right vectors";
  return "";
}

constexpr std::array variants = {"ZEIG-(RR);b=16", "ZEIG-(RR);b=8", "ZEIG-(ME);b=16",
                                 "ZEIG-(RR);b=32", "ZEIG-(RR)",     "ZEIG-(RR);fused"};

TEST(EigEmulation, DecomposesMatricesOfEveryOrder) {
  for (const char* variant : variants)
    for (const Index n : {0, 1, 2, 3, 31, 33, 48, 65}) {
      SCOPED_TRACE(std::string(variant) + ", n = " + std::to_string(n));
      EigOptions options = options_of(variant);
      const Matrix<Complex> A = gaussian(n, 3);
      const auto by_host = eig<Complex>(A, options);
      options.backend = Backend::emulation;
      const auto r = eig<Complex>(A, options);
      EXPECT_EQ(r.status, Status::passed) << r.message;
      if (n == 0) continue;
      const double tolerance = 20 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
      EXPECT_LT(residual(A, r), tolerance);
      EXPECT_LT(left_residual(A, r), tolerance);
      EXPECT_LE(r.sweeps(), by_host.sweeps() + 2);
      printf("%s n=%d sweeps %d host %d residual %.2e %.2e host %.2e\n", variant, int(n), r.sweeps(), by_host.sweeps(),
             residual(A, r), left_residual(A, r), residual(A, by_host));
    }
}

TEST(EigEmulation, GivesTheSameBitsInEveryOrderOfThreads) {
  for (const char* variant : variants) {
    SCOPED_TRACE(variant);
    const EigOptions options = options_of(variant);
    const Matrix<Complex> A = gaussian(50, 5);
    const auto forward = decompose_emulated(A, options);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled})
      EXPECT_EQ(difference(decompose_emulated(A, options, order), forward), "");
  }
}

TEST(EigEmulation, DecomposesBatchesOfEveryOrder) {
  for (const Index n : {1, 2, 3, 15, 16, 31, 32, 33, 64}) {
    SCOPED_TRACE(n);
    EigOptions options = options_of("ZEIG-(RR);fused");
    options.backend = Backend::emulation;
    constexpr Index count = 3;
    Matrix<Complex> A(n, n * count);
    for (Index k = 0; k < count; ++k) {
      const Matrix<Complex> one = gaussian(n, static_cast<unsigned>(17 + k));
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) A(i, k * n + j) = one(i, j);
    }
    const auto results = eig_batched<Complex>(A, options);
    ASSERT_EQ(std::ssize(results), count);
    for (Index k = 0; k < count; ++k) {
      const auto& r = results[static_cast<std::size_t>(k)];
      const Matrix<Complex> one = gaussian(n, static_cast<unsigned>(17 + k));
      EXPECT_EQ(r.status, Status::passed) << r.message;
      const double tolerance = 20 * static_cast<double>(n) * std::numeric_limits<double>::epsilon();
      EXPECT_LT(residual(one, r), tolerance);
      EXPECT_LT(left_residual(one, r), tolerance);
      options.backend = Backend::host;
      EXPECT_LE(r.sweeps(), eig<Complex>(one, options).sweeps() + 2);
      options.backend = Backend::emulation;
    }
  }
}

TEST(EigEmulation, GivesTheSameBitsOfABatchInEveryOrderOfThreads) {
  EigOptions options = options_of("ZEIG-(RR);fused");
  options.backend = Backend::emulation;
  for (const Index n : {5, 20, 40}) {
    SCOPED_TRACE(n);
    const Matrix<Complex> A = gaussian(n, 8);
    const auto forward = decompose_batch(A, options);
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled})
      EXPECT_EQ(difference(decompose_batch(A, options, order)[0], forward[0]), "");
  }
}

}  // namespace
}  // namespace pivotlab
