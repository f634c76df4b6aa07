// SPDX-License-Identifier: BSD-3-Clause
// Batches: kernels by emulation against single calls, and the same bits for every order of the batch and of the
// threads; statuses.
#include "batches.hpp"
#include "hermitian_matrices.hpp"
#include "tests/jacobi/defects.hpp"
#include "tests/ldlt/exact_inertia.hpp"
#include "tests/ldlt/matrices.hpp"

#include "kernels/batch/run.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <memory>

namespace pivotlab::batch_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr int orders[] = {1, 2, 3, 16, 17, 31, 32, 33, 63};

template <class T>
class Batch : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(Batch, Scalars);

TYPED_TEST(Batch, FactorsAsTheSingleCallBitForBit) {
  using T = TypeParam;
  for (const Index n : orders)
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial}) {
      SCOPED_TRACE(testing::Message() << to_string(pivoting) << " " << n);
      const auto A = some_hermitian<T>(n, 3);
      LdltBatchOptions options;
      options.variant.pivoting = pivoting;
      options.backend = Backend::emulation;
      const FactoredBatch<T> batch(A, options);
      for (Index k = 0; k < batch.count; ++k) {
        const auto f = ldlt<T>(A[k], {.variant = options.variant});
        ASSERT_EQ(batch.status[k], int(Status::passed));
        const Matrix<T> M = batch.M[k];
        for (Index i = 0; i < n; ++i) {
          ASSERT_EQ(batch.permutation[k * n + i], f.permutation[i]) << k;
          ASSERT_EQ(batch.diagonal[k * n + i], f.diagonal[i]) << k;
          ASSERT_EQ(batch.subdiagonal[k * n + i], f.subdiagonal[i]) << k;
          for (Index j = 0; j < n; ++j) ASSERT_EQ(M(i, j), f.M(i, j)) << k << " " << i << " " << j;
        }
        const Inertia inertia{batch.inertia[3 * k], batch.inertia[3 * k + 1], batch.inertia[3 * k + 2]};
        EXPECT_EQ(inertia, f.inertia) << k;
      }
    }
}

TYPED_TEST(Batch, LargerOrdersAreFactored) {
  using T = TypeParam;
  for (const Index n : {100, 130}) {
    auto A = some_hermitian<T>(n, 4);
    if (n > 128) A.erase(A.begin() + 3, A.end());
    LdltBatchOptions options;
    options.backend = Backend::emulation;
    FactoredBatch<T> batch(A, options);
    for (Index k = 0; k < batch.count; ++k) {
      const auto f = ldlt<T>(A[k], {});
      for (Index i = 0; i < n; ++i) ASSERT_EQ(batch.diagonal[k * n + i], f.diagonal[i]) << k;
      for (Index i = 0; i < n; ++i) ASSERT_EQ(batch.M[k](n - 1, i), f.M(n - 1, i)) << k;
      EXPECT_EQ(batch.M[k](0, n - 1), T(0));
      EXPECT_EQ(batch.inertia[3 * k], f.inertia.positive);
      EXPECT_EQ(batch.inertia[3 * k + 2], f.inertia.zero);
    }
    std::mt19937_64 generator(6);
    const Matrix<T> b = random_matrix<T>(n, 1, generator);
    const Stored<T> X(std::vector<Matrix<T>>(A.size(), b));
    solve_batch<T>(batch.factors(), X.view, options);
    const Matrix<T> product = multiplied(false, A[0], X[0]);
    for (Index i = 0; i < n; ++i) EXPECT_NEAR(std::abs(product(i, 0) - b(i, 0)), 0, 1e-10);
  }
}

/// A nearly diagonal matrix, because emulation is slow; its last two columns depend.
template <class T>
Matrix<T> nearly_diagonal(Index n) {
  std::mt19937_64 generator(3);
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j) {
    A(j, j) = T(double(n - j));
    if (j > 0) A(j, j - 1) = random_entry<T>(generator) * 1e-6, A(j - 1, j) = conjugate(A(j, j - 1));
  }
  for (Index i = 0; i < n; ++i) A(i, n - 1) = A(n - 1, i) = T(0);
  return A;
}

