// SPDX-License-Identifier: BSD-3-Clause
// A decomposition on the host: scaling, balancing, iteration, eigenvectors. The results of a device are also completed
// here.
#pragma once

#include "kernels/eig/host/accuracy.hpp"
#include "kernels/eig/host/blocked.hpp"
#include "kernels/eig/host/point.hpp"
#include "kernels/eig/host/refine.hpp"
#include "kernels/eig/host/schur_form.hpp"
#include "kernels/eig/host/single_precision.hpp"
#include "kernels/eig/host/vectors.hpp"
#include "kernels/eig/shared/balance.hpp"
#include "kernels/numerics/threads.hpp"
#include "support/timer.hpp"

#include <optional>
#include <utility>

namespace pivotlab::eig_detail {

/// Decomposes an n × n matrix that has been checked.
template <class R>
class Solver {
 public:
  using C = std::complex<R>;

  explicit Solver(const EigOptions& options) : options_(options), threads_(thread_count(options.threads)) {}

  /// Solves on the host; A becomes T.
  EigResult<R> solve(MatrixView<C> A) {
    const Timer timer;
    n_ = A.cols;
    if (options_.variant.finish) accuracy_.emplace(A, threads_);
    balance_ = prepare(A, options_.variant.balance);
    if (options_.variant.form == EigForm::blocked)
      run<BlockedSweep<R>>(A);
    else
      run<PointSweep<R>>(A);
    find_accurate_pairs(A);
    take_results(A);
    result_.compute_seconds = timer.seconds();
    return std::move(result_);
  }

  /// Completes the result of a device.
  EigResult<R> finish_on_host(MatrixView<C> A, DeviceDecomposition<R> device) {
    n_ = A.cols;
    balance_ = std::move(device.balance);
    iterate_ = std::move(device.iterate);
    similarity_ = std::move(device.similarity);
    iteration_ = std::move(device.iteration);
    right_ = std::move(device.right);
    const Timer timer;
    if (options_.variant.finish) accuracy_.emplace(A, threads_);
    if (options_.variant.refine || options_.variant.finish) apply_balance<R>(balance_, A);
    find_accurate_pairs(A);
    result_.compute_seconds = device.compute_seconds + timer.seconds();
    take_results(A);
    return std::move(result_);
  }

 private:
  void take_results(MatrixView<C> A) {
    order_results();
    if (options_.condition_numbers) result_.conditions = condition_numbers(result_.V, result_.W);
    take_triangular_matrix(A);
    if (options_.triangular_form) take_similarity();
    if (!options_.right_vectors) result_.V = {};
    if (!options_.left_vectors) result_.W = {};
    take_history();
  }

  template <class Sweep>
  void run(MatrixView<const C> A) {
    const Index order = Sweep::bordered_order(n_, options_.variant);
    iterate_ = SplitComplex<R>(order, order);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) iterate_.re(j)[i] = A(i, j).real(), iterate_.im(j)[i] = A(i, j).imag();
    if (wants_right(options_) || options_.triangular_form) similarity_.E = identity(order);
    if (wants_left(options_)) similarity_.inverse_transposed = identity(order);
    EarlierSweeps<R> earlier;
    if constexpr (std::is_same_v<Sweep, BlockedSweep<double>>)
      earlier = sweep_in_single_precision(iterate_, similarity_, options_, threads_);
    const R tolerance = R(order) * std::numeric_limits<R>::epsilon();
    iteration_ = iterate(iterate_, similarity_, options_, threads_, tolerance, Sweep(options_.variant, order, threads_),
                         std::move(earlier));
  }

  static SplitComplex<R> identity(Index order) {
    SplitComplex<R> I(order, order);
    I.set_identity();
    return I;
  }

  /// Computes the pairs of the iterate or, if it is not triangular or they fail the test, of a Schur form: of the
  /// balanced matrix and, if balancing does harm, of the given A.
  void find_accurate_pairs(MatrixView<C> A) {
    history_exponent_ = balance_.exponent;
    find_pairs(A, options_.variant.refine);
    if (!accuracy_ || n_ == 0 || are_accurate()) return;
    result_.finished = true;
    take_schur_form(A);
    if (balance_.d.empty() || are_accurate()) return;
    to_given_coordinates(balance_, similarity_.E, +1);
    balance_ = accuracy_->balance();
    std::copy_n(accuracy_->matrix().data(), n_ * n_, A.data);
    take_schur_form(A);
  }

