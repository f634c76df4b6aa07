// SPDX-License-Identifier: BSD-3-Clause
// Interface between the driver of the generalized hyperbolic SVD by tangent reduction (ghsvd_driver.cpp) and its
// operations on matrices in device memory (ghsvd_machine.hpp). It has plain types only, because both compilers read it.
#pragma once

#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"
#include "kernels/gsvd/tangent/shared/outcome.hpp"

#include <memory>
#include <pivotlab/matrix.hpp>
#include <string>
#include <vector>

namespace pivotlab::jacobi {

using tangent::Shape;

/// Place of a column of G_T in its pivot.
enum class ColumnKind : int { single, first_of_pair, second_of_pair };

/// G_T (n × r) and its hyperbolic SVD G_T·W = X·Σ in device memory, and what the host knows of them, of length r.
template <class T>
struct HsvdOnDevice {
  MatrixView<T> G, X;                ///< n × r
  MatrixView<T> W;                   ///< r × r
  std::vector<int> rows;             ///< G_T(rows, :) is block lower triangular
  std::vector<ColumnKind> kinds;     ///< of the columns of G_T
  std::vector<double> factor_signs;  ///< J' in the order of G_T's columns
  std::vector<double> signs, sigma;  ///< J' and σ in the order of X's columns

  Index rank() const { return X.cols; }
};

/// Sums over columns for the estimates of errors, of length r (shared/ghsvd_values.hpp).
struct ErrorSums {
  std::vector<double> factorization;  ///< ‖|G_T|*·|x_j|‖
  std::vector<double> tangent;        ///< ‖|B|·|x_j|‖
  std::vector<double> qr;             ///< Σ_k ‖g_k‖·|z_kj|
  std::vector<double> substitution;   ///< |B·x_j|*·|B|·|R|·|z_j|
};

/// Matrices of a pair and its decomposition in device memory.
template <class T>
struct DevicePair {
  MatrixView<const T> F, G;
  MatrixView<T> U, V, Z;
};

/// Operations on one pair at a time, all of one shape, m_f ≥ 0, m_g ≥ n ≥ 1. All memory is one workspace.
template <class T>
class GhsvdDevice {
 public:
  virtual ~GhsvdDevice() = default;
  virtual std::size_t workspace_bytes() const = 0;
  /// Takes a workspace of that size aligned to 256 that outlives it; null: it allocates it.
  virtual void use(void* workspace) = 0;

  /// Sets B = 2^−exponent()·F·D⁻¹·P·R⁻¹, whose longest column has a norm of about 1, and takes the signs J of its rows.
  /// Returns why that is not possible: empty, or one line.
  virtual std::string reduce(MatrixView<const T> F, MatrixView<const T> G, const std::vector<double>& J) = 0;
  virtual int exponent() const = 0;
  /// Returns the lower triangle of T = B*JB with a real diagonal, until the next operation.
  virtual MatrixView<const T> tangent() = 0;
  virtual void download_b(T* B) = 0;
  /// Returns memory for W (r × r), which no operation before set_u() uses.
  virtual MatrixView<T> w(Index r) = 0;

  /// Sets columns of U, in this order of X's columns and zero for −1, to those of B·G_T⁻*·J'·W·J', made J-orthogonal.
  /// Makes X more accurate.
  virtual void set_u(const HsvdOnDevice<T>& d, const std::vector<int>& order, MatrixView<T> U) = 0;
  virtual ErrorSums error_sums(const HsvdOnDevice<T>& d) = 0;
  /// Sets V = Q·X and Z = D⁻¹·P·R⁻¹·X·diag(sigma_g), with X in this order and null vectors for −1. Returns false if a
  /// column of V consists of rounding errors only, so that G is not of full column rank.
  virtual bool set_v_and_z(const HsvdOnDevice<T>& d, const std::vector<int>& order, const std::vector<double>& sigma_g,
                           MatrixView<T> V, MatrixView<T> Z) = 0;

  /// Copies a pair of the host to memory that is allocated, with memory for the factors, on first use.
  virtual DevicePair<T> upload(MatrixView<const T> F, MatrixView<const T> G) = 0;
  /// Downloads a matrix whose columns are contiguous.
  virtual void download(T* to, MatrixView<const T> from) = 0;
};

/// Make the operations without a workspace: on a stream of the current GPU, or emulated with LAPACK. Throw NotSupported
/// where cuBLAS, cuSOLVER or LAPACK is missing.
template <class T>
std::unique_ptr<GhsvdDevice<T>> make_cuda_ghsvd(const Shape& shape, CallerStream stream);
template <class T>
std::unique_ptr<GhsvdDevice<T>> make_emulated_ghsvd(const Shape& shape, LaneOrder order, int threads);

}  // namespace pivotlab::jacobi
