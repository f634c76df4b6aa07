// SPDX-License-Identifier: BSD-3-Clause
// Orders of values and columns. Sorting is compiled once, because each of its instantiations is as large as an
// algorithm.
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>
#include <memory>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab {

/// Sorts indices by `before`, a strict weak order; equal ones keep their order.
void sort_indices(std::vector<Index>& indices, const std::function<bool(Index, Index)>& before);

/// Returns 0, 1, …, n − 1 in the order of `before`, likewise.
std::vector<Index> sorted_indices(Index n, const std::function<bool(Index, Index)>& before);

template <class Key>
std::vector<Index> ascending_indices(const std::vector<Key>& keys) {
  return sorted_indices(std::ssize(keys), [&](Index a, Index b) { return keys[a] < keys[b]; });
}

template <class Key>
std::vector<Index> descending_indices(const std::vector<Key>& keys) {
  return sorted_indices(std::ssize(keys), [&](Index a, Index b) { return keys[a] > keys[b]; });
}

/// Returns values[order[0]], values[order[1]], …
template <class X>
std::vector<X> permuted(const std::vector<X>& values, const std::vector<Index>& order) {
  std::vector<X> result;
  for (const Index j : order) result.push_back(values[j]);
  return result;
}

/// Returns the columns of A in this order.
template <class T>
Matrix<T> permuted(const Matrix<T>& A, const std::vector<Index>& order, int threads = 1) {
  Matrix<T> result = Matrix<T>::uninitialized(A.rows(), A.cols());
#pragma omp parallel for num_threads(threads) schedule(static)
  for (Index j = 0; j < A.cols(); ++j) std::ranges::uninitialized_copy(A.col(order[j]), result.col(j));
  return result;
}

}  // namespace pivotlab
