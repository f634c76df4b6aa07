// SPDX-License-Identifier: BSD-3-Clause
// Errors of a GSVD that is too large to be judged in full, estimated with a few random vectors (probing.hpp): this
// takes a few products of a matrix with these vectors instead of products and inverses of matrices.
#pragma once

#include <experiments/metrics/probing.hpp>
#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/pair.hpp>

namespace pivotlab::experiments {

/// The metrics of the same names (gsvd_metrics.hpp), without those that need an inverse or single columns.
struct ProbedErrors {
  double residual_fz, residual_gz, orthogonality_u, orthogonality_v;
};

/// Estimates the errors in double-double, with the same bits for any number of threads. T is double or
/// std::complex<double>.
template <class T>
ProbedErrors probe_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, int threads = 0);

/// The columns of a pair that one rank holds.
template <class T>
struct PairPart {
  Pair<T> columns;  ///< columns of F and G; sigma and provenance of the whole pair
  std::vector<Index> places;
  Index n = 0;
};

/// Estimates the same errors of a decomposition over ranks: products with the vectors are summed over the ranks, in
/// their order. All ranks call it and get the same result.
template <class T>
ProbedErrors probe_gsvd(Transport& transport, const PairPart<T>& pair, const GsvdStripes<T>& result, int threads = 0);

}  // namespace pivotlab::experiments