TYPED_TEST(Batch, LargerOrdersAreDecomposedInTheMemoryOfTheirResults) {
  using T = TypeParam;
  for (const Index n : {is_complex<T> ? 70 : 100, 130}) {
    const Matrix<T> A = nearly_diagonal<T>(n);
    EighBatchOptions options;
    options.backend = Backend::emulation;
    const DecomposedBatch<T> singular({A}, {}, options), eigen({A}, options);
    EXPECT_EQ(singular.status[0], int(Status::passed));
    EXPECT_LE(defect_of_g(A, singular.hsvd(0), {}), 1e-12);
    EXPECT_LE(defect_of_v(singular.hsvd(0), {}), 1e-13);
    EXPECT_LE(largest_defect(A, eigen.eigh(0)), 4.0);
    std::vector<double> values(n), workspace(eigh_batch_workspace<T>(n, 1) / sizeof(double));
    int status = -1;
    const Stored<T> given({A});
    eigh_batch<T>(given.view, {.eigenvalues = values.data(), .status = &status}, workspace.data(), options);
    EXPECT_EQ(status, int(Status::passed));
    EXPECT_EQ(bits_of(values.data(), n), bits_of(eigen.sigma.data(), n));
    const auto without_u = [&] {
      hsvd_batch<T>(given.view, nullptr, {.sigma = values.data(), .status = &status}, options);
    };
    if (n > 128 || is_complex<T>) {
      EXPECT_THROW(without_u(), InputError);
    }
  }
}

TYPED_TEST(Batch, TilesOfTallMatricesAreNarrower) {
  using T = TypeParam;
  const Index n = is_complex<T> ? 70 : 130;
  const Matrix<T> A = nearly_diagonal<T>(n);
  for (const Index m : {900, 7000}) {  // groups of eight and one column, complex ones of two, and no tiles
    Matrix<T> G(m, n);
    for (Index j = 0; j < n; ++j) std::ranges::copy(A.col(j), G.col(j).begin());
    EighBatchOptions options;
    options.backend = Backend::emulation;
    const DecomposedBatch<T> batch({G}, {}, options);
    EXPECT_EQ(batch.status[0], int(Status::passed));
    EXPECT_LE(defect_of_g(G, batch.hsvd(0), {}), 1e-12) << m;
    EXPECT_LE(defect_of_v(batch.hsvd(0), {}), 1e-13) << m;
  }
}

TYPED_TEST(Batch, OneTriangleIsRead) {
  using T = TypeParam;
  auto A = some_hermitian<T>(20, 5);
  A.erase(A.begin() + 4);  // zeros have other signs
  LdltBatchOptions options;
  options.backend = Backend::emulation;
  const FactoredBatch<T> whole(A, options);
  for (const InputTriangle triangle : {InputTriangle::lower, InputTriangle::upper}) {
    auto part = A;
    for (auto& X : part)
      for (Index j = 0; j < 20; ++j)
        for (Index i = 0; i < j; ++i) (triangle == InputTriangle::lower ? X(i, j) : X(j, i)) = T(nan);
    options.triangle = triangle;
    const FactoredBatch<T> batch(part, options);
    for (Index k = 0; k < batch.count; ++k) EXPECT_EQ(batch.bits(k), whole.bits(k)) << k;
  }
}

