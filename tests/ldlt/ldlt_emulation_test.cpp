// SPDX-License-Identifier: BSD-3-Clause
// The device's kernels, run on the host by fibers: with complete pivoting the bits of the host's elimination for every
// shape and structure, for every order of the threads of a block.
#include "device.hpp"
#include "tests/guarded_workspace.hpp"

#include "kernels/ldlt/device/ldlt_driver.hpp"
#include "kernels/ldlt/shared/equilibrate.hpp"
#include "kernels/ldlt/shared/unsearched.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <utility>

namespace pivotlab::ldlt_emulation_test {
namespace {

using namespace test;

template <class T>
class LdltEmulation : public testing::Test {};
using Scalars = testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(LdltEmulation, Scalars);

TYPED_TEST(LdltEmulation, MatchesHostForCompletePivoting) {
  using T = TypeParam;
  for (const auto& problem : device_problems<T>()) {
    SCOPED_TRACE(problem.name);
    const LdltOptions options{.symmetry = problem.symmetry};
    const auto by_host = ldlt<T>(problem.A, options);
    const auto packed = pack<T>(problem.A, InputTriangle::lower, problem.symmetry);
    for (const LaneOrder order : {LaneOrder::forward, LaneOrder::reverse, LaneOrder::shuffled})
      EXPECT_EQ(difference(ldlt_emulated<T>(packed, options, order), by_host), "");
  }
}

/// Compares a factorization whose search is steered with the host's.
std::string steered_difference(const Matrix<double>& A, LaneOrder order, double alpha = usual_alpha) {
  const LdltOptions options{.variant = {.alpha = alpha}};
  const auto packed = pack<double>(A, InputTriangle::lower);
  return difference(ldlt_emulated<double>(packed, options, order, {.steered = true}), ldlt<double>(A, options));
}

TEST(LdltEmulationSteered, MatchesHost) {
  LaneOrder order = LaneOrder::shuffled;
  const auto problems = device_problems<double>();
  for (std::size_t i = 0; i < problems.size(); i += 6) {
    order = order == LaneOrder::reverse ? LaneOrder::shuffled : LaneOrder::reverse;
    EXPECT_EQ(steered_difference(problems[i].A, order), "") << problems[i].name;
  }
  EXPECT_EQ(steered_difference(structured<double>(Structure::dense, 70, 5), LaneOrder::forward, 0.9), "");
}

// The pivot of the first stage makes the larger of two nearly equal elements the smaller one. Their copies differ by as
// much as rounding allows, in the other direction.
TEST(LdltEmulationSteered, ComparesElementsThatTheCopyDoesNotTell) {
  const auto A = from_lower<double>(100, [](Index i, Index j) {
    if (i == 0) return 8.0;
    if (j == 0) return i == 10 || i == 5 ? 0x1p-7 : 0.0;
    if (i == 10 && j == 5) return 1 + 0x1p-8 + 0x1p-20;
    return i == 90 && j == 40 ? 1 + 0x1p-8 - 0x1p-20 : 0.0;
  });
  EXPECT_EQ(steered_difference(A, LaneOrder::forward), "");
}

// Single-precision numbers hold neither these elements nor their differences.
TEST(LdltEmulationSteered, ComparesElementsBeyondSinglePrecision) {
  const auto near_one = [](Index i, Index j) { return 1 + 0x1p-40 * static_cast<double>((i * 37 + j * j) % 64); };
  const auto graded = [](Index i, Index j) { return std::pow(1e-40, static_cast<double>((i + j) % 7)); };
  EXPECT_EQ(steered_difference(from_lower<double>(100, near_one), LaneOrder::forward), "");
  EXPECT_EQ(steered_difference(from_lower<double>(100, graded), LaneOrder::forward), "");
}

// The triangle, or its last rows, is in the shared memory of some blocks.
TYPED_TEST(LdltEmulation, MatchesHostForTrianglesInSharedMemory) {
  using T = TypeParam;
  const ldlt_device::Design designs[] = {
      {.resident_blocks = 4},
      {.resident_blocks = 6},
      {.steered = false, .resident_blocks = 3, .resident_order = 29},
      {.steered = !is_complex<T>, .resident_blocks = 2, .resident_order = 40},
      {.resident_blocks = 1},
  };
  const LaneOrder orders[] = {LaneOrder::forward, LaneOrder::reverse, LaneOrder::shuffled};
  std::size_t count = 0;
  for (const auto& problem : device_problems<T>()) {
    const LdltOptions options{.symmetry = problem.symmetry};
    const auto packed = pack<T>(problem.A, InputTriangle::lower, problem.symmetry);
    const auto f = ldlt_emulated<T>(packed, options, orders[count % 3], designs[count % 5]);
    EXPECT_EQ(difference(f, ldlt<T>(problem.A, options)), "") << problem.name;
    ++count;
  }
}

TYPED_TEST(LdltEmulation, HasTheBitsOfTheHostForEveryAlphaAndTolerance) {
  using T = TypeParam;
  for (const double alpha : some_alphas)
    for (const double tolerance : {0.0, 1e-3}) {
      SCOPED_TRACE(testing::Message() << "alpha " << alpha << ", tolerance " << tolerance);
      LdltOptions options{.variant = {.alpha = alpha}, .rank_tolerance = tolerance};
      const auto A = structured<T>(Structure::low_rank, 67, 3);
      const auto by_host = ldlt<T>(A, options);
      options.backend = Backend::emulation;
      EXPECT_EQ(difference(ldlt<T>(A, options), by_host), "");
    }
}

TYPED_TEST(LdltEmulation, FactorsForPartialAndRookPivoting) {
  using T = TypeParam;
  LaneOrder other = LaneOrder::shuffled;
  for (const auto& problem : device_problems<T>()) {
    other = other == LaneOrder::reverse ? LaneOrder::shuffled : LaneOrder::reverse;
    for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
      SCOPED_TRACE(problem.name + ", " + std::string(to_string(pivoting)));
      const LdltOptions options{.variant = {.pivoting = pivoting}, .symmetry = problem.symmetry};
      const auto packed = pack<T>(problem.A, InputTriangle::lower, problem.symmetry);
      const auto f = ldlt_emulated<T>(packed, options, LaneOrder::forward);
      EXPECT_EQ(panel_fault(problem, f, ldlt<T>(problem.A, options)), "");
      EXPECT_EQ(difference(ldlt_emulated<T>(packed, options, other, {.resident_blocks = 5}), f), "");
    }
  }
}

// A block of a panel's kernel has more rows than threads for them; panels have one or two chunks of columns.
TYPED_TEST(LdltEmulation, PanelsHaveTheSameBitsOnFewBlocks) {
  using T = TypeParam;
  for (const Structure structure : {Structure::dense, Structure::saddle_point})
    for (const std::int64_t wide_from : {100, 1000}) {
      const DeviceProblem<T> problem{"", structured<T>(structure, is_complex<T> ? 200 : 250, 2)};
      const LdltOptions options{.variant = {.pivoting = wide_from == 100 ? Pivoting::rook : Pivoting::partial}};
      const auto factor = [&](LaneOrder order, int blocks) {
        return ldlt_emulated<T>(pack<T>(problem.A, InputTriangle::lower), options, order,
                                {.resident_blocks = blocks, .wide_panels_from = wide_from});
      };
      const auto f = factor(LaneOrder::shuffled, 8);
      EXPECT_EQ(panel_fault(problem, f, ldlt<T>(problem.A, options)), "");
      EXPECT_EQ(difference(factor(LaneOrder::reverse, 1), f), "");
    }
}

// The searches of a panel take several kernels: each moves column by column to the middle of Clement's matrix.
TYPED_TEST(LdltEmulation, PanelsGoOnInAnotherKernel) {
  using T = TypeParam;
  const Matrix<double> clement150 = clement(150);
  const DeviceProblem<T> problem{"", from_lower<T>(150, [&](Index i, Index j) { return T(clement150(i, j)); })};
  const LdltOptions options{.variant = {.pivoting = Pivoting::rook}};
  const auto f = ldlt_emulated<T>(pack<T>(problem.A, InputTriangle::lower), options);
  EXPECT_EQ(panel_fault(problem, f, ldlt<T>(problem.A, options)), "");
}

TYPED_TEST(LdltEmulation, FactorsWithoutSearch) {
  using T = TypeParam;
  LaneOrder other = LaneOrder::shuffled;
  Index accepted = 0;
  for (const auto& problem : unsearched_problems<T>()) {
    other = other == LaneOrder::reverse ? LaneOrder::shuffled : LaneOrder::reverse;
    for (const int depth : {0, 1, 2}) {
      if (const Index strips = problem.A.rows() / 64; strips >= 4 && depth != strips % 2 + 1)
        continue;  // they take long
      SCOPED_TRACE(problem.name + ", depth " + std::to_string(depth));
      const LdltOptions options{.variant = {.pivoting = Pivoting::none, .depth = depth}, .symmetry = problem.symmetry};
      const auto packed = pack<T>(problem.A, InputTriangle::lower, problem.symmetry);
      const auto f = ldlt_emulated<T>(packed, options, LaneOrder::forward),
                 again = ldlt_emulated<T>(packed, options, other), by_host = ldlt<T>(packed, options);
      EXPECT_EQ(f.refusal, again.refusal);
      EXPECT_EQ(f.refusal.empty(), by_host.refusal.empty());
      if (!f.refusal.empty() || problem.A.rows() == 0) continue;
      EXPECT_EQ(difference(again, f), "");
      for (Index i = 0; i < f.butterfly.size(); ++i) ASSERT_EQ(f.butterfly.data()[i], by_host.butterfly.data()[i]);
      EXPECT_EQ(f.diagonal[0], by_host.diagonal[0]);  // the kernels mix with the bits of the host
      EXPECT_EQ(f.inertia, by_host.inertia);
      EXPECT_EQ(shape_fault(f), "");
      const Matrix<T> R = f.reconstruct();
      double error = 0;
      for (Index i = 0; i < R.size(); ++i)
        error = std::max(error, ldlt_detail::modulus(T(R.data()[i] - problem.A.data()[i])));
      EXPECT_LT(error, 30 * static_cast<double>(f.order()) * 0x1p-53 * f.norm_inf);
      ++accepted;
    }
  }
  EXPECT_GE(accepted, 20);
}

TYPED_TEST(LdltEmulation, ChoosesThePivotsOfTheHostForEveryAlpha) {
  using T = TypeParam;
  for (const Structure structure : {Structure::dense, Structure::small_integers, Structure::zero_diagonal})
    for (const double alpha : some_alphas)
      for (const Pivoting pivoting : {Pivoting::partial, Pivoting::rook}) {
        SCOPED_TRACE(testing::Message() << to_string(pivoting) << ", alpha " << alpha << ", structure "
                                        << int(structure));
        LdltOptions options{.variant = {.pivoting = pivoting, .alpha = alpha}};
        const DeviceProblem<T> problem{"", structured<T>(structure, 90, 3)};
        const auto by_host = ldlt<T>(problem.A, options);
        options.backend = Backend::emulation;
        EXPECT_EQ(panel_fault(problem, ldlt<T>(problem.A, options), by_host), "");
      }
}

TYPED_TEST(LdltEmulation, HasTheBitsOfTheHostForEquilibratedMatrices) {
  using T = TypeParam;
  auto A = structured<T>(Structure::saddle_point, 70, 5);
  std::vector<int> s;
  for (Index i = 0; i < A.rows(); ++i) s.push_back(static_cast<int>(i * i % 97) - 48);
  ldlt_detail::scale_symmetrically(A.view(), s);
  LdltOptions options{.variant = {.equilibrate = true}};
  const auto by_host = ldlt<T>(A, options);
  options.backend = Backend::emulation;
  EXPECT_EQ(difference(ldlt<T>(A, options), by_host), "");
}

template <class T>
std::string message_of(MatrixView<const T> A, LdltOptions options, Backend backend) {
  options.backend = backend;
  try {
    ldlt<T>(A, options);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// The device checks, measures, equilibrates and scales; what it finds are numbers of the host.
TYPED_TEST(LdltEmulation, PreparesMatricesAsTheHostDoes) {
  using T = TypeParam;
  int count = 0;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric}) {
    if (!is_complex<T> && symmetry == Symmetry::symmetric) continue;
    for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::none})
      for (const bool equilibrate : {false, true})
        for (const Index n : {0, 1, 64, 65})
          for (const int exponent : {-1070, 0, 900}) {
            LdltOptions options{.variant = {.pivoting = pivoting, .equilibrate = equilibrate}, .symmetry = symmetry};
            options.triangle =
                std::array{InputTriangle::whole, InputTriangle::lower, InputTriangle::upper}[++count % 3];
            SCOPED_TRACE(testing::Message() << to_string(pivoting) << (equilibrate ? ", equilibrated" : "") << ", n = "
                                            << n << ", 2^" << exponent << ", triangle " << int(options.triangle));
            Matrix<T> A = structured<T>(Structure::dense, n, 3, symmetry);
            std::vector<int> s;
            for (Index i = 0; i < n; ++i) s.push_back(exponent / 2 + (exponent == 0 ? int(i * i % 97) - 48 : 0));
            ldlt_detail::scale_symmetrically(A.view(), s);
            for (Index j = 0; j < n; ++j)
              for (Index i = 0; i < n; ++i)
                if (i > j ? options.triangle == InputTriangle::upper
                          : i < j && options.triangle == InputTriangle::lower)
                  A(i, j) = T(std::numeric_limits<double>::quiet_NaN());
            Surrounded<T> around(A);
            const auto packed = pack<T>(A, options.triangle, symmetry);
            const auto by_host = ldlt<T>(A, options);
            options.backend = Backend::emulation;
            const auto f = ldlt<T>(around.view(), options);
            EXPECT_EQ(difference(f, ldlt<T>(packed, options)), "");
            EXPECT_EQ(difference(f, ldlt<T>(A, options)), "");
            EXPECT_EQ(f.scaling, by_host.scaling);
            EXPECT_EQ(f.scaling_error, by_host.scaling_error);
            EXPECT_EQ(f.norm_inf, by_host.norm_inf);
            EXPECT_EQ(f.largest_element, by_host.largest_element);
            EXPECT_EQ(f.tolerance, by_host.tolerance);
            if (pivoting == Pivoting::complete) {
              EXPECT_EQ(difference(f, by_host), "");
            }
          }
  }
}

