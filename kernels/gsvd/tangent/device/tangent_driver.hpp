// SPDX-License-Identifier: BSD-3-Clause
// The tangent path on matrices of a GPU: no memory of the GPU is allocated inside.
#pragma once

#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <cstddef>
#include <memory>

namespace pivotlab::tangent {

/// A plan for pairs of one shape, with handles of cuBLAS and cuSOLVER on a stream of the current device. T is double or
/// std::complex<double>. Not for use by several host threads at once.
template <class T>
class DeviceTangent {
 public:
  /// `stream` is a cudaStream_t that outlives the plan. The shape is m_f, m_g ≥ n ≥ 1. The observer is called after
  /// each step has been enqueued. Throws NotSupported where a library is missing, std::length_error where a dimension
  /// or the work space of a routine does not fit into 32 bits.
  DeviceTangent(const Shape& shape, const TangentVariant& variant, void* stream, Observer observer = {});
  ~DeviceTangent();

  /// Bytes of memory of the GPU that run() wants, aligned to 256: about eleven matrices and the libraries' work space.
  std::size_t workspace_bytes() const;

  /// Decomposes F (m_f × n) and G (m_g × n), finite matrices of the GPU that do not change, into factors there, of any
  /// strides; they do not overlap with F and G. X of no columns is not computed. Returns when the host has σ, before
  /// the factors are done; does not wait for other streams. With a breakdown the factors hold nothing in particular.
  Outcome run(MatrixView<const T> F, MatrixView<const T> G, const Factors<T>& factors, bool estimate_errors,
              void* workspace);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pivotlab::tangent
