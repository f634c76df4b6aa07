// SPDX-License-Identifier: BSD-3-Clause
// Interface between the driver of HEV-2STAGE (two_stage_driver.hpp) and its operations on matrices in device memory
// (two_stage_machine.hpp). It has plain types only, because both compilers read it.
#pragma once

#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"
#include "kernels/ldlt/device/given_matrix.hpp"
#include "kernels/two_stage/shared/eigensolver.hpp"

#include <memory>
#include <optional>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// Solves eigenproblems of order n, one at a time. All memory is taken when it is made.
template <class T>
class TwoStageDevice {
 public:
  virtual ~TwoStageDevice() = default;

  /// Uploads A (n × n) to the memory of X.
  virtual MatrixView<const T> upload_to_x(MatrixView<const T> A) = 0;
  /// Returns the sizes of the columns of a matrix in device memory.
  virtual std::vector<ldlt_device::ColumnSize> measure(MatrixView<const T> A) = 0;
  /// Sets the first columns of X to the wanted eigenvectors of A, which may be X. Returns the eigenvalues in ascending
  /// order, none if the solver does not converge.
  virtual std::vector<double> solve(MatrixView<const T> A, const two_stage::Wanted& wanted) = 0;
  /// Stores the first columns of X, as many as U has, in reverse order.
  virtual void export_x(MatrixView<T> U) = 0;
  /// Does this with contiguous columns of the host.
  virtual void download_x(std::int64_t count, T* U) = 0;
};

/// Returns the bytes of device memory that it takes.
template <class T>
std::size_t two_stage_workspace_bytes(std::int64_t n);
/// Make it on a GPU, on the stream of the caller, or on one of its own on the first device; or emulated. A workspace is
/// device memory of two_stage_workspace_bytes(n) aligned to 256 that outlives it. Throw NotSupported without cuBLAS or
/// LAPACK.
template <class T>
std::unique_ptr<TwoStageDevice<T>> make_cuda_two_stage(std::int64_t n, void* workspace = nullptr,
                                                       const std::optional<CallerStream>& stream = {});
template <class T>
std::unique_ptr<TwoStageDevice<T>> make_emulated_two_stage(std::int64_t n, LaneOrder order = LaneOrder::forward,
                                                           void* workspace = nullptr);

}  // namespace pivotlab::jacobi