TYPED_TEST(LdltEmulation, RefusesMatricesInTheWordsOfTheHost) {
  using T = TypeParam;
  constexpr Index n = 66;
  const T nan(std::numeric_limits<double>::quiet_NaN()), infinite(-std::numeric_limits<double>::infinity());
  const Matrix<T> A = structured<T>(Structure::dense, n, 3);
  int refused = 0;
  const auto compare = [&](const Matrix<T>& bad, Symmetry symmetry) {
    for (const InputTriangle triangle : {InputTriangle::whole, InputTriangle::lower, InputTriangle::upper}) {
      const LdltOptions options{.variant = {.pivoting = Pivoting::partial}, .symmetry = symmetry, .triangle = triangle};
      const std::string by_host = message_of<T>(bad, options, Backend::host);
      EXPECT_EQ(message_of<T>(bad, options, Backend::emulation), by_host) << int(triangle);
      refused += by_host != "accepted";
    }
  };
  for (const auto& [i, j] : {std::pair<Index, Index>(65, 0), {0, 65}, {3, 2}, {2, 3}, {64, 64}, {0, 0}}) {
    SCOPED_TRACE(testing::Message() << "element " << i << ", " << j);
    for (const T& x : {nan, infinite, T(std::nextafter(real_part(A(i, j)), 2.0))}) {
      Matrix<T> bad = A;
      bad(i, j) = x;
      compare(bad, Symmetry::hermitian);
      bad(10, 20) = nan, bad(30, 20) += T(1);
      compare(bad, Symmetry::hermitian);
    }
    Matrix<T> infinities = A;
    infinities(i, j) = infinities(j, i) = infinite;
    compare(infinities, Symmetry::hermitian);
  }
  if constexpr (is_complex<T>) {
    Matrix<T> bad = A;
    bad(64, 64) += T(0, 0x1p-1070);
    compare(bad, Symmetry::hermitian);
    compare(bad, Symmetry::symmetric);
  }
  EXPECT_GE(refused, 50);
}

