// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic SVD of a given (G, J): properties of the decomposition, and its accuracy against that of Quad.
#include "defects.hpp"

#include "kernels/jacobi/j_orthogonality.hpp"
#include "kernels/jacobi/shared/problem.hpp"

#include <gtest/gtest.h>

#include <pivotlab/error.hpp>

#include <limits>

namespace pivotlab::hsvd_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
const char* const forms[] = {"HSVD-ME-BO;w=8", "HSVD-ME-FB;w=4", "HSVD-RR-PT", "HSVD-MM-BO;w=8;factor=qr",
                             "HSVD-ME-FB;w=8;fix"};

template <class T>
HsvdResult<T> solve(const Matrix<T>& G, const std::vector<int>& J, std::string_view name) {
  return hsvd<T>(G, J, {.variant = parse_hsvd_variant(name), .compute_v = true, .threads = 1});
}

template <class T>
void check(const Matrix<T>& G, const std::vector<int>& J, const char* form) {
  const auto r = solve(G, J, form);
  const double unit = static_cast<double>(G.cols()) * eps;
  EXPECT_EQ(r.status, Status::passed) << form << ": " << r.message;
  EXPECT_LE(defect_of_g(G, r, J), 10 * unit) << form;
  EXPECT_LE(defect_of_v(r, J), unit) << form;
  EXPECT_EQ(std::ranges::count(r.J, 1), J.empty() ? G.cols() : std::ranges::count(J, 1)) << form;
}

TEST(Hsvd, EveryFormDecomposes) {
  std::mt19937_64 generator(1);
  for (const char* form : forms) {
    check(random_matrix<double>(40, 33, generator), half(33), form);
    check(random_matrix<double>(33, 33, generator), {}, form);
    check(random_matrix<double>(20, 20, generator), std::vector<int>(20, -1), form);
    check(random_matrix<Complex>(24, 21, generator), half(21), form);
    check(random_matrix<Complex>(18, 18, generator), {}, form);
    check(random_matrix<double>(3, 1, generator), {-1}, form);
  }
}

/// G = B·D with κ(B) = kappa and D = 1…1e-10.
Matrix<double> scaled_columns(Index n, double kappa, unsigned seed) {
  std::mt19937_64 generator(seed);
  const auto s = decades(n, std::log10(kappa)), d = shuffled(decades(n, 10), generator);
  Matrix<double> U = orthonormal<double>(n, n, generator);
  const Matrix<double> V = orthonormal<double>(n, n, generator);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) U(i, j) *= s[j];
  Matrix<double> G(n, n);
  for (Index j = 0; j < n; ++j) {
    double norm = 0;
    for (Index i = 0; i < n; ++i) {
      for (Index l = 0; l < n; ++l) G(i, j) += U(i, l) * V(j, l);
      norm += G(i, j) * G(i, j);
    }
    for (Index i = 0; i < n; ++i) G(i, j) *= d[j] / std::sqrt(norm);
  }
  return G;
}

TEST(Hsvd, ErrorsDependOnTheConditionOfUnitColumnsOnly) {
  const Index n = 32;
  for (const double kappa : {1e1, 1e3, 1e5})
    for (const std::vector<int>& J : {half(n), std::vector<int>()}) {
      const Matrix<double> G = scaled_columns(n, kappa, 2);
      const auto truth = hsvd<Quad>(converted<Quad>(G), J, {.variant = parse_hsvd_variant("HSVD-ME-PT"), .threads = 1});
      for (const char* form : forms) {
        const auto r = solve(G, J, form);
        EXPECT_EQ(r.status, Status::passed) << r.message;
        for (Index j = 0; j < n; ++j) {
          const double error = 2 * std::abs(static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j]));
          EXPECT_LE(error, 4 * n * eps * kappa) << form << " " << kappa;  // λ = ±σ²; unit columns change κ by a few
          EXPECT_LE(error, 10 * r.estimate[j] * kappa) << form << " " << kappa;
        }
      }
    }
}

