// SPDX-License-Identifier: BSD-3-Clause
// The factorization stage by stage.
//
//   while k < n:   choose a pivot of A^[n−k] (Algorithms 2–4)
//                  interchange rows and columns so that it comes first
//                  M ← C·P⁻¹,  A^[n−k−s] ← B − C·P⁻¹·C*,  k ← k + s       (Algorithm 1)
#pragma once

#include "kernels/ldlt/host/panels.hpp"
#include "kernels/ldlt/host/pivoting.hpp"
#include "kernels/ldlt/host/reduced_matrix.hpp"
#include "kernels/ldlt/shared/judge.hpp"
#include "kernels/numerics/zeros.hpp"
#include "support/timer.hpp"

#include <pivotlab/interrupt.hpp>
#include <utility>

namespace pivotlab::ldlt_detail {

template <class T, class Storage, bool hermitian>
class Factorizer {
 public:
  using R = RealOf<T>;

  Factorizer(Storage& a, const LdltOptions& options) : a_(a), options_(options) {}

  LdltFactorization<T> run() {
    const auto prepared = prepare(a_, options_, f_);
    const Timer timer;
    mix<hermitian>(a_, options_, f_);
    eliminate();
    f_.compute_seconds = timer.seconds();
    if (!f_.refusal.empty()) return std::move(f_);

    extract();
    if (options_.variant.pivoting == Pivoting::none) f_.refusal = refusal_of(f_, prepared.norm, options_.threads);
    if (!f_.refusal.empty()) return std::move(f_);
    judge<hermitian>(options_, f_);
    undo_scaling(prepared.exponent, f_);
    return std::move(f_);
  }

 private:
  void eliminate() {
    ReducedMatrix<T, Storage, hermitian> reduced(a_, options_.threads);
    const PivotRule<R> rule{options_.variant.pivoting, R(options_.variant.alpha)};
    const Index n = a_.order();
    for (Index k = 0; k < n;) {
      throw_if_interrupted();
      const R largest = reduced.largest(k);
      if (rule.pivoting == Pivoting::complete && largest <= f_.tolerance) {
        f_.remainder = largest;
        clear(k);
        break;
      }
      const R growth = f_.largest_element == R(0) ? R(0) : R(largest / f_.largest_element);
      const Pivot pivot = choose_pivot(rule, reduced, k);
      if (rule.pivoting == Pivoting::none && !is_usable_pivot(reduced.diagonal(k))) {
        f_.refusal = unusable_pivot_text(k);
        return;
      }
      f_.stages.push_back({k, pivot.size, growth, R(1)});
      interchange(reduced, k, pivot.first, pivot.size);
      if (pivot.size == 2) {
        interchange(reduced, k + 1, pivot.second, pivot.size);
        f_.interchanges.back() = -f_.interchanges.back();
        reduced.eliminate_2x2(k);
      } else {
        reduced.eliminate_1x1(k);
      }
      k += pivot.size;
    }
  }

  void interchange(ReducedMatrix<T, Storage, hermitian>& reduced, Index k, Index other, int size) {
    reduced.interchange(k, other);
    f_.interchanges.push_back(other + 1);
    (size == 1 ? f_.swaps_1x1 : f_.swaps_2x2) += other != k;
  }

  /// Treats the reduced matrix as zero: D ends in zeros, and M in the identity.
  void clear(Index k) {
    for (Index j = k; j < a_.order(); ++j) {
      a_.diagonal(j) = T(0);
      std::fill_n(a_.column(j) + j + 1, a_.order() - j - 1, T(0));
      f_.interchanges.push_back(j + 1);
    }
  }

  void extract() {
    const Index n = a_.order();
    f_.permutation = permutation_of(f_.interchanges);
    f_.diagonal.resize(n);
    f_.subdiagonal.resize(n);
    for (const LdltStage<R>& stage : f_.stages)
      if (stage.size == 2) std::swap(f_.subdiagonal[stage.first], a_.column(stage.first)[stage.first + 1]);
    f_.M = zeros<T>(n, n, options_.threads);
#pragma omp parallel for num_threads(threads_for(n, options_.threads)) schedule(dynamic, 16)
    for (Index j = 0; j < n; ++j) {
      f_.diagonal[j] = a_.diagonal(j);
      f_.M(j, j) = T(1);
      std::copy_n(a_.column(j) + j + 1, n - j - 1, &f_.M(j, j) + 1);
    }
    f_.max_multiplier = largest_multiplier(f_.M, options_.threads);
  }

  Storage& a_;
  const LdltOptions& options_;
  LdltFactorization<T> f_;
};

template <class T>
Matrix<T> lower_triangle(const PackedTriangle<T>& packed, int threads = 0) {
  const Index n = packed.order();
  Matrix<T> full = zeros<T>(n, n, threads);
#pragma omp parallel for num_threads(threads_for(n, threads)) schedule(dynamic, 16)
  for (Index j = 0; j < n; ++j) {
    full(j, j) = packed.diagonal(j);
    std::copy_n(packed.column(j) + j + 1, n - j - 1, &full(j, j) + 1);
  }
  return full;
}

template <bool hermitian, class T>
LdltFactorization<T> factor_on_host(PackedTriangle<T> A, const LdltOptions& options) {
  if constexpr (has_panels<T>)
    if (works_in_panels<T>(options.variant.pivoting, A.order())) {
      Matrix<T> full = lower_triangle(A, options.threads);
      A = PackedTriangle<T>();
      return factor_in_panels<hermitian>(std::move(full), options);
    }
  return Factorizer<T, PackedTriangle<T>, hermitian>(A, options).run();
}

template <bool hermitian, class T>
LdltFactorization<T> factor_on_host(Matrix<T> A, const LdltOptions& options) {
  if constexpr (has_panels<T>)
    if (works_in_panels<T>(options.variant.pivoting, A.rows()))
      return factor_in_panels<hermitian>(std::move(A), options);
  FullTriangle<T> triangle(A);
  return Factorizer<T, FullTriangle<T>, hermitian>(triangle, options).run();
}

}  // namespace pivotlab::ldlt_detail
