// SPDX-License-Identifier: BSD-3-Clause
// Partial and rook pivoting, and elimination without a search, by panels.
//
//   while k < n:   panel: search, interchange and eliminate until some columns of M are complete
//                  A^[n−k] ← A − M·C* with all of them
// finally:       apply the interchanges of later panels to the columns of M
#include "kernels/ldlt/host/panels.hpp"

#include "kernels/ldlt/host/panel.hpp"
#include "kernels/ldlt/host/trailing_update.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "support/timer.hpp"

#include <complex>
#include <numeric>
#include <pivotlab/interrupt.hpp>

namespace pivotlab::ldlt_detail {
namespace {

template <class T, bool hermitian>
class PanelFactorizer {
 public:
  PanelFactorizer(Matrix<T> A, const LdltOptions& options, Index columns)
      : A_(std::move(A)), options_(options), threads_(thread_count(options.threads)), columns_(columns) {}

  LdltFactorization<T> run() {
    FullTriangle<T> triangle(A_);
    const auto prepared = prepare(triangle, options_, f_);
    const Timer timer;
    mix<hermitian>(triangle, options_, f_);
    eliminate();
    if (f_.refusal.empty()) {
      extract_d();
      finish_m();
    }
    f_.compute_seconds = timer.seconds();
    if (!f_.refusal.empty()) return std::move(f_);
    f_.M = std::move(A_);
    f_.growth_of_panels = true;
    if (options_.variant.pivoting == Pivoting::none) f_.refusal = refusal_of(f_, prepared.norm, options_.threads);
    if (!f_.refusal.empty()) return std::move(f_);
    judge<hermitian>(options_, f_);
    undo_scaling(prepared.exponent, f_);
    return std::move(f_);
  }

 private:
  Index order() const { return A_.rows(); }

  void eliminate() {
    fix_eigen_blocking();
    Panel<T, hermitian> panel(A_, columns_, threads_);
    double largest = f_.largest_element;
    for (Index k = 0; k < order(); k = panel.first()) {
      const double growth = f_.largest_element == 0 ? 0 : largest / f_.largest_element;
      throw_if_interrupted();
      panel.begin(k);
      while (!panel.is_full() && f_.refusal.empty()) eliminate_one(panel, growth);
      if (!f_.refusal.empty()) return;
      const Index next = panel.first(), left = order() - next;
      ends_.push_back(next);
      const MatrixView<T> reduced = A_.view().block(next, next, left, left);
      largest = TrailingUpdate<T, hermitian>(panel.m(), panel.c(), reduced, threads_).run();
    }
  }

  void eliminate_one(Panel<T, hermitian>& panel, double growth) {
    const Index k = panel.first();
    const PivotRule<double> rule{options_.variant.pivoting, options_.variant.alpha};
    const Pivot pivot = choose_by_columns(rule, panel, k);
    if (rule.pivoting == Pivoting::none && !is_usable_pivot(panel.diagonal(k))) {
      f_.refusal = unusable_pivot_text(k);
      return;
    }
    const std::array<Index, 2> exchanged = panel.eliminate(pivot);
    f_.stages.push_back({k, pivot.size, growth, 1});
    for (int s = 0; s < pivot.size; ++s) {
      f_.interchanges.push_back(s == 0 ? exchanged[0] + 1 : -(exchanged[1] + 1));
      (pivot.size == 1 ? f_.swaps_1x1 : f_.swaps_2x2) += exchanged[s] != k + s;
    }
  }

  void extract_d() {
    const auto n = static_cast<std::size_t>(order());
    f_.diagonal.resize(n);
    f_.subdiagonal.resize(n);
    for (Index j = 0; j < order(); ++j) f_.diagonal[j] = std::exchange(A_(j, j), T(1));
    for (const auto& stage : f_.stages)
      if (stage.size == 2) f_.subdiagonal[stage.first] = std::exchange(A_(stage.first + 1, stage.first), T(0));
  }

  /// Applies the interchanges of later panels to the columns of M; each panel has exchanged rows only in its own
  /// columns.
  void finish_m() {
    f_.permutation = permutation_of(f_.interchanges);
    std::vector<Index> rows(f_.permutation.size()), place(rows.size()), from(rows.size());
    std::iota(rows.begin(), rows.end(), Index(0));
    Index begin = 0;
    for (const Index end : ends_) {
      for (Index k = begin; k < end; ++k) std::swap(rows[k], rows[std::abs(f_.interchanges[k]) - 1]);
      for (Index i = 0; i < order(); ++i) place[rows[i]] = i;
      for (Index i = end; i < order(); ++i) from[i] = place[f_.permutation[i]];
      gather_rows(begin, end, from);
      begin = end;
    }
  }

  /// Computes M(i, j) := M(from[i], j) for the rows below a panel.
  void gather_rows(Index begin, Index end, const std::vector<Index>& from) {
    double largest = f_.max_multiplier;
    const auto moved = static_cast<double>((end - begin) * (order() - end));  // elements, about a nanosecond each
#pragma omp parallel num_threads(moved < worth_waking ? 1 : threads_) reduction(max : largest)
    {
      std::vector<T> before(from.size());
#pragma omp for schedule(static)
      for (Index j = begin; j < end; ++j) {
        T* m = &A_(0, j);
        std::copy(m + end, m + order(), before.begin() + end);
        for (Index i = end; i < order(); ++i) m[i] = before[from[i]];
        largest = std::max(largest, largest_magnitude(m + j + 1, order() - j - 1));
      }
    }
    f_.max_multiplier = largest;
  }

  Matrix<T> A_;
  const LdltOptions& options_;
  int threads_;
  Index columns_;
  std::vector<Index> ends_;  ///< last columns of the panels
  LdltFactorization<T> f_;
};

}  // namespace

template <bool hermitian, class T>
LdltFactorization<T> factor_in_panels(Matrix<T> A, const LdltOptions& options, Index columns) {
  return PanelFactorizer<T, hermitian>(std::move(A), options, columns).run();
}

using Complex = std::complex<double>;
template LdltFactorization<double> factor_in_panels<true>(Matrix<double>, const LdltOptions&, Index);
template LdltFactorization<Complex> factor_in_panels<true>(Matrix<Complex>, const LdltOptions&, Index);
template LdltFactorization<Complex> factor_in_panels<false>(Matrix<Complex>, const LdltOptions&, Index);

}  // namespace pivotlab::ldlt_detail
