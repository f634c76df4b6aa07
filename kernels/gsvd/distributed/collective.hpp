// SPDX-License-Identifier: BSD-3-Clause
// Collective operations on vectors. Results are combined in the order of the ranks, so that no bit depends on the
// transport.
#pragma once

#include <pivotlab/transport.hpp>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace pivotlab {

/// Returns the vectors of all ranks, one after the other; all have the same length.
template <class Value>
std::vector<Value> gather_vectors(Transport& transport, std::span<const Value> mine) {
  std::vector<Value> all(mine.size() * static_cast<std::size_t>(transport.size()));
  transport.all_gather(mine.data(), mine.size_bytes(), all.data());
  return all;
}

/// Gathers the vectors as columns of a matrix.
template <class Vector>
auto gather_columns(Transport& transport, const Vector& mine) {
  using Value = typename Vector::Scalar;
  Eigen::Matrix<Value, Eigen::Dynamic, Eigen::Dynamic> all(mine.size(), transport.size());
  transport.all_gather(mine.data(), static_cast<std::size_t>(mine.size()) * sizeof(Value), all.data());
  return all;
}

/// Sums the vectors of all ranks.
template <class Vector>
Vector sum_over_ranks(Transport& transport, const Vector& mine) {
  const auto all = gather_columns(transport, mine);
  Vector sum = all.col(0);
  for (Eigen::Index r = 1; r < all.cols(); ++r) sum += all.col(r);
  return sum;
}

/// Broadcasts the vector of one rank.
template <class Vector>
Vector from_rank(Transport& transport, int owner, const Vector& mine) {
  return gather_columns(transport, mine).col(owner);
}

}  // namespace pivotlab
