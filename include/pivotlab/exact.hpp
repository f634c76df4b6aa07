// SPDX-License-Identifier: BSD-3-Clause
// Products of matrices without rounding errors, or with an error that is proved, in two limbs: C ≈ hi + lo.
//
// Rows of A and columns of B are scaled by powers of two and rounded to integers; the product of these integers is
// exact, computed modulo N numbers of one byte each. What they lose is counted, so that every call returns a bound that
// holds: with c_i inexact numbers in row i of A, d_j in column j of B, and integers a·2^μ_i and b·2^ν_j,
//
//   |hi + lo − A·B|_ij ≤ α_i‖b_j‖ + ‖a_i‖β_j + α_iβ_j + 2⁻¹⁰⁴|A·B|_ij,
//   α_i = 2^(−μ_i − 1)·√c_i,  β_j = 2^(−ν_j − 1)·√d_j.
//
// Rows and columns of any sizes are no problem; what costs accuracy is a spread of sizes inside of a row of A or a
// column of B. docs/notebook/exact-products.md has the method and its proof; its idea is that of Ozaki scheme II
// (Ozaki, Uchino and Imamura, arXiv 2504.08009). T is double or std::complex<double>.
#pragma once

#include <pivotlab/matrix.hpp>

#include <cstddef>
#include <memory>

namespace pivotlab {

struct ExactOptions {
  int moduli = 0;  ///< N, 8 to 26; 0: the fewest for `bits`
  /// The error is at most 2⁻ᵇⁱᵗˢ‖a_i‖‖b_j‖, whatever the numbers are. 0: the fewest moduli with which A·B is exact, or
  /// 26; the report tells.
  double bits = 0;
  /// Scales the inner index by powers of two, for A = R·S and B = S⁻¹·T with a graded diagonal S. Norms and counts are
  /// then those of the scaled matrices.
  bool balance = false;
  bool gram = false;  ///< A and B have the same vectors, as in AᴴA, AᵀA and AAᴴ, which are split once
  Index panel = 0;    ///< number of columns of C that are multiplied at once; 0: chosen. Changes no bit
};

/// Holds bounds and counts of what a product has lost.
struct ExactReport {
  int moduli = 0;                          ///< N
  double left_error = 0, right_error = 0;  ///< max_i α_i/‖a_i‖, max_j β_j/‖b_j‖, rounded up
  Index left_lost = 0, right_lost = 0;  ///< Σ c_i, Σ d_j; a number of two limbs that both lose bits counts four times
  Index rows_not_finite = 0,
        columns_not_finite = 0;  ///< rows of A and columns of B with NaN or Inf; those of C are NaN

  /// Returns whether all finite entries are exact but for their rounding to two limbs.
  bool exact() const { return left_lost == 0 && right_lost == 0; }
  /// Returns a bound of |error|_ij/(‖a_i‖‖b_j‖), without the rounding to two limbs.
  double bound() const { return (left_error + right_error + left_error * right_error) * (1 + 0x1p-50); }
};

/// Holds the factor hi + lo, transposed and conjugated where asked. An empty lo is zero; others have the shape and the
/// stride of hi.
template <class T>
struct ExactFactor {
  MatrixView<const T> hi, lo;
  bool transposed = false, conjugated = false;

  ExactFactor(MatrixView<const T> high, MatrixView<const T> low = {}) : hi(high), lo(low) {}
  ExactFactor(const Matrix<T>& high) : hi(high.view()) {}
  ExactFactor transpose() const {
    ExactFactor result = *this;
    result.transposed = !transposed;
    return result;
  }
  ExactFactor adjoint() const {
    ExactFactor result = transpose();
    result.conjugated = !conjugated;
    return result;
  }
  Index rows() const { return transposed ? hi.cols : hi.rows; }
  Index cols() const { return transposed ? hi.rows : hi.cols; }
};

/// Says what A·B is added to: nothing, C itself, −I, or −U·diag(sigma).
enum class ExactStart { zero, c, minus_identity, minus_columns };

/// Holds the matrix C = hi + lo, and how it changes: C := start ± A·B. The sum in double-double has a relative error of
/// at most 3·2⁻¹⁰⁶. lo has the shape and the stride of hi; it may be empty: then results are rounded to hi.
template <class T>
struct ExactTarget {
  MatrixView<T> hi, lo = {};
  bool subtract = false;
  ExactStart start = ExactStart::zero;
  MatrixView<const T> U = {};     ///< of minus_columns: m × n
  const double* sigma = nullptr;  ///< of minus_columns: n numbers, in the memory of U
  bool lower = false;             ///< elements above the diagonal are neither computed nor changed
};

/// Holds hi + lo = A·B (m × n) with bounds of |hi + lo − A·B|, entry by entry, NaN where the product is not finite.
template <class T>
struct ExactProduct {
  Matrix<T> hi, lo;
  Matrix<double> bound;
  ExactReport report;
};

/// Computes A·B (m × k times k × n) on the host, in N·m·n·k operations and about N·k·(m + n) bytes, three times as many
/// for complex matrices. Threads change no bit; a GPU gives the same bits. Throws InputError for options out of range,
/// factors that do not fit together, and bits that 26 moduli do not give.
template <class T>
ExactProduct<T> exact_product(const ExactFactor<T>& A, const ExactFactor<T>& B, const ExactOptions& options = {});

/// Changes C on the host by A·B, as exact_product() computes it.
template <class T>
ExactReport exact_update(const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B,
                         const ExactOptions& options = {});

/// Plans products of one shape in the memory of the GPU that is current when it is made. Copies share one plan,
/// which several host threads must not use at once.
template <class T>
class DeviceExactProduct {
 public:
  /// Returns the bytes of memory of the GPU that a plan works in; with neither moduli nor bits those of 26 moduli.
  /// Throws as the constructor does, without a GPU too.
  static std::size_t workspace_bytes(Index m, Index n, Index k, const ExactOptions& options = {});

  /// `stream` is a cudaStream_t that outlives the plan, as does `workspace`: memory of workspace_bytes(), aligned to
  /// 256. Null: the plan allocates it, here. Throws InputError for options out of range, NotSupported without a GPU or
  /// cuBLAS, std::bad_alloc if the memory does not suffice.
  DeviceExactProduct(Index m, Index n, Index k, const ExactOptions& options = {}, void* stream = nullptr,
                     void* workspace = nullptr);

  /// Changes C (m × n) by A·B, matrices of the GPU; C overlaps with neither. Allocates no memory and does not wait,
  /// unless the options give neither moduli nor bits: then it waits for the numbers from which moduli follow. Throws
  /// InputError for matrices of another shape.
  void run(const ExactTarget<T>& C, const ExactFactor<T>& A, const ExactFactor<T>& B);

  /// Returns what the last product is worth. Waits for the stream.
  ExactReport report();

  /// Writes entrywise bounds of the last product, without the rounding to two limbs, to an m × n matrix of the GPU.
  /// Does not wait.
  void bound_entries(MatrixView<double> bounds);

 private:
  struct Parts;
  std::shared_ptr<Parts> parts_;
};

}  // namespace pivotlab