TEST(Hsvd, SortingSavesSweepsExceptWithRoundRobin) {
  std::mt19937_64 generator(9);
  const Matrix<double> G = random_matrix<double>(256, 256, generator);
  for (const char* form : {"HSVD-ME-BO;w=16", "HSVD-ME-PT"}) {
    const auto sorted = solve(G, half(256), form), not_sorted = solve(G, half(256), std::string(form) + ";sort=off");
    EXPECT_EQ(sorted.status, Status::passed);
    EXPECT_EQ(not_sorted.status, Status::passed);
    EXPECT_LT(sorted.sweeps.size(), not_sorted.sweeps.size()) << form;
  }
  const auto sorted = solve(G, half(256), "HSVD-RR-BO"), not_sorted = solve(G, half(256), "HSVD-RR-BO;sort=off");
  EXPECT_EQ(sorted.sigma, not_sorted.sigma);
}

const char* const preconditioned[] = {"HSVD-ME-BO;w=8;qrp", "HSVD-ME-FB;w=4;qrp", "HSVD-RR-PT;qrp"};

TEST(PreconditionedHsvd, EveryFormDecomposes) {
  std::mt19937_64 generator(1);
  for (const char* form : preconditioned) {
    check(random_matrix<double>(40, 33, generator), {}, form);
    check(random_matrix<double>(20, 20, generator), std::vector<int>(20, -1), form);
    check(random_matrix<Complex>(24, 21, generator), {}, form);
    check(random_matrix<double>(3, 1, generator), {}, form);
    check(Matrix<double>(4, 3), {}, form);
  }
}

TEST(PreconditionedHsvd, EstimatesHoldAndErrorsDependOnTheConditionOfUnitColumnsOnly) {
  const Index n = 32;
  for (const double kappa : {1e1, 1e3, 1e5, 1e7}) {
    const Matrix<double> G = scaled_columns(n, kappa, 2);
    const auto truth = hsvd<Quad>(converted<Quad>(G), {}, {.variant = parse_hsvd_variant("HSVD-ME-PT"), .threads = 1});
    for (const char* form : preconditioned)
      for (const bool accumulated : {true, false}) {
        const auto r =
            hsvd<double>(G, {}, {.variant = parse_hsvd_variant(form), .compute_v = accumulated, .threads = 1});
        EXPECT_EQ(r.status, Status::passed) << r.message;
        for (Index j = 0; j < n; ++j) {
          const double error = 2 * std::abs(static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j]));
          EXPECT_LE(error, 4 * n * eps * kappa) << form << " " << kappa;
          EXPECT_LE(error, r.estimate[j]) << form << " " << kappa;
        }
      }
  }
}

TEST(PreconditionedHsvd, NeedsFewerSweepsForColumnsThatAreNotSorted) {
  std::mt19937_64 generator(7);
  Matrix<double> G = random_matrix<double>(96, 96, generator);
  for (Index j = 0; j < G.cols(); ++j)
    for (Index i = j + 1; i < G.rows(); ++i) G(i, j) *= 1e-3;
  const auto sweeps = [&](const char* name) { return std::ssize(solve(G, {}, name).sweeps); };
  EXPECT_LT(sweeps("HSVD-ME-PT;qrp"), sweeps("HSVD-ME-PT"));
}

TEST(PreconditionedHsvd, DependentColumnsAreKnownByTheirEstimates) {
  std::mt19937_64 generator(4);
  for (const char* form : preconditioned) {
    const Matrix<double> G =
        multiplied(false, random_matrix<double>(32, 20, generator), random_matrix<double>(20, 30, generator));
    const auto r = solve(G, {}, form);
    EXPECT_EQ(r.status, Status::passed) << form << ": " << r.message;
    for (Index j = 0; j < 30; ++j) EXPECT_EQ(10 * r.estimate[j] >= 1, j >= 20) << form << " " << r.sigma[j];
    EXPECT_LE(defect_of_v(r, {}), 32 * eps);
  }
}

TEST(PreconditionedHsvd, HasTheSameBitsForAnyNumberOfThreads) {
  std::mt19937_64 generator(6);
  const Matrix<double> G = random_matrix<double>(70, 65, generator);
  const auto solved = [&](int threads) {
    return hsvd<double>(G, {},
                        {.variant = parse_hsvd_variant("HSVD-ME-BO;w=8;qrp"), .compute_v = true, .threads = threads});
  };
  const auto one = solved(1), two = solved(2);
  EXPECT_EQ(one.sigma, two.sigma);
  EXPECT_EQ(one.estimate, two.estimate);
  EXPECT_TRUE(std::equal(one.V.data(), one.V.data() + one.V.size(), two.V.data()));
}

