// SPDX-License-Identifier: BSD-3-Clause
// Properties of the eigendecomposition: accuracy, invariance, and status of failures.
#include "measures.hpp"

#include <gtest/gtest.h>
#include <omp.h>
#include <rapidcheck/gtest.h>

#include <numeric>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>

namespace pivotlab::eig_test {
namespace {

using namespace test;

const char* const forms[] = {"ZEIG-(RR)",
                             "ZEIG-(RR);fused",
                             "ZEIG-(RR);b=8",
                             "ZEIG-(ME);b=16",
                             "ZEIG-(MM);b=32",
                             "ZEIG-(ME);fused",
                             "ZEIG-(MM);damping=0.75",
                             "ZEIG-(RR);b=16;refine",
                             "ZEIG-(RR);b=16;exponent=0.25"};

EigOptions with(const char* name) {
  EigOptions options;
  options.variant = parse_eig_variant(name);
  options.left_vectors = options.condition_numbers = options.triangular_form = true;
  return options;
}

template <class T>
bool same_bits(const Matrix<T>& a, const Matrix<T>& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && std::equal(a.data(), a.data() + a.size(), b.data());
}

template <class R>
bool same_bits(const EigResult<R>& a, const EigResult<R>& b) {
  return a.eigenvalues == b.eigenvalues && a.conditions == b.conditions && a.positions == b.positions &&
         a.sweeps() == b.sweeps() && same_bits(a.V, b.V) && same_bits(a.W, b.W) && same_bits(a.T, b.T) &&
         same_bits(a.E, b.E);
}

TEST(Eig, DecomposesEveryOrderInEveryForm) {
  for (const Index n : {1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 40, 47, 64, 65})
    for (const char* name : forms) {
      SCOPED_TRACE(std::string(name) + " n = " + std::to_string(n));
      const Matrix<Complex> A = gaussian(n, static_cast<unsigned>(n));
      const auto result = eig<Complex>(A, with(name));
      ASSERT_EQ(result.status, Status::passed);
      EXPECT_EQ(result.message, "");
      EXPECT_LE(right_residual(A, result), 1e-13);
      EXPECT_LE(left_residual(A, result), 1e-13);
      EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-13);
      for (Index k = 0; k < n; ++k) {
        EXPECT_NEAR(dense(result.V).col(k).norm(), 1, 1e-14);
        EXPECT_NEAR(dense(result.W).col(k).norm(), 1, 1e-14);
        EXPECT_GE(result.conditions[k], 1);
        if (k > 0) {
          EXPECT_GE(std::abs(result.eigenvalues[k - 1]), std::abs(result.eigenvalues[k]) * (1 - 1e-15));
        }
        for (Index i = k + 1; i < n; ++i) EXPECT_EQ(result.T(i, k), 0.0);
        if (!parse_eig_variant(name).refine) {
          EXPECT_EQ(result.eigenvalues[k], result.T(result.positions[k], result.positions[k]));
        }
      }
    }
}

TEST(Eig, ExtendedResidualsGiveAccurateEigenvalues) {
  for (const std::string generator : {"similarity;kappa=1e4;truth=computed", "similarity;kappa=1e6;truth=computed"}) {
    const auto matrix = std::get<GeneralMatrix<Complex>>(generate_general({.generator = generator, .n = 32}));
    const auto error = [&](const char* name) {
      const auto result = eig<Complex>(matrix.A, with(name));
      EXPECT_EQ(result.status, Status::passed);
      return eigenvalue_error(result.eigenvalues, matrix.eigenvalues) / two_norm(matrix.A);
    };
    const double in_double = error("ZEIG-(RR);b=16;refine"), extended = error("ZEIG-(RR);b=16;refine;extended");
    EXPECT_LT(extended, in_double / 10) << generator;
    EXPECT_LT(extended, 0x1p-52) << generator;
  }
}

TEST(Eig, BitsDependOnNeitherThreadsNorRunNorStorage) {
  for (const char* name :
       {"ZEIG-(RR)", "ZEIG-(ME);fused", "ZEIG-(RR);b=8", "ZEIG-(RR);b=16;refine", "ZEIG-(RR);b=8;refine;extended"}) {
    const Index n = 83;
    const Matrix<Complex> A = gaussian(n, 6);
    EigOptions options = with(name);
    options.threads = 1;
    const auto expected = eig<Complex>(A, options);
    for (const int threads : {1, 2, 3, 5}) {
      options.threads = threads;
      EXPECT_TRUE(same_bits(expected, eig<Complex>(A, options))) << name << " " << threads;
    }
    Matrix<Complex> larger(n + 3, n), T(n, n);
    const MatrixView<Complex> window = larger.view().block(2, 0, n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) window(i, j) = A(i, j);
    auto in_place = eig_in_place<double>(window, options);
    EXPECT_EQ(in_place.T.size(), 0);
    in_place.T = Matrix<Complex>(MatrixView<const Complex>(window));
    EXPECT_TRUE(same_bits(expected, in_place)) << name;
  }
}

TEST(Eig, BatchedHasTheBitsOfOneAfterTheOther) {
  const Index n = 12, count = 7;
  const Matrix<Complex> all = gaussian(n * count, 9);
  const MatrixView<const Complex> side_by_side = all.view().block(0, 0, n, n * count);
  const auto results = eig_batched<Complex>(side_by_side, with("ZEIG-(RR);b=8"));
  ASSERT_EQ(std::ssize(results), count);
  for (Index k = 0; k < count; ++k)
    EXPECT_TRUE(same_bits(results[k], eig<Complex>(side_by_side.cols_range(k * n, n), with("ZEIG-(RR);b=8"))));
  EXPECT_TRUE(eig_batched<Complex>(Matrix<Complex>(0, 0)).empty());
}

TEST(Eig, EquivariantUnderPowersOfTwo) {
  const Matrix<Complex> A = gaussian(21, 2);
  const auto expected = eig<Complex>(A, with("ZEIG-(RR);b=8"));
  for (const int exponent : {-1060, -1000, -500, 1, 500, 1000, 1018}) {
    Matrix<Complex> B = A;
    for (Index i = 0; i < B.size(); ++i)
      B.data()[i] = {std::ldexp(B.data()[i].real(), exponent), std::ldexp(B.data()[i].imag(), exponent)};
    const auto result = eig<Complex>(B, with("ZEIG-(RR);b=8"));
    EXPECT_EQ(result.status, Status::passed);
    if (exponent > -1000) {
      EXPECT_TRUE(same_bits(expected.V, result.V) && expected.conditions == result.conditions);
    }
    const double error = exponent > -1000 ? 0 : 21 * 0x1p-13;  // the error of the input by underflow, in all rows
    for (Index k = 0; k < A.rows(); ++k)
      EXPECT_LE(std::abs(expected.eigenvalues[k].real() - std::ldexp(result.eigenvalues[k].real(), -exponent)), error);
  }
}

TEST(Eig, HandlesFullExponentRange) {
  Matrix<Complex> A(2, 2);
  A(0, 0) = 1, A(0, 1) = 1e300, A(1, 0) = 1e-300, A(1, 1) = 2;  // similar to [1, 1; 1, 2]
  const auto result = eig<Complex>(A, with("ZEIG-(RR);b=8"));
  ASSERT_EQ(result.status, Status::passed);
  EXPECT_NEAR(result.eigenvalues[0].real(), (3 + std::sqrt(5.0)) / 2, 1e-14);
  EXPECT_NEAR(result.eigenvalues[1].real(), (3 - std::sqrt(5.0)) / 2, 1e-14);
  Matrix<Complex> oscillating(2, 2);
  oscillating(0, 1) = 100, oscillating(1, 0) = 1;
  for (const char* name : {"ZEIG-(RR)", "ZEIG-(RR);b=8", "ZEIG-(RR);b=8;balance=off;exponent=0.375"}) {
    const auto of_two = eig<Complex>(oscillating, with(name));
    EXPECT_EQ(of_two.status, Status::passed) << name;
    EXPECT_NEAR(std::abs(of_two.eigenvalues[1]), 10, 1e-13) << name;
  }
}

RC_GTEST_PROP(Eig, EquivariantUnderPermutation, ()) {
  const auto n = *rc::gen::inRange<Index>(2, 20);
  const Matrix<Complex> A = gaussian(n, *rc::gen::arbitrary<unsigned>());
  std::vector<Index> permutation(static_cast<std::size_t>(n));
  std::iota(permutation.begin(), permutation.end(), Index(0));
  std::mt19937 generator(*rc::gen::arbitrary<unsigned>());
  std::shuffle(permutation.begin(), permutation.end(), generator);
  Matrix<Complex> B(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) B(i, j) = A(permutation[i], permutation[j]);
  const char* name = *rc::gen::element("ZEIG-(RR)", "ZEIG-(RR);fused", "ZEIG-(ME);b=8;refine");
  const auto a = eig<Complex>(A, with(name)), b = eig<Complex>(B, with(name));
  RC_ASSERT(a.status == Status::passed && b.status == Status::passed);
  std::vector<QuadComplex> values;
  for (const Complex& x : a.eigenvalues) values.emplace_back(Quad(x.real()), Quad(x.imag()));
  const double worst = *std::ranges::max_element(a.conditions), norm = dense(A).norm();
  RC_ASSERT(eigenvalue_error(b.eigenvalues, values) <= 1e-14 * double(n) * worst * norm);
  Matrix<Complex> V(n, n);  // the vectors of B, back in the order of A
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) V(permutation[i], j) = b.V(i, j);
  EigResult<double> back;
  back.eigenvalues = b.eigenvalues, back.V = V;
  RC_ASSERT(right_residual(A, back) <= 1e-13);
}

