// SPDX-License-Identifier: BSD-3-Clause
// Steps that need all of F, G or U, which no rank has: all ranks work together on one column after the other.
#pragma once

#include "kernels/gsvd/distributed/collective.hpp"
#include "kernels/gsvd/shared/noise.hpp"

#include <vector>

namespace pivotlab {

/// Gathers the number of columns of each rank, then calls work(rank, k) for the k-th column of each, in the order of
/// the ranks.
template <class Work>
void for_columns_of_ranks(Transport& transport, Index mine, Work&& work) {
  const std::vector<Index> counts = gather_values(transport, mine);
  for (int rank = 0; rank < transport.size(); ++rank)
    for (Index k = 0; k < counts[rank]; ++k) work(rank, k);
}

/// Returns which of this rank's columns sizes[k]·Y(:, k), Y = A·Z, are noise relative to |A|·|Z|, of which every rank
/// knows a part.
template <class T>
std::vector<Index> noise_together(Transport& transport, const RoundingNoise<T>& part, MatrixView<const T> Y,
                                  MatrixView<const T> Z, const std::vector<RealOf<T>>& sizes) {
  using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  std::vector<Index> noise;
  for_columns_of_ranks(transport, Y.cols, [&](int rank, Index k) {
    const bool mine = rank == transport.rank();
    const Column z = from_rank(transport, rank, mine ? Column(as_eigen(Z).col(k)) : Column(Column::Zero(Z.rows)));
    const std::span<const T> values{z.data(), static_cast<std::size_t>(z.size())};
    const auto magnitude = sum_over_ranks(transport, part.magnitude(values));
    if (mine && part.within(Y.col(k), sizes[k], magnitude)) noise.push_back(k);
  });
  return noise;
}

/// Replaces the zero columns of U, which is orthonormal otherwise and distributed by columns, by columns that complete
/// it: the unit vector that is farthest from the span of the columns so far, orthogonalized twice. Its distance is at
/// least √((m − k)/m) for k columns of length m.
template <class T>
void complete_columns_together(Transport& transport, MatrixView<T> U) {
  using R = RealOf<T>;
  using Column = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using RealColumn = Eigen::Matrix<R, Eigen::Dynamic, 1>;
  auto u = as_eigen(U);
  std::vector<Index> zero;
  for (Index j = 0; j < U.cols; ++j)
    if ((u.col(j).array() == T(0)).all()) zero.push_back(j);

  RealColumn covered;  // squared norms of the rows of U
  for_columns_of_ranks(transport, static_cast<Index>(zero.size()), [&](int rank, Index k) {
    if (covered.size() == 0) covered = sum_over_ranks(transport, RealColumn(u.rowwise().squaredNorm()));
    Index farthest = 0;
    covered.minCoeff(&farthest);
    Column v = Column::Unit(U.rows, farthest);
    for (int twice = 0; twice < 2; ++twice) v -= sum_over_ranks(transport, Column(u * (u.adjoint() * v)));
    v /= v.norm();
    covered += v.cwiseAbs2();
    if (rank == transport.rank()) u.col(zero[k]) = v;
  });
}

}  // namespace pivotlab
