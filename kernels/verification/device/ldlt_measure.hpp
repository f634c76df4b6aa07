// SPDX-License-Identifier: BSD-3-Clause
// LdltDeviceJudge over any machine of kernels/extended.
#pragma once

#include "kernels/extended/product.hpp"
#include "kernels/verification/device/ldlt_judge.hpp"
#include "kernels/verification/device/lower_norms.hpp"

namespace pivotlab::experiments {

namespace device {

/// Computes M·D with D tridiagonal.
template <class T>
struct TimesTridiagonal {
  MatrixView<const T> M;
  const T *diagonal, *subdiagonal;
  bool hermitian;

  PIVOTLAB_DEVICE Extended<T> operator()(Index i, Index k) const {
    const auto m = [&](Index j) { return extend<Extended<T>>(at(M, i, j)); };
    Extended<T> sum = m(k) * extend<Extended<T>>(diagonal[k]);
    if (k > 0 && subdiagonal[k - 1] != T(0)) sum += m(k - 1) * extend<Extended<T>>(across(subdiagonal[k - 1]));
    if (k + 1 < M.cols && subdiagonal[k] != T(0)) sum += m(k + 1) * extend<Extended<T>>(subdiagonal[k]);
    return sum;
  }
  PIVOTLAB_DEVICE T across(const T& x) const { return hermitian ? conjugate(x) : x; }
};

/// Copies the rows from `first` on.
template <class T>
struct RowsTimesTridiagonal {
  TimesTridiagonal<T> MD;
  Index first;
  MatrixView<Extended<T>> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index k) const { at(result, i, k) = MD(first + i, k); }
};

template <class T>
struct LargestOfColumnsTimesTridiagonal {
  using Value = double;
  using Combine = Largest;
  TimesTridiagonal<T> MD;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index k) const { return larger_part(round_to_double<T>(MD(i, k))); }
  PIVOTLAB_DEVICE void store(Index k, double value) const { result[k] = value; }
};

/// Computes |P·A·Pᵀ − S⁻¹·M·D·M*·S⁻¹| on and below the diagonal of the block whose first diagonal element is (first,
/// first), S in the order of P·A·Pᵀ; zeros above.
template <class T>
struct ReconstructionErrors {
  MatrixView<const T> A;
  const Index* permutation;
  const int* scaling;
  int exponent, factored_exponent;
  Index first;
  MatrixView<const Extended<T>> MDM;
  MatrixView<double> result;

  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    double& error = at(result, i, j);
    error = 0;
    if (i < j) return;
    const Index row = permutation[first + i], col = permutation[first + j];
    const int s = scaling[row] + scaling[col];
    const T a = times_power_of_two(at(A, row, col), s - factored_exponent);
    error = times_power_of_two(modulus(round_to_double<T>(extend<Extended<T>>(a) - at(MDM, i, j))),
                               factored_exponent - exponent - s);
  }
};

/// Holds the given matrices and factors in the memory of a machine.
template <class Machine, class T>
struct LdltOperands {
  int factored_exponent;  ///< S·A·S is near 1, A itself near 2^exponent
  extended::DeviceMatrix<T> A, M;
  std::vector<T> host_diagonal, host_subdiagonal;
  Buffer<T> diagonal, subdiagonal;
  Buffer<Index> permutation;
  Buffer<int> scaling;
  bool hermitian;
  int exponent;

  LdltOperands(Machine& machine, const GivenLdlt<T>& given)
      : factored_exponent(given.scaling.empty() ? given.exponent : 0),
        A(machine.upload(given.A)),
        M(machine.upload(given.M)),
        host_diagonal(experiments::scaled(given.diagonal, -factored_exponent)),
        host_subdiagonal(experiments::scaled(given.subdiagonal, -factored_exponent)),
        diagonal(machine.upload(host_diagonal)),
        subdiagonal(machine.upload(host_subdiagonal)),
        permutation(machine.upload(given.permutation)),
        scaling(machine.upload(given.scaling.empty() ? std::vector<int>(given.permutation.size()) : given.scaling)),
        hermitian(given.hermitian),
        exponent(given.exponent) {}

  TimesTridiagonal<T> MD() const { return {M, diagonal.data(), subdiagonal.data(), hermitian}; }
};

}  // namespace device

