// SPDX-License-Identifier: BSD-3-Clause
// Many small matrices at once, those of one shape by one kernel: symmetric indefinite factorizations and solutions,
// eigendecompositions of Hermitian and of general matrices, singular value decompositions, those of pairs.
//
// On the backend host a thread solves one matrix after the other, as ldlt(), eigh(), eig(), hsvd() and gsvd() do,
// with their bits. On the backend cuda one kernel solves all of them, a block of threads a matrix, in shared memory;
// emulation runs the same kernels on the host, with the same bits. Bits of a matrix do not depend on the others, nor on
// their number or order. T is double or std::complex<double>.
//
// All arrays are in the memory of the backend. On cuda the calls return when the kernels are launched; wait for the
// stream before you read results. A matrix that cannot be solved does not stop the others: its status, a number of
// pivotlab::Status, is not `passed`, and its results are NaN where nothing else is said.
#pragma once

#include <pivotlab/eig.hpp>
#include <pivotlab/eigh.hpp>
#include <pivotlab/jacobi.hpp>
#include <pivotlab/ldlt.hpp>
#include <pivotlab/matrix.hpp>

#include <complex>
#include <cstddef>
#include <functional>
#include <type_traits>

namespace pivotlab {

/// `count` matrices; element (i, j) of matrix k is data[i + j·stride + k·distance].
template <class T>
struct MatrixBatch {
  T* data = nullptr;
  Index rows = 0, cols = 0, stride = 0, distance = 0, count = 0;

