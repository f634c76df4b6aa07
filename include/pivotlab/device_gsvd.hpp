// SPDX-License-Identifier: BSD-3-Clause
// The generalized singular value decomposition of a pair in the memory of a GPU, by tangent reduction
// (gsvd_tangent.hpp). Matrices stay there; the host reads norms, counts and σ.
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/tangent_report.hpp>
#include <pivotlab/tangent_variant.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab {

/// Memory of the GPU for the factors: F·Z = U·Σ_F, G·Z = V·Σ_G, X = Z⁻¹. Strides may be larger than the rows.
template <class T>
struct DeviceGsvdFactors {
  MatrixView<T> U;  ///< m_F × n; columns of σ_F = 0 become zero
  MatrixView<T> V;  ///< m_G × n
  MatrixView<T> Z;  ///< n × n
  MatrixView<T> X;  ///< n × n, or of no columns, if it is not wanted
};

/// The part of the result that is in the memory of the host.
struct DeviceGsvdResult {
  /// passed; not_converged after 12 Newton steps; failed where the pair cannot be reduced: R or B = F·R⁻¹ is singular
  /// or not finite, as for NaN and Inf in the input; incorrect where F·Z − U·Σ_F is too large for rounding errors of F.
  /// Only with passed do the factors hold a decomposition.
  Status status = Status::failed;
  std::string message;                          ///< reason if not passed
  std::vector<double> sigma_f, sigma_g, sigma;  ///< length n; σ descends
  std::vector<double> sigma_error;              ///< as in TangentResult, if asked for, else empty
  TangentReport report;
};

/// A plan for pairs of one shape on a stream of the GPU that is current when it is made. It keeps the handles of cuBLAS
/// and cuSOLVER between runs. T is double or std::complex<double>. Copies share one plan, which several host threads
/// must not use at once.
template <class T>
class DeviceGsvd {
 public:
  /// `stream` is a cudaStream_t that outlives the plan. Throws InputError unless m_f, m_g ≥ n ≥ 1, NotSupported without
  /// a GPU, cuBLAS or cuSOLVER, and std::length_error where a dimension or the work space of a routine does not fit
  /// into 32 bits.
  DeviceGsvd(Index m_f, Index m_g, Index n, const TangentVariant& variant = {}, void* stream = nullptr);

  /// Bytes of memory of the GPU that run() takes as `workspace`, aligned to 256: about twelve matrices.
  std::size_t workspace_bytes() const;

  /// Decomposes F (m_f × n) and G (m_g × n), which do not change. No two of the matrices and the workspace overlap.
  /// Allocates no memory of the GPU, except that libraries may take some in the first run. Waits for its stream some
  /// twenty times, for numbers on which the next step depends, and returns when the host has σ; the factors are
  /// complete in the order of the stream. There are no fall-backs on other methods. Throws InputError for matrices of
  /// another shape, NotSupported with qr=pivoted for F or G of more than 20480 rows.
  DeviceGsvdResult run(MatrixView<const T> F, MatrixView<const T> G, const DeviceGsvdFactors<T>& factors,
                       void* workspace, bool estimate_errors = false);

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
