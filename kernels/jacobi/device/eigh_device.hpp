// SPDX-License-Identifier: BSD-3-Clause
// Interface between the driver of the Hermitian eigensolver (eigh_driver.cpp) and its operations on matrices in device
// memory (eigh_machine.hpp). It has plain types only, because both compilers read it.
#pragma once

#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"
#include "kernels/jacobi/device/device_solver.hpp"
#include "kernels/ldlt/device/strips.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// A column of G = P*·M·W, W block diagonal: x·upper + y·lower of columns x = first, y = first + 1 of M, or x·upper.
template <class T>
struct SignedColumn {
  std::int64_t first;
  bool pair;
  T upper, lower;
};

/// Matrices of one eigenproblem of order n at a time, and operations on them. G and Y are n × r. Memory is taken when
/// it is made, but for what the spectral preconditioner needs.
template <class T>
class EighDevice {
 public:
  virtual ~EighDevice() = default;

  /// Sets G from the factor M; row i of M belongs to row rows[i] of A. r is the number of columns.
  virtual void make_g(const ldlt_device::Strips<T>& M, const std::vector<SignedColumn<T>>& columns,
                      const std::vector<int>& rows) = 0;
  /// Uploads a G of r columns.
  virtual void upload_g(const T* G, std::int64_t r) = 0;
  /// Returns the norm of row rows[i] of the first leading[i] columns of G, for i = 0, …, n − 1.
  virtual std::vector<double> row_norms(const std::vector<int>& rows, const std::vector<int>& leading) = 0;
  virtual CallerMatrix g() = 0;
  /// Sets Y to G and returns it.
  virtual CallerMatrix copy_of_g() = 0;
  virtual CallerMatrix y() = 0;
  /// Uploads A (n × n) to the memory of Y.
  virtual MatrixView<const T> upload_to_y(MatrixView<const T> A) = 0;

  /// Returns the number of zero columns of a matrix (n × n) in device memory.
  virtual std::int64_t zero_columns(MatrixView<const T> A) = 0;

  // The spectral preconditioner, by a library; the emulation has none.
  /// Copies 2^exponent times a matrix in device memory.
  virtual void import_a(MatrixView<const T> A, int exponent) = 0;
  /// Replaces A by its eigenvectors X. Returns the eigenvalues in ascending order, none if the routine does not
  /// converge.
  virtual std::vector<double> eigenvectors() = 0;
  /// Sets V := J·G*·X(:, columns)·diag(factors).
  virtual void start_v(const std::vector<int>& columns, const std::vector<double>& factors,
                       const std::vector<int>& J) = 0;
  /// Computes E := V*·J·V − S and returns its largest modulus, or NaN.
  virtual double defect(const std::vector<int>& J, const std::vector<int>& S) = 0;
  /// Sets V := V − ½·V·S·E.
  virtual void correct(const std::vector<int>& S) = 0;
  /// Sets Y := G·V.
  virtual void multiply_g() = 0;

  /// Returns ‖|G|*·|y_j|‖/σ_j for every column of Y, 0 for σ_j = 0.
  virtual std::vector<double> row_products(const std::vector<double>& sigma) = 0;
  /// Returns norms[j] plus the sum of min(negligible, |y_i|ᵀ·|y_j|) times the result for i over the columns i with
  /// places[i] < places[j]. Overwrites G.
  virtual std::vector<double> add_components(const std::vector<double>& norms, const std::vector<int>& places,
                                             double negligible) = 0;
  /// Sets column j of a matrix in device memory to column order[j] of Y, or to zero for −1.
  virtual void export_y(const std::vector<int>& order, MatrixView<T> U) = 0;
  /// Does this with contiguous columns of the host. Overwrites G.
  virtual void download_y(const std::vector<int>& order, T* U) = 0;
};

/// Returns the bytes of device memory that are taken when it is made.
template <class T>
std::size_t eigh_workspace_bytes(std::int64_t n);
/// Make it on a GPU, on the stream of the caller, or on one of its own on the first device; or emulated. A workspace is
/// device memory of eigh_workspace_bytes(n) aligned to 256 that outlives it.

template <class T>
std::unique_ptr<EighDevice<T>> make_cuda_eigh(std::int64_t n, void* workspace = nullptr,
                                              const std::optional<CallerStream>& stream = {});
template <class T>
std::unique_ptr<EighDevice<T>> make_emulated_eigh(std::int64_t n, LaneOrder order, void* workspace = nullptr);

}  // namespace pivotlab::jacobi
