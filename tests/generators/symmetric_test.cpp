// SPDX-License-Identifier: BSD-3-Clause
// Symmetric matrices: exactly symmetric, with the eigenvalues and the inertia that they claim, the same for any number
// of threads.
#include <gtest/gtest.h>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <tests/dense.hpp>

#include <cmath>

namespace pivotlab::symmetric_test {
namespace {

using Complex = std::complex<double>;
using Reals = Eigen::VectorXd;

template <class T>
SymmetricMatrix<T> make(const std::string& name, Index n, Symmetry symmetry = Symmetry::hermitian, int threads = 1,
                        std::uint64_t seed = 3) {
  return std::get<SymmetricMatrix<T>>(generate_symmetric({name, scalar_type<T>, symmetry, n, seed, threads}));
}

template <class T>
Reals eigenvalues(const Matrix<T>& A) {
  return test::hermitian_eigenvalues(EigenMatrix<T>(as_eigen(A.view())));
}

std::string refusal(const SymmetricRequest& request) {
  try {
    generate_symmetric(request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

const std::vector<std::string> all_names() {
  std::vector<std::string> names;
  for (const GeneratorInfo& kind : list_symmetric_generators()) names.push_back(kind.name);
  for (int type = 1; type <= 10; ++type) names.push_back("latb4;type=" + std::to_string(type));
  for (const char* name : {"equidistant;nullity=3", "spectrum;of=cluster1;negative=0.25", "kkt;constraints=0.5;delta=1",
                           "lowrank;rank=0.25;negative=1", "graded;g=20;order=random"})
    names.emplace_back(name);
  return names;
}

template <class T>
class SymmetricGenerator : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(SymmetricGenerator, Scalars);

TYPED_TEST(SymmetricGenerator, IsExactlyHermitianForEveryOrder) {
  for (const std::string& name : all_names())
    for (const Index n : {0, 1, 2, 4, 32}) {
      SCOPED_TRACE(name + ", n = " + std::to_string(n));
      const auto matrix = make<TypeParam>(name, n);
      ASSERT_EQ(matrix.A.rows(), n);
      ASSERT_EQ(matrix.A.cols(), n);
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) ASSERT_EQ(matrix.A(i, j), conjugate(matrix.A(j, i)));
      if (matrix.inertia) {
        EXPECT_EQ(matrix.inertia->positive + matrix.inertia->negative + matrix.inertia->zero, n);
      }
      EXPECT_TRUE(std::is_sorted(matrix.eigenvalues.begin(), matrix.eigenvalues.end()));
    }
}

TYPED_TEST(SymmetricGenerator, HasTheEigenvaluesThatItClaims) {
  int claimed = 0;
  for (const std::string& name : all_names()) {
    if (name.find("type=9") != name.npos || name.find("type=10") != name.npos) continue;  // Eigen would underflow
    const auto matrix = make<TypeParam>(name, 32);
    if (matrix.eigenvalues.empty()) continue;
    ++claimed;
    const Reals computed = eigenvalues(matrix.A);
    const double largest = computed.cwiseAbs().maxCoeff();
    for (Index i = 0; i < 32; ++i)
      EXPECT_NEAR(computed[i], static_cast<double>(matrix.eigenvalues[i]), 1e-14 * largest) << name << ' ' << i;
  }
  EXPECT_GE(claimed, 9);
}

TYPED_TEST(SymmetricGenerator, HasStatedInertia) {
  for (const std::string name : {"equidistant", "spectrum", "kkt", "kkt;delta=2", "lowrank", "lowrank;negative=0.2",
                                 "hadamard", "clement", "fiedler", "minij", "unbounded;eps=0.25"}) {
    const auto matrix = make<TypeParam>(name, 32);
    const Reals computed = eigenvalues(matrix.A);
    const double noise = 1e-13 * computed.cwiseAbs().maxCoeff();
    const Inertia counted{(computed.array() > noise).count(), (computed.array() < -noise).count(),
                          (computed.array().abs() <= noise).count()};
    ASSERT_TRUE(matrix.inertia) << name;
    EXPECT_EQ(*matrix.inertia, counted) << name;
  }
}

TYPED_TEST(SymmetricGenerator, HasTheSameBitsForAnyNumberOfThreads) {
  for (const std::string name : {"equidistant", "kkt", "random", "graded"}) {
    const auto one = make<TypeParam>(name, 50, Symmetry::hermitian, 1),
               four = make<TypeParam>(name, 50, Symmetry::hermitian, 4);
    EXPECT_TRUE(std::equal(one.A.data(), one.A.data() + one.A.size(), four.A.data())) << name;
    const auto other = make<TypeParam>(name, 50, Symmetry::hermitian, 1, 4);
    EXPECT_FALSE(std::equal(one.A.data(), one.A.data() + one.A.size(), other.A.data())) << name;
  }
}

TEST(SymmetricGenerators, EquidistantEigenvaluesSpanMinusNToNMinus1) {
  const auto matrix = make<double>("equidistant", 11);
  EXPECT_EQ(matrix.eigenvalues.front(), -11);
  EXPECT_EQ(matrix.eigenvalues.back(), 10);
  EXPECT_EQ(matrix.eigenvalues[1], Quad(-11) + Quad(21) / 10);
  EXPECT_EQ(make<double>("equidistant;nullity=4", 11).inertia->zero, 4);
}

TEST(SymmetricGenerators, Latb4MakesRowsAndColumnsZeroAsDchksyDoes) {
  const Index n = 9;
  const auto zero_rows = [&](int type) {
    const auto A = make<double>("latb4;type=" + std::to_string(type), n).A;
    std::vector<Index> rows;
    for (Index i = 0; i < n; ++i) {
      bool zero = true;
      for (Index j = 0; j < n; ++j) zero &= A(i, j) == 0;
      if (zero) rows.push_back(i + 1);
    }
    return rows;
  };
  EXPECT_EQ(zero_rows(2), (std::vector<Index>{}));
  EXPECT_EQ(zero_rows(3), (std::vector<Index>{1}));
  EXPECT_EQ(zero_rows(4), (std::vector<Index>{9}));
  EXPECT_EQ(zero_rows(5), (std::vector<Index>{5}));
  EXPECT_EQ(zero_rows(6), (std::vector<Index>{5, 6, 7, 8, 9}));
}

TEST(SymmetricGenerators, ComplexSymmetricMatricesHaveNoInertia) {
  for (const std::string name : {"random", "graded", "hilbert", "clement", "lowrank", "hadamard"}) {
    const auto matrix = make<Complex>(name, 8, Symmetry::symmetric);
    for (Index j = 0; j < 8; ++j)
      for (Index i = 0; i < j; ++i) EXPECT_EQ(matrix.A(i, j), matrix.A(j, i)) << name;
    EXPECT_FALSE(matrix.inertia) << name;
  }
  EXPECT_NE(make<Complex>("random", 8, Symmetry::symmetric).A(1, 1).imag(), 0);
}

TEST(SymmetricGenerators, RefuseWhatTheyCannotMakeInOneLine) {
  const std::string prescribed = refusal({"equidistant", ScalarType::z, Symmetry::symmetric, 8});
  EXPECT_EQ(prescribed.find("generator: a complex symmetric matrix has no inertia"), 0u) << prescribed;
  EXPECT_EQ(refusal({"hadamard", ScalarType::d, Symmetry::hermitian, 12}),
            "generator: hadamard: n = 12 is not a power of two; use 8 or 16");
  EXPECT_EQ(
      refusal({"hadamart", ScalarType::d, Symmetry::hermitian, 8}).find("generator 'hadamart': no such generator"), 0u);
  EXPECT_EQ(refusal({"graded;g=100", ScalarType::d, Symmetry::hermitian, 8}),
            "generator 'graded;g=100': g=100 is not a number within its bounds; use 0 to 70");
  EXPECT_EQ(refusal({"random", ScalarType::d, Symmetry::hermitian, -1}), "n = -1: an order is not negative; use n ≥ 0");
}

TEST(SymmetricGenerators, NamesHaveACanonicalForm) {
  EXPECT_EQ(canonical_symmetric_generator("spectrum; negative=.5;kappa=1e6"), "spectrum;kappa=1000000");
  EXPECT_EQ(canonical_symmetric_generator("latb4;type=2"), "latb4");
}

}  // namespace
}  // namespace pivotlab::symmetric_test
