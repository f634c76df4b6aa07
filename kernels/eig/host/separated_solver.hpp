// SPDX-License-Identifier: BSD-3-Clause
// A decomposition from those of the two blocks of a separation.
#pragma once

#include "kernels/eig/host/accuracy.hpp"
#include "kernels/eig/host/refine.hpp"
#include "kernels/eig/host/separation.hpp"
#include "kernels/eig/host/vectors.hpp"
#include "kernels/numerics/threads.hpp"
#include "support/timer.hpp"

#include <functional>
#include <optional>
#include <utility>

namespace pivotlab::eig_detail {

template <class R>
class SeparatedSolver {
  using C = std::complex<R>;

 public:
  /// Decomposes a block, n × n, which becomes T.
  using SolveBlock = std::function<EigResult<R>(MatrixView<C>, const EigOptions&)>;

  SeparatedSolver(const Separation<R>& separation, const EigOptions& options, const SolveBlock& solve_block)
      : separation_(separation),
        options_(options),
        solve_block_(solve_block),
        threads_(thread_count(options.threads)),
        blocks_{separation.B1(), separation.B2()} {}

  /// Decomposes the separated matrix; A becomes T, a block diagonal matrix. Returns nothing, and A has not changed, if
  /// the pairs are not accurate beside ‖A‖: the blocks have tested them in balanced coordinates, which may differ much.
  std::optional<EigResult<R>> solve(MatrixView<C> A) {
    for (int k = 0; k < 2; ++k) results_[k] = solve_block_(blocks_[k], options_of_blocks());
    const Timer timer;
    n_ = A.cols;
    exponent_ = separation_.balance().exponent;
    for (const EigResult<R>& of_block : results_)
      lambda_.insert(lambda_.end(), of_block.eigenvalues.begin(), of_block.eigenvalues.end());
    if (wants_right(options_)) right_ = split<R>(separation_.right(results_[0].V, results_[1].V));
    if (wants_left(options_)) left_ = split<R>(separation_.left(results_[0].W, results_[1].W));
    if (options_.variant.refine) refine();
    to_given_coordinates(separation_.balance(), right_, +1);
    to_given_coordinates(separation_.balance(), left_, -1);
    if (right_.cols() > 0 && !AccuracyTest<R>(A, threads_).passed_by(lambda_, exponent_, right_, left_)) return {};
    join_histories();
    take_vectors();
    take_triangular_form(A);
    result_.compute_seconds = results_[0].compute_seconds + results_[1].compute_seconds + timer.seconds();
    return std::move(result_);
  }

 private:
  EigOptions options_of_blocks() const {
    EigOptions options = options_;
    options.right_vectors = wants_right(options_), options.left_vectors = wants_left(options_);
    options.condition_numbers = options.variant.refine = options.variant.extended = false;
    return options;
  }

  /// Refines the pairs of the balanced matrix, whose blocks have rounding errors.
  void refine() {
    Matrix<C> A = separation_.balanced();
    const int down = -exponent_of(largest_part<R>(A));
    scale(A.view(), down);
    for (auto* vectors : {&right_, &left_})
      for (Index k = 0; k < vectors->cols(); ++k) normalize(vectors->re(k), vectors->im(k), n_);
    for (C& x : lambda_) x = times_power_of_two(x, down);
    const Refinement<R> refinement(A, options_.variant, threads_);
    result_.refined = refinement.improve(lambda_, right_);
    if (wants_left(options_)) refinement.improve_left(lambda_, right_, left_);
    for (C& x : lambda_) x = times_power_of_two(x, -down);
  }

  /// The iterates of the blocks form one; the last iterate of a block remains while the other one is transformed.
  void join_histories() {
    const auto &first = results_[0].history, &second = results_[1].history;
    for (std::size_t k = 0; k < std::max(first.size(), second.size()); ++k) {
      const bool first_ended = k >= first.size(), second_ended = k >= second.size();
      const EigSweep<R>&a = first_ended ? first.back() : first[k], &b = second_ended ? second.back() : second[k];
      EigSweep<R> both;
      for (R EigSweep<R>::*x : {&EigSweep<R>::norm, &EigSweep<R>::lower, &EigSweep<R>::departure})
        both.*x = times_power_of_two(modulus(C(a.*x, b.*x)), -exponent_);
      both.largest_tau = std::max(first_ended ? R(0) : a.largest_tau, second_ended ? R(0) : b.largest_tau);
      both.seconds = (first_ended ? 0 : a.seconds) + (second_ended ? 0 : b.seconds);
      result_.history.push_back(both);
    }
    const EigResult<R>& worse = results_[0].status == Status::passed ? results_[1] : results_[0];
    result_.status = worse.status, result_.message = worse.message;
    result_.finished = results_[0].finished || results_[1].finished;
  }

  void take_vectors() {
    const std::vector<Index> order = descending(lambda_);
    for (const Index k : order) {
      const bool of_first = k < separation_.large();
      const Index in_block = of_first ? k : k - separation_.large();
      result_.positions.push_back(of_first ? results_[0].positions[in_block]
                                           : results_[1].positions[in_block] + separation_.large());
      result_.eigenvalues.push_back(times_power_of_two(lambda_[k], -exponent_));
    }
    const auto stored = [&](const SplitComplex<R>& vectors) { return in_order(vectors, order); };
    if (options_.condition_numbers) result_.conditions = condition_numbers(stored(right_), stored(left_));
    if (options_.right_vectors) result_.V = stored(right_);
    if (options_.left_vectors) result_.W = stored(left_);
  }

  void take_triangular_form(MatrixView<C> A) {
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const Index first = j < separation_.large() ? 0 : separation_.large();
        const Matrix<C>& T = blocks_[first == 0 ? 0 : 1];
        const bool inside = first <= i && i - first < T.rows();
        A(i, j) = inside ? times_power_of_two(C(T(i - first, j - first)), -exponent_) : C(0);
      }
    if (!options_.triangular_form) return;
    const Matrix<C> E = separation_.right(results_[0].E, results_[1].E);
    result_.E = Matrix<C>(n_, n_);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) result_.E(i, j) = times_power_of_two(C(E(i, j)), separation_.balance().d[i]);
  }

  const Separation<R>& separation_;
  const EigOptions& options_;
  const SolveBlock& solve_block_;
  int threads_;
  Matrix<C> blocks_[2];  // they become T
  EigResult<R> results_[2];
  Index n_ = 0;
  int exponent_ = 0;
  std::vector<C> lambda_;  // in units of 2^−exponent
  SplitComplex<R> right_, left_;
  EigResult<R> result_;
};

}  // namespace pivotlab::eig_detail