// Columns of matrices from this order on are uploaded in several parts.
TEST(LdltEmulationInput, ImportsLargeMatricesInParts) {
  using T = std::complex<double>;
  constexpr Index n = 2100;
  constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
  Matrix<T> A = from_lower<T>(n, [](Index i, Index j) { return T(double(i * 31 % 97), double((i - j) * j % 89)); });
  const LdltOptions options{.variant = {.pivoting = Pivoting::rook}};
  const auto factorizer = ldlt_device::make_emulated_factorizer<T>(factorization_plan<T>(n, options));
  auto& matrix = factorizer->matrix();
  const auto sizes_are_those_of = [&](const PackedTriangle<T>& packed) {
    const auto sizes = matrix.row_sizes();
    matrix.import_packed(packed.elements().data(), packed.diagonal().data());
    const auto expected = matrix.row_sizes();
    return std::ranges::equal(sizes, expected,
                              [](const auto& x, const auto& y) { return x.sum == y.sum && x.largest == y.largest; });
  };
  EXPECT_TRUE(matrix.import_dense({A, true, true}));
  const auto packed = pack<T>(A, InputTriangle::lower);
  EXPECT_TRUE(sizes_are_those_of(packed));
  const T last = A(2099, 2050);
  A(2099, 2050) = T(last.real() + 1, last.imag());
  EXPECT_FALSE(matrix.import_dense({A, true, true}));
  EXPECT_TRUE(matrix.import_dense({A, false, true}));
  EXPECT_TRUE(sizes_are_those_of(packed));
  A(2099, 2050) = last, A(1, 2099) = nan;
  EXPECT_FALSE(matrix.import_dense({A, true, true}));
  EXPECT_FALSE(matrix.import_dense({A, false, true}));
  EXPECT_TRUE(matrix.import_dense({A, true, false}));
  EXPECT_TRUE(sizes_are_those_of(packed));
}

