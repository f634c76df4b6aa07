// SPDX-License-Identifier: BSD-3-Clause
// Operations of HEV-2STAGE by an executor and the solver of kernels/two_stage.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/exec/workspace.hpp"
#include "kernels/gsvd/tangent/shared/elements.hpp"
#include "kernels/jacobi/device/two_stage_device.hpp"
#include "kernels/numerics/elements.hpp"

#include <utility>

namespace pivotlab::jacobi {

/// Sets U to the columns of X in reverse order.
template <class T>
struct ReversedColumns {
  MatrixView<const T> X;
  MatrixView<T> U;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(U, i, j) = at(X, i, U.cols - 1 - j); }
};

template <class Executor, class T>
class TwoStageMachine final : public TwoStageDevice<T> {
 public:
  /// Takes its memory from the arena, if there is one; make_solver(executor) returns the solver.
  template <class MakeSolver, class... ExecutorArguments>
  TwoStageMachine(Index n, const std::optional<Arena>& arena, const MakeSolver& make_solver,
                  ExecutorArguments&&... arguments)
      : executor_(arena, std::forward<ExecutorArguments>(arguments)...),
        n_(n),
        X_(kept<T>(n * n)),
        lambda_(kept<double>(n)),
        sizes_(kept<ldlt_device::ColumnSize>(n)),
        workspace_(kept<std::byte>(static_cast<Index>(two_stage::workspace_bytes<T>(n)))),
        solver_(make_solver(executor_)) {}

  /// Returns the bytes taken from the arena.
  std::size_t workspace_bytes() const { return executor_.used(); }

  MatrixView<const T> upload_to_x(MatrixView<const T> A) override {
    upload_matrix(executor_, A, X_.data());
    return X(n_);
  }

  std::vector<ldlt_device::ColumnSize> measure(MatrixView<const T> A) override {
    using Body = ldlt_device::MeasureColumns<T, true>;
    executor_.template launch<Body>(static_cast<int>(n_), Body::shared_bytes, {{A}, sizes_.data()});
    return downloaded(sizes_);
  }

  std::vector<double> solve(MatrixView<const T> A, const two_stage::Wanted& wanted) override {
    if (A.data != X_.data()) for_each(executor_, n_, n_, tangent::Arrange<T>{.from = A, .to = X(n_)});
    const two_stage::Outcome outcome = solver_->solve(X(n_), lambda_.data(), workspace_.data(), wanted);
    if (outcome != two_stage::Outcome::converged) return {};
    return downloaded(lambda_);
  }

  void export_x(MatrixView<T> U) override {
    for_each(executor_, n_, U.cols, ReversedColumns<T>{X(U.cols), U});
    executor_.synchronize();
  }

  void download_x(Index count, T* U) override {
    auto* const columns = reinterpret_cast<T*>(workspace_.data());
    export_x({columns, n_, count, n_});
    executor_.download(U, columns, static_cast<std::size_t>(n_ * count));
  }

 private:
  MatrixView<T> X(Index columns) const { return {X_.data(), n_, columns, n_}; }

  template <class N>
  Buffer<N> kept(Index count) {
    return executor_.template allocate<N>(static_cast<std::size_t>(count));
  }
  template <class N>
  std::vector<N> downloaded(const Buffer<N>& from) {
    std::vector<N> numbers(n_);
    executor_.download(numbers.data(), from.data(), numbers.size());
    return numbers;
  }

  WithWorkspace<Executor> executor_;
  Index n_;
  Buffer<T> X_;
  Buffer<double> lambda_;
  Buffer<ldlt_device::ColumnSize> sizes_;
  Buffer<std::byte> workspace_;
  std::unique_ptr<two_stage::Eigensolver<T>> solver_;
};

}  // namespace pivotlab::jacobi
