// The hyperbolic SVD of a given (G, J): properties of the decomposition, and its accuracy against that of Quad.
#include "defects.hpp"

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
  EXPECT_THROW(hsvd<double>(Matrix<double>(2, 3)), InputError);
  EXPECT_THROW(hsvd<double>(G, {1, 1}), InputError);
  EXPECT_THROW(hsvd<double>(G, {1, 0, 1}), InputError);
  EXPECT_THROW(hsvd<double>(G, {}, {.max_sweeps = 0}), InputError);
  EXPECT_THROW(hsvd<Quad>(Matrix<Quad>::identity(3), {}, {.backend = Backend::emulation}), NotSupported);
  Matrix<double> tiny = G;
  tiny(1, 1) = 0x1p-500;
  EXPECT_THROW(hsvd<double>(tiny), InputError);
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
  const auto parallel = decide_jacobi<false>(PivotMatrix<double>{1, 1, 1, 0}, -1.0, rules);
  EXPECT_EQ(parallel.clamped, 1);
  EXPECT_LT(std::abs(parallel.t), 1);
  EXPECT_TRUE(std::isfinite(parallel.update.y_factor));
}

}  // namespace
}  // namespace pivotlab::hsvd_test