TEST(Eig, RealMatricesHaveConjugatePairs) {
  Matrix<double> A(30, 30);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = gaussian(30, 8).data()[i].real();
  const auto result = eig<double>(A);
  ASSERT_EQ(result.status, Status::passed);
  std::vector<QuadComplex> conjugates;
  for (const Complex& x : result.eigenvalues) conjugates.emplace_back(Quad(x.real()), Quad(-x.imag()));
  EXPECT_LE(eigenvalue_error(result.eigenvalues, conjugates), 1e-12);
}

TEST(Eig, TriangularMatricesNeedNoSweep) {
  Matrix<Complex> triangular = gaussian(20, 3), diagonal(20, 20);
  for (Index j = 0; j < 20; ++j) {
    diagonal(j, j) = triangular(j, j);
    for (Index i = j + 1; i < 20; ++i) triangular(i, j) = 0;
  }
  for (const char* name : forms) {
    const auto t = eig<Complex>(triangular, with(name));
    EXPECT_EQ(t.status, Status::passed);
    EXPECT_EQ(t.sweeps(), 0);
    EXPECT_TRUE(same_bits(t.T, triangular));
    EXPECT_TRUE(same_bits(t.E, Matrix<Complex>::identity(20)));
    EXPECT_LE(right_residual(triangular, t), 1e-15);
    const auto d = eig<Complex>(diagonal, with(name));
    EXPECT_EQ(d.sweeps(), 0);
    for (const double condition : d.conditions) EXPECT_EQ(condition, 1);
    const auto zero = eig<Complex>(Matrix<Complex>(7, 7), with(name));
    EXPECT_EQ(zero.status, Status::passed);
    for (const Complex& x : zero.eigenvalues) EXPECT_EQ(x, 0.0);
    EXPECT_TRUE(same_bits(zero.V, Matrix<Complex>::identity(7)));
  }
}