TEST(PreconditionedHsvd, RefusesSignsThatDiffer) {
  EXPECT_THROW(solve(Matrix<double>::identity(3), {1, -1, 1}, "HSVD-ME-BO;qrp"), InputError);
}

TEST(Hsvd, NormsDoNotDriftWithTheNumberOfTransformations) {
  std::mt19937_64 generator(3);
  for (const char* form : {"HSVD-ME-PT", "HSVD-ME-FB;w=16"}) {
    const Index n = 128;
    const auto J = half(n);
    const auto r = solve(random_matrix<double>(n, n, generator), J, form);
    double mean = 0;
    for (Index j = 0; j < n; ++j) {
      Quad sum = 0;
      for (Index i = 0; i < n; ++i) sum += Quad(r.V(i, j)) * Quad(r.V(i, j)) * Quad(J[i]);
      mean += static_cast<double>(sum * Quad(r.J[j]) - Quad(1)) / n;
    }
    EXPECT_LE(std::abs(mean), form[8] == 'P' ? 1e-15 : 4e-15) << form;
  }
}

TEST(Hsvd, DependentColumnsGiveZeros) {
  std::mt19937_64 generator(4);
  for (const char* form : forms) {
    const Matrix<double> G =
        multiplied(false, random_matrix<double>(32, 20, generator), random_matrix<double>(20, 30, generator));
    const auto r = solve(G, {}, form);
    EXPECT_EQ(r.status, Status::passed) << form << ": " << r.message;
    for (Index j = 0; j < 30; ++j) EXPECT_EQ(10 * r.estimate[j] >= 1, j >= 20) << form << " " << r.sigma[j];
    EXPECT_LE(defect_of_v(r, {}), 32 * eps);
    const Matrix<double> UU = multiplied(true, r.U, r.U);
    for (Index j = 0; j < 30; ++j)
      for (Index i = 0; i < 30; ++i) EXPECT_NEAR(UU(i, j), i == j, 100 * eps) << form;
  }
}

TEST(Hsvd, NearlyParallelColumnsOfDifferentSignLimitTheTransformation) {
  const Index n = 16;
  std::mt19937_64 generator(5);
  const Matrix<double> Q = orthonormal<double>(n, n, generator);
  for (const double delta : {1e-2, 1e-4, 1e-6}) {
    Matrix<double> G = Q;
    for (Index j = n / 2; j < n; ++j)
      for (Index i = 0; i < n; ++i) G(i, j) = Q(i, j - n / 2) + delta * Q(i, j);
    const auto truth =
        hsvd<Quad>(converted<Quad>(G), half(n), {.variant = parse_hsvd_variant("HSVD-ME-PT"), .threads = 1});
    for (const char* form : forms) {
      const auto r = solve(G, half(n), form);
      EXPECT_EQ(r.status, Status::passed) << r.message;
      EXPECT_LE(defect_of_v(r, half(n)), n * eps) << form;
      for (Index j = 0; j < n; ++j)
        EXPECT_LE(std::abs(static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j])), 10 * eps / delta)
            << form << " " << delta;
    }
  }
}

TEST(Hsvd, ZeroColumnsAndTheEmptyMatrix) {
  EXPECT_EQ(hsvd<double>(Matrix<double>(3, 0)).status, Status::passed);
  Matrix<double> G(4, 3);
  G(1, 2) = 2;
  const auto r = solve(G, {1, -1, 1}, "HSVD-ME-BO;w=2");
  EXPECT_EQ(r.status, Status::passed) << r.message;
  EXPECT_EQ(r.sigma, (std::vector<double>{2, 0, 0}));
}

