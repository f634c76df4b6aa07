// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues and vectors of many small Hermitian matrices from those of their tridiagonal matrices.
#pragma once

#include "kernels/batch/batch_arguments.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"
#include "kernels/numerics/messages.hpp"
#include "kernels/two_stage/shared/estimate.hpp"

#include <cmath>
#include <limits>

namespace pivotlab::batch {

template <class T>
struct EigenvectorArguments {
  int n = 0;
  const T *work = nullptr, *tau = nullptr;  ///< reflectors, as in TridiagonalArguments
  const double* lambda = nullptr;           ///< [matrix][n], ascending, of the matrix times 2^−exponent
  const double* Z = nullptr;                ///< element (i, j) of matrix m is Z[i + m·n + (j + m·n)·n]
  const int* order = nullptr;               ///< [matrix][n], columns j + m·n of Z
  const int *exponent = nullptr, *given = nullptr, *not_converged = nullptr;  ///< [matrix]; given: a status
  double *values = nullptr, *estimate = nullptr;  ///< [matrix][n], descending; estimate may be null
  Strided<T> U;                                   ///< null if not requested
  int* status = nullptr;                          ///< [matrix]
};

/// U := H₀·H₁···H₍ₙ₋₂₎·Z, columns in descending order of λ. Grid: slabs() blocks a matrix. A warp keeps some columns
/// in registers, a lane every 32nd row, so that there is no barrier; the next reflector is loaded before one is
/// applied.
template <class T, int largest>
struct EigenvectorsSmall {
  using Arguments = EigenvectorArguments<T>;
  static constexpr int threads = 128, min_blocks = 3, warps = threads / warp_size;
  static constexpr int parts = largest < 32 ? 1 : largest / warp_size, columns = is_complex<T> ? 2 : 4;

  /// Returns the blocks of a matrix.
  PIVOTLAB_DEVICE static int slabs(const Arguments& a) {
    return a.U.data == nullptr ? 1 : (a.n + warps * columns - 1) / (warps * columns);
  }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int n = a.n, matrix = context.block() / slabs(a), slab = context.block() % slabs(a),
              first = (slab * warps + context.warp()) * columns;
    const int status = status_of(a, matrix);
    if (slab == 0) store_values(context, a, matrix, status);
    if (a.U.data == nullptr) return;
    T* const U = a.U.matrix(matrix);
    T z[columns][parts];
    const auto for_rows = [&](const auto& f) {
#pragma unroll
      for (int p = 0; p < parts; ++p) f(p, context.lane() + p * warp_size);
    };
    const std::int64_t begin = std::int64_t(matrix) * n;
#pragma unroll
    for (int c = 0; c < columns; ++c) {
      const std::int64_t from = first + c < n ? a.order[begin + n - 1 - (first + c)] : begin;
      for_rows([&](int p, int row) { z[c][p] = row < n ? T(a.Z[begin + row + from * n]) : T(0); });
    }
    if (status == Outcome::passed) apply(context, a, matrix, z);
#pragma unroll
    for (int c = 0; c < columns; ++c)
      for_rows([&](int p, int row) {
        if (row < n && first + c < n)
          U[row + (first + c) * a.U.stride] = status == Outcome::passed ? z[c][p] : not_a_number<T>();
      });
  }

 private:
  /// Returns what becomes of the matrix, the same for all blocks.
  PIVOTLAB_DEVICE static int status_of(const Arguments& a, int matrix) {
    const double* const lambda = a.lambda + std::int64_t(matrix) * a.n;
    const int exponent = a.exponent[matrix];
    if (a.not_converged[matrix]) return Outcome::not_converged;
    const bool fits = is_in_range(times_power_of_two(lambda[0], exponent)) &&
                      is_in_range(times_power_of_two(lambda[a.n - 1], exponent));
    return fits && a.given[matrix] == Outcome::passed ? Outcome::passed : Outcome::failed;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void store_values(Context& context, const Arguments& a, int matrix, int status) {
    const std::int64_t begin = std::int64_t(matrix) * a.n;
    const double* const lambda = a.lambda + begin;
    const double lowest = absolute(lambda[0]), highest = absolute(lambda[a.n - 1]);
    const double norm = times_power_of_two(lowest < highest ? highest : lowest, a.exponent[matrix]);
    for (int j = context.thread(); j < a.n; j += threads) {
      const double value = times_power_of_two(lambda[a.n - 1 - j], a.exponent[matrix]) + 0.0;  // no −0
      const bool passed = status == Outcome::passed;
      a.values[begin + j] = passed ? value : not_a_number<double>();
      if (a.estimate == nullptr) continue;
      a.estimate[begin + j] = passed ? two_stage::estimated_error(absolute(value), norm, a.n) : not_a_number<double>();
    }
    if (context.thread() == 0) a.status[matrix] = status;
  }

  template <class Context>
  PIVOTLAB_DEVICE static void apply(Context& context, const Arguments& a, int matrix, T (&z)[columns][parts]) {
    const int n = a.n;
    const T *const reflectors = a.work + std::int64_t(matrix) * n * n, *const tau = a.tau + std::int64_t(matrix) * n;
    T next[parts];
    const auto load = [&](int k) {
#pragma unroll
      for (int p = 0; p < parts; ++p) {
        const int row = context.lane() + p * warp_size;
        next[p] = row > k + 1 && row < n ? reflectors[row + k * n] : T(row == k + 1 ? 1 : 0);
      }
    };
    load(n - 2);
    for (int k = n - 2; k >= 0; --k) {
      T v[parts];
#pragma unroll
      for (int p = 0; p < parts; ++p) v[p] = next[p];
      const T factor = negated(tau[k]);
      if (k > 0) load(k - 1);
#pragma unroll
      for (int c = 0; c < columns; ++c) {
        T product(0);
#pragma unroll
        for (int p = 0; p < parts; ++p)
          if (warp_size * (p + 1) > k + 1) product = multiply_add(conjugate(v[p]), z[c][p], product);
        for (int mask = warp_size / 2; mask > 0; mask /= 2) product = sum(product, exchanged(context, product, mask));
        product = multiply(factor, product);
#pragma unroll
        for (int p = 0; p < parts; ++p)
          if (warp_size * (p + 1) > k + 1) z[c][p] = multiply_add(product, v[p], z[c][p]);
      }
    }
  }
};

}  // namespace pivotlab::batch
