// SPDX-License-Identifier: BSD-3-Clause
#include "kernels/numerics/order.hpp"

#include <gtest/gtest.h>

namespace pivotlab::order_test {
namespace {

using Indices = std::vector<Index>;

TEST(Order, EqualKeysKeepTheirOrder) {
  const std::vector<double> keys{2, 1, 2, 3, 1};
  EXPECT_EQ(ascending_indices(keys), (Indices{1, 4, 0, 2, 3}));
  EXPECT_EQ(descending_indices(keys), (Indices{3, 0, 2, 1, 4}));
  EXPECT_EQ(descending_indices(std::vector<double>{}), Indices{});
}

TEST(Order, IndicesAreSortedFromTheirOwnOrderOn) {
  Indices indices{4, 2, 0};
  sort_indices(indices, [](Index a, Index b) { return a % 4 < b % 4; });
  EXPECT_EQ(indices, (Indices{4, 0, 2}));
}

TEST(Order, ValuesAndColumnsArePermutedAlike) {
  const Indices order{2, 0, 1};
  EXPECT_EQ(permuted(std::vector<int>{7, 8, 9}, order), (std::vector<int>{9, 7, 8}));
  Matrix<double> A(2, 3);
  for (Index k = 0; k < A.size(); ++k) A.data()[k] = static_cast<double>(k);
  const Matrix<double> B = permuted(A, order, 2);
  for (Index j = 0; j < 3; ++j)
    for (Index i = 0; i < 2; ++i) EXPECT_EQ(B(i, j), A(i, order[j]));
}

}  // namespace
}  // namespace pivotlab::order_test
