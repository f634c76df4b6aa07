// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on a symmetric tridiagonal matrix: the tree of merges, and what their kernels share.
#pragma once

#include "kernels/exec/portable.hpp"

#include <pivotlab/matrix.hpp>

namespace pivotlab::two_stage {

/// Rows and columns begin, …, middle − 1 and middle, …, end − 1 of two parts that become one.
struct Merge {
  Index begin, middle, end;
  PIVOTLAB_DEVICE Index size() const { return end - begin; }
};

/// A level of the binary trees of matrices of one order: 2^bits parts of nearly equal size each. Rows and columns have
/// their numbers in the block diagonal matrix of all.
struct Level {
  Index order;
  int bits;
  Index matrices = 1;

  PIVOTLAB_DEVICE Index columns() const { return order * matrices; }
  PIVOTLAB_DEVICE Index parts() const { return matrices << bits; }
  PIVOTLAB_DEVICE Index matrix_of(Index part) const { return part >> bits; }
  PIVOTLAB_DEVICE Index begin(Index part) const {
    return matrix_of(part) * order + (((part - (matrix_of(part) << bits)) * order) >> bits);
  }
  PIVOTLAB_DEVICE Index part_of(Index column) const {
    const Index matrix = matrices == 1 ? 0 : column / order;
    return (matrix << bits) + (((column - matrix * order + 1) << bits) - 1) / order;
  }
  /// Returns the merge of two parts of the next level that gives a part of this one.
  PIVOTLAB_DEVICE Merge merge(Index part) const {
    return {begin(part), Level{order, bits + 1, matrices}.begin(2 * part + 1), begin(part + 1)};
  }
};

/// Columns that a merge keeps are those whose eigenvalues change. They are grouped by where they may have elements
/// that are not zero: in the rows of the upper part, of both or of the lower part.
struct MergeSizes {
  int kept, upper, both, lower;
  int rotations;
  double rho;

  PIVOTLAB_DEVICE int upper_or_both() const { return upper + both; }
  PIVOTLAB_DEVICE int both_or_lower() const { return both + lower; }
};

/// Columns (from, to) := (c·from + s·to, c·to − s·from)
struct Rotation {
  int from, to;
  double c, s;
};

/// Arguments of all kernels of a level. A merge of columns begin, …, end − 1 has the elements from `begin` on of each
/// array and the blocks from (begin, begin) on of the matrices. Of several matrices of order n these have the stride n,
/// so that matrix m begins at element m·n·(n + 1), and nothing else is stored of the block diagonal matrix.
struct MergeArguments {
  Level level;
  const double* off_diagonal;
  MatrixView<double> Q, copy, S;  ///< vectors; columns put in order; vectors of rank-one updates, rows in groups
  bool of_boundaries;             ///< Q has but two rows, the first and the last one of each part; there is no S
  // These arrays describe the parts before a merge, and the new part after it.
  double* values;  ///< ascending
  int* order;      ///< columns of Q
  // These have an element for each column of a merge, in ascending order of d.
  double *sorted, *z;
  int *column, *state, *list, *flagged;
  // These have one for each kept column, in ascending order: d_j and z_j of the rank-one update D + ρ·z·zᵀ, the root
  // λ_j = base_j + shift_j, and the place of the column in the groups.
  double *pole, *weight, *base, *shift;
  int* place;
  // These have kept columns in the order of groups, and then deflated ones.
  double *grouped_pole, *grouped_weight;
  int* source;     ///< columns of Q before
  double* lambda;  ///< of columns of Q after
  Rotation* rotations;
  MergeSizes* sizes;  ///< of merges
  int* failed;        ///< of matrices; is set if the iterations of a leaf do not converge

  PIVOTLAB_DEVICE Index last_of_upper(const Merge& m) const { return of_boundaries ? 1 : m.middle - 1; }
  PIVOTLAB_DEVICE Index first_of_lower(const Merge& m) const { return of_boundaries ? 0 : m.middle; }
  PIVOTLAB_DEVICE Index begin_of_rows(const Merge& m) const { return of_boundaries ? 0 : m.begin; }
  PIVOTLAB_DEVICE Index end_of_rows(const Merge& m) const { return of_boundaries ? 2 : m.end; }
};

/// Runs F for each column of the matrix by a warp, 8 warps a block: F::run(context, arguments, merge, sizes, index),
/// with the index of the column in its merge. All kernels of a level have the same grid, whatever its merges keep.
template <class F>
struct EachColumn {
  using Arguments = MergeArguments;
  static constexpr int threads = 256, min_blocks = 2, columns = threads / warp_size;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index column = Index(context.block()) * columns + context.warp();
    if (column >= a.level.columns()) return;
    const Index part = a.level.part_of(column);
    const Merge merge = a.level.merge(part);
    F::run(context, a, merge, a.sizes[part], static_cast<int>(column - merge.begin));
  }
};

/// Returns the sum of a warp's values, in each lane.
template <class Context, class X>
PIVOTLAB_DEVICE X warp_sum(Context& context, X x) {
  for (int mask = warp_size / 2; mask > 0; mask /= 2) x += context.shuffle_xor(x, mask);
  return x;
}

}  // namespace pivotlab::two_stage
