// Errors of a GSVD that is too large to be judged in full, estimated from what they do to a few random vectors: for a
// vector w of independent signs the expectation of ‖E·w‖² is ‖E‖_F². Costs a few products of a matrix with these
// vectors instead of products and inverses of matrices.
//
// Source: Hutchinson, "A stochastic estimator of the trace of the influence matrix for Laplacian smoothing splines",
// Commun. Stat. Simul. Comput. 18 (1989).
#pragma once

#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/pair.hpp>

namespace pivotlab::experiments {

/// How many vectors: the standard deviation of a squared norm is at most √(2/8) of it, for an error of rank one.
inline constexpr int probe_count = 8;

/// The metrics of the same names (gsvd_metrics.hpp), without those that need an inverse or single columns.
struct ProbedErrors {
  double residual_fz, residual_gz, orthogonality_u, orthogonality_v;
};

/// In double-double; the same bits for any number of threads. T is double or std::complex<double>.
template <class T>
ProbedErrors probe_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, int threads = 0);

/// A rank's columns of a pair.
template <class T>
struct PairPart {
  Pair<T> columns;  ///< of F and G; sigma and provenance are those of the whole pair
  std::vector<Index> places;
  Index n = 0;
};

/// The same errors of a decomposition over ranks, on all of them: products with the vectors are summed over the ranks,
/// in their order. Called by all ranks.
template <class T>
ProbedErrors probe_gsvd(Transport& transport, const PairPart<T>& pair, const GsvdStripes<T>& result, int threads = 0);

}  // namespace pivotlab::experiments
