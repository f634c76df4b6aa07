// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of a Hermitian matrix in the memory of a GPU (eigh.hpp). Matrices stay there; the host reads
// D of the factorization, norms and counters.
#pragma once

#include <pivotlab/eigh.hpp>
#include <pivotlab/matrix.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab {

/// The part of the result that is in the memory of the host; members as in EighResult.
struct DeviceEighResult {
  Status status = Status::failed;
  std::string message;
  std::vector<double> eigenvalues;
  std::vector<double> estimate;
  std::vector<bool> noise;
  Inertia inertia;
  Index rank = 0;
  SpectralReport spectral;
  std::vector<HsvdSweep> sweeps;
  double factor_seconds = 0, spectral_seconds = 0, sweep_seconds = 0, compute_seconds = 0;
};

/// A plan for matrices of order n on a stream of the GPU that is current when it is made. T is double or
/// std::complex<double>. Copies share one plan, which several host threads must not use at once.
template <class T>
class DeviceEigh {
 public:
  /// Returns the bytes of memory of the GPU that a plan works in: for n = 1000, 4000, 16000 they are 8, 4.8, 3.7
  /// matrices, and with HEV-2STAGE 5.7, 5.5, for n ≤ 16896. Throws as the constructor does, without a GPU too.
  static std::size_t workspace_bytes(Index n, const EighOptions& options = {});

  /// `stream` is a cudaStream_t that outlives the plan, as does `workspace`: memory of workspace_bytes(), aligned to
  /// 256. Null: the plan allocates it, here and in the first run. options.backend, vectors, subset and threads have no
  /// effect. Throws InputError for n < 1 and options out of range, NotSupported for variants that the backend cuda of
  /// eigh() lacks and without a GPU, std::bad_alloc if the memory does not suffice.
  DeviceEigh(Index n, const EighOptions& options = {}, void* stream = nullptr, void* workspace = nullptr);

  /// Solves for A (n × n, both triangles), which does not change, as eigh() does, with the same bits. U is n × n, or
  /// without columns if it is not wanted; its columns of eigenvalues that were found zero become zero, but for
  /// HEV-2STAGE. For a subset of places U has as many columns; vectors of a subset of values are the first columns.
  /// After the first run only variants with `spectral`, and without a workspace a matrix of another rank than the
  /// previous one, allocate memory of the GPU. If the rank test sets pivots to zero, the factor goes through the host
  /// once. Waits for its stream once for some dozens of pivots and once a sweep, and a few times more; on return all
  /// results are complete. Throws InputError for a matrix of another shape, or not Hermitian, or with NaN or Inf.
  DeviceEighResult run(MatrixView<const T> A, MatrixView<T> U, const EighSubset& subset = {});

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