TYPED_TEST(Batch, SolvesWithTheBitsOfTheHost) {
  using T = TypeParam;
  for (const Index n : {1, 16, 40, is_complex<T> ? 64 : 100}) {
    std::mt19937_64 generator(6);
    const std::vector<Matrix<T>> A{random_hermitian<T>(n, generator), random_hermitian<T>(n, generator),
                                   Matrix<T>(n, n)};
    const std::vector<Matrix<T>> B(3, random_matrix<T>(n, 3, generator));
    LdltBatchOptions options;
    options.backend = Backend::emulation;
    FactoredBatch<T> emulated(A, options);
    options.backend = Backend::host;
    FactoredBatch<T> host(A, options);
    const Stored<T> X(B), Y(B);
    solve_batch<T>(host.factors(), Y.view, options);
    options.backend = Backend::emulation;
    solve_batch<T>(emulated.factors(), X.view, options);
    for (Index k = 0; k < 2; ++k) {
      EXPECT_EQ(bits_of(X[k].data(), 3 * n), bits_of(Y[k].data(), 3 * n));
      const Matrix<T> product = multiplied(false, A[k], X[k]), single = ldlt<T>(A[k], {}).solve(B[k]);
      for (Index i = 0; i < product.size(); ++i) {
        EXPECT_NEAR(std::abs(product.data()[i] - B[k].data()[i]), 0, 1e-10);
        EXPECT_NEAR(std::abs(single.data()[i] - X[k].data()[i]), 0, 1e-10);
      }
    }
    EXPECT_EQ(emulated.status[2], int(Status::incorrect));
    EXPECT_EQ(host.status[2], int(Status::incorrect));
    EXPECT_FALSE(X[2](0, 0) == X[2](0, 0));
  }
}

TYPED_TEST(Batch, PivotsBeyondDoubleFail) {
  using T = TypeParam;
  Matrix<T> small(2, 2);
  small(0, 0) = small(1, 1) = T(0x1p-1060), small(1, 0) = small(0, 1) = T(0.3 * 0x1p-1060);
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    LdltBatchOptions options;
    options.backend = backend;
    FactoredBatch<T> batch({small}, options);
    EXPECT_EQ(batch.status[0], int(Status::failed));
    EXPECT_TRUE(batch.M[0](1, 0) != batch.M[0](1, 0) && batch.diagonal[0] != batch.diagonal[0]);
    EXPECT_TRUE(std::ranges::all_of(batch.inertia, [](int count) { return count == 0; }));
  }
}

TYPED_TEST(Batch, SolutionsBeyondDoubleFail) {
  using T = TypeParam;
  Matrix<T> small(2, 2), ones(2, 2);
  small(0, 0) = small(1, 1) = T(0x1p-1000);
  for (Index i = 0; i < ones.size(); ++i) ones.data()[i] = T(1.0);
  Matrix<T> large = ones;
  large(1, 0) = T(0x1p100);
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    LdltBatchOptions options;
    options.backend = backend;
    FactoredBatch<T> batch({small, small}, options);
    const Stored<T> X({ones, large});
    solve_batch<T>(batch.factors(), X.view, options);
    EXPECT_EQ(batch.status[0], int(Status::passed));
    EXPECT_EQ(batch.status[1], int(Status::failed));
  }
}

TYPED_TEST(Batch, SingularValuesAreThoseOfTheSingleCall) {
  using T = TypeParam;
  for (const Index n : {1, 2, 15, 16, 32, 33, 64}) {
    SCOPED_TRACE(n);
    std::mt19937_64 generator(static_cast<unsigned>(n));
    std::vector<Matrix<T>> G;
    for (int k = 0; k < 3; ++k) G.push_back(random_matrix<T>(n + 5 * (n < 64), n, generator));
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < G[1].rows(); ++i) G[1](i, j) *= std::pow(10.0, -12.0 * double((7 * j) % n) / double(n));
    for (const bool hyperbolic : {false, true}) {
      std::vector<int> J;
      for (int k = 0; hyperbolic && k < 3; ++k)
        for (Index j = 0; j < n; ++j) J.push_back(j % 2 == 0 ? 1 : -1);
      EighBatchOptions options;
      options.backend = Backend::emulation;
      const DecomposedBatch<T> batch(G, J, options);
      for (Index k = 0; k < 3; ++k) {
        const std::vector<int> own = hyperbolic ? std::vector<int>(J.begin(), J.begin() + n) : std::vector<int>();
        const HsvdResult<T> r = batch.hsvd(k);
        const HsvdResult<T> single =
            pivotlab::hsvd<T>(G[k], own, {.variant = {.form = JacobiForm::PT}, .compute_v = true});
        ASSERT_EQ(r.status, Status::passed);
        EXPECT_EQ(r.J, single.J);
        for (Index j = 0; j < n; ++j)
          EXPECT_NEAR(r.sigma[j], single.sigma[j], 5 * (r.estimate[j] + single.estimate[j]) * single.sigma[j]) << j;
        EXPECT_LE(defect_of_g(G[k], r, own), 1e-12) << k;
        EXPECT_LE(defect_of_v(r, own), 1e-13) << k;
      }
    }
  }
}