  bool are_accurate() const {
    return iteration_.converged && accuracy_ && accuracy_->passed_by(lambda_, balance_.exponent, right_, left_);
  }

  /// Replaces the iterate and E by the Schur form of A that begins with the orthonormal factor of E. The pairs are
  /// those of the form where refinement, which moves eigenvalues of a singular V together, makes them worse.
  void take_schur_form(MatrixView<const C> A) {
    SplitComplex<R> matrix(n_, n_), E(n_, n_);
    matrix.assign(A);
    for (Index j = 0; j < n_; ++j) {  // without the border
      std::copy_n(similarity_.E.re(j), n_, E.re(j));
      std::copy_n(similarity_.E.im(j), n_, E.im(j));
    }
    SchurForm<R> form = schur_form(matrix, std::move(E), threads_);
    iteration_.converged = form.found;
    iterate_ = std::move(form.T);
    similarity_.E = std::move(form.Q);
    if (wants_left(options_)) similarity_.inverse_transposed = conjugate_of(similarity_.E);
    right_ = {};
    find_pairs(A, options_.variant.refine);
    if (!options_.variant.refine || are_accurate()) return;
    right_ = {}, result_.refined = 0;
    find_pairs(A, false);
  }

  /// Computes the eigenvalues in the units of the iteration, in the order of the diagonal, and the vectors of the given
  /// matrix.
  void find_pairs(MatrixView<const C> A, bool refine) {
    lambda_ = diagonal_of(iterate_);
    lambda_.resize(n_);  // without the border
    if (wants_right(options_) && right_.cols() != n_)
      right_ = eigenvectors<false>(iterate_, similarity_.E, n_, threads_);
    if (wants_left(options_)) left_ = eigenvectors<true>(iterate_, similarity_.inverse_transposed, n_, threads_);
    if (refine && n_ > 0) {
      const Refinement<R> refinement(A, options_.variant, threads_);
      result_.refined = refinement.improve(lambda_, right_);
      if (wants_left(options_)) refinement.improve_left(lambda_, right_, left_);
    }
    to_given_coordinates(balance_, right_, +1);
    to_given_coordinates(balance_, left_, -1);
  }

  void order_results() {
    result_.positions = descending(lambda_);
    for (const Index k : result_.positions)
      result_.eigenvalues.push_back(times_power_of_two(lambda_[k], -balance_.exponent));
    if (wants_right(options_)) result_.V = in_order(right_, result_.positions);
    if (wants_left(options_)) result_.W = in_order(left_, result_.positions);
  }

  /// Stores T without the rounding errors below the diagonal; if not converged, the last iterate.
  void take_triangular_matrix(MatrixView<C> A) const {
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const C x(iterate_.re(j)[i], iterate_.im(j)[i]);
        A(i, j) = iteration_.converged && i > j ? C(0) : times_power_of_two(x, -balance_.exponent);
      }
  }

  void take_similarity() {
    result_.E = Matrix<C>(n_, n_);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const C x(similarity_.E.re(j)[i], similarity_.E.im(j)[i]);
        result_.E(i, j) = balance_.d.empty() ? x : times_power_of_two(x, balance_.d[i]);
      }
  }

  void take_history() {
    std::vector<C> found = iteration_.diagonal.back();
    if (result_.finished)
      for (Index k = 0; k < n_; ++k) found[k] = times_power_of_two(lambda_[k], history_exponent_ - balance_.exponent);
    store_history(iteration_, found, history_exponent_, result_);
  }

  const EigOptions& options_;
  int threads_;
  Index n_ = 0;
  Balance balance_;
  int history_exponent_ = 0;
  std::optional<AccuracyTest<R>> accuracy_;
  SplitComplex<R> iterate_;
  Similarity<R> similarity_;
  IterationResult<R> iteration_;
  std::vector<C> lambda_;
  SplitComplex<R> right_, left_;
  EigResult<R> result_;
};

}  // namespace pivotlab::eig_detail
