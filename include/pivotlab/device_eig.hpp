// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of a general matrix in the memory of a GPU (eig.hpp). Matrices stay there; the host reads
// norms and the diagonal of each iterate.
#pragma once

#include <pivotlab/eig.hpp>
#include <pivotlab/matrix.hpp>

#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab {

/// The part of the result that is in the memory of the host; members as in EigResult.
struct DeviceEigResult {
  Status status = Status::failed;
  std::string message;
  std::vector<std::complex<double>> eigenvalues;
  std::vector<EigSweep<double>> history;
  double compute_seconds = 0;
};

/// A plan for matrices of order n on a stream of the GPU that is current when it is made. T is double or
/// std::complex<double>. Copies share one plan, which several host threads must not use at once.
template <class T>
class DeviceEig {
 public:
  /// Returns the bytes of memory of the GPU that a plan works in: about four complex matrices, seven with the variant's
  /// `mixed`, or one without either and without right vectors. Throws as the constructor does, without a GPU too.
  static std::size_t workspace_bytes(Index n, const EigOptions& options = {.variant = {}});

  /// `stream` is a cudaStream_t that outlives the plan, as does `workspace`: memory of workspace_bytes(), aligned to
  /// 256. Null: the plan allocates it, here. Without `finish`, residuals are not tested, and without the separation of
  /// eigenvalues of very different sizes that eig() does on the host, all errors are relative to ‖A‖. options.backend
  /// and threads have no effect. Throws InputError for n < 1 and options out of range; NotSupported for left vectors,
  /// condition numbers, the triangular form, variants with `refine` or `finish`, all of which the host computes, and
  /// without a GPU; std::bad_alloc if the memory does not suffice.
  DeviceEig(Index n, const EigOptions& options = {.variant = {}}, void* stream = nullptr, void* workspace = nullptr);

  /// Decomposes A (n × n), which does not change, as eig() does, with the same bits of the eigenvalues. V is n × n, the
  /// right vectors with norm 1 in the order of the eigenvalues, and is not used without right_vectors; only its norms
  /// are rounded otherwise than by eig(). Allocates no memory of the GPU. Waits for its stream once a sweep, and a few
  /// times more; on return all results are complete. Throws InputError for a matrix of another shape, or with NaN or
  /// Inf.
  DeviceEigResult run(MatrixView<const T> A, MatrixView<std::complex<double>> V);

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
