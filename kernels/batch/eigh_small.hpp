// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and vectors of many small Hermitian matrices: tridiagonal forms, divide and conquer on all of them at
// once (kernels/two_stage), and the reflectors applied to its vectors.
#pragma once

#include "kernels/batch/eigenvectors_small.hpp"
#include "kernels/batch/tridiagonal_small.hpp"
#include "kernels/gsvd/tangent/device/kernels.hpp"
#include "kernels/two_stage/divide_and_conquer.hpp"

#include <string_view>

namespace pivotlab::batch {

/// Launches kernels alone.
template <class Executor>
struct KernelsOnly : tangent::Kernels<Executor> {
  using tangent::Kernels<Executor>::Kernels;
  static constexpr bool has_library = false;
  static void mark(std::string_view, double) {}
};

/// Solves for matrices of one order on an executor.
template <class T, class Executor>
class EighSmall {
  using Machine = KernelsOnly<Executor>;

 public:
  EighSmall(Executor& executor, const EighArguments<T>& a, int count)
      : machine_(executor), a_(a), count_(count), divide_and_conquer_(machine_, a.n, count) {}

  std::size_t workspace_bytes() {
    Arena counting(nullptr);
    lay_out(counting);
    return counting.used();
  }

  template <int largest>
  void run() {
    Arena arena(a_.workspace);
    lay_out(arena);
    using Reduction = TridiagonalSmall<T, largest>;
    using Vectors = EigenvectorsSmall<T, largest>;
    machine_.template launch<Reduction>(count_, Reduction::shared_bytes(a_.n), reduction_);
    if (has_vectors())
      divide_and_conquer_.run(reduction_.diagonal, reduction_.off_diagonal, Z_, copy_);
    else
      divide_and_conquer_.run_without_vectors(reduction_.diagonal, reduction_.off_diagonal);
    const EigenvectorArguments<T> vectors{.n = a_.n,
                                          .work = reduction_.work,
                                          .tau = reduction_.tau,
                                          .lambda = reduction_.diagonal,
                                          .Z = Z_.data,
                                          .order = divide_and_conquer_.order(),
                                          .exponent = reduction_.exponent,
                                          .given = reduction_.status,
                                          .not_converged = divide_and_conquer_.failed(),
                                          .values = a_.values,
                                          .estimate = a_.estimate,
                                          .U = a_.U,
                                          .status = a_.status};
    machine_.template launch<Vectors>(count_ * Vectors::slabs(vectors), 0, vectors);
  }

 private:
  bool has_vectors() const { return a_.U.data != nullptr; }

  void lay_out(Arena& arena) {
    const Index numbers = Index(a_.n) * count_;
    reduction_ = {.A = a_.A,
                  .n = a_.n,
                  .work = arena.take<T>(numbers * a_.n),
                  .tau = arena.take<T>(numbers),
                  .diagonal = arena.take<double>(numbers),
                  .off_diagonal = arena.take<double>(numbers),
                  .exponent = arena.take<int>(count_),
                  .status = arena.take<int>(count_)};
    if (has_vectors()) Z_ = divide_and_conquer_.take_matrices(arena), copy_ = divide_and_conquer_.take_matrices(arena);
    divide_and_conquer_.lay_out(arena, has_vectors());
  }

  Machine machine_;
  EighArguments<T> a_;
  int count_;
  two_stage::DivideAndConquer<Machine> divide_and_conquer_;
  TridiagonalArguments<T> reduction_;
  MatrixView<double> Z_, copy_;
};

}  // namespace pivotlab::batch