TEST(Hsvd, RefusesWrongInput) {
  const Matrix<double> G = Matrix<double>::identity(3);
  EXPECT_THROW(hsvd<double>(Matrix<double>(2, 3), {1, -1, 1}), InputError);
  EXPECT_THROW(hsvd<double>(Matrix<double>(2, 3), {1, 1}), InputError);
  EXPECT_THROW(hsvd<double>(G, {1, 1}), InputError);
  EXPECT_THROW(hsvd<double>(G, {1, 0, 1}), InputError);
  EXPECT_THROW(hsvd<double>(G, {}, {.max_sweeps = 0}), InputError);
  EXPECT_THROW(hsvd<Quad>(Matrix<Quad>::identity(3), {}, {.backend = Backend::emulation}), NotSupported);
  Matrix<double> large(3, 3);
  std::fill_n(large.data(), 9, 0x1p1023);
  EXPECT_THROW(hsvd<double>(large), InputError);  // σ = 3·2^1023
}

/// The Läuchli matrix: a row of ones above μ·I.
Matrix<double> laeuchli(Index n, double mu) {
  Matrix<double> G(n + 1, n);
  for (Index j = 0; j < n; ++j) G(0, j) = 1, G(j + 1, j) = mu;
  return G;
}

TEST(Hsvd, VIsJOrthogonalForNearlyParallelColumnsOfDifferentSigns) {
  for (const char* form : forms)
    for (const double mu : {1e-2, 1e-4, 1.2e-4, 1e-6, 1e-7})
      for (const std::vector<int>& J :
           {std::vector{1, 1, -1}, {1, -1, 1}, {1, -1, 1, -1}, {1, 1, -1, 1, 1, -1}, {-1, 1, -1, -1}}) {
        const Index n = std::ssize(J);
        const auto r = solve(laeuchli(n, mu), J, form);
        ASSERT_EQ(r.status, Status::passed) << form << ", mu " << mu << ", n " << n << ": " << r.message;
        EXPECT_TRUE(jacobi::defects_of(laeuchli(n, mu), J, r, 1).are_rounding(n + 1, n)) << form << ", mu " << mu;
        const auto truth = hsvd<Quad>(converted<Quad>(laeuchli(n, mu)), J,
                                      {.variant = parse_hsvd_variant("HSVD-ME-PT"), .threads = 1});
        for (std::size_t j = 0; j < J.size(); ++j) {
          if (r.estimate[j] >= 0.1) continue;
          const double error = static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j]);
          EXPECT_LE(2 * std::abs(error), 10 * r.estimate[j]) << form << ", mu " << mu << ", n " << n << ", " << j;
        }
      }
}

TEST(Hsvd, SaysThatAnIllDeterminedDecompositionDidNotPass) {
  Matrix<double> G(2, 2);
  G(0, 0) = G(0, 1) = 1;  // equal columns of different signs: no decomposition
  EXPECT_EQ(solve(G, {1, -1}, "HSVD-ME-PT").status, Status::not_converged);
}

TEST(Hsvd, TinyParallelColumnsStayFinite) {
  std::mt19937_64 generator(8);
  for (const char* form : forms)
    for (int exponent = -470; exponent <= -100; exponent += 37)
      for (const int sign : {1, -1}) {
        const Index n = 5;
        Matrix<Complex> G(n, n);
        for (Index j = 0; j + 1 < n; ++j)
          for (Index i = 0; i + 1 < n; ++i)
            G(i, j) = Complex(i + 1, 2 - i) * Complex(2 - j, j + 1) * std::ldexp(1.0, exponent);
        G(n - 1, n - 1) = 1;
        const auto r = solve(G, {1, 1, 1, 1, sign}, form);
        EXPECT_EQ(r.status, Status::passed) << form << " " << exponent << ": " << r.message;
        EXPECT_LE(defect_of_v(r, {1, 1, 1, 1, sign}), n * eps) << form << " " << exponent;
      }
}

