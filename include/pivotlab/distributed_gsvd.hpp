// The generalized singular value decomposition of a pair whose columns are distributed over ranks, one GPU or some
// threads each. Nothing as large as a matrix is ever in one place.
//
// Source: Novaković & Singer, section 4. The columns, bordered to a multiple of 2·w·s for s ranks, are cut into 2s
// stripes. A rank holds two of them; in each step of the outermost strategy it runs the algorithm of a single GPU on
// these two, then keeps one and exchanges the other.
#pragma once

#include <pivotlab/distributed_variant.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace pivotlab {

/// Files from which an interrupted decomposition goes on. Every rank writes its own, as large as its stripes of F, G
/// and Z, when an outermost sweep ends: <path>.sweep<k>.rank<r>.
struct CheckpointOptions {
  std::string path;          ///< what the files' names begin with; empty: there are none
  int every_sweeps = 1;      ///< not before so many sweeps have been made,
  double every_seconds = 0;  ///< nor so much time has passed since the last files or the beginning
};

struct DistributedGsvdOptions {
  DistributedVariant variant;
  Backend backend = Backend::host;  ///< of each rank
  int max_outermost_sweeps = 30;
  int max_stripe_sweeps = 30;  ///< of a pair of stripes with FB; BO makes one
  int max_inner_sweeps = 30;   ///< of a tile with FB; BO makes one
  int threads = 0;             ///< of a rank's host, 0: what OpenMP chooses; never changes a bit of the result
  CheckpointOptions checkpoint = {};
};

/// The columns of an m × n matrix that a rank begins with, in the order in which it gives them: those of its two
/// stripes, without the border.
std::vector<Index> stripe_columns(Index n, const DistributedVariant& variant, int ranks, int rank);

/// Those columns of a whole matrix.
template <class T>
Matrix<T> columns_of(MatrixView<const T> A, const std::vector<Index>& columns) {
  auto result = Matrix<T>::uninitialized(A.rows, static_cast<Index>(columns.size()));
  for (std::size_t j = 0; j < columns.size(); ++j)
    std::ranges::copy(A.col(columns[j]), result.col(static_cast<Index>(j)).begin());
  return result;
}
template <class T>
Matrix<T> columns_of(const Matrix<T>& A, const std::vector<Index>& columns) {
  return columns_of(MatrixView<const T>(A), columns);
}

/// Bytes that a rank needs besides its columns of F and G, the same for all ranks and from the beginning to the end.
struct DistributedMemory {
  std::size_t host = 0, device = 0;
};
/// With `through_host` the transport does not reach the devices' memory, so that stripes are staged in the host's.
DistributedMemory distributed_gsvd_memory(ScalarType type, Index m_f, Index m_g, Index n, int ranks,
                                          const DistributedGsvdOptions& options, bool through_host);

/// Where the time of an outermost step went on this rank.
struct StepSeconds {
  double compute = 0;
  double exchange = 0;         ///< sending, receiving, and waiting for others
  std::size_t bytes_sent = 0;  ///< 0 when the pair stayed
};

/// One rank's part of a decomposition.
template <class T>
struct GsvdStripes {
  using Real = RealOf<T>;
  Status status = Status::failed;  ///< passed, not_converged
  std::string message;             ///< why, if not passed

  std::vector<Index> columns;                 ///< which columns of U, V and Z are here, ascending
  Matrix<T> U;                                ///< m_F × columns.size()
  Matrix<T> V;                                ///< m_G × columns.size()
  Matrix<T> Z;                                ///< n × columns.size()
  std::vector<Real> sigma_f, sigma_g, sigma;  ///< all n of them, σ descending, on every rank

  std::vector<SweepCounters> sweeps;  ///< outermost sweeps, summed over the ranks
  std::vector<StepSeconds> steps;     ///< of this rank
  double compute_seconds = 0;         ///< of the slowest rank: the algorithm alone, also what a checkpoint tells of
  std::size_t resumed_after = 0;      ///< sweeps that a checkpoint tells of
};

/// GSVD of F (m_F × n) and G (m_G × n), of which each rank gives its stripe_columns(): called by all ranks of the
/// transport, with the same parameters. The result has the same bits in every run with as many ranks, whatever the
/// transport and the number of threads, and with one rank those of gsvd().
/// With a checkpoint's path it goes on from what an interrupted one has left there, with the same bits, and removes it
/// when all is done. Files of another job (number of ranks, variant, sizes, pair), broken files and a full disk are
/// SharedInputErrors.
/// Throws on all ranks the SharedInputError or SharedNotSupported of the lowest rank that has a reason to: what gsvd()
/// refuses, other parameters than rank 0's, a wrong number of columns. Throws std::bad_alloc as gsvd() does, on the
/// ranks concerned.
template <class T>
GsvdStripes<T> gsvd_distributed(Transport& transport, MatrixView<const T> F, MatrixView<const T> G, Index n,
                                const DistributedGsvdOptions& options = {});

}  // namespace pivotlab
