// SPDX-License-Identifier: BSD-3-Clause
// The generalized hyperbolic singular value decomposition of a pair in the memory of a GPU, by tangent reduction
// (ghsvd.hpp). Matrices stay there; the host reads norms, D of the factorization, counters and σ.
#pragma once

#include <pivotlab/ghsvd.hpp>
#include <pivotlab/matrix.hpp>

#include <cstddef>
#include <memory>
#include <vector>

namespace pivotlab {

/// Memory of the GPU for the factors: F·Z = U·Σ_F, G·Z = V·Σ_G. Strides may be larger than the rows.
template <class T>
struct DeviceGhsvdFactors {
  MatrixView<T> U;  ///< m_F × n
  MatrixView<T> V;  ///< m_G × n
  MatrixView<T> Z;  ///< n × n
};

/// The part of the result that is in the memory of the host.
using DeviceGhsvdResult = GhsvdValues<double>;

/// A plan for pairs of one shape on a stream of the GPU that is current when it is made. It keeps the handles of cuBLAS
/// and cuSOLVER between runs. T is double or std::complex<double>. Copies share one plan, which several host threads
/// must not use at once.
template <class T>
class DeviceGhsvd {
 public:
  /// Returns the bytes of memory of the GPU that a plan works in: 23 to 26 n × n matrices for m_F = m_G = n from 1024
  /// to 4096. It asks cuSOLVER, and so needs a GPU. Throws as the constructor does.
  static std::size_t workspace_bytes(Index m_f, Index m_g, Index n, const GhsvdOptions& options = {});

  /// `stream` is a cudaStream_t that outlives the plan, as does `workspace`: memory of workspace_bytes(), aligned to
  /// 256. Null: the plan allocates it, here and in the first run. options.backend has no effect. Throws InputError
  /// unless m_g ≥ n ≥ 1 and for options out of range, NotSupported for the direct method, for sweeps that the backend
  /// cuda of hsvd() lacks, and without a GPU, cuBLAS or cuSOLVER, std::length_error where a dimension or the work space
  /// of a routine does not fit into 32 bits, std::bad_alloc if the memory does not suffice.
  DeviceGhsvd(Index m_f, Index m_g, Index n, const GhsvdOptions& options = {}, void* stream = nullptr,
              void* workspace = nullptr);

  /// Decomposes F (m_f × n), G (m_g × n), which do not change, and J, m_f signs or empty for J = I, as ghsvd() does on
  /// the backend cuda. No two of the matrices and the workspace overlap. Status failed also where the pair has NaN or
  /// Inf; the factors hold nothing in particular then.
  /// With the precision `extended`, which is the default, B = F·R⁻¹ goes to the host, which computes T and factors it
  /// in double-double, and G_T comes back; with `working` only a T whose pivots the rank test sets to zero is
  /// completed on the host. After the first run only a T of another rank than the previous one allocates memory of the
  /// GPU, and only without a workspace. Waits for its stream once for some dozens of pivots and once a sweep, and some
  /// twenty times more; on return the host has all values, and the factors are complete. Throws InputError for matrices
  /// of another shape and for a J of another length or with other elements.
  DeviceGhsvdResult run(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J,
                        const DeviceGhsvdFactors<T>& factors);

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