TYPED_TEST(LdltEmulation, MeasuresErrorsOfFactorsWithoutSearchAsTheHostDoes) {
  using T = TypeParam;
  for (const Index n : {0, 1, 64, 65, 200}) {
    const LdltOptions options{.variant = {.pivoting = Pivoting::none}};
    const auto factorizer = ldlt_device::make_emulated_factorizer<T>(factorization_plan<T>(n, options));
    LdltFactorization<T> f;
    f.M = structured<T>(Structure::dense, n, 3);
    factorizer->matrix().import_dense({f.M, true, false});
    std::vector<double> rho, pivots;
    for (Index i = 0; i < n; ++i) {
      f.diagonal.push_back(T(i % 7 - 3.25));
      pivots.push_back(std::abs(i % 7 - 3.25));
      rho.push_back(1 + static_cast<double>(i % 5));
    }
    EXPECT_EQ(factorizer->matrix().squares_of_rows(pivots), ldlt_detail::squares_of_rows(f, 1));
    const auto solve = [&](auto& first, auto& second) { factorizer->matrix().solve(first, second); };
    const auto propagated = ldlt_detail::propagated_errors<T>(f.M, rho);
    EXPECT_EQ(ldlt_detail::propagated_errors<T>(rho, solve), propagated);
    EXPECT_TRUE(n < 64 || propagated.back() > 2 * rho.back());
  }
}