TEST(Hsvd, ColumnsMayBeAnyDistanceApart) {
  Matrix<double> G(3, 3);
  G(0, 0) = 1, G(1, 1) = 0.01, G(2, 2) = 1e-310;
  for (const char* form : {"HSVD-ME-BO", "HSVD-ME-PT", "HSVD-ME-BO;qrp"}) {
    const auto r = solve(G, {}, form);
    EXPECT_EQ(r.status, Status::passed);
    EXPECT_EQ(r.sigma, (std::vector<double>{1, 0.01, 1e-310})) << form;
    EXPECT_LT(r.estimate.back(), 1e-13);
  }
  const auto denormal = solve(Matrix<double>(1, 1), {}, "HSVD-ME-PT");
  EXPECT_EQ(denormal.sigma.front(), 0);
  Matrix<double> least(2, 1);
  least(0, 0) = 3 * 0x1p-1074, least(1, 0) = 4 * 0x1p-1074;
  const auto r = solve(least, {}, "HSVD-ME-BO");
  EXPECT_EQ(r.sigma.front(), 5 * 0x1p-1074);
  EXPECT_GE(r.estimate.front(), 0.1);  // a unit of the last place is a fifth of it
}

TEST(Hsvd, OnlyZerosOfZeroColumnsAreExact) {
  Matrix<double> G(4, 4);
  for (Index i = 0; i < 4; ++i) G(i, 0) = i + 1, G(i, 2) = 3 * (i + 1);  // parallel
  for (const char* form : {"HSVD-ME-BO", "HSVD-ME-PT", "HSVD-ME-BO;fix", "HSVD-ME-BO;qrp"})
    for (const int sign : {1, -1}) {
      const auto r = solve(G, std::vector<int>(4, sign), form);
      const auto at = [&](std::size_t k) { return sign > 0 ? k : 3 - k; };
      EXPECT_LT(r.estimate[at(0)], 1e-14) << form;
      EXPECT_EQ(r.estimate[at(1)], 1) << form;
      EXPECT_EQ(r.estimate[at(2)], 0) << form;
      EXPECT_EQ(r.estimate[at(3)], 0) << form;
      EXPECT_EQ(r.sigma[at(3)], 0) << form;
    }
}

TEST(Hsvd, WideMatricesAreDecomposedByTheirAdjoint) {
  std::mt19937_64 generator(10);
  const Matrix<Complex> G = random_matrix<Complex>(5, 9, generator);
  for (const char* form : {"HSVD-ME-BO", "HSVD-ME-PT;qrp"})
    for (const int sign : {1, -1}) {
      const auto r = solve(G, std::vector<int>(9, sign), form);
      EXPECT_EQ(r.status, Status::passed);
      EXPECT_EQ(std::pair(r.U.rows(), r.U.cols()), std::pair(Index(5), Index(5)));
      EXPECT_EQ(std::pair(r.V.rows(), r.V.cols()), std::pair(Index(9), Index(5)));
      EXPECT_EQ(r.J, std::vector<int>(5, sign));
      for (Index j = 0; j < 9; ++j)
        for (Index i = 0; i < 5; ++i) {
          Complex sum(0);
          for (Index k = 0; k < 5; ++k) sum += r.U(i, k) * r.sigma[k] * std::conj(r.V(j, k));
          EXPECT_LE(std::abs(sum - G(i, j)), 100 * eps);
        }
    }
  EXPECT_EQ(hsvd<Complex>(G).V.size(), 0);
  const auto empty = hsvd<double>(Matrix<double>(0, 3), {}, {.compute_v = true});
  EXPECT_EQ(empty.status, Status::passed);
  EXPECT_EQ(std::pair(empty.V.rows(), empty.V.cols()), std::pair(Index(3), Index(0)));
  EXPECT_EQ(empty.U.rows(), 0);
}

/// Returns D·B, D = 1…1e-decades in random order, B random.
Matrix<double> graded_rows(Index n, double number, unsigned seed) {
  std::mt19937_64 generator(seed);
  const auto d = shuffled(decades(n, number), generator);
  Matrix<double> G = random_matrix<double>(n, n, generator);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) G(i, j) *= d[i];
  return G;
}