TYPED_TEST(Batch, ColumnsThatDependHaveZeroSingularValues) {
  using T = TypeParam;
  std::mt19937_64 generator(8);
  for (const Index n : {6, 32, 40}) {
    Matrix<T> G = random_matrix<T>(n, n, generator);
    for (Index i = 0; i < n; ++i) G(i, 3) = G(i, 1) * 2.0, G(i, 5) = T(0);
    EighBatchOptions options;
    options.backend = Backend::emulation;
    const DecomposedBatch<T> batch({G, Matrix<T>(n, n)}, {}, options);
    const HsvdResult<T> r = batch.hsvd(0), zero = batch.hsvd(1);
    EXPECT_EQ(r.status, Status::passed);
    EXPECT_LE(r.sigma[n - 2], 1e-14 * r.sigma[0]);
    EXPECT_EQ(r.sigma[n - 1], 0);
    EXPECT_LE(defect_of_g(G, r, {}), 1e-12);
    for (Index j = 1; j < n; ++j)
      for (Index i = 0; i < n; ++i) G(i, j) = G(i, 0) * double(j);
    const HsvdResult<T> of_rank_one = DecomposedBatch<T>({G}, {}, options).hsvd(0);
    EXPECT_EQ(of_rank_one.status, Status::passed);
    EXPECT_EQ(of_rank_one.sigma[n - 1], 0);  // without a zero column
    EXPECT_EQ(of_rank_one.estimate[n - 1], 1);
    EXPECT_EQ(zero.status, Status::passed);
    EXPECT_EQ(zero.sigma[0], 0);
    EXPECT_LE(defect_of_g(Matrix<T>(n, n), zero, {}), 1e-14);
  }
}

TYPED_TEST(Batch, EigenvaluesAreThoseOfTheSingleCall) {
  using T = TypeParam;
  for (const Index n : {1, 2, 15, 32, 47, 64}) {
    const auto A = some_hermitian<T>(n, 9);
    EighBatchOptions options;
    options.backend = Backend::emulation;
    const DecomposedBatch<T> batch(A, options);
    for (Index k = 0; k < batch.count; ++k) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", matrix " << k);
      const EighResult<T> r = batch.eigh(k), single = eigh<T>(A[k], {.variant = {.sweeps = {.form = JacobiForm::PT}}});
      ASSERT_EQ(r.status, Status::passed);
      for (Index j = 0; j < n; ++j)
        EXPECT_NEAR(r.eigenvalues[j], single.eigenvalues[j],
                    5 * (r.estimate[j] + single.estimate[j]) * std::abs(single.eigenvalues[j]))
            << j;
      if (k == 5) continue;  // its norms underflow
      EXPECT_LE(largest_defect(A[k], r), 4.0);
    }
  }
}

