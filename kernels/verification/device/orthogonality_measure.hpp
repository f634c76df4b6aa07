// SPDX-License-Identifier: BSD-3-Clause
// The measurement of orthogonality.hpp over any machine of kernels/extended.
#pragma once

#include "kernels/exact/product.hpp"
#include "kernels/verification/device/lower_norms.hpp"
#include "kernels/verification/device/orthogonality.hpp"

namespace pivotlab::experiments {

namespace device {

/// Computes the moduli on and below the diagonal of the block whose first diagonal element is (first, first); zeros
/// above.
template <class T>
struct LowerModuli {
  MatrixView<const T> A;
  Index first;
  MatrixView<double> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = i < j ? 0 : modulus(at(A, first + i, first + j));
  }
};

/// Sums the squares of the columns of a symmetric matrix, given on and below its diagonal.
template <class T>
struct SquaresOfLower {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> A;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    const double x = i < j ? 0 : modulus(at(A, i, j));
    return i == j ? x * x : 2 * x * x;
  }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value; }
};

}  // namespace device

template <class Machine, class Integers, class T>
Orthogonality measure_orthogonality(Machine& machine, const Matrix<T>& U, int moduli = 18, Index block_columns = 2048) {
  const Index n = U.cols();
  if (n == 0) return {};
  constexpr int parts = is_complex<T> ? 2 : 1;
  const auto on_device = machine.upload(U);
  const auto E = machine.template matrix<T>(n, n);
  const auto* numbers = reinterpret_cast<const double*>(on_device.data());
  exact::Operand right{
      {{numbers, nullptr}, {numbers + 1, nullptr}}, parts, n, U.rows(), parts * U.rows(), parts, false},
      left = right;
  left.conjugated = is_complex<T>;
  Integers integers(machine.executor);
  exact::Product<decltype(machine.executor), Integers> product(machine.executor, integers,
                                                               {n, n, U.rows(), parts, true}, {.moduli = moduli});
  product.measure(left, right);
  product.split(exact::even_budgets(moduli));
  auto* result = reinterpret_cast<double*>(E.data());
  product.multiply({.lower = true, .start = {.kind = exact::Start::Kind::minus_identity}},
                   {{{result, nullptr}, {result + 1, nullptr}}, parts, parts * n});

  const double norm_1 = norm_1_of_lower(machine, n, block_columns, [&](Index first, MatrixView<double> block) {
    return device::LowerModuli<T>{E, first, block};
  });
  const Buffer<double> squares = machine.executor.template allocate<double>(static_cast<std::size_t>(n));
  machine.reduce_columns(n, n, device::SquaresOfLower<T>{E, squares.data()});
  double sum = 0;
  for (const double square : machine.download(squares)) sum += square;
  // ‖u_i‖‖u_j‖ ≤ 1 + max|e_jj| ≤ 1 + norm_1; rounding to two limbs and to double.
  const auto [a, b] = product.report();
  const double relative = a.largest_error + b.largest_error + a.largest_error * b.largest_error + 0x1p-103;
  const double size = 1 + norm_1;
  return {std::sqrt(sum), norm_1,
          (relative * static_cast<double>(n) * size + 0x1p-52 * std::max(norm_1, std::sqrt(sum))) * (1 + 0x1p-20)};
}

}  // namespace pivotlab::experiments