TEST(ChosenHsvd, KeepsTheDigitsOfRowsOfDifferentSize) {
  for (const double number : {4.0, 12.0, 60.0}) {
    const Matrix<double> G = graded_rows(24, number, 3);
    const HsvdVariant variant = choose_hsvd_variant<double>(G);
    EXPECT_EQ(to_string(variant), "HSVD-ME-BO;qrp");
    Matrix<Quad> adjoint(24, 24);  // graded by columns, which the iteration alone decomposes accurately
    for (Index j = 0; j < 24; ++j)
      for (Index i = 0; i < 24; ++i) adjoint(j, i) = Quad(G(i, j));
    const auto truth = hsvd<Quad>(adjoint, {}, {.variant = parse_hsvd_variant("HSVD-ME-PT"), .threads = 1});
    for (const bool v : {true, false}) {
      const auto r = hsvd<double>(G, {}, {.variant = variant, .compute_v = v, .threads = 1});
      for (std::size_t j = 0; j < 24; ++j) {
        const double error = 2 * std::abs(static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j]));
        EXPECT_LE(error, 1e-11) << number << ", " << j;
        EXPECT_LE(error, r.estimate[j]) << number << ", " << j;
        EXPECT_LE(r.estimate[j], 1e-9) << number << ", " << j;
      }
    }
  }
}

TEST(ChosenHsvd, IsThePlainOneElsewhere) {
  std::mt19937_64 generator(11);
  Matrix<double> G = random_matrix<double>(20, 16, generator);
  EXPECT_EQ(choose_hsvd_variant<double>(G), HsvdVariant{});
  for (Index j = 0; j < 16; ++j)
    for (double& x : G.col(j)) x *= std::pow(10.0, -2.0 * static_cast<double>(j));
  EXPECT_EQ(choose_hsvd_variant<double>(G), HsvdVariant{});  // graded by columns
  const Matrix<double> rows = graded_rows(16, 8, 3);
  EXPECT_EQ(choose_hsvd_variant<double>(rows, half(16)), HsvdVariant{});
  EXPECT_EQ(choose_hsvd_variant<double>(rows, {}, Backend::emulation), HsvdVariant{});
  EXPECT_EQ(choose_hsvd_variant<double>(Matrix<double>(3, 0)), HsvdVariant{});
}

/// Applies a transformation to two columns of length 2, as the iteration does.
void apply(const JacobiUpdate<double>& u, double (&x)[2], double (&y)[2]) {
  for (int i = 0; i < 2; ++i) {
    const double a = x[i], b = y[i];
    x[i] = a + u.x_factor * (u.z_re * b + u.tau * a);
    y[i] = b + u.y_factor * (u.z_re * a + u.y_tau * b);
  }
}

TEST(JacobiRotation, MakesColumnsOrthogonal) {
  std::mt19937_64 generator(6);
  std::uniform_real_distribution<double> exponent(-140, 140);
  for (int trial = 0; trial < 2000; ++trial)
    for (const double sign : {1.0, -1.0}) {
      const double dx = std::pow(10, exponent(generator)), dy = std::pow(10, exponent(generator));
      double x[2] = {random_entry<double>(generator) * dx, random_entry<double>(generator) * dx};
      double y[2] = {random_entry<double>(generator) * dy, random_entry<double>(generator) * dy};
      const PivotMatrix<double> m{x[0] * x[0] + x[1] * x[1], y[0] * y[0] + y[1] * y[1], x[0] * y[0] + x[1] * y[1], 0};
      const auto pair = decide_jacobi<false>(m, sign, jacobi_rules<double>(2));
      EXPECT_EQ(pair.active, 1);
      EXPECT_EQ(pair.clamped, 0);
      EXPECT_LE(std::abs(pair.t), 1);
      const double sine2 = pair.update.y_factor * pair.update.y_factor;
      EXPECT_NEAR(sine2, (1 - sign * sine2) * pair.t * pair.t, 1e-14 * sine2);
      EXPECT_EQ(std::signbit(pair.t), std::signbit(pair.update.y_factor * m.xy_re));
      // The transformed columns are smaller where the old ones are nearly parallel; rounding errors are not.
      const double sine_of_angle2 = 1 - m.xy_re / m.xx * (m.xy_re / m.yy);
      apply(pair.update, x, y);
      const double nx = std::hypot(x[0], x[1]), ny = std::hypot(y[0], y[1]);
      EXPECT_LE(std::abs(x[0] / nx * (y[0] / ny) + x[1] / nx * (y[1] / ny)), 40 * eps / sine_of_angle2);
    }
}

