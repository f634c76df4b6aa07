// SPDX-License-Identifier: BSD-3-Clause
// Batches of pairs: kernels by emulation against gsvd(), backward errors, the same bits for every order of the batch
// and of the threads; statuses.
#include "batches.hpp"
#include "tests/gsvd/decomposition.hpp"
#include "tests/jacobi/matrices.hpp"

#include "kernels/batch/run.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/power_of_two.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/quad.hpp>

#include <gtest/gtest.h>

namespace pivotlab::batch_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T>
class GsvdBatches : public testing::Test {};
using Scalars = testing::Types<double, Complex>;
TYPED_TEST_SUITE(GsvdBatches, Scalars);

GsvdBatchOptions emulated() {
  GsvdBatchOptions options;
  options.backend = Backend::emulation;
  return options;
}

template <class T>
struct Pairs {
  std::vector<Matrix<T>> F, G;
};

/// Dense; columns of both and rows of F graded; F of rank n/2; F = 0; F = 3·G, or most rows of it, so that σ are equal;
/// columns near the ends of the range; sorting keeps the only columns apart that are not orthogonal.
template <class T>
Pairs<T> some_pairs(Index m_f, Index m_g, Index n) {
  std::mt19937_64 generator(static_cast<unsigned>(n));
  Pairs<T> pairs;
  for (int kind = 0; kind < 7; ++kind) {
    Matrix<T> F = random_matrix<T>(m_f, n, generator), G = random_matrix<T>(m_g, n, generator);
    for (Index j = 0; j < n; ++j) {
      for (Index i = 0; i < m_f; ++i) {
        if (kind == 1) F(i, j) *= std::pow(10.0, -12.0 * double(i + j) / double(n));
        if (kind == 2 && j >= (n + 1) / 2) F(i, j) = F(i, j / 2) * 3.0;
        if (kind == 3) F(i, j) = T(0);
        if (kind == 4) F(i, j) = i < m_g ? G(i, j) * 3.0 : T(0);
        if (kind == 5) F(i, j) *= std::exp2(j % 2 == 0 ? 500 : 440);
        if (kind == 6) F(i, j) = i == j ? T(double(i + 1)) : T(0);
      }
      for (Index i = 0; i < m_g; ++i) {
        if (kind == 1) G(i, j) *= std::pow(10.0, -9.0 * double(j) / double(n));
        if (kind == 5) G(i, j) *= std::exp2(j % 2 == 0 ? -300 : -350);
        if (kind == 6) G(i, j) = i == j ? T(1) : i == 0 && j == n - 1 ? T(0.5) : T(0);
      }
    }
    pairs.F.push_back(std::move(F)), pairs.G.push_back(std::move(G));
  }
  return pairs;
}

TYPED_TEST(GsvdBatches, ColumnsOfFWhoseSquaresLoseDigitsAreZeros) {
  for (const int exponent : {480, 512, 520, 528, 536, 544})
    for (unsigned seed = 0; seed < 20; ++seed) {
      SCOPED_TRACE(testing::Message() << "2^-" << exponent << ", seed " << seed);
      const auto pair = collapsing_pair<TypeParam>(exponent, seed);
      const DecomposedPairs<TypeParam> batch({pair.F}, {pair.G}, emulated());
      expect_decomposition(pair, batch.gsvd(0), 1e-14);
    }
}

TYPED_TEST(GsvdBatches, SigmaIsThatOfTheSingleCall) {
  using T = TypeParam;
  for (const Index n : {1, 2, 7, 16, 32, 33}) {
    const auto pairs = some_pairs<T>(n + 3, n == 7 ? n : n + 5, n);
    const DecomposedPairs<T> batch(pairs.F, pairs.G, emulated());
    for (Index k = 0; k < batch.count; ++k) {
      SCOPED_TRACE(testing::Message() << "n = " << n << ", pair " << k);
      const GsvdResult<T> r = batch.gsvd(k), single = gsvd<T>(pairs.F[k], pairs.G[k]);
      const double largest = single.sigma[0];
      if (k != 3 && k != 5) expect_decomposition<T>({pairs.F[k], pairs.G[k]}, r, 1e-12);
      ASSERT_EQ(r.status, Status::passed);
      for (Index j = 0; j < n; ++j) {
        EXPECT_NEAR(r.sigma[j], single.sigma[j], 1e-11 * (k == 1 ? single.sigma[j] : largest)) << j;
        EXPECT_NEAR(r.sigma_f[j] * r.sigma_f[j] + r.sigma_g[j] * r.sigma_g[j], 1, 1e-14);
      }
    }
  }
}

TYPED_TEST(GsvdBatches, LargePairsAreInTheMemoryOfTheirResults) {
  using T = TypeParam;
  for (const Index n : {is_complex<T> ? 60 : 70, 130}) {  // nearly diagonal, because emulation is slow
    std::mt19937_64 generator(3);
    Matrix<T> F(n, n), G(n, n);
    for (Index j = 0; j < n; ++j) {
      F(j, j) = T(double(1 + j)), G(j, j) = T(1);
      F((j + 1) % n, j) = F((j + 2) % n, j) = random_entry<T>(generator) * 1e-6;
    }
    if (n == 130) F(5, 5) = F(6, 5) = F(7, 5) = T(0);
    const DecomposedPairs<T> batch({F}, {G}, emulated());
    expect_decomposition<T>({F, G}, batch.gsvd(0), 1e-13);
    EXPECT_EQ(batch.sigma[n - 1] == 0, n == 130);
  }
}

