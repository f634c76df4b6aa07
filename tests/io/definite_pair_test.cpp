// SPDX-License-Identifier: BSD-3-Clause
#include <omp.h>

#include <pivotlab/definite_pair.hpp>

#include "tests/dense.hpp"
#include "tests/io/support.hpp"

namespace pivotlab::io_test::definite_pair_test {
namespace {

/// AᴴA + I: positive definite, exactly Hermitian.
template <class T>
Matrix<T> definite(Index n, unsigned seed) {
  std::mt19937_64 generator(seed);
  std::normal_distribution<double> normal;
  Matrix<T> A(n, n), K(n, n);
  for (Index k = 0; k < A.size(); ++k) {
    if constexpr (is_complex<T>) {
      const double re = normal(generator);
      A.data()[k] = {re, normal(generator)};
    } else {
      A.data()[k] = normal(generator);
    }
  }
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      T sum = i == j ? 1 : 0;
      for (Index p = 0; p < n; ++p) sum += conjugate(A(p, i)) * A(p, j);
      K(i, j) = i == j ? T(real_part(sum)) : sum;
    }
  io::complete(K.view(), io::Symmetry::hermitian);
  return K;
}

template <class T>
class DefinitePair : public ::testing::Test {};
using Scalars = ::testing::Types<double, Complex>;
TYPED_TEST_SUITE(DefinitePair, Scalars);

TYPED_TEST(DefinitePair, FactorsAreUpperTriangularAndAccurate) {
  using T = TypeParam;
  const auto K = definite<T>(40, 1), M = definite<T>(40, 2);
  const auto pair = std::get<Pair<T>>(definite_pair(K, M));
  const auto check = [](const Matrix<T>& R, const Matrix<T>& A) {
    for (Index j = 0; j < A.cols(); ++j)
      for (Index i = 0; i < A.rows(); ++i) {
        if (i > j) {
          EXPECT_EQ(R(i, j), T(0));
        }
        // Every entry of R has one rounding error, so the sum has at most its share of |Rᴴ|·|R|.
        Rebind<T, long double> sum(A(i, j));
        long double size = 0;
        for (Index p = 0; p < A.rows(); ++p) {
          sum -= Rebind<T, long double>(conjugate(R(p, i))) * Rebind<T, long double>(R(p, j));
          size += std::abs(R(p, i)) * std::abs(R(p, j));
        }
        EXPECT_LE(std::abs(sum), 4 * 0x1p-53L * size) << i << ", " << j;
      }
  };
  check(pair.F, K);
  check(pair.G, M);
}

TYPED_TEST(DefinitePair, DoesNotDependOnTheNumberOfThreads) {
  const auto K = definite<TypeParam>(60, 1), M = definite<TypeParam>(60, 2);
  const int threads = omp_get_max_threads();
  omp_set_num_threads(1);
  const auto one = std::get<Pair<TypeParam>>(definite_pair(K, M));
  omp_set_num_threads(5);
  const auto five = std::get<Pair<TypeParam>>(definite_pair(K, M));
  omp_set_num_threads(threads);
  EXPECT_TRUE(same_bits(one, five));
}

TEST(DefinitePairReal, SigmaSquaredAreGeneralizedEigenvalues) {
  const auto K = definite<double>(12, 3), M = definite<double>(12, 4);
  const auto pair = std::get<Pair<double>>(definite_pair(K, M));
  Matrix<double> X = pair.F;
  divide_by_upper<double>(X, pair.G);
  // The eigenvalues of M⁻¹·K are real.
  Matrix<std::complex<double>> T(12, 12), complex_m(12, 12), U;
  std::copy_n(K.data(), K.size(), T.data());
  std::copy_n(M.data(), M.size(), complex_m.data());
  PartialLU<std::complex<double>>(complex_m).solve(T);
  ASSERT_TRUE(complex_schur(T, U));
  std::vector<double> lambda;
  for (Index i = 0; i < 12; ++i) lambda.push_back(T(i, i).real());
  std::ranges::sort(lambda, std::greater());
  const Eigen::VectorXd sigma = test::singular_values(EigenMatrix<double>(as_eigen(std::as_const(X).view())));
  for (Index i = 0; i < 12; ++i)
    EXPECT_NEAR(sigma(i) * sigma(i), lambda[static_cast<std::size_t>(i)], 1e-11 * lambda[0]);
}

TEST(DefinitePairReal, AMasslessDegreeOfFreedomGivesAZeroRow) {
  auto K = definite<double>(4, 1);
  for (Index i = 0; i < 4; ++i) K(i, 2) = K(2, i) = 0;
  const auto pair = std::get<Pair<double>>(definite_pair(K, definite<double>(4, 2)));
  for (Index j = 0; j < 4; ++j) EXPECT_EQ(pair.F(2, j), 0);
  EXPECT_GT(pair.F(3, 3), 0);
}

/// Checks A = FᴴF to 4·n·ε of the diagonal.
template <class T>
void expect_factor(const Matrix<T>& F, const Matrix<T>& A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) {
      T sum = A(i, j);
      for (Index p = 0; p < F.rows(); ++p) sum -= conjugate(F(p, i)) * F(p, j);
      EXPECT_LE(std::abs(sum), 4 * 0x1p-52 * static_cast<double>(A.rows()) *
                                   std::sqrt(real_part(A(i, i)) * real_part(A(j, j)) + 1e-300))
          << i << ", " << j;
    }
}

