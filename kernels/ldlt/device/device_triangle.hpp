// SPDX-License-Identifier: BSD-3-Clause
// Interface to the triangle that a factorizer factors: its import, what is measured and scaled before, and sums over
// rows of M.
#pragma once

#include "kernels/exec/buffer.hpp"
#include "kernels/ldlt/device/given_matrix.hpp"
#include "kernels/ldlt/device/row_sizes.hpp"
#include "kernels/ldlt/shared/equilibrating_rules.hpp"

#include <cstdint>
#include <vector>

namespace pivotlab::ldlt_device {

template <class T>
class DeviceTriangle {
 public:
  virtual ~DeviceTriangle() = default;
  /// Uploads a packed triangle in the layout of PackedTriangle: all elements by columns, and the diagonal.
  virtual void import_packed(const T* elements, const T* diagonal) = 0;
  /// Uploads a matrix of the host. Returns whether the elements that are read are finite, both triangles agree if both
  /// are read, and the diagonal of a Hermitian matrix is real.
  virtual bool import_dense(const GivenMatrix<T>& given) = 0;
  /// Returns the sizes of the columns of a matrix in device memory.
  virtual std::vector<ColumnSize> measure(const GivenMatrix<T>& given) = 0;
  /// Imports 2^exponent times a matrix in device memory.
  virtual void import_given(const GivenMatrix<T>& given, int exponent) = 0;
  /// Returns a copy for import_copy() of another triangle of the same order, if the diagonal is not stored separately,
  /// as for complete pivoting. Throws std::bad_alloc.
  virtual Buffer<T> copied() = 0;
  virtual void import_copy(const Buffer<T>& copy) = 0;

  virtual std::vector<RowSize> row_sizes() = 0;
  /// Returns what the rule of a norm gathers of every row of S·A·S, S being given by its logarithms.
  virtual std::vector<std::int64_t> gathered_rows(ldlt_detail::RowNorm norm, const std::vector<int>& logarithms) = 0;
  /// Replaces A by S·A·S, S = diag(2^s). Returns how many parts of elements were rounded because they underflow.
  virtual std::int64_t scale(const std::vector<int>& exponents) = 0;

  /// Returns Σ |d_k|·|m_ik|² over k < i for each row of M, which an elimination has left here.
  virtual std::vector<double> squares_of_rows(const std::vector<double>& pivots) = 0;
  /// Replaces two vectors x by M⁻¹·x.
  virtual void solve(std::vector<T>& first, std::vector<T>& second) = 0;
};

}  // namespace pivotlab::ldlt_device