TYPED_TEST(Batch, EigenvaluesSmallerThanAZeroByRoundingAreNotDetermined) {
  using T = TypeParam;
  Matrix<T> A(4, 4);  // λ = 2, 1e-9, 1.1e-16, 1e-20, and the pivot of the third one counts as zero
  A(0, 0) = A(1, 0) = A(0, 1) = T(1);
  A(1, 1) = T(1 + 0x1p-52), A(2, 2) = T(1e-20), A(3, 3) = T(1e-9);
  EighBatchOptions options;
  options.backend = Backend::emulation;
  for (const int exponent : {0, 400, -400}) {
    Matrix<T> scaled = A;
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < 4; ++i) scaled(i, j) *= std::ldexp(1.0, exponent);
    const EighResult<T> r = DecomposedBatch<T>({scaled}, options).eigh(0);
    EXPECT_NEAR(r.eigenvalues[1], std::ldexp(1e-9, exponent), std::ldexp(1e-23, exponent));
    EXPECT_LE(r.estimate[1], 1e-14);
    EXPECT_EQ(r.estimate[2], 1);
    EXPECT_EQ(r.estimate[3], 1);
  }
}

TYPED_TEST(Batch, BitsDependNeitherOnTheBatchNorOnTheOrderOfThreads) {
  using T = TypeParam;
  for (const Index n : {9, 32, 50}) {
    auto A = some_hermitian<T>(n, 10);
    LdltBatchOptions factor;
    factor.backend = Backend::emulation;
    EighBatchOptions decompose;
    decompose.backend = Backend::emulation;
    const FactoredBatch<T> factored(A, factor);
    const DecomposedBatch<T> eigen(A, decompose), singular(A, {}, decompose);
    std::ranges::reverse(A);
    const Index last = std::ssize(A) - 1;
    const FactoredBatch<T> factored_back(A, factor);
    const DecomposedBatch<T> eigen_back(A, decompose), singular_back(A, {}, decompose);
    for (Index k = 0; k <= last; ++k) {
      EXPECT_EQ(factored.bits(k), factored_back.bits(last - k));
      EXPECT_EQ(eigen.bits(k), eigen_back.bits(last - k));
      EXPECT_EQ(singular.bits(k), singular_back.bits(last - k));
      EXPECT_EQ(DecomposedBatch<T>({A[k]}, decompose).bits(0), eigen_back.bits(k));
    }
    for (const LaneOrder order : {LaneOrder::reverse, LaneOrder::shuffled}) {
      const Stored<T> given(A);
      DecomposedBatch<T> other(n, n, last + 1);
      FactoredBatch<T> factors(A, factor);
      batch::JacobiArguments<T> arguments;
      arguments.G = {given.view.data, given.view.stride, given.view.distance};
      arguments.m = arguments.n = static_cast<int>(n);
      arguments.values = other.sigma.data(), arguments.estimate = other.estimate.data();
      arguments.signs = other.J.data(), arguments.status = other.status.data();
      arguments.U = {other.U.view.data, other.U.view.stride, other.U.view.distance};
      arguments.V = {other.V.view.data, other.V.view.stride, other.V.view.distance};
      batch::run_emulated(arguments, static_cast<int>(last + 1), order);
      const LdltBatch<T> f = factors.factors();
      batch::FactorArguments<T> to_factor;
      to_factor.A = arguments.G, to_factor.n = arguments.n, to_factor.rule = {Pivoting::complete, usual_alpha};
      to_factor.M = {f.M.data, f.M.stride, f.M.distance};
      to_factor.diagonal = f.diagonal, to_factor.subdiagonal = f.subdiagonal;
      to_factor.permutation = f.permutation, to_factor.inertia = f.inertia, to_factor.status = f.status;
      batch::run_emulated(to_factor, static_cast<int>(last + 1), order);
      for (Index k = 0; k <= last; ++k) {
        EXPECT_EQ(other.bits(k), singular_back.bits(k));
        EXPECT_EQ(factors.bits(k), factored_back.bits(k));
      }
    }
  }
}