TYPED_TEST(LdltEmulation, TakesRookPivotingAfterAnEliminationWithoutASearch) {
  using T = TypeParam;
  for (const Structure structure : {Structure::zero_diagonal, Structure::low_rank}) {  // refused at once, at the end
    const Matrix<T> A = structured<T>(structure, 70, 3);
    LdltOptions options{.variant = {.pivoting = Pivoting::none, .equilibrate = true, .depth = 0},
                        .backend = Backend::emulation};
    const auto f = ldlt<T>(A, options), of_packed = ldlt<T>(pack<T>(A, InputTriangle::upper), options);
    EXPECT_NE(f.refusal, "");
    EXPECT_EQ(f.refusal, of_packed.refusal);
    EXPECT_EQ(f.variant, options.variant);
    EXPECT_EQ(f.butterfly.size(), 0);
    options.variant.pivoting = Pivoting::rook;
    EXPECT_EQ(difference(f, ldlt<T>(A, options)), "");
    EXPECT_EQ(difference(of_packed, f), "");
  }
}

TEST(LdltEmulationInput, RefusesScalarsWithoutKernels) {
  EXPECT_THROW(ldlt<long double>(Matrix<long double>(2, 2), LdltOptions{.backend = Backend::emulation}), NotSupported);
}

}  // namespace
}  // namespace pivotlab::ldlt_emulation_test
