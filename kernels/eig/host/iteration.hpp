// SPDX-License-Identifier: BSD-3-Clause
// Parts common to all forms of the iteration: the state, the diagonal transformation at the end of a sweep, the test
// that ends the iteration.
//
//   repeat   record ‖A‖_F, ‖lower part‖_F;  stop if lower ≤ tolerance·‖A‖_F (finally n·ε), or stagnates (finish)
//            A, E, E⁻¹ := a sweep (point.hpp, blocked.hpp)
//            A := D⁻¹·A·D,  E := E·D,  E⁻¹ := D⁻¹·E⁻¹,  D = diag t_j, four times with half the exponent
//
// With the whole exponent ½ in one step, t_j = √(h_j/g_j), two rows that are coupled only to each other would exchange
// their off-diagonal elements forever: [λ, x; y, μ] with x ≫ y would become [λ, y; x, μ], while the columns of E drift
// apart. With half the exponent the first step balances such a pair; four steps cost little, and save sweeps if a
// matrix is far from normal.
#pragma once

#include "kernels/eig/host/pairs.hpp"
#include "kernels/eig/shared/decomposition.hpp"
#include "kernels/eig/shared/diagonal.hpp"
#include "kernels/eig/shared/stagnation.hpp"
#include "support/timer.hpp"

#include <limits>
#include <pivotlab/eig.hpp>
#include <pivotlab/interrupt.hpp>

namespace pivotlab::eig_detail {

template <class R>
void scale_column(SplitComplex<R>& X, Index j, const R& factor) {
  if (X.cols() > 0) X.scale_column(j, factor);
}

/// Applies all diagonal transformations at once; `noise` is √ε·‖A‖_F.
template <class R>
void diagonal_step(SplitComplex<R>& A, Similarity<R>& similarity, const R& noise, double exponent, int threads) {
  const Index n = A.cols();
  std::vector<R> columns(n), rows(columns.size()), t(columns.size()), inverse(columns.size());
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (Index j = 0; j < n; ++j) {
      const R *re = A.re(j), *im = A.im(j);
      R sum(0);
#pragma omp simd reduction(+ : sum)
      for (Index i = 0; i < n; ++i) sum += i == j ? R(0) : R(re[i] * re[i] + im[i] * im[i]);
      columns[j] = sum;
    }
    constexpr Index strip = 64;  // one thread sums a row over all columns: the same bits for any number of threads
#pragma omp for schedule(static)
    for (Index first = 0; first < n; first += strip) {
      const Index last = std::min(first + strip, n);
      for (Index j = 0; j < n; ++j) {
        const R *re = A.re(j), *im = A.im(j);
        R* row = rows.data();
#pragma omp simd
        for (Index i = first; i < last; ++i) row[i] += i == j ? R(0) : R(re[i] * re[i] + im[i] * im[i]);
      }
    }
#pragma omp single
    for (Index j = 0; j < n; ++j) {
      t[j] = diagonal_parameter(columns[j], rows[j], noise, exponent);
      inverse[j] = R(1) / t[j];
    }
#pragma omp for schedule(static)
    for (Index j = 0; j < n; ++j) {
      R *re = A.re(j), *im = A.im(j);
      const R factor = t[j], *d = inverse.data();
#pragma omp simd
      for (Index i = 0; i < n; ++i) {
        const R both = i == j ? R(1) : R(factor * d[i]);
        re[i] *= both, im[i] *= both;
      }
      scale_column(similarity.E, j, t[j]);
      scale_column(similarity.inverse_transposed, j, inverse[j]);
    }
  }
}

/// Norms of an iterate. Squares are summed by columns, then over the columns: the same bits for any number of threads.
template <class R>
struct IterateNorms {
  R squared{};        ///< ‖A‖_F²
  R lower_squared{};  ///< sum of squares of the strictly lower part
  R off_squared{};    ///< sum of squares without the diagonal

  explicit IterateNorms(const SplitComplex<R>& A) {
    const auto sum_of = [](const R* re, const R* im, Index count) {
      R sum(0);
#pragma omp simd reduction(+ : sum)
      for (Index i = 0; i < count; ++i) sum += re[i] * re[i] + im[i] * im[i];
      return sum;
    };
    R upper(0), diagonal(0);
    for (Index j = 0; j < A.cols(); ++j) {
      const R *re = A.re(j), *im = A.im(j);
      upper += sum_of(re, im, j);
      diagonal += sum_of(re + j, im + j, 1);
      lower_squared += sum_of(re + j + 1, im + j + 1, A.rows() - j - 1);
    }
    off_squared = upper + lower_squared;
    squared = off_squared + diagonal;
  }
};

template <class R>
std::vector<std::complex<R>> diagonal_of(const SplitComplex<R>& A) {
  std::vector<std::complex<R>> diagonal;
  for (Index k = 0; k < A.cols(); ++k) diagonal.emplace_back(A.re(k)[k], A.im(k)[k]);
  return diagonal;
}

/// Sweeps before an iteration begins.
template <class R>
struct EarlierSweeps {
  IterationResult<R> of;  ///< the iterates before the first one of this iteration
  EigSweep<R> last;       ///< of the last such sweep: largest_tau and seconds
};

/// Iterates with a sweep(A, similarity) that returns the largest τ², until ‖lower part‖_F ≤ tolerance·‖A‖_F.
template <class R, class Sweep>
IterationResult<R> iterate(SplitComplex<R>& A, Similarity<R>& similarity, const EigOptions& options, int threads,
                           const R& tolerance, Sweep&& sweep, EarlierSweeps<R> earlier = {}) {
  IterationResult<R> result = std::move(earlier.of);
  const R root_epsilon = square_root(std::numeric_limits<R>::epsilon());
  const auto lower_share = [](const EigSweep<R>& of) { return R(of.lower / of.norm); };
  EigSweep<R> last = earlier.last;
  while (true) {
    const IterateNorms<R> norms(A);
    last.norm = square_root(norms.squared);
    last.lower = square_root(norms.lower_squared);
    result.history.push_back(last);
    result.off_squared.push_back(norms.off_squared);
    result.diagonal.push_back(diagonal_of(A));
    result.converged = last.lower <= tolerance * last.norm;
    const bool finite = last.norm <= std::numeric_limits<R>::max();
    if (result.converged || !finite || std::ssize(result.history) > options.max_sweeps) return result;
    if (options.variant.finish && has_stagnated(result.history, lower_share)) return result;
    throw_if_interrupted();
    const Timer timer;
    last.largest_tau = square_root(sweep(A, similarity));
    if (options.variant.diagonal)
      for (int step = 0; step < diagonal_steps; ++step)
        diagonal_step(A, similarity, R(root_epsilon * last.norm), options.variant.exponent / 2, threads);
    last.seconds = timer.seconds();
  }
}

}  // namespace pivotlab::eig_detail
