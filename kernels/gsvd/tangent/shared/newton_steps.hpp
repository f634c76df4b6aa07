// SPDX-License-Identifier: BSD-3-Clause
// Step 7 of the specification: Newton steps, which rotate all pairs of columns of A = M·V at once.
#pragma once

#include "kernels/gsvd/tangent/shared/columns.hpp"
#include "kernels/gsvd/tangent/shared/orthogonal_factor.hpp"
#include "kernels/gsvd/tangent/shared/run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <pivotlab/interrupt.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::tangent {

template <class T, class Machine>
class NewtonSteps {
  using View = MatrixView<T>;
  using ConstView = MatrixView<const T>;

 public:
  NewtonSteps(Run<T, Machine>& run, Columns<T, Machine>& columns) : run_(run), columns_(columns) {}

  /// Makes the columns orthogonal. Returns false, and the run has the reason, if the steps do not suffice.
  bool run() {
    constexpr int most_steps = 16;
    for (;;) {
      run_.machine.for_each(run_.n, run_.n, Arrange<T>{.from = run_.A, .to = run_.scratch, .col_divisor = run_.norms});
      run_.machine.gram(ConstView(run_.scratch), run_.C);
      run_.machine.mark("AᴴA", run_.cube());
      run_.machine.for_each(run_.n, run_.n, Angles<T>{run_.C, run_.norms, tolerance(), run_.E});
      run_.machine.reduce_columns(run_.n, run_.n, ColumnStatistics<T>{run_.C, run_.E, tolerance(), run_.statistics});
      const std::vector<PairStatistics> columns = run_.download(run_.statistics, run_.n);
      run_.machine.mark("angles", 0);

      throw_if_interrupted();
      TangentStep step;
      for (const PairStatistics& column : columns) {
        step.largest_cosine = larger_or_nan(step.largest_cosine, column.largest_cosine);
        step.largest_angle = larger_or_nan(step.largest_angle, column.largest_angle);
        step.norm = larger_or_nan(step.norm, column.sum);
        step.pairs += static_cast<std::uint64_t>(column.pairs);
        step.strong += static_cast<std::uint64_t>(column.strong);
      }
      if (!std::isfinite(step.largest_cosine))
        return run_.fail(Breakdown::no_reduction, "M·V: a cosine of two columns is not finite");
      const bool converged = step.largest_cosine <= tolerance();
      step.kind = step.strong > 0 && !converged ? TangentStep::Kind::interval : TangentStep::Kind::newton;
      run_.out.report.steps.push_back(step);
      if (converged) return true;
      if (std::ssize(run_.out.report.steps) > most_steps)
        return run_.fail(Breakdown::not_converged,
                         "the columns of M·V are not orthogonal after " + std::to_string(most_steps) + " steps");
      if (step.strong > 0) {
        diagonalize_intervals(columns);
        run_.machine.mark("eigenvectors of intervals", 0);
      } else if (!newton_step(step)) {
        return false;
      }
      if (!columns_.sort_by_norm()) return false;
    }
  }

 private:
  /// The largest cosine of columns that count as orthogonal.
  double tolerance() const { return 8 * unit_roundoff<double>() * std::sqrt(static_cast<double>(run_.n)); }

  /// Diagonalizes the Gram matrices of unions of intervals; an interval reaches from a column to the last one that it
  /// is coupled to.
  void diagonalize_intervals(const std::vector<PairStatistics>& columns) {
    for (Index first = 0; first < run_.n; ++first) {
      Index last = first;
      for (Index j = first; j <= last; ++j) last = std::max<Index>(last, columns[j].last);
      if (last == first) continue;
      columns_.diagonalize_range(first, last + 1);
      first = last;
    }
  }

