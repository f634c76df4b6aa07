// SPDX-License-Identifier: BSD-3-Clause
// Batches and single calls do not call determined what rounding errors decide.
#include "batches.hpp"

#include "kernels/ldlt/exact_inertia.hpp"

#include <pivotlab/error.hpp>

#include <gtest/gtest.h>

namespace pivotlab::determined_test {
namespace {

using namespace test;
using Complex = std::complex<double>;

template <class T, std::size_t m, std::size_t n>
Matrix<T> matrix(const T (&rows)[m][n]) {
  Matrix<T> A(m, n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) A(i, j) = rows[i][j];
  return A;
}

TEST(Determined, APivotOfRoundingErrorsIsDoubtful) {
  // The last two columns differ by their sign. A pivot of 1e-30 is left, which is large relative to its own row.
  const Complex i(0, 1);
  const Complex rows[5][5] = {{1, 3. + i, 2. * i, 3. - 2. * i, -3. + 2. * i},
                              {3. - i, -1, 3, -2. - i, 2. + i},
                              {-2. * i, 3, 1, 1. - 2. * i, -1. + 2. * i},
                              {3. + 2. * i, -2. + i, 1. + 2. * i, 0, 0},
                              {-3. - 2. * i, 2. - i, -1. - 2. * i, 0, 0}};
  const Matrix<Complex> A = matrix(rows);
  LdltBatchOptions options;
  options.variant.pivoting = Pivoting::partial, options.backend = Backend::emulation;
  const auto single = ldlt<Complex>(A, {.variant = options.variant});
  ASSERT_NE(single.inertia, ldlt_detail::exact_inertia<Complex>(A, {}, 1e9, 1));
  EXPECT_EQ(single.doubtful, 1);
  Matrix<Complex> regular = A;
  regular(3, 3) = 1;
  FactoredBatch<Complex> batch({A, regular}, options);
  EXPECT_EQ(batch.doubtful, (std::vector{1, 0}));
  EXPECT_EQ(ldlt<Complex>(regular, {.variant = options.variant}).doubtful, 0);
  options.backend = Backend::host;
  EXPECT_EQ(FactoredBatch<Complex>({A}, options).doubtful, std::vector{1});
}

TEST(Determined, APivotWithTheErrorsOfOthersIsDoubtful) {
  // The second pivot, 2/3 of 2¹⁷, has lost 17 bits, and the third one is zero but for this error.
  const double rows[3][3] = {{0x3p16, 0x1p16, 0}, {0x1p16, 21846, 0x1p-3}, {0, 0x1p-3, 0x1.8p-6}};
  const Matrix<double> A = matrix(rows);
  for (const Pivoting pivoting : {Pivoting::complete, Pivoting::rook, Pivoting::partial})
    for (const Backend backend : {Backend::emulation, Backend::host}) {
      LdltBatchOptions options;
      options.variant.pivoting = pivoting, options.backend = backend;
      EXPECT_EQ(FactoredBatch<double>({A, Matrix<double>::identity(3)}, options).doubtful, (std::vector{1, 0}));
      EXPECT_EQ(ldlt<double>(A, {.variant = options.variant}).doubtful, 1);
    }
}

TEST(Determined, PlacesBelowAColumnOfRoundingErrorsAreUnknown) {
  // Rounding errors of 1e13 hide the element 4e-4 of the second column, whose σ then is the last one in place of the
  // second one.
  const double rows[3][3] = {{1e20, 1e13, 0}, {0, 4e-4, 0}, {0, 0, 1e-12}};
  const Matrix<double> G = matrix(rows);
  const HsvdOptions options{.variant = {.form = JacobiForm::PT}};
  EighBatchOptions emulated;
  emulated.backend = Backend::emulation;
  const DecomposedBatch<double> batch({G}, {}, emulated);
  for (const HsvdResult<double>& r : {hsvd<double>(G, {}, options), batch.hsvd(0)}) {
    EXPECT_EQ(r.status, Status::passed);
    ASSERT_LT(r.sigma[1], 1e-4);
    EXPECT_EQ(r.estimate[1], 1);
    EXPECT_LT(r.estimate[0], 1e-14);
  }
}

TEST(Determined, DependentColumnsOfGAreFoundInRowsWithZeros) {
  // The last column is the first one times −1. What a transformation adds to the column of rounding errors, other
  // rows show in full.
  const double of_g[6][3] = {{6, 12, -6}, {-4, -6, 4}, {2, 2, -2}, {0, -2, 0}, {6, 2, -6}, {-2, -4, 2}},
               of_f[6][3] = {{2, 1, 0}, {0, 2, 1}, {0, 0, 2}};
  const Matrix<double> F = matrix(of_f), G = matrix(of_g);
  GsvdBatchOptions emulated;
  emulated.backend = Backend::emulation;
  EXPECT_EQ((DecomposedPairs<double>({F}, {G}, emulated).status[0]), int(Status::failed));
  EXPECT_THROW(gsvd<double>(F, G), InputError);
  EXPECT_THROW(gsvd_pointwise<double>(F, G), InputError);
}

TEST(Determined, RowsAndColumnsOfAnySizeKeepTheRankOfG) {
  // G = D₁·B·D₂ with a well-conditioned B of zeros and ones.
  const double rows[3][3] = {{1, 1, 0}, {0, 0x1p-60, 1}, {0, 0, 1}};
  const Matrix<double> G = matrix(rows);
  Matrix<double> F(3, 3);
  for (Index j = 0; j < 3; ++j) F(j, j) = double(j + 1);
  GsvdBatchOptions emulated;
  emulated.backend = Backend::emulation;
  EXPECT_EQ((DecomposedPairs<double>({F}, {G}, emulated).status[0]), int(Status::passed));
  EXPECT_EQ(gsvd<double>(F, G).status, Status::passed);
}

}  // namespace
}  // namespace pivotlab::determined_test
