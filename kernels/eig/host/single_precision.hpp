// SPDX-License-Identifier: BSD-3-Clause
// The first sweeps by blocks in single precision, which take half of the time.
//
// From E of these sweeps A := E⁻¹·A·E is formed anew in double precision. So errors of single precision do not change
// the matrix to which the iterate is similar, only the size of its lower part: about κ(E) times the ε of single
// precision. The iteration, quadratic by then, continues from there. If κ(E) is so large that nothing would be gained,
// nothing is changed.
//
// With A' for the new iterate, A·E = E·A' holds to double precision in every column, and eigenvalues and right vectors
// are as accurate as without these sweeps. E⁻¹·A = A'·E⁻¹ would lose digits with the condition of E; if left vectors
// are requested, all sweeps use double precision.
#pragma once

#include "kernels/eig/host/blocked.hpp"
#include "kernels/eig/host/dense.hpp"
#include "kernels/eig/shared/first_sweeps.hpp"
#include "support/timer.hpp"

namespace pivotlab::eig_detail {

/// Converts A, whose largest part is near 1, to single precision without negligible elements.
inline SplitComplex<float> in_single_precision(const SplitComplex<double>& A) {
  const auto rounded = [](double x) {
    return std::abs(x) < negligible_in_single_precision ? 0.0F : static_cast<float>(x);
  };
  SplitComplex<float> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    std::transform(A.re(j), A.re(j) + A.rows(), result.re(j), rounded);
    std::transform(A.im(j), A.im(j) + A.rows(), result.im(j), rounded);
  }
  return result;
}

inline SplitComplex<double> in_double_precision(const SplitComplex<float>& A) {
  SplitComplex<double> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j) {
    std::copy_n(A.re(j), A.rows(), result.re(j));
    std::copy_n(A.im(j), A.rows(), result.im(j));
  }
  return result;
}

inline EigSweep<double> in_double_precision(const EigSweep<float>& sweep) {
  return {sweep.norm, sweep.lower, sweep.departure, sweep.largest_tau, sweep.seconds};
}

/// Returns all iterates except the last one.
inline EarlierSweeps<double> without_the_last(const IterationResult<float>& result) {
  EarlierSweeps<double> earlier;
  const std::size_t count = result.history.size() - 1;
  for (std::size_t k = 0; k < count; ++k) {
    earlier.of.history.push_back(in_double_precision(result.history[k]));
    earlier.of.off_squared.push_back(result.off_squared[k]);
    earlier.of.diagonal.emplace_back(result.diagonal[k].begin(), result.diagonal[k].end());
  }
  earlier.last = in_double_precision(result.history.back());
  return earlier;
}

/// Does these sweeps with a copy of A. A, whose largest part is near 1, becomes the iterate with which the iteration
/// continues, and E, if requested and initially an identity, the product of their transformations. Does nothing if E⁻¹
/// is requested, too.
inline EarlierSweeps<double> sweep_in_single_precision(SplitComplex<double>& A, Similarity<double>& similarity,
                                                       EigOptions options, int threads) {
  if (similarity.inverse_transposed.cols() > 0) return {};
  const Index n = A.cols();
  options.max_sweeps = std::min(options.max_sweeps, most_in_single_precision);
  SplitComplex<float> rough = in_single_precision(A);
  Similarity<float> roughly;
  roughly.E = SplitComplex<float>(n, n);
  roughly.E.set_identity();
  const auto result = iterate(rough, roughly, options, threads, least_in_single_precision,
                              BlockedSweep<float>(options.variant, n, threads));
  if (result.history.size() < 2) return {};

  const Timer timer;
  const SplitComplex<double> E = in_double_precision(roughly.E);
  SplitComplex<double> formed = SplitLU<double>(E, threads).solve(product(A, E, threads));
  const IterateNorms<double> norms(formed);
  if (!(norms.lower_squared <= most_left_below * most_left_below * norms.squared)) return {};
  A = std::move(formed);
  if (similarity.E.cols() > 0) similarity.E = E;
  EarlierSweeps<double> earlier = without_the_last(result);
  earlier.last.seconds += timer.seconds();
  return earlier;
}

}  // namespace pivotlab::eig_detail
