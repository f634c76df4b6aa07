// SPDX-License-Identifier: BSD-3-Clause
// The SVD that is preconditioned by singular vectors in exact products: small σ of dense matrices against Quad.
#include "defects.hpp"

#include <gtest/gtest.h>

#include <pivotlab/baselines.hpp>
#include <pivotlab/device_hsvd.hpp>
#include <pivotlab/error.hpp>

#include <limits>

namespace pivotlab::hsvd_exact_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double eps = std::numeric_limits<double>::epsilon();
const char* const exact_forms[] = {"HSVD-ME-BO;w=8;exact", "HSVD-ME-FB;w=4;exact", "HSVD-RR-PT;exact"};

template <class T>
HsvdResult<T> solve(const Matrix<T>& G, const std::vector<int>& J, std::string_view name, int threads = 1,
                    Backend backend = Backend::host) {
  return hsvd<T>(G, J,
                 {.variant = parse_hsvd_variant(name), .backend = backend, .compute_v = true, .threads = threads});
}

/// Returns the errors of σ against the iteration in Quad.
template <class T>
std::vector<double> errors(const Matrix<T>& G, const HsvdResult<T>& r) {
  const auto truth =
      hsvd<Rebind<T, Quad>>(converted<Quad>(G), {}, {.variant = parse_hsvd_variant("HSVD-ME-PT"), .threads = 1});
  std::vector<double> result;
  for (std::size_t j = 0; j < r.sigma.size(); ++j)
    result.push_back(std::abs(static_cast<double>((Quad(r.sigma[j]) - truth.sigma[j]) / truth.sigma[j])));
  return result;
}

template <class T>
void expect_digits(const Matrix<T>& G, const char* form, Backend backend = Backend::host) {
  const auto r = solve(G, {}, form, 1, backend);
  ASSERT_EQ(r.status, Status::passed) << form << ": " << r.message;
  const bool by_eigenvectors = std::string_view(form).ends_with("spectral");
  EXPECT_EQ(r.sweeps.empty(), by_eigenvectors) << form;
  EXPECT_LE(defect_of_v(r, {}), eps) << form;
  EXPECT_LE(defect_of_g(G, r, {}), 10 * static_cast<double>(G.cols()) * eps) << form;
  const std::vector<double> error = errors(G, r);
  for (std::size_t j = 0; j < error.size(); ++j) {
    EXPECT_LE(error[j], 8 * eps) << form << ", " << j;
    EXPECT_LE(2 * error[j], r.estimate[j]) << form << ", " << j;
    EXPECT_LE(r.estimate[j], (by_eigenvectors ? 500 : 200) * eps) << form << ", " << j;
  }
}

TEST(HsvdByExactProducts, SmallSingularValuesOfDenseMatricesHaveTheirDigits) {
  for (const double kappa : {1e4, 1e10, 1e14, 1e16, 1e20}) {
    expect_digits(dense<double>(20, 20, kappa, 1), "HSVD-ME-BO;w=4;exact");
    expect_digits(dense<Complex>(11, 9, kappa, 2), "HSVD-ME-PT;exact");
  }
  for (const char* form : exact_forms) expect_digits(dense<double>(23, 15, 1e14, 3), form);
  const Matrix<double> G = dense<double>(20, 20, 1e14, 1);
  EXPECT_GT(errors(G, solve(G, {}, "HSVD-ME-BO;w=4")).back(), 1e-6);
}

TEST(HsvdByExactProducts, EigenvectorsGiveTheDigitsOfDenseMatricesToo) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  const char* form = "HSVD-ME-BO;exact;spectral";
  for (const double kappa : {1e2, 1e10, 1e16}) {
    expect_digits(dense<double>(20, 20, kappa, 1), form);
    expect_digits(dense<double>(25, 14, kappa, 3), form);
    expect_digits(dense<Complex>(11, 9, kappa, 2), form);
  }
  expect_digits(dense<double>(7, 6, 1e10, 3), form, Backend::emulation);
  expect_digits(dense<Complex>(5, 4, 1e6, 2), form, Backend::emulation);
}

TEST(HsvdByExactProducts, TheIterationTakesOverWhereEigenvectorsFail) {
  if (blas_version().empty()) GTEST_SKIP() << "no LAPACK";
  Matrix<double> parallel(4, 4);
  for (Index i = 0; i < 4; ++i) parallel(i, 0) = i + 1, parallel(i, 1) = 3 * (i + 1), parallel(i, i) += 1e-3 * (i < 2);
  std::mt19937_64 generator(3);
  const Matrix<double> dependent =
      multiplied(false, random_matrix<double>(12, 5, generator), random_matrix<double>(5, 9, generator));
  for (const Matrix<double>& singular : {parallel, dependent}) {
    const auto r = solve(singular, {}, "HSVD-ME-BO;exact;spectral");
    EXPECT_EQ(r.status, Status::passed) << r.message;
    EXPECT_FALSE(r.sweeps.empty());
  }
  EXPECT_FALSE(solve(dense<double>(6, 6, 10, 1), std::vector<int>(6, -1), "HSVD-ME-BO;exact;spectral").sweeps.empty());
}

TEST(HsvdByExactProducts, ErrorsNameTheElementThatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
    for (const char* form : {"HSVD-ME-BO;exact", "HSVD-ME-BO;exact;spectral"})
      for (const Backend backend : {Backend::host, Backend::emulation}) {
        Matrix<double> G = dense<double>(6, 5, 10, 1);
        G(3, 2) = bad;
        try {
          solve(G, {}, form, 1, backend);
          ADD_FAILURE() << form;
        } catch (const InputError& error) {
          EXPECT_NE(std::string(error.what()).find("(4, 3)"), std::string::npos) << form << ": " << error.what();
        }
      }
}

