// SPDX-License-Identifier: BSD-3-Clause
// Variants with `refine`: every value that the matrix determines is within 2 ulp of the truth, estimates are bounds,
// and values that the solver knows better are its own.
#include <tests/jacobi/matrices.hpp>

#include <gtest/gtest.h>

#include <pivotlab/device_eigh.hpp>
#include <pivotlab/device_gsvd.hpp>
#include <pivotlab/device_hsvd.hpp>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd_any.hpp>

namespace pivotlab::refine_option_test {
namespace {

using namespace pivotlab::test;
using Complex = std::complex<double>;

constexpr double ulp = 0x1p-52;

template <class T>
HsvdResult<T> svd(const Matrix<T>& G, const char* name, Backend backend = Backend::host,
                  const std::vector<int>& J = {}) {
  return hsvd<T>(G, J, {.variant = parse_hsvd_variant(name), .backend = backend, .compute_v = true, .threads = 1});
}
template <class T>
EighResult<T> solve(const Matrix<T>& A, const char* name, Backend backend = Backend::host) {
  return eigh<T>(A, {.variant = parse_eigh_variant(name), .backend = backend, .threads = 1});
}

/// Expects values within 1 ulp of the truth, as rounded ones are, and within their estimates.
void expect_last_digits(const std::vector<double>& values, const std::vector<Quad>& truth,
                        const std::vector<double>& estimate, double factor) {
  ASSERT_EQ(values.size(), truth.size());
  const std::vector<double> errors = relative_errors(values, truth);
  for (std::size_t j = 0; j < errors.size(); ++j) {
    EXPECT_LE(errors[j], ulp) << j;
    EXPECT_LE(factor * errors[j], estimate[j]) << j;
    EXPECT_LE(estimate[j], 2 * factor * ulp) << j;
  }
}

template <class T>
Matrix<T> adjoint_of(const Matrix<T>& A) {
  Matrix<T> result(A.cols(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) result(j, i) = conjugate(A(i, j));
  return result;
}

template <class T>
void expect_svd(const Matrix<T>& G, const char* name, Backend backend = Backend::host) {
  SCOPED_TRACE(name);
  const HsvdResult<T> r = svd(G, name, backend);
  const auto square = G.rows() < G.cols() ? adjoint_of(G) : G;
  const auto truth = hsvd<Rebind<T, Quad>>(converted<Quad>(square), {}, {.variant = parse_hsvd_variant("HSVD-ME-PT")});
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_TRUE(r.refinement.used) << r.refinement.refusal;
  EXPECT_EQ(r.refinement.determined, std::ssize(r.sigma));
  EXPECT_EQ(r.refinement.kept, 0);
  EXPECT_LE(r.refinement.largest_bound, ulp / 2);
  expect_last_digits(r.sigma, truth.sigma, r.estimate, 2);
  EXPECT_EQ(r.U.rows(), G.rows());
  EXPECT_EQ(r.V.rows(), G.cols());
}

TEST(RefineOption, GivesSingularValuesToTheLastDigit) {
  expect_svd(dense<double>(18, 12, 1e8, 1), "HSVD-ME-BO;w=4;refine");
  expect_svd(dense<Complex>(9, 9, 1e6, 2), "HSVD-RR-PT;refine");
  expect_svd(adjoint_of(dense<double>(12, 7, 1e4, 3)), "HSVD-ME-PT;qrp;refine");
  expect_svd(dense<double>(8, 8, 1e2, 4), "HSVD-ME-BO;w=16;refine", Backend::emulation);
  const Matrix<double> G = dense<double>(18, 12, 1e8, 1);
  EXPECT_GT(svd(G, "HSVD-ME-BO;w=4").estimate.back(), 1e-10);  // what is refined
}

TEST(RefineOption, GivesEigenvaluesToTheLastDigit) {
  for (const char* name : {"HEV-RK-ME-BO;w=4;refine", "HEV-CP-RR-PT;refine"}) {
    const Matrix<double> A = graded<double>(16, 4, 5);
    const auto r = solve(A, name);
    ASSERT_EQ(r.status, Status::passed) << r.message;
    EXPECT_EQ(r.refinement.determined, 16) << r.refinement.refusal;
    expect_last_digits(r.eigenvalues, true_eigenvalues(A), r.estimate, 1);
    const auto plain = solve(A, "HEV-RK-ME-BO;w=4");
    EXPECT_EQ(r.inertia, plain.inertia);
    EXPECT_GT(largest(plain.estimate), 4 * ulp);
  }
  const Matrix<Complex> B = graded<Complex>(8, 2, 6);
  const auto r = solve(B, "HEV-RK-ME-BO;w=16;refine", Backend::emulation);
  expect_last_digits(r.eigenvalues, true_eigenvalues(B), r.estimate, 1);
}

TEST(RefineOption, KeepsZerosAndTheirInertia) {
  Matrix<double> A = graded<double>(9, 2, 7);
  for (Index i = 0; i < 9; ++i) A(i, 4) = A(4, i) = 0;
  for (Index i = 0; i < 9; ++i) A(i, 8) = A(i, 7), A(8, i) = A(7, i);
  A(8, 8) = A(7, 8) = A(8, 7) = A(7, 7);
  const auto plain = solve(A, "HEV-CP-ME-PT"), r = solve(A, "HEV-CP-ME-PT;refine");
  EXPECT_EQ(r.inertia, plain.inertia);
  EXPECT_EQ(r.inertia.zero, 2);
  EXPECT_EQ(r.refinement.kept, 0);
  EXPECT_TRUE(r.refinement.used);
  EXPECT_TRUE(std::ranges::is_sorted(r.eigenvalues, std::ranges::greater()));
}

TEST(RefineOption, KeepsValuesThatTheSolverKnowsBetter) {
  const Matrix<double> G = dense<double>(12, 12, 1e17, 8);
  const auto exact = svd(G, "HSVD-ME-BO;w=4;exact"), r = svd(G, "HSVD-ME-BO;w=4;exact;refine");
  ASSERT_TRUE(r.refinement.used);
  for (std::size_t j = 0; j < r.sigma.size(); ++j) EXPECT_LE(r.estimate[j], exact.estimate[j]) << j;
  EXPECT_LE(r.estimate.front(), 4 * ulp);
  EXPECT_TRUE(std::ranges::is_sorted(r.sigma, std::ranges::greater()));
}

template <class T>
void expect_gsvd(const char* generator, const AnyGsvdOptions& options) {
  SCOPED_TRACE(generator);
  const auto pair = std::get<Pair<T>>(generate_pair({generator, scalar_type<T>, 14, 16, 15, 3, 0}));
  const auto r = gsvd_any<T>(pair.F, pair.G, options);
  ASSERT_EQ(r.status, Status::passed) << r.message;
  EXPECT_EQ(r.refinement.determined, 14) << r.refinement.refusal;
  expect_last_digits(r.sigma, pair.sigma, r.sigma_error, 1);
  const Matrix<T> XZ = product_of<T>(r.X, r.Z);
  for (Index j = 0; j < 14; ++j)
    for (Index i = 0; i < 14; ++i) EXPECT_NEAR(std::abs(XZ(i, j) - T(i == j ? 1.0 : 0.0)), 0, 1e-10);
}

TEST(RefineOption, GivesGeneralizedSingularValuesToTheLastDigit) {
  const GsvdVariant hari_zimmermann = parse_gsvd_variant("DHZ0-(ME-FB-ME);w=4;refine").variant;
  for (const char* generator : {"random;truth=rounded", "graded;g=4;truth=rounded"}) {
    expect_gsvd<double>(generator, {.variant = hari_zimmermann, .compute_x = true, .threads = 1});
    expect_gsvd<Complex>(generator, {.variant = hari_zimmermann, .compute_x = true, .threads = 1});
    expect_gsvd<double>(
        generator, {.tangent = parse_tangent_variant("DGT-(auto);refine").variant, .compute_x = true, .threads = 1});
  }
}

TEST(RefineOption, TellsWhenItIsNotUsed) {
  const auto pair = std::get<Pair<double>>(generate_pair({"ranks;k=2;l=3", ScalarType::d, 6, 5, 4, 1, 0}));
  const auto r = gsvd_any<double>(pair.F, pair.G, {.variant = {.refine = true}, .threads = 1});
  EXPECT_TRUE(r.reduced);
  EXPECT_FALSE(r.refinement.used);
  EXPECT_NE(r.refinement.refusal.find("reduced"), std::string::npos);
}

TEST(RefineOption, IsRefusedWhereThereIsNone) {
  const Matrix<double> G = dense<double>(4, 4, 10, 1);
  EXPECT_THROW(svd(G, "HSVD-ME-BO;refine", Backend::host, {1, 1, 1, -1}), InputError);
  EXPECT_THROW(hsvd<Quad>(converted<Quad>(G), {}, {.variant = {.refine = true}}), NotSupported);
  EXPECT_THROW(eigh<Quad>(converted<Quad>(G), {.variant = {.refine = true}}), NotSupported);
  EXPECT_THROW(DeviceEigh<double>(4, {.variant = {.refine = true}}), NotSupported);
  EXPECT_THROW(DeviceHsvd<double>(4, 4, {.variant = {.refine = true}}), NotSupported);
  EXPECT_THROW(DeviceGsvd<double>(4, 4, 4, {.refine = true}), NotSupported);
  EXPECT_THROW(parse_distributed_variant("DHZ0-(ME-BO, ME-FB-ME);refine"), InputError);
}

}  // namespace
}  // namespace pivotlab::refine_option_test
