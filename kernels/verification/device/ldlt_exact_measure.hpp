// SPDX-License-Identifier: BSD-3-Clause
// LdltDeviceJudge by one exact product, whose error has a proved bound, over any machine of kernels/extended.
#pragma once

#include "kernels/exact/product.hpp"
#include "kernels/verification/device/ldlt_measure.hpp"

namespace pivotlab::experiments {

namespace device {

/// Computes S·P·A·Pᵀ·S on and below the diagonal, in the units of the factors.
template <class T>
struct PermutedMatrix {
  MatrixView<const T> A;
  const Index* permutation;
  const int* scaling;
  int factored_exponent;
  MatrixView<T> result;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (i < j) return;
    const Index row = permutation[i], col = permutation[j];
    at(result, i, j) = times_power_of_two(at(A, row, col), scaling[row] + scaling[col] - factored_exponent);
  }
};

/// Computes the moduli of R, or copies bounds of its errors, without S, on and below the diagonal of the block whose
/// first diagonal element is (first, first); zeros above.
template <class T>
struct Unscaled {
  MatrixView<const T> R;
  const Index* permutation;
  const int* scaling;
  int exponent;  ///< of the factors relative to the result
  Index first;
  MatrixView<double> result;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    const int s = scaling[permutation[first + i]] + scaling[permutation[first + j]];
    at(result, i, j) = i < j ? 0 : times_power_of_two(modulus(at(R, first + i, first + j)), exponent - s);
  }
};

/// Computes norms of the rows of |M||D|, rounded up.
template <class T>
struct RowNormsTimesTridiagonal {
  TimesTridiagonal<T> MD;
  double* result;

  PIVOTLAB_DEVICE void operator()(Index i, Index) const {
    double sum = 0;
    for (Index k = 0; k < MD.M.cols; ++k) {
      double x = modulus(at(MD.M, i, k)) * modulus(MD.diagonal[k]);
      if (k > 0) x += modulus(at(MD.M, i, k - 1)) * modulus(MD.subdiagonal[k - 1]);
      if (k + 1 < MD.M.cols) x += modulus(at(MD.M, i, k + 1)) * modulus(MD.subdiagonal[k]);
      sum += x * x;
    }
    result[i] = std::sqrt(sum) * (1 + 0x1p-20);
  }
};

/// Adds to bounds of the errors of (M·D)·M* what the two limbs of M·D and of the sum A − M·D·M* may lack, and the
/// rounding of the result to double.
template <class T>
struct AddRounding {
  const double* norms;  ///< of the rows of |M||D|
  exact::Errors right;
  MatrixView<const T> R;
  MatrixView<double> bounds;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (i < j) return;
    const double product = norms[i] * std::ldexp(right.norm(j), right.scales.exponent[j]);
    at(bounds, i, j) = (at(bounds, i, j) + 0x1p-101 * product + 0x1p-52 * modulus(at(R, i, j))) * (1 + 0x1p-20);
  }
};

}  // namespace device

/// Computes R = S·P·A·Pᵀ·S − (M·D)·M* with M·D in two limbs, as one product of which only elements on and below the
/// diagonal are computed, with as many terms as columns of M* have. Beside A and M it needs M·D in two limbs, R, and 2N
/// matrices of bytes, three times as many for complex numbers. The bound is proved but for the rounding of the norm's
/// sums.
template <class Machine, class Integers, class T>
class LdltExactMeasure final : public LdltProvedJudge<T> {
  using E = device::Extended<T>;
  using Operands = device::LdltOperands<Machine, T>;

 public:
  explicit LdltExactMeasure(int moduli = 20, Index block_columns = 2048)
      : moduli_(moduli), block_columns_(block_columns) {}

  double reconstruction_error(const GivenLdlt<T>& given) override {
    bound_ = 0;
    const Index n = given.A.rows();
    if (n == 0) return 0;
    const Operands o(machine_, given);
    const auto R = machine_.template matrix<T>(n, n);
    machine_.for_each(n, n,
                      device::PermutedMatrix<T>{o.A, o.permutation.data(), o.scaling.data(), o.factored_exponent, R});
    const auto MD = machine_.template matrix<E>(n, n);
    machine_.for_each(n, n, device::RowsTimesTridiagonal<T>{o.MD(), 0, MD});
    constexpr int parts = is_complex<T> ? 2 : 1;
    Integers integers(machine_.executor);
    exact::Product<decltype(machine_.executor), Integers> product(machine_.executor, integers, {n, n, n, parts},
                                                                  {.moduli = moduli_, .balance = true});
    product.measure(left(MD), right(o));
    product.split(exact::even_budgets(moduli_));
    product.multiply(subtraction_from(R), target(R));
    const double error = norm_1<T>(o, R);

    const auto bounds = machine_.template matrix<double>(n, n);
    product.bound_entries(bounds);
    const Buffer<double> norms = machine_.executor.template allocate<double>(static_cast<std::size_t>(n));
    machine_.for_each(n, 1, device::RowNormsTimesTridiagonal<T>{o.MD(), norms.data()});
    machine_.for_each(n, n, device::AddRounding<T>{norms.data(), {product.right_scales()}, R, bounds});
    bound_ = norm_1<double>(o, bounds);
    return error;
  }

  double bound() const override { return bound_; }
  int moduli() const override { return moduli_; }

 private:
  static exact::Operand left(const extended::DeviceMatrix<E>& MD) {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    const auto* numbers = reinterpret_cast<const double*>(MD.data());
    return {{{numbers, numbers + 1}, {numbers + 2, numbers + 3}},
            parts,
            MD.rows(),
            MD.cols(),
            2 * parts,
            2 * parts * MD.rows(),
            false};
  }
  /// The columns of M* are the rows of M.
  static exact::Operand right(const Operands& o) {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    const auto* numbers = reinterpret_cast<const double*>(o.M.data());
    return {{{numbers, nullptr}, {numbers + 1, nullptr}},
            parts,
            o.M.rows(),
            o.M.cols(),
            parts,
            parts * o.M.rows(),
            is_complex<T> && o.hermitian};
  }
  static exact::Target target(const extended::DeviceMatrix<T>& R) {
    constexpr Index parts = is_complex<T> ? 2 : 1;
    auto* numbers = reinterpret_cast<double*>(R.data());
    return {{{numbers, nullptr}, {numbers + 1, nullptr}}, parts, parts * R.rows()};
  }
  static exact::Update subtraction_from(const extended::DeviceMatrix<T>& R) {
    const exact::Target C = target(R);
    return {.subtract = true,
            .lower = true,
            .right_is_upper = true,
            .start = {exact::Start::Kind::matrix,
                      {{C.part[0].hi, nullptr}, {C.part[1].hi, nullptr}},
                      C.row_stride,
                      C.col_stride,
                      nullptr}};
  }

  /// Computes the 1-norm of the symmetric matrix whose lower triangle is S·X·S, X the result, in units of 2^exponent.
  template <class S>
  double norm_1(const Operands& o, MatrixView<const S> X) {
    return norm_1_of_lower(machine_, X.rows, block_columns_, [&](Index first, MatrixView<double> block) {
      return device::Unscaled<S>{X,    o.permutation.data(), o.scaling.data(), o.factored_exponent - o.exponent, first,
                                 block};
    });
  }

  Machine machine_;
  int moduli_;
  Index block_columns_;
  double bound_ = 0;
};

}  // namespace pivotlab::experiments
