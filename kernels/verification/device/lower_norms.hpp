// SPDX-License-Identifier: BSD-3-Clause
// Computes the 1-norm of a symmetric matrix from its lower triangle.
#pragma once

#include "kernels/verification/device/measuring.hpp"
#include "kernels/verification/norms.hpp"

#include <algorithm>

namespace pivotlab::experiments {

namespace device {

// Sums the columns of a symmetric matrix, both triangles, from its lower triangle.

struct AddColumnSums {
  using Value = double;
  using Combine = Sum;
  MatrixView<const double> A;
  double* sums;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return at(A, i, j); }
  PIVOTLAB_DEVICE void store(Index j, double value) const { sums[j] += value; }
};

struct AddRowSumsLeftOfDiagonal {
  MatrixView<const double> A;
  double* sums;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    const Index end = i < A.cols ? i : A.cols;
    double sum = 0;
    for (Index j = 0; j < end; ++j) sum += at(A, i, j);
    sums[i] += sum;
  }
};

}  // namespace device

/// Adds the moduli of a block column, on and below the diagonal, to the sums of each row of the whole matrix.
template <class Machine>
void add_sums(Machine& machine, MatrixView<const double> block, double* sums) {
  machine.reduce_columns(block.rows, block.cols, device::AddColumnSums{block, sums});
  machine.for_each(block.rows, 1, device::AddRowSumsLeftOfDiagonal{block, sums});
}

/// Computes the norm of order n by blocks of columns: `moduli(first, block)` returns what computes the moduli of the
/// rows and columns from `first` on, with zeros above the diagonal.
template <class Machine, class Moduli>
double norm_1_of_lower(Machine& machine, Index n, Index block_columns, Moduli&& moduli) {
  const Buffer<double> sums = machine.executor.template allocate<double>(static_cast<std::size_t>(n));
  machine.executor.fill_zero(sums.data(), sums.size());
  for (Index first = 0; first < n; first += block_columns) {
    const Index rows = n - first, cols = std::min(block_columns, rows);
    const auto block = machine.template matrix<double>(rows, cols);
    machine.for_each(rows, cols, moduli(first, block.view()));
    add_sums(machine, block, sums.data() + first);
  }
  return largest_component<double>(machine.download(sums));
}

}  // namespace pivotlab::experiments
