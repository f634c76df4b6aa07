// SPDX-License-Identifier: BSD-3-Clause
// Variants for the tests of the kernels, and comparisons of two decompositions.
#pragma once

#include "kernels/eig/device/eig_driver.hpp"
#include "measures.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace pivotlab::test {

/// Returns variants with every form, strategy and block size of the kernels.
inline constexpr const char* device_variants[] = {"ZEIG-(RR);b=16", "ZEIG-(ME);b=16", "ZEIG-(MM);b=8",
                                                  "ZEIG-(RR);b=32", "ZEIG-(RR)",      "ZEIG-(ME);fused"};

/// Returns the options of a variant with all optional results.
inline EigOptions everything(const char* variant, Backend backend) {
  EigOptions options{.variant = parse_eig_variant(variant), .backend = backend};
  options.left_vectors = options.condition_numbers = options.triangular_form = true;
  return options;
}

inline bool same_bits(const SplitMatrix<Complex>& a, const SplitMatrix<Complex>& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  const auto bytes = static_cast<std::size_t>(a.rows() * a.cols()) * sizeof(double);
  return bytes == 0 || (std::memcmp(a.re(0), b.re(0), bytes) == 0 && std::memcmp(a.im(0), b.im(0), bytes) == 0);
}

/// Returns the first part in which two decompositions differ; empty if they are equal.
inline std::string difference(const eig_detail::DeviceDecomposition<double>& a,
                              const eig_detail::DeviceDecomposition<double>& b) {
  if (a.balance.exponent != b.balance.exponent || a.balance.d != b.balance.d) return "balance";
  if (a.iteration.diagonal != b.iteration.diagonal) return "diagonals";
  if (a.iteration.off_squared != b.iteration.off_squared) return "norms";
  for (std::size_t k = 0; k < a.iteration.history.size(); ++k)
    if (a.iteration.history[k].largest_tau != b.iteration.history[k].largest_tau) return "largest tau";
  if (!same_bits(a.iterate, b.iterate)) return "T";
  if (!same_bits(a.similarity.E, b.similarity.E)) return "E";
  if (!same_bits(a.similarity.inverse_transposed, b.similarity.inverse_transposed)) return "inverse of E";
  if (!same_bits(a.right, b.right)) return "right vectors";
  return "";
}

/// Returns the first property of a decomposition of A that does not hold; empty if all hold.
inline std::string fault(Matrix<Complex> A, EigResult<double> result, double tolerance) {
  if (result.status != Status::passed) return result.message;
  // scaled so that norms do not overflow
  const int exponent = -exponent_of(eig_detail::largest_part<double>(A.view()));
  for (auto* X : {&A, &result.T})
    for (Index i = 0; i < X->size(); ++i) X->data()[i] = times_power_of_two(X->data()[i], exponent);
  for (Complex& lambda : result.eigenvalues) lambda = times_power_of_two(lambda, exponent);
  if (const double r = right_residual(A, result); !(r <= tolerance)) return "right vectors: " + std::to_string(r);
  if (result.W.cols() > 0)
    if (const double r = left_residual(A, result); !(r <= tolerance)) return "left vectors: " + std::to_string(r);
  if (result.E.cols() > 0)
    if (const double r = similarity_residual(A, result.T, result.E); !(r <= tolerance))
      return "T and E: " + std::to_string(r);
  return "";
}

/// `count` Gaussian matrices side by side.
inline Matrix<Complex> gaussian_batch(Index n, Index count, unsigned seed) {
  Matrix<Complex> A(n, n * count);
  for (Index k = 0; k < count; ++k) {
    const Matrix<Complex> one = gaussian(n, seed + static_cast<unsigned>(k));
    std::copy_n(one.data(), one.size(), A.data() + k * n * n);
  }
  return A;
}

/// Returns matrices of every kind that the iteration treats differently.
inline std::vector<TestMatrix> device_problems() {
  std::vector<TestMatrix> problems;
  problems.push_back({"Gaussian", gaussian(40, 1)});
  problems.push_back(hermitian(34, 2));
  problems.push_back(companion(33, 3));
  problems.push_back(cyclic_shift(32));
  problems.push_back(badly_scaled(32, 20, 4));
  problems.push_back(grcar(24));
  problems.push_back({"zero", Matrix<Complex>(5, 5)});
  problems.push_back({"identity", diagonal_matrix(std::vector<Complex>(20, Complex(1)))});
  for (const double size : {1e-310, 1e300}) {
    Matrix<Complex> A = gaussian(20, 5);
    for (Index i = 0; i < A.size(); ++i) A.data()[i] *= size;
    problems.push_back({size < 1 ? "tiny" : "huge", A});
  }
  Matrix<Complex> triangular = gaussian(18, 6);
  for (Index j = 0; j < 18; ++j)
    for (Index i = j + 1; i < 18; ++i) triangular(i, j) = 0;
  problems.push_back({"triangular", triangular});
  return problems;
}

inline constexpr LaneOrder other_orders[] = {LaneOrder::reverse, LaneOrder::shuffled};

/// Expects the emulated kernels to give the same bits in every order of threads.
inline void expect_the_same_bits_in_every_order(const Matrix<Complex>& A, const EigOptions& options) {
  const auto forward = eig_detail::decompose_emulated(A, options);
  for (const LaneOrder order : other_orders)
    EXPECT_EQ(difference(eig_detail::decompose_emulated(A, options, order), forward), "");
}

}  // namespace pivotlab::test