TYPED_TEST(Batch, AMatrixThatCannotBeSolvedHasAStatus) {
  using T = TypeParam;
  std::mt19937_64 generator(11);
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    std::vector<Matrix<T>> A(4, random_hermitian<T>(12, generator));
    A[1](3, 5) = A[1](5, 3) = T(nan);
    A[2](7, 2) = A[2](2, 7) = T(std::numeric_limits<double>::infinity());
    A[3](4, 1) += T(1);
    LdltBatchOptions factor;
    EighBatchOptions decompose;
    factor.backend = decompose.backend = backend;
    const FactoredBatch<T> factored(A, factor);
    const DecomposedBatch<T> eigen(A, decompose), singular(A, {}, decompose);
    const int passed = int(Status::passed), failed = int(Status::failed);
    EXPECT_EQ(factored.status, (std::vector{passed, failed, failed, failed}));
    EXPECT_EQ(eigen.status, (std::vector{passed, failed, failed, failed}));
    EXPECT_EQ(singular.status, (std::vector{passed, failed, failed, passed}));
    EXPECT_TRUE(std::isnan(eigen.sigma[12]) && std::isnan(eigen.estimate[13]));
    EXPECT_FALSE(eigen.U[1](3, 4) == eigen.U[1](3, 4));
    EXPECT_FALSE(factored.M[2](5, 1) == factored.M[2](5, 1));
    decompose.max_sweeps = 1;
    EXPECT_EQ((DecomposedBatch<T>(A, decompose).status[0]), int(Status::not_converged));
  }
}

TYPED_TEST(Batch, ListsOfOtherShapesHaveTheBitsOfTheirBatches) {
  using T = TypeParam;
  const std::vector<Index> orders{3, 12, 1, 7};
  for (const Backend backend : {Backend::host, Backend::emulation})
    for (const int threads : {1, 2, 9}) {
      LdltBatchOptions options;
      options.backend = backend, options.threads = threads, options.variant.pivoting = Pivoting::partial;
      std::vector<std::unique_ptr<FactoredBatch<T>>> list, single;
      std::vector<std::unique_ptr<Stored<T>>> given;
      for (const Index n : orders) {
        const auto A = some_hermitian<T>(n, 12);
        list.push_back(std::make_unique<FactoredBatch<T>>(std::vector(A.size(), Matrix<T>(n, n)), options));
        single.push_back(std::make_unique<FactoredBatch<T>>(A, options));
        given.push_back(std::make_unique<Stored<T>>(A));
      }
      std::atomic<int> most = 0;
      for_batches(std::ssize(orders), options, [&](Index k, const LdltBatchOptions& own) {
        most = std::max<int>(most, own.threads);
        ldlt_batch<T>(given[k]->view, list[k]->factors(), own);
      });
      EXPECT_LE(most, threads);
      for (std::size_t k = 0; k < orders.size(); ++k)
        for (Index j = 0; j < single[k]->count; ++j) EXPECT_EQ(list[k]->bits(j), single[k]->bits(j)) << k << " " << j;
    }
  BatchOptions any;
  const auto fail = [](Index k, const BatchOptions&) {
    if (k == 2) throw InputError("two");
  };
  EXPECT_THROW(for_batches(5, any, fail), InputError);
  any.threads = 8;
  EXPECT_THROW(for_batches(5, any, fail), InputError);
}

