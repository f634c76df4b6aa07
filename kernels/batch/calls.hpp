// SPDX-License-Identifier: BSD-3-Clause
// The public functions share these: checks of shapes, the host's loop over matrices, results of one matrix.
#pragma once

#include "kernels/batch/run.hpp"
#include "kernels/exec/build.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <complex>
#include <exception>
#include <limits>
#include <pivotlab/batch.hpp>
#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>
#include <string>

namespace pivotlab::batch {

template <class T>
std::string shape_of(const MatrixBatch<T>& A) {
  return std::to_string(A.rows) + " x " + std::to_string(A.cols);
}

template <class T>
void require_shape(const char* name, const MatrixBatch<T>& A, Index rows, Index cols, Index count) {
  if (A.rows != rows || A.cols != cols || A.count != count)
    throw InputError(std::string("batch ") + name + ": it has " + std::to_string(A.count) + " matrices " + shape_of(A) +
                     "; pass " + std::to_string(count) + " of " + std::to_string(rows) + " x " + std::to_string(cols));
  if (count < 0)
    throw InputError(std::string("batch ") + name + ": it has " + std::to_string(count) + " matrices; pass 0 or more");
  if (A.data == nullptr && count > 0)
    throw InputError(std::string("batch ") + name + ": its data is null; pass the memory of its matrices");
  if (A.stride < rows || (count > 1 && A.distance < A.stride * (cols - 1) + rows))
    throw InputError(std::string("batch ") + name +
                     ": its columns or matrices overlap; stride and distance count "
                     "elements from one column, or matrix, to the next");
}

template <class T>
void require_square(const MatrixBatch<T>& A) {
  if (A.rows != A.cols || A.rows < 1)
    throw InputError("batch A: its matrices are " + shape_of(A) + "; they must be square, of order 1 or more");
  require_shape("A", A, A.rows, A.rows, A.count);
}

inline void require_order(Index n) {
  if (n > largest_columns)
    throw NotSupported("batch: matrices have up to " + std::to_string(largest_columns) +
                       " columns on this backend, and these " + std::to_string(n) +
                       "; take the backend host, or solve them one by one");
}

/// Runs the kernel of these arguments on cuda or emulation.
template <class Arguments>
void run(const Arguments& arguments, Index count, const BatchOptions& options) {
  if (count > std::numeric_limits<int>::max())
    throw NotSupported("batch: it has more than 2^31 − 1 matrices; divide it");
  if (options.backend != Backend::cuda) return run_emulated(arguments, static_cast<int>(count));
  if (const std::string why = why_no_device(); !why.empty()) throw NotSupported(why);
  on_cuda<run_on_cuda<Arguments>>(arguments, static_cast<int>(count), CallerStream{options.stream});
}

/// Calls solve(k) for all matrices, a thread for one after the other, and refuse(k) where the input is refused.
template <class Solve, class Refuse>
void for_matrices(Index count, int threads, const Solve& solve, const Refuse& refuse) {
  std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) num_threads(thread_count(threads))
  for (Index k = 0; k < count; ++k) try {
      solve(k);
    } catch (const InputError&) {
      refuse(k);
    } catch (...) {
#pragma omp critical(pivotlab_batch)
      error = std::current_exception();
    }
  if (error) std::rethrow_exception(error);
}

template <class T>
void store(const MatrixBatch<T>& to, Index k, const Matrix<T>& from) {
  for (Index j = 0; to.data != nullptr && j < to.cols; ++j) std::ranges::copy(from.col(j), to[k].col(j).begin());
}

template <class T>
void fill(const MatrixBatch<T>& to, Index k, const T& x) {
  for (Index j = 0; to.data != nullptr && j < to.cols; ++j) std::ranges::fill(to[k].col(j), x);
}

template <class Number, class Range>
void store(Number* to, Index k, const Range& from) {
  if (to != nullptr) std::ranges::transform(from, to + k * std::ssize(from), [](auto x) { return Number(x); });
}

template <class Number>
void fill(Number* to, Index k, Index n, Number x) {
  if (to != nullptr) std::fill_n(to + k * n, n, x);
}

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
template <class T>
inline constexpr T all_nan = [] {
  if constexpr (is_complex<T>)
    return T(nan, nan);
  else
    return nan;
}();

template <class T>
Strided<T> strided(const MatrixBatch<T>& A) {
  return {A.data, A.stride, A.distance};
}

template <class T>
FactorArguments<T> factor_arguments(MatrixBatch<const T> A, const LdltBatch<T>& result,
                                    const LdltBatchOptions& options) {
  return {.A = strided(A),
          .n = static_cast<int>(A.rows),
          .triangle = static_cast<Triangle>(options.triangle),
          .rule = {options.variant.pivoting, options.variant.alpha},
          .M = strided(result.M),
          .diagonal = result.diagonal,
          .subdiagonal = result.subdiagonal,
          .permutation = result.permutation,
          .inertia = result.inertia,
          .status = result.status,
          .doubtful = result.doubtful};
}

}  // namespace pivotlab::batch
