// SPDX-License-Identifier: BSD-3-Clause
// Inertia of matrices from practice: the folder that PIVOTLAB_DATA names, and what its manifest states.
#include "matrices.hpp"

#include <pivotlab/inertia.hpp>
#include <pivotlab/io.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace pivotlab::real_data_test {
namespace {

using namespace test;

struct Known {
  const char* name;
  double tolerance;
  Inertia inertia;
};

/// All of the manifest below order 3000, with the usual tolerance where the inertia does not depend on it. Of the
/// others docs/reference/inertia.md tells why: dwt_992 is singular, and the noise of its zeros is above ε·max|A|; the
/// two others have eigenvalues far below that which are no noise.
constexpr double usual = std::numeric_limits<double>::epsilon();
constexpr Known known[] = {
    {"bcsstk13", usual, {2003, 0, 0}},
    {"kkt_ACOPP30_0005", 0, {72, 137, 0}},
    {"lund_a", usual, {147, 0, 0}},
    {"lund_b", usual, {147, 0, 0}},
    {"kkt_SWOPF_0000", usual, {83, 92, 0}},
    {"jagmesh7", usual, {610, 528, 0}},
    {"sqd_dualc8_2x2_iter_10", usual, {519, 526, 0}},
    {"netscience", usual, {524, 892, 173}},
    {"bcsstm13", usual, {1241, 0, 762}},
    {"dwt_992", 1e-13, {281, 215, 496}},
    {"kkt_MUONSINE_0019", 0, {1025, 512, 0}},
};

/// The matrix of that name, or none without the folder.
template <class T = double>
std::optional<Matrix<T>> read(const std::string& name) {
  const char* folder = std::getenv("PIVOTLAB_DATA");
  if (folder == nullptr || *folder == '\0') return std::nullopt;
  return std::get<Matrix<T>>(read_matrix(std::filesystem::path(folder) / (name + ".mtx.gz")));
}

class LdltInertia : public testing::TestWithParam<Known> {};

TEST_P(LdltInertia, IsTheStatedOne) {
  const auto& [name, tolerance, inertia] = GetParam();
  const auto A = read(name);
  if (!A) GTEST_SKIP() << "PIVOTLAB_DATA is not set";
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook}) {
    const auto f = ldlt<double>(*A, {.variant = {.pivoting = pivoting}, .rank_tolerance = tolerance});
    EXPECT_EQ(f.inertia, inertia) << to_string(pivoting);
    EXPECT_LT(f.max_multiplier, f.variant.multiplier_bound());
    EXPECT_LT(f.max_condition(), f.variant.condition_bound());
  }
}

/// At no tolerance. Exact arithmetic decides what double does not, except for the mass matrix bcsstm13, whose elements
/// have too many digits for its order.
TEST_P(LdltInertia, IsCertified) {
  const auto& [name, tolerance, inertia] = GetParam();
  const auto A = read(name);
  if (!A) GTEST_SKIP() << "PIVOTLAB_DATA is not set";
  const InertiaReport report = certify_inertia<double>(*A);
  EXPECT_EQ(report.status,
            std::string(name) == "bcsstm13" ? InertiaStatus::certified_near_zero : InertiaStatus::certified)
      << report.reason;
  EXPECT_EQ(report.inertia, inertia);
}

INSTANTIATE_TEST_SUITE_P(Manifest, LdltInertia, testing::ValuesIn(known),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(LdltRealData, IsAllThatTheManifestStatesBelowOrder3000) {
  const char* folder = std::getenv("PIVOTLAB_DATA");
  if (folder == nullptr || *folder == '\0') GTEST_SKIP() << "PIVOTLAB_DATA is not set";
  std::ifstream manifest(std::filesystem::path(folder) / "MANIFEST.csv");
  std::string line;
  std::getline(manifest, line);
  ASSERT_TRUE(line.starts_with("name,class,n,m,nnz_full,stored,explicit_zeros,kind,npos,nneg,nzero,")) << line;
  int stated = 0;
  while (std::getline(manifest, line)) {
    std::vector<std::string> fields;
    for (std::istringstream text(line); fields.size() < 11 && std::getline(text, line, ',');) fields.push_back(line);
    if (fields.size() < 11 || fields[8].empty() || std::stol(fields[2]) >= 3000) continue;
    const auto found = std::ranges::find(known, fields[0], &Known::name);
    ASSERT_NE(found, std::end(known)) << fields[0];
    EXPECT_EQ(found->inertia, (Inertia{std::stol(fields[8]), std::stol(fields[9]), std::stol(fields[10])}))
        << fields[0];
    ++stated;
  }
  EXPECT_EQ(stated, std::ssize(known));
}

TEST(LdltRealData, EquilibratedMatricesHaveStatedInertia) {
  for (const char* name : {"kkt_MUONSINE_0019", "kkt_SWOPF_0000", "sqd_dualc8_2x2_iter_10"}) {
    const auto A = read(name);
    if (!A) GTEST_SKIP() << "PIVOTLAB_DATA is not set";
    for (const Pivoting pivoting : all_pivotings)
      EXPECT_EQ(ldlt<double>(*A, {.variant = {.pivoting = pivoting, .equilibrate = true}}).inertia,
                std::ranges::find(known, std::string(name), &Known::name)->inertia)
          << name << ' ' << to_string(pivoting);
  }
}

TEST(LdltRealData, QuadResolvesSignBelowDoubleRoundoff) {
  const auto A = read("kkt_ACOPP30_0005");
  if (!A) GTEST_SKIP() << "PIVOTLAB_DATA is not set";
  Matrix<Quad> exact(A->rows(), A->cols());
  std::copy_n(A->data(), A->size(), exact.data());
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook}) {
    EXPECT_EQ(ldlt<double>(*A, {.variant = {.pivoting = pivoting}}).inertia, (Inertia{71, 137, 1}));
    EXPECT_EQ(ldlt<Quad>(exact, {.variant = {.pivoting = pivoting}}).inertia, (Inertia{72, 137, 0}));
  }
}

/// Complex symmetric, from chemistry.
TEST(LdltRealData, SolvesComplexSymmetricMatrix) {
  using C = std::complex<double>;
  const auto matrix = read<C>("qc324");
  if (!matrix) GTEST_SKIP() << "PIVOTLAB_DATA is not set";
  const Matrix<C>& A = *matrix;
  for (const Pivoting pivoting : all_pivotings) {
    const auto f = ldlt<C>(A, {.variant = {.pivoting = pivoting}, .symmetry = Symmetry::symmetric});
    EXPECT_EQ(f.rank, 324);
    EXPECT_LT(residual_ratio(A, f), 1);
    EXPECT_LE(f.solve_refined(A, Matrix<C>(Matrix<C>::identity(324).view().cols_range(0, 20))).backward_error, 1e-15);
  }
}

}  // namespace
}  // namespace pivotlab::real_data_test