// As LdltNoise.NoInertiaOfRowsOfAnySizesIsWrongWithoutDoubt.
TEST(BatchInertia, NoneOfRowsOfAnySizesIsWrongWithoutDoubt) {
  LdltBatchOptions options;
  options.backend = Backend::emulation;
  Entries<double> draw(13);
  int problems = 0, doubtful = 0;
  for (const Index n : {4, 6}) {
    std::vector<Matrix<double>> matrices;
    std::vector<Inertia> truth;
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
      Matrix<double> A = structured<double>(Structure::small_integers, n, seed);
      truth.push_back(exact_inertia(A));
      std::vector<int> exponents;
      for (Index i = 0; i < n; ++i) exponents.push_back(draw.integer(-300, 300));
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) A(i, j) = std::ldexp(A(i, j), exponents[i] + exponents[j]);
      matrices.push_back(std::move(A));
    }
    for (const Pivoting pivoting : all_pivotings) {
      options.variant = {.pivoting = pivoting};
      const FactoredBatch<double> batch(matrices, options);
      for (std::size_t k = 0; k < matrices.size(); ++k) {
        const int* counts = &batch.inertia[3 * k];
        const bool right = Inertia{counts[0], counts[1], counts[2]} == truth[k];
        EXPECT_TRUE(right || batch.doubtful[k] > 0) << to_string(pivoting) << ", n = " << n << ", matrix " << k;
        ++problems, doubtful += batch.doubtful[k] > 0 ? 1 : 0;
      }
    }
  }
  EXPECT_LE(doubtful, problems * 35 / 100);
}

// As LdltNoise.LargeInversesOfMMakePivotsDoubtful.
TEST(BatchInertia, LargeInversesOfMMakePivotsDoubtful) {
  LdltBatchOptions options;
  options.backend = Backend::emulation;
  for (const Index n : {10, 50})
    for (const Pivoting pivoting : all_pivotings) {
      options.variant = {.pivoting = pivoting};
      const FactoredBatch<double> batch({product_of_kahan(n, 1.1)}, options);
      EXPECT_EQ(batch.doubtful[0] > 0 || batch.inertia[2] > 0, n > 10) << to_string(pivoting) << ", n = " << n;
    }
}

TEST(BatchInput, ShapesAndOptionsAreChecked) {
  LdltBatchOptions factor;
  factor.backend = Backend::emulation;
  factor.variant.equilibrate = true;
  EXPECT_THROW(FactoredBatch<double>({Matrix<double>(3, 3)}, factor), NotSupported);
  factor.variant = {.alpha = 2};
  EXPECT_THROW(FactoredBatch<double>({Matrix<double>(3, 3)}, factor), InputError);
  factor.variant = {};
  EXPECT_THROW(FactoredBatch<double>({Matrix<double>(257, 257)}, factor), NotSupported);
  EXPECT_THROW(FactoredBatch<Complex>({Matrix<Complex>(257, 257)}, factor), NotSupported);
  EighBatchOptions decompose;
  decompose.backend = Backend::emulation;
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    EighBatchOptions options;
    options.backend = backend;
    double sigma = 0, G[1] = {1};
    int status = 0;
    const HsvdBatch<double> result{.sigma = &sigma, .status = &status};
    EXPECT_THROW(hsvd_batch<double>({G, 1, 1, 1, 1, -1}, nullptr, result, options), InputError);
    EXPECT_THROW(hsvd_batch<double>({nullptr, 1, 1, 1, 1, 1}, nullptr, result, options), InputError);
    EXPECT_NO_THROW(hsvd_batch<double>({nullptr, 1, 1, 1, 1, 0}, nullptr, result, options));
  }
  EXPECT_THROW(DecomposedBatch<double>({Matrix<double>(3, 4)}, {}, decompose), InputError);
  EXPECT_THROW(DecomposedBatch<Complex>({Matrix<Complex>(257, 257)}, {}, decompose), NotSupported);
  EXPECT_THROW(DecomposedBatch<double>({Matrix<double>(300, 128)}, {}, decompose), NotSupported);
  double x = 1, value = 0;
  int status = 0;
  const MatrixBatch<const double> one{&x, 1, 1, 1, 1, 1};
  EXPECT_THROW(eigh_batch<double>(one, {.eigenvalues = &value, .status = &status}, nullptr, decompose), InputError);
  eigh_batch<double>(one, {.eigenvalues = &value, .status = &status});
  EXPECT_EQ(value, 1);
}

}  // namespace
}  // namespace pivotlab::batch_test