/// Works by block columns of P·A·Pᵀ. Only elements on and below the diagonal are computed, with no more inner indices
/// than M has elements in the block's rows: a sixth of a full product, and little memory beside A and M. First M and D
/// become M·S and S⁻¹·D·S⁻¹ with powers of two such that the columns of M·S and of M·D·S⁻¹ have one size. So the
/// largest elements of rows, which bound the products' errors, have the size of |M||D||M*|, as rounding errors have,
/// for any scaling of M and D.
template <class Machine, class T>
class LdltDeviceMeasure final : public LdltDeviceJudge<T> {
  using E = device::Extended<T>;
  static constexpr int bits = 77;  ///< bits of products, in units of the rows' largest elements: four slices of 20 bits

 public:
  explicit LdltDeviceMeasure(Index block_columns = 2048) : block_columns_(block_columns) {}

  double reconstruction_error(const GivenLdlt<T>& given) override {
    const Index n = given.A.rows();
    if (n == 0) return 0;
    Operands on_device(machine_, given);
    balance(on_device);
    const Buffer<double> sums = machine_.executor.template allocate<double>(static_cast<std::size_t>(n));
    machine_.executor.fill_zero(sums.data(), sums.size());
    for (Index first = 0; first < n; first += block_columns_)
      add_block(on_device, first, std::min(block_columns_, n - first), sums.data());
    return largest_component<double>(machine_.download(sums));
  }

 private:
  template <class S>
  using OnDevice = extended::DeviceMatrix<S>;
  using Operands = device::LdltOperands<Machine, T>;

  void balance(Operands& o) {
    const Index n = o.M.rows();
    const std::vector<double> of_m = column_maxima(n, device::LargestOfColumns<T>{o.M, nullptr}),
                              of_md = column_maxima(n, device::LargestOfColumnsTimesTridiagonal<T>{o.MD(), nullptr});
    std::vector<int> exponents(of_m.size());
    constexpr int to_zero = 4000;  // a column that D multiplies by zero is ignored
    for (std::size_t k = 0; k < exponents.size(); ++k)
      exponents[k] = of_md[k] > 0 ? (device::exponent_of(of_m[k]) - device::exponent_of(of_md[k])) / 2 : to_zero;
    const Buffer<int> on_device = machine_.upload(exponents);
    machine_.for_each(n, n, device::UnscaleColumns<T>{on_device.data(), o.M});
    for (std::size_t k = 0; k < exponents.size(); ++k) {
      o.host_diagonal[k] = times_power_of_two(o.host_diagonal[k], 2 * exponents[k]);
      if (k + 1 < exponents.size())
        o.host_subdiagonal[k] = times_power_of_two(o.host_subdiagonal[k], exponents[k] + exponents[k + 1]);
    }
    o.diagonal = machine_.upload(o.host_diagonal);
    o.subdiagonal = machine_.upload(o.host_subdiagonal);
  }

  template <class Reduction>
  std::vector<double> column_maxima(Index n, Reduction reduction) {
    return machine_.vector_of(n, [&](double* result) {
      reduction.result = result;
      machine_.reduce_columns(n, n, reduction);
    });
  }

  /// Adds the moduli of a block column to the sums of each row of the whole matrix.
  void add_block(const Operands& o, Index first, Index cols, double* sums) {
    const Index rows = o.A.rows() - first;
    const OnDevice<E> MDM = product_with_d(o, first, cols);
    const OnDevice<double> errors = machine_.template matrix<double>(rows, cols);
    machine_.for_each(rows, cols,
                      device::ReconstructionErrors<T>{o.A, o.permutation.data(), o.scaling.data(), o.exponent,
                                                      o.factored_exponent, first, MDM, errors});
    add_sums(machine_, errors, sums + first);
  }

  /// Computes M·D·M* in the rows from `first` on.
  OnDevice<E> product_with_d(const Operands& o, Index first, Index cols) {
    const Index rows = o.M.rows() - first, inner = first + cols;
    const OnDevice<E> MD = machine_.template matrix<E>(rows, inner);
    machine_.for_each(rows, inner, device::RowsTimesTridiagonal<T>{o.MD(), first, MD});
    extended::Factor<T> across = extended::transpose<T>(o.M.view().block(first, 0, cols, inner));
    across.conjugated = o.hermitian;
    OnDevice<E> MDM = machine_.template matrix<E>(rows, cols);
    product_.template multiply<E>(extended::Factor<E>(MD), across, MDM.view(), bits, extended::Bound::vectors);
    return MDM;
  }

  Machine machine_;
  extended::ExtendedProduct<Machine> product_{machine_};
  Index block_columns_;
};

}  // namespace pivotlab::experiments