TEST(JacobiRotation, SortsColumnsOfEqualSigns) {
  std::mt19937_64 generator(7);
  JacobiRules<double> rules = jacobi_rules<double>(2, true);
  for (int trial = 0; trial < 500; ++trial)
    for (const double sign_x : {1.0, -1.0}) {
      double x[2] = {random_entry<double>(generator), random_entry<double>(generator)};
      double y[2] = {random_entry<double>(generator), random_entry<double>(generator)};
      const PivotMatrix<double> m{x[0] * x[0] + x[1] * x[1], y[0] * y[0] + y[1] * y[1], x[0] * y[0] + x[1] * y[1], 0};
      const auto pair = decide_jacobi<false>(m, 1.0, rules);
      apply(pair.update, x, y);
      const bool descends = sign_x * std::hypot(x[0], x[1]) > sign_x * std::hypot(y[0], y[1]);
      rules.sorting = true;
      EXPECT_EQ(changes_places(pair, sign_x, 1.0, rules), !descends);
      EXPECT_FALSE(changes_places(decide_jacobi<false>(m, -1.0, rules), sign_x, -1.0, rules));
      rules.sorting = false;
      EXPECT_FALSE(changes_places(pair, sign_x, 1.0, rules));
    }
}

TEST(JacobiIteration, EndsWhenTheColumnsAreKnownToBeOrthogonal) {
  const Index m = 1000;
  const double rounding = 1e-15, negligible = 1e-13;  // √m·2u = 7e-15, (8 + m)·ε = 2e-13
  const HsvdSweep early{.big = 1, .largest_cosine = 1e-6, .largest_tan = 1e-5};
  const HsvdSweep last{.big = 0, .largest_cosine = 1e-9, .largest_tan = 1e-5};
  const auto sweeps_until_the_end = [&](const HsvdSweep& sweep, double cosine) {
    std::vector<HsvdSweep> sweeps;
    const bool orthogonal = jacobi::sweep_until_orthogonal<double>(
        m, {.max_sweeps = 9}, sweeps, [&] { return sweep; }, [&] { return sweeps.size() < 3 ? 0.1 : cosine; });
    EXPECT_EQ(orthogonal, sweeps.size() < 9);
    return sweeps.size();
  };
  EXPECT_EQ(sweeps_until_the_end(early, rounding), 3u);
  EXPECT_EQ(sweeps_until_the_end(early, negligible), 9u);
  EXPECT_EQ(sweeps_until_the_end(last, negligible), 3u);
  EXPECT_EQ(sweeps_until_the_end(last, std::numeric_limits<double>::quiet_NaN()), 9u);
  EXPECT_EQ(sweeps_until_the_end({.big = 1, .largest_cosine = 1e-4, .largest_tan = 1e-4}, rounding), 9u);
  EXPECT_EQ(sweeps_until_the_end({.largest_cosine = 1e-4, .largest_tanh = 1e-4}, rounding), 9u);
}

TEST(JacobiRotation, ZeroColumnsNeverRotateAndNanAlwaysDoes) {
  const auto rules = jacobi_rules<double>(2);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double sign : {1.0, -1.0}) {
    EXPECT_EQ(decide_jacobi<false>(PivotMatrix<double>{0, 1, 0, 0}, sign, rules).active, 0);
    EXPECT_EQ(decide_jacobi<true>(PivotMatrix<double>{0, 0, 0, 0}, sign, rules).active, 0);
    EXPECT_EQ(decide_jacobi<false>(PivotMatrix<double>{nan, 1, nan, 0}, sign, rules).active, 1);
  }
  // A product without digits belongs to rounding noise; its direction would not have the length 1.
  EXPECT_EQ(decide_jacobi<true>(PivotMatrix<double>{0x1p-1040, 0x1p-1040, 0x1p-1060, 0x1p-1061}, 1.0, rules).active, 0);
  const auto parallel = decide_jacobi<false>(PivotMatrix<double>{1, 1, 1, 0}, -1.0, rules);
  EXPECT_EQ(parallel.clamped, 1);
  EXPECT_LT(std::abs(parallel.t), 1);
  EXPECT_TRUE(std::isfinite(parallel.update.y_factor));
}

}  // namespace
}  // namespace pivotlab::hsvd_test