TEST(Eig, AcceptsOrderZero) {
  const auto result = eig<Complex>(Matrix<Complex>(0, 0), with("ZEIG-(RR);b=16;refine"));
  EXPECT_EQ(result.status, Status::passed);
  EXPECT_TRUE(result.eigenvalues.empty());
  Matrix<double> one(1, 1);
  one(0, 0) = -3;
  EXPECT_EQ(eig<double>(one).eigenvalues.at(0), -3.0);
}

// Repeated eigenvalues, with and without a full set of vectors: the iteration converges, or the status says that it did
// not. A defective matrix takes E to the edge of singularity: κ₂(E) is 1e16 to 1e17, but 1e19 to 1e21 with damping
// 0.75, whose shears go on for longer; V = E·Y loses with κ₂(E) what the similarity itself keeps.
TEST(Eig, ConvergesForRepeatedEigenvalues) {
  std::vector<QuadComplex> spectrum(24, QuadComplex(2));
  for (int k = 0; k < 8; ++k) spectrum[k] = QuadComplex(-1);
  for (const char* name : forms) {
    SCOPED_TRACE(name);
    const TestMatrix repeated = normal_matrix("repeated", spectrum, 3);
    const auto result = eig<Complex>(repeated.A, with(name));
    EXPECT_EQ(result.status, Status::passed);
    EXPECT_LE(eigenvalue_error(result.eigenvalues, spectrum), 1e-13);
    EXPECT_LE(right_residual(repeated.A, result), 1e-14);
    const TestMatrix jordan = defective(9, 2);
    const auto defect = eig<Complex>(jordan.A, with(name));
    EXPECT_EQ(defect.status, Status::passed);
    EXPECT_LE(similarity_residual(jordan.A, defect.T, defect.E), 1e-14);
    EXPECT_LE(right_residual(jordan.A, defect), std::string_view(name).ends_with("damping=0.75") ? 1e-12 : 1e-14);
    EXPECT_GE(*std::ranges::max_element(defect.conditions), 1e6);
  }
}