TEST(HsvdByExactProducts, SmallSingularValuesOfMatricesGradedOnBothSidesHaveTheirDigits) {
  std::mt19937_64 generator(5);
  const auto rows = shuffled(decades(16, 9), generator), columns = shuffled(decades(16, 9), generator);
  Matrix<double> G = random_matrix<double>(16, 16, generator);
  for (Index j = 0; j < 16; ++j)
    for (Index i = 0; i < 16; ++i) G(i, j) *= rows[i] * columns[j];
  expect_digits(G, "HSVD-ME-BO;w=4;exact");
}

TEST(HsvdByExactProducts, EveryFormDecomposes) {
  const auto check = [](const auto& G, const std::vector<int>& J, const char* form) {
    const auto r = solve(G, J, form);
    EXPECT_EQ(r.status, Status::passed) << form << ": " << r.message;
    EXPECT_LE(defect_of_v(r, J), eps) << form;
    EXPECT_LE(defect_of_g(G, r, J), 10 * static_cast<double>(G.cols()) * eps) << form;
  };
  std::mt19937_64 generator(1);
  for (const char* form : exact_forms) {
    check(random_matrix<double>(40, 33, generator), {}, form);
    check(random_matrix<double>(20, 20, generator), std::vector<int>(20, -1), form);
    check(random_matrix<Complex>(24, 21, generator), {}, form);
    check(random_matrix<double>(3, 1, generator), {}, form);
    check(Matrix<double>(4, 3), {}, form);
  }
}

TEST(HsvdByExactProducts, WideMatricesAreDecomposedByTheirAdjoint) {
  const Matrix<double> tall = dense<double>(12, 7, 1e13, 4);
  Matrix<double> wide(7, 12);
  for (Index j = 0; j < 7; ++j)
    for (Index i = 0; i < 12; ++i) wide(j, i) = tall(i, j);
  const auto r = solve(wide, {}, "HSVD-ME-BO;exact"), of_tall = solve(tall, {}, "HSVD-ME-BO;exact");
  EXPECT_EQ(r.sigma, of_tall.sigma);
  EXPECT_EQ(r.V.rows(), 12);
  EXPECT_EQ(hsvd<double>(wide, {}, {.variant = parse_hsvd_variant("HSVD-ME-BO;exact")}).V.size(), 0);
  EXPECT_EQ(solve(Matrix<double>(0, 3), {}, "HSVD-ME-BO;exact").status, Status::passed);
}

TEST(HsvdByExactProducts, OnlyZerosOfZeroColumnsAreExact) {
  Matrix<double> G(4, 4);
  for (Index i = 0; i < 4; ++i) G(i, 0) = i + 1, G(i, 2) = 3 * (i + 1);  // parallel
  for (const char* form : exact_forms) {
    const auto r = solve(G, {}, form);
    EXPECT_LT(r.estimate[0], 1e-14) << form;
    EXPECT_EQ(r.estimate[1], 1) << form;
    EXPECT_EQ(r.estimate[2], 0) << form;
    EXPECT_EQ(r.estimate[3], 0) << form;
  }
}

TEST(HsvdByExactProducts, ColumnsTooFarApartForExactProductsKeepTheirDigits) {
  Matrix<double> G = dense<double>(12, 12, 10, 7);
  for (Index j = 0; j < 12; ++j)
    for (double& x : G.col(j)) x *= std::ldexp(1.0, static_cast<int>(-20 * (j * 5 % 12)));
  expect_digits(G, "HSVD-ME-BO;exact");
}

TEST(HsvdByExactProducts, ColumnsMayBeAnyDistanceApart) {
  Matrix<double> G(3, 3);
  G(0, 0) = 1, G(1, 1) = 0.01, G(2, 2) = 1e-310;
  const auto r = solve(G, {}, "HSVD-ME-BO;exact");
  EXPECT_EQ(r.sigma, (std::vector<double>{1, 0.01, 1e-310}));
  EXPECT_LT(r.estimate.back(), 1e-13);
}

TEST(HsvdByExactProducts, HasTheSameBitsForAnyNumberOfThreads) {
  const Matrix<double> G = dense<double>(70, 65, 1e12, 6);
  const auto one = solve(G, {}, "HSVD-ME-BO;w=8;exact", 1), two = solve(G, {}, "HSVD-ME-BO;w=8;exact", 2);
  EXPECT_EQ(one.sigma, two.sigma);
  EXPECT_EQ(one.estimate, two.estimate);
  EXPECT_TRUE(std::equal(one.V.data(), one.V.data() + one.V.size(), two.V.data()));
}

TEST(HsvdByExactProducts, RefusesWhatItDoesNotHave) {
  const Matrix<double> G = Matrix<double>::identity(3);
  EXPECT_THROW(solve(G, {1, -1, 1}, "HSVD-ME-BO;exact"), InputError);
  EXPECT_THROW(parse_hsvd_variant("HSVD-ME-BO;qrp;exact"), InputError);
  EXPECT_THROW(hsvd<Quad>(Matrix<Quad>::identity(3), {}, {.variant = {.exact = true}}), NotSupported);
  EXPECT_THROW(DeviceHsvd<double>::workspace_bytes(3, 3, {.variant = {.exact = true}}), NotSupported);
}

}  // namespace
}  // namespace pivotlab::hsvd_exact_test
