// SPDX-License-Identifier: BSD-3-Clause
// Interface to the Hermitian eigensolver in two stages. Plain types only, because both compilers read it.
#pragma once

#include "kernels/exec/lane_order.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <pivotlab/matrix.hpp>
#include <string_view>

namespace pivotlab::two_stage {

enum class Outcome {
  converged,
  not_finite,     ///< A has NaN or infinite elements
  not_converged,  ///< the divide and conquer method of the library
};

/// Is given the name of a step that has been enqueued, and its flops.
using Observer = std::function<void(std::string_view, double)>;

/// Computes eigenvalues, ascending, and eigenvectors of matrices.
class Eigensolver {
 public:
  virtual ~Eigensolver() = default;

  /// Returns the bytes of memory that a matrix of order n takes, besides its own.
  virtual std::size_t workspace_bytes(Index n) = 0;
  /// Replaces A, of which the lower triangle is read, by its eigenvectors. Returns after all is done. A and the
  /// workspace (aligned to 256) are in the memory of the device, or of the host if it is emulated.
  virtual Outcome solve(MatrixView<double> A, double* lambda, void* workspace) = 0;
};

/// The largest order: a panel of columns is held by the registers of a cluster of blocks.
inline constexpr Index most_rows = 10240;

/// Makes a solver on a stream of the current device, by cuBLAS and cuSOLVER, of which `has_tridiagonal_solver` must
/// hold. Throws NotSupported where a library is missing.
std::unique_ptr<Eigensolver> make_cuda_eigensolver(void* stream, Observer observer = {});
/// Returns whether cuSOLVER has Xstedc (12.4 has), so that a solver can be made on a GPU.
bool has_tridiagonal_solver();
/// Makes a solver by emulated kernels and LAPACK. Throws NotSupported without LAPACK.
std::unique_ptr<Eigensolver> make_emulated_eigensolver(LaneOrder order = LaneOrder::forward);

}  // namespace pivotlab::two_stage