TYPED_TEST(GsvdBatches, BitsDependNeitherOnTheBatchNorOnTheOrderOfThreads) {
  using T = TypeParam;
  for (const Index n : {9, 35}) {
    auto pairs = some_pairs<T>(n + 1, n, n);
    const DecomposedPairs<T> forward(pairs.F, pairs.G, emulated());
    std::ranges::reverse(pairs.F), std::ranges::reverse(pairs.G);
    const DecomposedPairs<T> back(pairs.F, pairs.G, emulated());
    const Index last = back.count - 1;
    for (Index k = 0; k <= last; ++k) EXPECT_EQ(forward.bits(k), back.bits(last - k)) << n << " " << k;
    const Stored<T> F(pairs.F), G(pairs.G);
    DecomposedPairs<T> other(n + 1, n, n, back.count);
    const auto strided = [](auto& A) { return batch::Strided<T>{A.view.data, A.view.stride, A.view.distance}; };
    batch::GsvdArguments<T> arguments;
    arguments.F = {F.view.data, F.view.stride, F.view.distance};
    arguments.G = {G.view.data, G.view.stride, G.view.distance};
    arguments.m_f = int(n + 1), arguments.m_g = arguments.n = int(n);
    arguments.sigma = other.sigma.data(), arguments.sigma_f = other.sigma_f.data();
    arguments.sigma_g = other.sigma_g.data(), arguments.status = other.status.data();
    arguments.U = strided(other.U), arguments.V = strided(other.V), arguments.Z = strided(other.Z);
    batch::run_emulated(arguments, int(back.count), n == 9 ? LaneOrder::reverse : LaneOrder::shuffled);
    for (Index k = 0; k <= last; ++k) EXPECT_EQ(other.bits(k), back.bits(k)) << n << " " << k;
  }
}

TYPED_TEST(GsvdBatches, APairThatCannotBeSolvedHasAStatus) {
  using T = TypeParam;
  for (const Backend backend : {Backend::host, Backend::emulation}) {
    auto pairs = some_pairs<T>(12, 10, 8);
    pairs.F[0](3, 5) = T(std::numeric_limits<double>::quiet_NaN());
    pairs.G[1](2, 2) = T(std::numeric_limits<double>::infinity());
    for (Index i = 0; i < 10; ++i) pairs.G[2](i, 4) = pairs.G[2](i, 1) * 2.0 - pairs.G[2](i, 6);
    for (Index i = 0; i < 10; ++i) pairs.G[3](i, 7) = T(0);
    for (Index i = 0; i < 12; ++i) pairs.F[4](i, 3) *= 0x1p-300;
    pairs.F[6] = pairs.F[5], pairs.G[6] = pairs.G[5];
    for (Index i = 0; i < 12; ++i)
      for (Index j = 0; j < 8; ++j) pairs.F[6](i, j) *= 0x1p500, pairs.G[6](i % 10, j) *= 0x1p-300;
    GsvdBatchOptions options = emulated();
    options.backend = backend;
    const DecomposedPairs<T> batch(pairs.F, pairs.G, options);
    const int passed = int(Status::passed), failed = int(Status::failed);
    EXPECT_EQ(batch.status, (std::vector{failed, failed, failed, failed, failed, passed, failed}));
    EXPECT_TRUE(std::isnan(batch.sigma[8 * 2 + 1]) && std::isnan(batch.sigma_g[8 * 4]));
    EXPECT_FALSE(batch.Z[3](1, 1) == batch.Z[3](1, 1));
    options.max_sweeps = 1;
    EXPECT_EQ((DecomposedPairs<T>(pairs.F, pairs.G, options).status[5]), int(Status::not_converged));
  }
}

/// Returns a dense pair, with columns of F and of G multiplied by 2^f and 2^g.
template <class T>
TestPair<T> scaled_pair(const std::vector<int>& f, const std::vector<int>& g, unsigned seed = 1) {
  std::mt19937_64 generator(seed);
  const Index n = std::ssize(f);
  TestPair<T> pair{random_matrix<T>(n + 2, n, generator), random_matrix<T>(n + 1, n, generator)};
  for (Index j = 0; j < n; ++j) {
    for (T& x : pair.F.col(j)) x = times_power_of_two(x, f[static_cast<std::size_t>(j)]);
    for (T& x : pair.G.col(j)) x = times_power_of_two(x, g[static_cast<std::size_t>(j)]);
  }
  return pair;
}

