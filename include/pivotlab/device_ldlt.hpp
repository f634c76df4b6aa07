// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization of a matrix in the memory of a GPU (ldlt.hpp). M stays there; the host has D
// and the pivots.
#pragma once

#include <pivotlab/ldlt.hpp>
#include <pivotlab/matrix.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace pivotlab {

/// The part of the factorization that is in the memory of the host; members as in LdltFactorization.
template <class T>
struct DeviceLdltResult {
  std::vector<T> diagonal, subdiagonal;
  std::vector<Index> permutation, interchanges;
  std::vector<LdltStage<double>> stages;
  Index rank = 0, doubtful = 0;
  Inertia inertia;
  double tolerance = 0, largest_element = 0, remainder = 0;
  Index swaps_1x1 = 0, swaps_2x2 = 0;
  double compute_seconds = 0;
};

/// A plan for matrices of order n on a stream of the GPU that is current when it is made. T is double or
/// std::complex<double>. Copies share one plan, which several host threads must not use at once.
template <class T>
class DeviceLdlt {
 public:
  /// Returns the bytes of memory of the GPU that a plan works in: half a matrix, and 64 MiB or a matrix, whichever is
  /// less. Throws as the constructor does, without a GPU too.
  static std::size_t workspace_bytes(Index n, const LdltOptions& options = {});

  /// `stream` is a cudaStream_t that outlives the plan, as does `workspace`: memory of workspace_bytes(), aligned to
  /// 256. Null: the plan allocates it, here. options.backend, storage and threads have no effect. Throws InputError for
  /// n < 1 and options out of range; NotSupported for variants with `equilibrate`, and without a GPU; std::bad_alloc if
  /// the memory does not suffice.
  DeviceLdlt(Index n, const LdltOptions& options = {}, void* stream = nullptr, void* workspace = nullptr);

  /// Factors A (n × n, of which options.triangle is read), which does not change, as ldlt() does, with the same bits. M
  /// is n × n, unit lower triangular with zeros above the diagonal; it may have the memory of A. Allocates no memory of
  /// the GPU. Waits for its stream once for some dozens of pivots, and a few times more; D is complete on return, M in
  /// the order of the stream. Throws InputError for a matrix of another shape, or not symmetric, or with NaN or Inf,
  /// and where D exceeds the range of double.
  DeviceLdltResult<T> run(MatrixView<const T> A, MatrixView<T> M);

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