TEST(Eig, ReportsNotConverged) {
  const Matrix<Complex> A = gaussian(40, 1);
  for (const char* name : forms)
    for (const int sweeps : {0, 1, 4}) {
      EigOptions options = with(name);
      options.max_sweeps = sweeps;
      const auto result = eig<Complex>(A, options);
      EXPECT_EQ(result.status, Status::not_converged);
      EXPECT_EQ(result.sweeps(), sweeps);
      EXPECT_NE(result.message.find("of the norm after " + std::to_string(sweeps) + " sweeps"), std::string::npos);
      EXPECT_LE(similarity_residual(A, result.T, result.E), 1e-14);  // the iterate with its lower part
    }
  EigOptions no_unitary = with("ZEIG-(RR);fused;unitary=off");
  EXPECT_EQ(eig<Complex>(A, no_unitary).status, Status::not_converged);
}

TEST(Eig, HistoryEndsInTheTriangularForm) {
  const Matrix<Complex> A = gaussian(40, 1);
  const auto result = eig<Complex>(A, with("ZEIG-(RR);b=8"));
  const auto& history = result.history;
  EXPECT_EQ(std::ssize(history), result.sweeps() + 1);
  EXPECT_NEAR(history.front().norm, dense(A).norm(), 0.3 * dense(A).norm());  // balanced
  EXPECT_LE(history.back().lower, 40 * std::numeric_limits<double>::epsilon() * history.back().norm);
  const Eigen::MatrixXcd upper = dense(result.T).triangularView<Eigen::StrictlyUpper>();
  EXPECT_NEAR(history.back().departure, upper.norm(), 1e-14 * upper.norm() + history.back().lower);
  for (std::size_t k = 1; k < history.size(); ++k) {
    EXPECT_LE(history[k].norm, history[k - 1].norm * (1 + 1e-14));
    EXPECT_LE(history[k].departure, history[k - 1].departure * (1 + 1e-12) + 1e-12);
    EXPECT_LE(history[k].largest_tau, 0.5 * (1 + 0x1p-51));
  }
}

TEST(Eig, ConditionNumbersAreThoseOfTheEigenvalues) {
  Matrix<Complex> A(2, 2);
  A(0, 0) = 1, A(0, 1) = 1000, A(1, 1) = 2;  // 1/|wᴴv| = √(1 + 1000²)
  const auto result = eig<Complex>(A, with("ZEIG-(RR);b=8"));
  for (const double condition : result.conditions) EXPECT_NEAR(condition, std::sqrt(1 + 1e6), 1e-9);
}

TEST(Eig, ComputesOnlyWhatIsAskedFor) {
  const Matrix<Complex> A = gaussian(20, 7);
  for (const char* name : {"ZEIG-(RR);b=8", "ZEIG-(RR);fused"}) {
    SCOPED_TRACE(name);
    EigOptions options = with(name);
    const auto all = eig<Complex>(A, options);
    options.right_vectors = options.left_vectors = options.triangular_form = false;
    const auto conditions = eig<Complex>(A, options);
    EXPECT_EQ(conditions.eigenvalues, all.eigenvalues);
    EXPECT_EQ(conditions.conditions, all.conditions);
    EXPECT_EQ(conditions.V.size() + conditions.W.size() + conditions.T.size() + conditions.E.size(), 0);
    options.condition_numbers = false;
    const auto values = eig<Complex>(A, options);
    EXPECT_EQ(values.V.size(), 0);
    EXPECT_TRUE(values.conditions.empty());
    options.right_vectors = true;
    EXPECT_EQ(eig<Complex>(A, options).eigenvalues, values.eigenvalues);
    // for left vectors the blocked form has other bits: it begins in double precision
    if (options.variant.form == EigForm::fused) {
      EXPECT_EQ(values.eigenvalues, all.eigenvalues);
    }
  }
}

}  // namespace
}  // namespace pivotlab::eig_test