/// Returns whether the backward errors of a result, computed in quadruple precision, are those of a solved pair.
template <class T>
bool is_accurate(const TestPair<T>& pair, const GsvdResult<T>& r) {
  using Complex = std::array<Quad, 2>;
  const auto wide = [](const T& x) { return Complex{Quad(real_part(x)), Quad(std::imag(x))}; };
  const auto square = [](const Complex& x) { return x[0] * x[0] + x[1] * x[1]; };
  const auto holds = [&](const Matrix<T>& A, const Matrix<T>& W, const std::vector<double>& sigma) {
    for (Index j = 0; j < r.Z.cols(); ++j) {
      Quad squares = 0, weight = 0;
      for (Index i = 0; i < A.rows(); ++i) {
        Complex sum = wide(W(i, j));
        for (Quad& part : sum) part = -part * Quad(sigma[static_cast<std::size_t>(j)]);
        for (Index k = 0; k < A.cols(); ++k) {
          const Complex a = wide(A(i, k)), z = wide(r.Z(k, j));
          sum[0] += a[0] * z[0] - a[1] * z[1], sum[1] += a[0] * z[1] + a[1] * z[0];
        }
        squares += square(sum);
      }
      for (Index k = 0; k < A.cols(); ++k) {
        Quad norm = 0;
        for (const T& x : A.col(k)) norm += square(wide(x));
        weight += sqrt(norm) * sqrt(square(wide(r.Z(k, j))));
      }
      if (!(sqrt(squares) <= Quad(20 * static_cast<double>(A.rows()) * 0x1p-52) * weight)) return false;
    }
    return true;
  };
  return holds(pair.F, r.U, r.sigma_f) && holds(pair.G, r.V, r.sigma_g);
}

// Where a number of the result leaves the range, a power of two can help; where an element of Z underflows that others
// need, digits are lost.
TYPED_TEST(GsvdBatches, StatusesOfScaledPairsAreThoseOfEveryBackend) {
  using T = TypeParam;
  constexpr Status passed = Status::passed, failed = Status::failed, incorrect = Status::incorrect;
  struct Case {
    std::vector<int> f, g;
    Status status;
  };
  const auto all = [](int f, int g, Status status) { return Case{{f, f, f}, {g, g, g}, status}; };
  const std::vector<Case> cases{all(0, 0, passed),
                                all(-1050, 0, failed),  // σ is subnormal
                                all(-1025, 0, failed),
                                all(-1060, 300, failed),  // σ underflows
                                all(-1060, -300, passed),
                                all(-1000, 1000, failed),
                                all(0, -1050, failed),  // σ overflows
                                all(1000, -1000, failed),
                                all(-1050, -1050, failed),  // Z overflows
                                all(-1000, -1000, passed),
                                all(1000, 1000, passed),
                                all(1020, 1020, passed),
                                all(1000, 0, passed),
                                all(-1000, 0, passed),
                                all(0, 1000, passed),
                                all(0, -1000, passed),
                                all(500, -500, passed),
                                {{1000, 0, 0}, {1000, 0, 0}, passed},
                                {{1000, -1000, 0}, {1000, -1000, 0}, passed},
                                {{1000, 0, 0}, {1000, -200, -200}, incorrect},
                                {{1000, 0, -1000}, {1000, -200, -1000}, incorrect}};
  for (const auto& [f, g, expected] : cases) {
    const auto pair = scaled_pair<T>(f, g);
    for (const Backend backend : {Backend::host, Backend::emulation}) {
      SCOPED_TRACE(testing::Message() << testing::PrintToString(f) << testing::PrintToString(g) << to_string(backend));
      GsvdBatchOptions options;
      options.backend = backend;
      const auto r = DecomposedPairs<T>({pair.F}, {pair.G}, options).gsvd(0);
      EXPECT_EQ(r.status, expected) << to_string(r.status);
      EXPECT_EQ(is_accurate(pair, r), expected == passed);
      if (is_complex<T> && backend == Backend::emulation) continue;  // it is slow
      Status single = failed;
      try {
        const auto s = gsvd<T>(pair.F, pair.G, {.variant = {}, .backend = backend});
        single = s.status;
        EXPECT_EQ(is_accurate(pair, s), expected == passed);
      } catch (const InputError&) {
      }
      EXPECT_EQ(single, expected) << to_string(single);
      if (backend != Backend::host) continue;
      Status in_place = failed;
      try {
        TestPair<T> own = pair;
        in_place = gsvd_in_place<T>(own.F, own.G).status;
      } catch (const InputError&) {
      }
      EXPECT_EQ(in_place, expected) << to_string(in_place);
    }
  }
}

TEST(GsvdBatchInput, ShapesAreChecked) {
  const auto solve = [](Index m_f, Index m_g, Index n_f, Index n_g) {
    return DecomposedPairs<double>({Matrix<double>(m_f, n_f)}, {Matrix<double>(m_g, n_g)}, emulated());
  };
  EXPECT_THROW(solve(3, 4, 4, 4), InputError);
  EXPECT_THROW(solve(4, 3, 4, 4), InputError);
  EXPECT_THROW(solve(4, 4, 3, 4), InputError);
  EXPECT_THROW(solve(257, 257, 257, 257), NotSupported);
  EXPECT_THROW(solve(2000, 16, 16, 16), NotSupported);
}

}  // namespace
}  // namespace pivotlab::batch_test