  /// A := A·Q, V := V·Q with an orthogonal Q next to I + E; on path l, A is the product M·V afresh, because M is
  /// row-graded and the roundoff of Q is not relative to its elements. With a tiny E, A·Q has no such errors, whereas
  /// cosines after a product afresh stagnate at the roundoff times the condition of M's scaled rows.
  bool newton_step(const TangentStep& step) {
    double size = step.norm, factor = 1;
    constexpr double largest_norm = 2;
    if (size > largest_norm) size = norm_of_e();
    if (size > largest_norm) factor = largest_norm / size;
    const bool afresh = columns_.two_qrs() && size > tiny_norm;
    return 4 * step.pairs < static_cast<std::uint64_t>(run_.n) ? rotate_coupled(factor, size, afresh)
                                                               : rotate_all(factor, size, afresh);
  }

  bool rotate_all(double factor, double size, bool afresh) {
    if (!make_orthogonal(run_.E, factor, size, run_.Q)) return false;
    run_.machine.multiply(ConstView(run_.V), ConstView(run_.Q), run_.scratch);
    std::swap(run_.V, run_.scratch);
    run_.machine.mark("V·Q", 2 * run_.cube());
    if (afresh) {
      run_.machine.multiply_left(false, ConstView(run_.M), ConstView(run_.V), run_.A);
      run_.machine.mark("A = M·V", run_.cube());
    } else {
      run_.machine.multiply(ConstView(run_.A), ConstView(run_.Q), run_.scratch);
      std::swap(run_.A, run_.scratch);
      run_.machine.mark("A·Q", 2 * run_.cube());
    }
    return true;
  }

  /// The same for the columns alone that have a cosine above the tolerance with another one, where these are few.
  bool rotate_coupled(double factor, double size, bool afresh) {
    run_.machine.reduce_columns(run_.n, run_.n, CoupledColumns<T>{run_.C, tolerance(), run_.columns});
    std::vector<int> coupled;
    const std::vector<int> flags = run_.download(run_.columns, run_.n);
    for (std::size_t j = 0; j < flags.size(); ++j)
      if (flags[j]) coupled.push_back(static_cast<int>(j));
    const auto k = static_cast<Index>(coupled.size());
    run_.upload(run_.columns, coupled);
    const View E{run_.scratch.data, k, k, k}, Q{run_.Q.data, k, k, k};
    run_.machine.for_each(k, k, Arrange<T>{.from = run_.E, .to = E, .rows = run_.columns, .cols = run_.columns});
    if (!make_orthogonal(E, factor, size, Q)) return false;

    const View before{run_.scratch.data, run_.n, k, run_.n}, after{run_.E.data, run_.n, k, run_.n};
    const auto rotate = [&](View matrix) {
      run_.machine.for_each(run_.n, k, Arrange<T>{.from = matrix, .to = before, .cols = run_.columns});
      run_.machine.multiply(ConstView(before), ConstView(Q), after);
      run_.machine.for_each(run_.n, k, PlaceColumns<T>{after, matrix, run_.columns});
    };
    rotate(run_.V);
    if (afresh) {
      run_.machine.multiply_left(false, ConstView(run_.M), ConstView(after), before);
      run_.machine.for_each(run_.n, k, PlaceColumns<T>{before, run_.A, run_.columns});
    } else {
      rotate(run_.A);
    }
    run_.machine.mark("rotation of coupled columns", 0);
    return true;
  }

  bool make_orthogonal(View E, double factor, double size, View Q) {
    const Index k = E.rows;
    if (tangent::make_orthogonal<T>(run_.machine, E, factor, size, {run_.C.data, k, k, k}, Q)) return true;
    return run_.fail(Breakdown::not_converged, "(I+E)ᴴ(I+E) is not positive definite");
  }

  double norm_of_e() {
    const Index n = run_.n;
    return estimated_norm<T>(run_.machine, run_.E, {run_.scratch.data, n, 1, n}, {run_.C.data, n, 1, n}, run_.scale,
                             run_.vector);
  }

  Run<T, Machine>& run_;
  Columns<T, Machine>& columns_;
};

}  // namespace pivotlab::tangent
