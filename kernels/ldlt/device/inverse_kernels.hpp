// SPDX-License-Identifier: BSD-3-Clause
// Computes X ≈ M⁻¹ on a machine of kernels/extended, a block of columns at a time, and keeps only sums of moduli.
//
//   for every block of columns j:  B := the columns of I from row j on,  M' := the rows and columns of M from j on
//     solve M'·X = B:  [M₁; M₂₁, M₂]·[X₁; X₂] = [B₁; B₂]:   X₁ from M₁·X₁ = B₁,  B₂ −= M₂₁·X₁,  X₂ from M₂·X₂ = B₂
#pragma once

#include "kernels/extended/machine.hpp"
#include "kernels/ldlt/device/inverse_sums.hpp"
#include "kernels/numerics/complex_arithmetic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab::ldlt_device {

/// Computes B := T⁻¹·B for a unit lower triangular T of order at most 32. One warp per column of B, one lane per row.
template <class T>
struct SolveUnitLower {
  struct Arguments {
    MatrixView<const T> L;
    MatrixView<T> B;
  };
  static constexpr int threads = 128, min_blocks = 1;
  static constexpr int largest_order = 32, columns = threads / 32;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const Index n = a.L.rows, j = Index(context.block()) * columns + context.warp();
    const int i = context.lane();
    if (j >= a.B.cols) return;  // the whole warp returns
    T x = i < n ? at(a.B, i, j) : T(0);
    for (int k = 0; k < n; ++k) {
      const T solved = from_lane(context, x, k);
      if (i > k && i < n) x = multiply_add(negated(at(a.L, i, k)), solved, x);
    }
    if (i < n) at(a.B, i, j) = x;
  }

 private:
  template <class Context>
  PIVOTLAB_DEVICE static T from_lane(Context& context, const T& x, int lane) {
    if constexpr (is_complex<T>) {
      const double re = context.shuffle(x.real(), lane), im = context.shuffle(x.imag(), lane);
      return T(re, im);
    } else {
      return context.shuffle(x, lane);
    }
  }
};

/// Computes Σ_i weights[i]·|A(i, j)|; without weights Σ_i |A(i, j)|.
template <class T>
struct WeightedColumnSums {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> A;
  const double* weights;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    const double size = modulus(at(A, i, j));
    return weights == nullptr ? size : weights[i] * size;
  }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value; }
};

/// Adds Σ_j |A(i, j)| to sums[i].
template <class T>
struct AddRowSums {
  MatrixView<const T> A;
  double* sums;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double sum = 0;
    for (Index j = 0; j < A.cols; ++j) sum += modulus(at(A, i, j));
    sums[i] += sum;
  }
};

template <class Machine, class T>
class InverseSumsOnDevice {
 public:
  explicit InverseSumsOnDevice(Index columns = 4096) : columns_(columns) {}

  InverseSums of(MatrixView<const T> M, const std::vector<double>& weights) {
    const Index n = M.rows;
    const auto on_device = machine_.upload(M);
    const Buffer<double> given = machine_.upload(weights), sums_of_m = vector(n), of_rows = vector(n),
                         weighted = vector(n), product = vector(n);
    machine_.executor.fill_zero(of_rows.data(), of_rows.size());
    machine_.reduce_columns(n, n, WeightedColumnSums<T>{on_device, nullptr, sums_of_m.data()});
    const auto memory = machine_.template matrix<T>(n, std::min(columns_, n));
    for (Index first = 0; first < n; first += columns_) {
      const Index rows = n - first;
      const MatrixView<T> X = memory.view().block(0, 0, rows, std::min(columns_, rows));
      machine_.for_each(X.rows, X.cols, SetIdentity<T>{X});
      solve(on_device.view().block(first, first, rows, rows), X);
      machine_.reduce_columns(rows, X.cols, WeightedColumnSums<T>{X, given.data() + first, weighted.data() + first});
      machine_.reduce_columns(rows, X.cols, WeightedColumnSums<T>{X, sums_of_m.data() + first, product.data() + first});
      machine_.for_each(rows, 1, AddRowSums<T>{X, of_rows.data() + first});
    }
    return {largest(machine_.download(weighted)), largest(machine_.download(product)), machine_.download(of_rows),
            n + 64};
  }

 private:
  Buffer<double> vector(Index n) { return machine_.executor.template allocate<double>(static_cast<std::size_t>(n)); }

  void solve(MatrixView<const T> L, MatrixView<T> B) {
    using Small = SolveUnitLower<T>;
    const Index n = L.rows;
    if (n <= Small::largest_order) {
      const Index blocks = (B.cols + Small::columns - 1) / Small::columns;
      machine_.executor.template launch<Small>(static_cast<int>(blocks), 0, {L, B});
      return;
    }
    const Index half = (n / 2 + Small::largest_order - 1) / Small::largest_order * Small::largest_order;
    const MatrixView<T> B1 = B.block(0, 0, half, B.cols), B2 = B.block(half, 0, n - half, B.cols);
    solve(L.block(0, 0, half, half), B1);
    machine_.template subtract_product<T>(L.block(half, 0, n - half, half), B1, B2);
    solve(L.block(half, half, n - half, n - half), B2);
  }

  /// Returns the largest number, or infinity if a number is NaN.
  static double largest(const std::vector<double>& numbers) {
    double result = 0;
    for (const double x : numbers)
      result = std::max(result, std::isnan(x) ? std::numeric_limits<double>::infinity() : x);
    return result;
  }

  Machine machine_;
  Index columns_;
};

}  // namespace pivotlab::ldlt_device
