// SPDX-License-Identifier: BSD-3-Clause
// Divide and conquer on a symmetric tridiagonal matrix (Cuppen, 1981; Gu and Eisenstat, 1995), on a machine as that of
// two_stage.hpp: all parts of a level in each launch, products of large ones by the library's gemm. Several matrices of
// one order are the blocks of a block diagonal matrix, whose off-diagonal elements between blocks are zeros.
//
//   leaves, at most 16 rows                              tridiagonal_leaves.hpp
//   diag(Q₁, Q₂)ᵀ·T·diag(Q₁, Q₂) = D + ρ·z·zᵀ, deflation   deflation.hpp
//   eigenvalues and vectors S of what is kept            secular.hpp
//   diag(Q₁, Q₂)·S                                       merge_columns.hpp
//
// Sizes of merges stay on the device, but where the library multiplies.
#pragma once

#include "kernels/exec/arena.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/numerics/op.hpp"
#include "kernels/two_stage/deflation.hpp"
#include "kernels/two_stage/merge_columns.hpp"
#include "kernels/two_stage/secular.hpp"
#include "kernels/two_stage/tridiagonal_leaves.hpp"

#include <vector>

namespace pivotlab::two_stage {

template <class Machine>
class DivideAndConquer {
  using View = MatrixView<double>;
  using ConstView = MatrixView<const double>;

 public:
  /// Merges of at most this order are multiplied by own kernels.
  static constexpr Index most_rows_of_own_products = 640;

  DivideAndConquer(const Machine& machine, Index n, Index matrices = 1) : machine_(&machine) {
    while (((n - 1) >> leaves_) + 1 > SolveLeaves::most_rows) ++leaves_;
    a_.level = {n, leaves_, matrices};
  }

  /// Takes the memory of Q, or of its copy, for several matrices.
  View take_matrices(Arena& arena) const {
    const Index n = a_.level.order, columns = a_.level.columns();
    return {arena.take<double>((n + 1) * columns), n + 1, columns, n};
  }
  /// Takes arrays of n numbers and, if vectors are to be computed, n², for each matrix.
  void lay_out(Arena& arena, bool for_vectors) {
    const Index n = a_.level.columns(), parts = a_.level.parts();
    if (for_vectors) a_.S = take_matrices(arena);
    boundaries_ = {arena.take<double>(2 * n), 2, n, 2}, copy_of_boundaries_ = {arena.take<double>(2 * n), 2, n, 2};
    for (double** array : {&a_.sorted, &a_.z, &a_.pole, &a_.weight, &a_.base, &a_.shift, &a_.grouped_pole,
                           &a_.grouped_weight, &a_.lambda})
      *array = arena.take<double>(n);
    for (int** array : {&a_.order, &a_.column, &a_.state, &a_.list, &a_.flagged, &a_.place, &a_.source})
      *array = arena.take<int>(n);
    a_.rotations = arena.take<Rotation>(n), a_.sizes = arena.take<MergeSizes>(parts),
    a_.failed = arena.take<int>(a_.level.matrices);
  }

  /// Begins to replace the diagonals d by eigenvalues, ascending. Column order()[i] of Q is the vector of the i-th one.
  /// Q and a matrix for copies are contiguous; ‖T‖ is about 1. failed() tells of which matrices the iterations of a
  /// leaf do not converge.
  void run(double* d, const double* e, View Q, View copy) {
    a_.Q = Q, a_.copy = copy, a_.of_boundaries = false;
    machine_->fill_zero(Q.data, static_cast<std::size_t>(Q.rows * Q.cols));
    merge_all(d, e);
  }
  /// Begins to compute the eigenvalues alone, with the first and the last row of the vectors of each part: n²
  /// operations a level.
  void run_without_vectors(double* d, const double* e) {
    a_.Q = boundaries_, a_.copy = copy_of_boundaries_, a_.of_boundaries = true;
    merge_all(d, e);
  }
  const int* order() const { return a_.order; }
  const int* failed() const { return a_.failed; }

 private:
  void merge_all(double* d, const double* e) {
    a_.values = d, a_.off_diagonal = e, a_.level.bits = leaves_;
    machine_->fill_zero(a_.failed, static_cast<std::size_t>(a_.level.matrices));
    machine_->template launch<SolveLeaves>(static_cast<int>(a_.level.parts()), 0, a_);
    machine_->mark("tridiagonal: leaves", 0);
    for (int bits = leaves_ - 1; bits >= 0; --bits) {
      a_.level.bits = bits;
      merge();
    }
  }
  void merge() {
    const Index rows = a_.of_boundaries ? 2 : a_.level.columns(), boundaries = a_.of_boundaries ? a_.level.parts() : 1;
    machine_->template launch<Deflate>(static_cast<int>(a_.level.parts()), Deflate::shared_bytes, a_);
    machine_->for_each(rows, boundaries, RotateColumns{a_});
    for_each_column<GatherColumns>();
    machine_->mark("tridiagonal: deflation", 0);
    for_each_column<SolveSecular>();
    machine_->mark("tridiagonal: secular", 0);
    for_each_column<CorrectWeights>();
    for_each_column<FormVectors>();
    machine_->mark("tridiagonal: vectors", 0);
    if (!a_.of_boundaries) multiply();
    for_each_column<FinishColumns>();
    machine_->mark("tridiagonal: deflation", 0);
  }

  void multiply() const {
    if constexpr (Machine::has_library)
      if (((a_.level.order - 1) >> a_.level.bits) + 1 > most_rows_of_own_products) return multiply_by_library();
    machine_->template launch<MultiplyColumns>(static_cast<int>(MultiplyColumns::blocks(a_.level)),
                                               MultiplyColumns::shared_bytes, a_);
    machine_->mark("tridiagonal: small products", 0);
  }

  template <class F>
  void for_each_column() const {
    using Body = EachColumn<F>;
    machine_->template launch<Body>(static_cast<int>((a_.level.columns() - 1) / Body::columns + 1), 0, a_);
  }

  void multiply_by_library() const {
    std::vector<MergeSizes> all(a_.level.parts());
    machine_->download(all.data(), a_.sizes, all.size());
    double flops = 0;
    for (Index part = 0; part < a_.level.parts(); ++part) {
      const MergeSizes& sizes = all[part];
      const Merge m = a_.level.merge(part);
      const auto multiply = [&](Index begin, Index end, Index first, Index inner) {
        const Index rows = end - begin, k = sizes.kept;
        const View to = a_.Q.block(begin, m.begin, rows, k);
        flops += 2 * static_cast<double>(rows) * static_cast<double>(inner) * static_cast<double>(k);
        if (inner > 0)
          machine_->gemm(Op::none, Op::none, 1, ConstView(a_.copy.block(begin, m.begin, rows, inner)),
                         ConstView(a_.S.block(m.begin + first, m.begin, inner, k)), 0, to);
        else
          machine_->for_each(rows, k, SetZero<double>{to});
      };
      if (sizes.kept == 0) continue;
      multiply(m.begin, m.middle, 0, sizes.upper_or_both());
      multiply(m.middle, m.end, sizes.upper, sizes.both_or_lower());
    }
    machine_->mark("tridiagonal: products", flops);
  }

  const Machine* machine_;
  int leaves_ = 0;
  View boundaries_, copy_of_boundaries_;
  MergeArguments a_{};
};

}  // namespace pivotlab::two_stage
