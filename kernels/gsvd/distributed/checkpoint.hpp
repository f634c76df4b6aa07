// SPDX-License-Identifier: BSD-3-Clause
// Sets of files, one file per rank, from which a decomposition continues with the same bits.
//
//   <path>.sweep<k>.rank<r>    state of rank r after k outermost sweeps: counters, times, both stripes of F, G and Z
//
// The position of a stripe follows from the number of sweeps, and the bound of rounding noise from the pair, which the
// caller passes again. A set is complete when all ranks have written their files; only then do they remove the previous
// set.
#pragma once

#include "support/timer.hpp"

#include <pivotlab/distributed_gsvd.hpp>

#include <functional>
#include <string>
#include <vector>

namespace pivotlab {

/// Progress of a rank.
struct Progress {
  std::vector<SweepCounters> sweeps;
  std::vector<StepSeconds> steps;
  double compute_seconds = 0;
  std::size_t resumed_after = 0;  ///< sweeps; not saved
};

using VisitPiece = std::function<void(const Piece&)>;
/// Passes pieces of host memory to a visitor, one after the other.
using ForPieces = std::function<void(const VisitPiece&)>;

/// FNV-1a over 64-bit words, rotated so that every bit of a word reaches every bit of the sum.
class Checksum {
 public:
  void add(const void* data, std::size_t bytes);
  std::uint64_t value() const { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// All ranks of the transport must call each member function. Without a path they do nothing.
class Checkpoints {
 public:
  /// `job` describes the computation in words, the same on all ranks; `pair` is the checksum of this rank's columns.
  Checkpoints(Transport& transport, const CheckpointOptions& options, const std::string& job, std::uint64_t pair);

  /// Reads the newest complete set and returns whether there is one. Throws SharedInputError for a set of another job
  /// and for a broken one.
  bool resume(Progress& progress, const ForPieces& stripes);
  /// Saves after a sweep if a checkpoint is due.
  void save(const Progress& progress, const ForPieces& stripes);
  /// Removes the set at the end of the decomposition.
  void remove();

 private:
  struct File {
    std::size_t sweeps;
    std::string path;
  };
  std::vector<File> own_files() const;
  std::string file_after(std::size_t sweeps) const;
  std::size_t newest_complete_set(const std::vector<File>& files) const;
  bool is_due(const Progress& progress) const;

  Transport& transport_;
  const CheckpointOptions& options_;
  std::string job_;
  std::size_t saved_sweeps_ = 0;
  Timer since_saved_;
};

}  // namespace pivotlab
