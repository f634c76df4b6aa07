// SPDX-License-Identifier: BSD-3-Clause
// The generalized singular value decomposition of a pair whose columns are distributed over ranks, each with one GPU or
// some threads of a host. No rank ever holds a whole matrix.
//
// Source: Novaković & Singer, section 4. The columns, bordered to a multiple of 2·w·s for s ranks, are cut into 2s
// stripes. A rank holds two of them. In each step of the outermost strategy it runs the single-GPU algorithm on these
// two, then keeps one stripe and exchanges the other.
#pragma once

#include <pivotlab/distributed_variant.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/transport.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace pivotlab {

/// Files from which an interrupted decomposition continues. Every rank writes its own file at the end of an outermost
/// sweep, <path>.sweep<k>.rank<r>, as large as its stripes of F, G and Z.
struct CheckpointOptions {
  std::string path;          ///< prefix of the files' names; empty: no checkpoints
  int every_sweeps = 1;      ///< smallest number of sweeps between two checkpoints
  double every_seconds = 0;  ///< smallest time in seconds between two checkpoints
};

struct DistributedGsvdOptions {
  DistributedVariant variant;
  Backend backend = Backend::host;  ///< backend of each rank
  int max_outermost_sweeps = 30;
  int max_stripe_sweeps = 30;  ///< limit of sweeps of a pair of stripes with FB; BO does one sweep
  int max_inner_sweeps = 30;   ///< limit of sweeps of a tile with FB; BO does one sweep
  int threads = 0;  ///< threads of each rank on the host, 0: OpenMP's choice; does not change a bit of the result
  CheckpointOptions checkpoint = {};
};

/// Returns the columns of an m × n matrix that a rank passes to gsvd_distributed(), in this order: those of its two
/// stripes, without the border.
std::vector<Index> stripe_columns(Index n, const DistributedVariant& variant, int ranks, int rank);

/// Copies the given columns of a whole matrix.
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

/// Bytes that a rank needs in addition to its columns of F and G; the same for all ranks and during the whole run.
struct DistributedMemory {
  std::size_t host = 0, device = 0;
};
/// Computes the memory of a rank. `through_host` means that the transport does not reach the devices' memory, so
/// stripes are staged in host memory.
DistributedMemory distributed_gsvd_memory(ScalarType type, Index m_f, Index m_g, Index n, int ranks,
                                          const DistributedGsvdOptions& options, bool through_host);

/// Time of an outermost step on this rank.
struct StepSeconds {
  double compute = 0;
  double exchange = 0;         ///< sending, receiving, and waiting for other ranks
  std::size_t bytes_sent = 0;  ///< 0 when the pair stayed
};

/// One rank's part of a decomposition.
template <class T>
struct GsvdStripes {
  using Real = RealOf<T>;
  Status status = Status::failed;  ///< passed, not_converged, incorrect
  std::string message;             ///< reason if not passed

  std::vector<Index> columns;                 ///< columns of U, V and Z on this rank, ascending
  Matrix<T> U;                                ///< m_F × columns.size()
  Matrix<T> V;                                ///< m_G × columns.size()
  Matrix<T> Z;                                ///< n × columns.size()
  std::vector<Real> sigma_f, sigma_g, sigma;  ///< length n, σ descending, on every rank

  std::vector<SweepCounters> sweeps;  ///< outermost sweeps, summed over the ranks
  std::vector<StepSeconds> steps;     ///< steps of this rank
  double compute_seconds = 0;     ///< time of the slowest rank: the algorithm alone, including the time recorded in a
                                  ///< checkpoint
  std::size_t resumed_after = 0;  ///< sweeps before the checkpoint from which this run continued
};

/// Computes the GSVD of F (m_F × n) and G (m_G × n), of which each rank passes its stripe_columns(). All ranks of the
/// transport must call it with the same parameters. The result has the same bits in every run with as many ranks,
/// whatever the transport and the number of threads; with one rank it has the bits of gsvd().
/// With a checkpoint path it continues an interrupted decomposition from its files, with the same bits, and removes
/// them at the end. Files of another job (number of ranks, variant, sizes, pair), broken files and a full disk give
/// SharedInputError.
/// Throws on all ranks the SharedInputError or SharedNotSupported of the lowest rank that has one: for input that
/// gsvd() rejects, for parameters that differ from those of rank 0, and for a wrong number of columns. Throws
/// std::bad_alloc as gsvd() does, on the affected ranks only.
template <class T>
GsvdStripes<T> gsvd_distributed(Transport& transport, MatrixView<const T> F, MatrixView<const T> G, Index n,
                                const DistributedGsvdOptions& options = {});

}  // namespace pivotlab