  MatrixView<T> operator[](Index k) const { return {data + k * distance, rows, cols, stride}; }
  operator MatrixBatch<const T>() const requires(!std::is_const_v<T>) {
    return {data, rows, cols, stride, distance, count};
  }
};

/// Where a batch is solved. The largest matrices of the backends cuda and emulation have 256 columns; what does not fit
/// in the shared memory of a multiprocessor is in the memory of results.
struct BatchOptions {
  Backend backend = Backend::host;
  int threads = 0;         ///< threads of the host, 0: OpenMP's choice
  void* stream = nullptr;  ///< a cudaStream_t of the current device, for the backend cuda
};

struct LdltBatchOptions : BatchOptions {
  LdltVariant variant = {};  ///< without equilibration, with a search
  InputTriangle triangle = InputTriangle::whole;
};

/// P·A·Pᵀ = M·D·M* of every matrix; members as in LdltFactorization.
template <class T>
struct LdltBatch {
  MatrixBatch<T> M;
  T* diagonal = nullptr;       ///< [matrix][n]
  T* subdiagonal = nullptr;    ///< [matrix][n]
  int* permutation = nullptr;  ///< [matrix][n]
  int* inertia = nullptr;      ///< [matrix][3]: positive, negative, zero; right only where no pivot is doubtful
  int* status = nullptr;       ///< [matrix]: passed, or failed for NaN, Inf, no Hermitian matrix, D beyond the range
  int* doubtful = nullptr;     ///< [matrix]: number of doubtful pivots; null if not wanted
};

/// Factors A (n × n), real symmetric or Hermitian, with the noise test of LdltOptions::rank_tolerance. With complete
/// pivoting, and up to order 63 with every pivoting, factors have the same bits on all backends but for signs of zeros.
/// Throws InputError for shapes that do not fit and an α out of range, NotSupported for equilibration and, on cuda and
/// emulation, more columns than BatchOptions tells.
template <class T>
void ldlt_batch(MatrixBatch<const T> A, const LdltBatch<T>& result, const LdltBatchOptions& options = {});

/// Replaces every B (n × any) by A⁻¹·B. The status of a matrix becomes `incorrect` if it is singular, and its solution
/// NaN then, as where it was not passed; `failed` if its B or solution is not finite. Throws as ldlt_batch().
template <class T>
void solve_batch(const LdltBatch<T>& factors, MatrixBatch<T> B, const BatchOptions& options = {});

/// The hyperbolic SVD of every matrix; members as in HsvdResult.
template <class T>
struct HsvdBatch {
  double* sigma = nullptr;     ///< [matrix][n]
  int* J = nullptr;            ///< [matrix][n]; null if not wanted, as the following
  double* estimate = nullptr;  ///< [matrix][n]
  MatrixBatch<T> U = {};       ///< m × n
  MatrixBatch<T> V = {};       ///< n × n
  int* status = nullptr;       ///< [matrix]: passed, not_converged, failed for NaN or Inf, not_supported for columns
                               ///< that differ by more than 2^416 (on the host decomposed in long double)
};

struct JacobiBatchOptions : BatchOptions {
  int max_sweeps = 60;
};

/// Decomposes G (m × n, m ≥ n ≥ 1) and J, [matrix][n] numbers ±1, or null for the singular value decomposition. On the
/// host by the variant HSVD-ME-PT, on cuda and emulation with the order of the next power of two of columns, the same
/// transformations, noise of columns and end of the iteration. There matrices of more than 128 columns, complex ones
/// 64, need U, and up to that order their rows must fit in shared memory. Throws InputError for shapes, NotSupported
/// for larger matrices.
template <class T>
void hsvd_batch(MatrixBatch<const T> G, const int* J, const HsvdBatch<T>& result,
                const JacobiBatchOptions& options = {});

/// The eigendecomposition of every Hermitian matrix; members as in EighResult.
template <class T>
struct EighBatch {
  double* eigenvalues = nullptr;  ///< [matrix][n], descending
  double* estimate = nullptr;     ///< [matrix][n]; null if not wanted
  MatrixBatch<T> U = {};          ///< n × n; null if not wanted
  int* status = nullptr;          ///< [matrix]: as in LdltBatch and HsvdBatch
};

/// Returns HEV-RK-ME-PT, the variant of batches on all backends.
inline EighVariant eigh_variant_of_batches() {
  return {.sweeps = {.form = JacobiForm::PT}};
}

struct EighBatchOptions : JacobiBatchOptions {
  /// That of all backends or, on cuda and emulation, HEV-2STAGE, which takes less time from 64 columns on.
  EighVariant variant = eigh_variant_of_batches();
};

/// Returns the bytes of workspace that eigh_batch() needs on cuda and emulation: two matrices each, with HEV-2STAGE
/// four, complex ones two and a half.
template <class T>
std::size_t eigh_batch_workspace(Index n, Index count, const EighVariant& variant = eigh_variant_of_batches());

/// Decomposes A (n × n, both triangles, n ≥ 1) by A = G·J·G* with rook pivoting and hsvd_batch(). On the host estimates
/// are those of eigh(); on cuda and emulation they lack the parts for pivots that are kept and may be zero
/// (kernels/jacobi/shared/doubtful_pivots.hpp) and for eigenvalues that differ by more than 26 decades, and the
/// estimate of an eigenvalue that was found zero is 1. HEV-2STAGE decomposes a tridiagonal form by divide and conquer:
/// errors are relative to ‖A‖₂, and estimates are those of eigh(); A with an eigenvalue that overflows is `failed`.
/// `workspace` is memory of the backend, aligned to 256; the host needs none. Throws as hsvd_batch(), InputError
/// without a workspace, NotSupported for other variants, and for HEV-2STAGE on the host.
template <class T>
void eigh_batch(MatrixBatch<const T> A, const EighBatch<T>& result, void* workspace = nullptr,
                const EighBatchOptions& options = {});

/// Eigenvalues and right eigenvectors of every general matrix; members as in EigResult.
struct EigBatch {
  std::complex<double>* eigenvalues = nullptr;  ///< [matrix][n], in the order of EigResult
  MatrixBatch<std::complex<double>> V = {};     ///< n × n; null if not wanted
  /// [matrix]: passed, incorrect, not_converged, or failed for NaN, Inf, eigenvalues beyond the range
  int* status = nullptr;
};

/// Returns the bytes of workspace that eig_batch() needs on cuda and emulation; 0 up to order 64.
std::size_t eig_batch_workspace(Index n, Index count);

/// Decomposes A (n × n, n ≥ 1). On the host by eig() with its default variant; on cuda and emulation
/// by balancing, Hessenberg form, QR iteration with single shifts and back substitution, whose errors
/// are those of a backward stable algorithm: a few n·ε·‖A‖ of the balanced A. The status is `incorrect` if A·V − V·Λ
/// has elements above 128·n·ε·max|a_ij|, which balancing of elements that differ by many decades may cause. `workspace`
/// is memory of the backend, aligned to 256. Throws as hsvd_batch(), and InputError without a workspace where one is
/// needed.
template <class T>
void eig_batch(MatrixBatch<const T> A, const EigBatch& result, void* workspace = nullptr,
               const BatchOptions& options = {});

/// The GSVD of every pair; members as in GsvdResult. None may be null.
template <class T>
struct GsvdBatch {
  double *sigma = nullptr, *sigma_f = nullptr, *sigma_g = nullptr;  ///< [pair][n], sigma descending
  MatrixBatch<T> U = {};                                            ///< m_F × n
  MatrixBatch<T> V = {};                                            ///< m_G × n
  MatrixBatch<T> Z = {};                                            ///< n × n
  /// [pair]: passed, incorrect if backward errors exceed the bound of gsvd(), not_converged, or failed where gsvd()
  /// throws InputError (NaN, Inf, G not of full column rank, columns of very different sizes) or numbers leave the
  /// range
  int* status = nullptr;
};

struct GsvdBatchOptions : BatchOptions {
  int max_sweeps = 30;
};

/// Decomposes F (m_F × n) and G (m_G × n), m_F, m_G ≥ n ≥ 1, G of full column rank. On the host by gsvd() with its
/// default variant; on cuda and emulation by the pointwise one-sided Hari–Zimmermann iteration
/// with the same rules. Throws InputError for shapes, NotSupported for larger pairs: up to 64 columns, complex ones 32,
/// a pair must fit in the shared memory of a multiprocessor.
template <class T>
void gsvd_batch(MatrixBatch<const T> F, MatrixBatch<const T> G, const GsvdBatch<T>& result,
                const GsvdBatchOptions& options = {});

namespace detail {
using SolveBatch = std::function<void(Index, const BatchOptions&)>;
void solve_batches(Index count, const BatchOptions& options, const SolveBatch& solve);
}  // namespace detail

/// Solves batches of different shapes in one call: calls solve(k, own) for k = 0 … count − 1, which passes `own`, the
/// options with another number of threads or another stream, to one of the functions above. On the host batches are
/// solved side by side, one a thread, if they are not fewer than the threads, else one after the other by all threads;
/// on cuda on up to eight streams at once, for which options.stream waits. Throws what a call throws; the other
/// batches may then be unfinished.
template <class Options, class Solve>
void for_batches(Index count, const Options& options, const Solve& solve) {
  detail::solve_batches(count, options, [&](Index k, const BatchOptions& place) {
    Options own = options;
    own.threads = place.threads, own.stream = place.stream;
    solve(k, own);
  });
}

}  // namespace pivotlab
