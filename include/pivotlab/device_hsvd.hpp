// SPDX-License-Identifier: BSD-3-Clause
// The singular value decomposition, ordinary or hyperbolic, of a matrix in the memory of a GPU (jacobi.hpp). Matrices
// stay there; the host reads norms and counters.
#pragma once

#include <pivotlab/jacobi.hpp>
#include <pivotlab/matrix.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab {

/// The part of the result that is in the memory of the host; members as in HsvdResult.
struct DeviceHsvdResult {
  Status status = Status::failed;
  std::string message;
  std::vector<double> sigma;
  std::vector<int> J;
  std::vector<double> estimate;
  std::vector<HsvdSweep> sweeps;
  double compute_seconds = 0;
};

/// A plan for matrices of one shape on a stream of the GPU that is current when it is made. T is double or
/// std::complex<double>. Copies share one plan, which several host threads must not use at once.
template <class T>
class DeviceHsvd {
 public:
  /// Returns the bytes of memory of the GPU that a plan works in: a matrix, and sums, of which small matrices have more
  /// (for m = n = 1000, 4000, 16000 all are 2.9, 1.7, 1.15 matrices), and an n × n matrix for V. Throws as the
  /// constructor does, without a GPU too.
  static std::size_t workspace_bytes(Index m, Index n, const HsvdOptions& options = {});

  /// `stream` is a cudaStream_t that outlives the plan, as does `workspace`: memory of workspace_bytes(), aligned to
  /// 256. Null: the plan allocates it, here. options.backend and options.threads have no effect. Throws InputError
  /// unless m ≥ n ≥ 1 and for options out of range, NotSupported for variants that the backend cuda of hsvd() lacks and
  /// without a GPU, std::bad_alloc if the memory does not suffice.
  DeviceHsvd(Index m, Index n, const HsvdOptions& options = {}, void* stream = nullptr, void* workspace = nullptr);

  /// Decomposes G (m × n) and J as hsvd() does, with the same bits; an empty J means J = I. U is m × n and may have the
  /// memory of G, which does not change otherwise; its columns of σ = 0 become zero. V is n × n with compute_v, and is
  /// not used without. Allocates no memory of the GPU but for the graph of kernels in the first run. Waits for its
  /// stream a few times and once a sweep, for numbers on which the next step depends; on return all results are
  /// complete. Throws InputError for matrices of another shape, and as hsvd() does.
  DeviceHsvdResult run(MatrixView<const T> G, const std::vector<int>& J, MatrixView<T> U, MatrixView<T> V = {});

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