TYPED_TEST(DefinitePair, TakesSemidefiniteMatricesWithACommonNullSpace) {
  using T = TypeParam;
  for (const Index n : {3, 8, 40}) {
    Matrix<T> K(n, n), M(n, n);  // a path's Laplacian, and the same with weights: both vanish for constants
    for (Index i = 0; i + 1 < n; ++i)
      for (auto* A : {&K, &M}) {
        const T w = A == &K ? T(1) : T(0.1 * static_cast<double>(i + 1));
        (*A)(i, i) += w, (*A)(i + 1, i + 1) += w, (*A)(i, i + 1) -= w, (*A)(i + 1, i) -= w;
      }
    const auto pair = std::get<Pair<T>>(definite_pair(K, M));
    expect_factor(pair.F, K), expect_factor(pair.G, M);
    for (Index j = 0; j < n; ++j) EXPECT_EQ(pair.F(n - 1, j), T(0));
    if (n == 3) {
      const auto with_mass = std::get<Pair<T>>(definite_pair(K, Matrix<T>::identity(3)));
      expect_factor(with_mass.F, K);
    }
  }
}

TYPED_TEST(DefinitePair, IndefiniteMatricesGiveSignsOfRows) {
  using T = TypeParam;
  auto H = definite<T>(9, 5);
  for (Index i = 0; i < 9; i += 2)
    for (Index j = 1; j < 9; j += 2) H(i, j) = conjugate(H(j, i) = -T(2) * H(j, i));
  for (Index i = 3; i < 9; ++i) H(i, i) -= T(20);
  const auto S = definite<T>(9, 6);
  const IndefinitePair made = indefinite_pair(H, S);
  const auto& pair = std::get<Pair<T>>(made.pair);
  expect_factor(pair.G, S);
  double largest = 0;
  for (Index j = 0; j < 9; ++j)
    for (Index i = 0; i < 9; ++i) {
      T sum = H(i, j);
      for (Index p = 0; p < pair.F.rows(); ++p)
        sum -= conjugate(pair.F(p, i)) * pair.F(p, j) * static_cast<double>(made.J[static_cast<std::size_t>(p)]);
      largest = std::max(largest, std::abs(sum));
    }
  EXPECT_LE(largest, 1e-12);
  EXPECT_EQ(std::ssize(made.J), 9);
  EXPECT_NE(std::ranges::count(made.J, -1), 0);
  Matrix<T> swap(2, 2);
  swap(0, 1) = swap(1, 0) = T(1);
  const IndefinitePair neutral = indefinite_pair(swap, Matrix<T>::identity(2));
  EXPECT_EQ(neutral.J.size(), 2U);
  EXPECT_TRUE(indefinite_pair(Matrix<T>(2, 2), Matrix<T>::identity(2)).J.empty());
}

TEST(DefinitePairReal, APositiveDefiniteMatrixHasAllPivots) {
  // Pivots of singular matrices of integers are rounding errors of any sign.
  Index refused = 0;
  std::mt19937 random(1);
  for (int trial = 0; trial < 100; ++trial) {
    Matrix<double> L(4, 3), S(4, 4);
    for (Index k = 0; k < L.size(); ++k) L.data()[k] = static_cast<double>(random() % 9) - 4;
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < 4; ++i)
        for (Index p = 0; p < 3; ++p) S(i, j) += L(i, p) * L(j, p);
    try {
      indefinite_pair(Matrix<double>::identity(4), S);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_EQ(refused, 100);
  EXPECT_THROW(indefinite_pair(Matrix<double>::identity(2), Matrix<double>(2, 2)), InputError);
}

TEST(DefinitePairReal, TinyIndefiniteMatricesKeepTheirDigits) {
  auto H = definite<double>(6, 5), tiny = H;
  for (Index k = 0; k < H.size(); ++k) tiny.data()[k] *= 0x1p-1060, H.data()[k] = tiny.data()[k] * 0x1p1000 * 0x1p60;
  const auto of = [](const Matrix<double>& A) {
    return std::get<Pair<double>>(indefinite_pair(A, Matrix<double>::identity(6)).pair).F;
  };
  const auto F = of(H), small = of(tiny);
  for (Index k = 0; k < F.size(); ++k) EXPECT_EQ(small.data()[k], F.data()[k] * 0x1p-530) << k;
}

TEST(DefinitePairErrors, NameTheMatrixThePlaceAndTheRemedy) {
  const TemporaryDirectory directory;
  const auto error = [&](const AnyMatrix& K, const AnyMatrix& M) {
    return message(directory, [&] { definite_pair(K, M); });
  };
  const auto good = definite<double>(3, 1);
  EXPECT_EQ(error(Matrix<double>(3, 2), good), "K: is 3 x 2, not square; give a Hermitian matrix");
  EXPECT_EQ(error(good, definite<double>(2, 1)), "K and M: are of orders 3 and 2; give two matrices of one order");
  EXPECT_EQ(error(good, definite<Complex>(3, 1)),
            "K and M: one is real and the other complex; give two matrices of one type");
  auto bad = good;
  bad(0, 2) += 1;
  EXPECT_EQ(error(bad, good),
            "K: the entries (3, 1) and (1, 3) are not conjugate; give a Hermitian matrix, for instance (A + A')/2");
  bad = good;
  bad(1, 1) = -1;
  EXPECT_EQ(error(good, bad), "M: is indefinite; exchange K and M where the other one is positive semidefinite");
  EXPECT_EQ(error(bad, good),
            "K: is indefinite; take indefinite_pair(K, M) and ghsvd, which want a positive definite M");
  bad = good;
  bad(1, 1) = std::numeric_limits<double>::infinity();
  EXPECT_EQ(error(bad, good), "K: the entry in row 2, column 2 is NaN or infinite; give a matrix of finite numbers");
}

}  // namespace
}  // namespace pivotlab::io_test::definite_pair_test
