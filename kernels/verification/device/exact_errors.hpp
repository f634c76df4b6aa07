// SPDX-License-Identifier: BSD-3-Clause
// Errors of decompositions by exact products, with proved bounds, over any machine of kernels/extended.
#pragma once

#include "kernels/exact/product.hpp"
#include "kernels/extended/lu.hpp"
#include "kernels/verification/device/measuring.hpp"
#include "kernels/verification/device/proved_errors.hpp"
#include "kernels/verification/norms.hpp"

#include <algorithm>
#include <cmath>

namespace pivotlab::experiments {

namespace device {

struct Hypotenuse {
  PIVOTLAB_DEVICE double operator()(double x, double y) const { return std::hypot(x, y); }
};

/// Computes 2-norms of columns of bounds of what R = start ± A·B lacks: the losses of the product, the rounding of both
/// terms and of their sum to two limbs, and the rounding of R to double.
template <class T>
struct BoundsOfColumns {
  using Value = double;
  using Combine = Hypotenuse;
  static constexpr double limbs = 0x1p-99;  ///< of the rounding, relative to ‖a_i‖‖b_j‖ and |r_ij|
  exact::EntryBound bound;
  MatrixView<const T> R;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    return bound(i, j) + 0x1p-52 * modulus(at(R, i, j)) + 0x1p-1068;
  }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value * (1 + 0x1p-20); }
};

/// Computes the same of a product in two limbs.
template <class E>
struct BoundsOfLimbs {
  using Value = double;
  using Combine = Hypotenuse;
  exact::EntryBound bound;
  MatrixView<const E> C;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const {
    return bound(i, j) + 0x1p-102 * std::sqrt(static_cast<double>(squared_modulus(at(C, i, j)))) + 0x1p-1068;
  }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value * (1 + 0x1p-20); }
};

/// Multiplies columns by −values, in two limbs.
template <class E>
struct TimesMinusValues {
  const double* values;
  MatrixView<E> C;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const { at(C, i, j) = at(C, i, j) * RealOf<E>(-values[j]); }
};

/// Multiplies rows by signs.
template <class E>
struct TimesSigns {
  const int* signs;
  MatrixView<E> C;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (signs[i] < 0) at(C, i, j) = -at(C, i, j);
  }
};

/// Computes −U·diag(values) in two limbs.
template <class T>
struct MinusColumns {
  MatrixView<const T> U;
  const T* values;
  MatrixView<Extended<T>> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = -(extend<Extended<T>>(at(U, i, j)) * extend<Extended<T>>(values[j]));
  }
};

/// Copies the lower triangle of a Hermitian error to the upper one. A zero column with σ = 0 has no error; sigma may be
/// null.
template <class T>
struct CompleteGramError {
  MatrixView<T> R;
  exact::Scales scales;
  const double* sigma;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    if (i > j) at(R, j, i) = conjugate(at(R, i, j));
    if (i == j && sigma && sigma[j] == 0 && scales.exponent[j] == exact::exponent_of_zero) at(R, j, j) = T(0.0);
  }
};

/// Computes Re u_jᴴr_j.
template <class T>
struct ProductsOfColumns {
  using Value = double;
  using Combine = Sum;
  MatrixView<const T> U, R;
  double* result;
  PIVOTLAB_DEVICE double term(Index i, Index j) const { return real_part(times(conjugate(at(U, i, j)), at(R, i, j))); }
  PIVOTLAB_DEVICE void store(Index j, double value) const { result[j] = value; }
};

template <class T>
struct DiagonalOf {
  MatrixView<const T> A;
  double* result;
  PIVOTLAB_DEVICE void operator()(Index i, Index) const { result[i] = real_part(at(A, i, i)); }
};

/// Computes JV, and −J' as the start of VᴴJV − J'.
template <class T>
struct SignRows {
  MatrixView<const T> V;
  const int* signs;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = times_real(at(V, i, j), signs[i] < 0 ? -1.0 : 1.0);
  }
};
template <class T>
struct MinusDiagonal {
  const int* expected;
  MatrixView<T> result;
  PIVOTLAB_DEVICE void operator()(Index i, Index j) const {
    at(result, i, j) = T(i == j ? -static_cast<double>(expected[j]) : 0.0);
  }
};

}  // namespace device

/// Computes errors as matrices that are rounded to double once, with bounds of the 2-norms of what their columns lack.
template <class Machine, class Integers, class T>
class ExactErrors {
  using E = device::Extended<T>;
  template <class S>
  using OnDevice = extended::DeviceMatrix<S>;
  using Operand = exact::Operand;
  static constexpr int parts = is_complex<T> ? 2 : 1;

 public:
  struct Errors {
    OnDevice<T> R;
    std::vector<double> bounds;
  };

  explicit ExactErrors(Machine& machine, int moduli = proof_moduli)
      : machine_(machine), integers_(machine.executor), moduli_(moduli) {}

  /// Computes op(A)·V − U·diag(sigma), op(A) = A or Aᴴ.
  Errors residual(const OnDevice<T>& A, bool adjoint, const OnDevice<T>& V, const OnDevice<T>& U, const double* sigma) {
    const exact::Target start = target(U);
    return difference(left(A, adjoint), columns(V), start_from(exact::Start::Kind::minus_columns, start, sigma), false);
  }
  /// Computes the same for complex values.
  Errors residual(const OnDevice<T>& A, bool adjoint, const OnDevice<T>& V, const OnDevice<T>& U,
                  const T* values) requires is_complex<T> {
    const auto C = machine_.template matrix<E>(U.rows(), U.cols());
    machine_.for_each(U.rows(), U.cols(), device::MinusColumns<T>{U, values, C});
    return difference(left(A, adjoint), columns(V), start_from(exact::Start::Kind::matrix, two_limbs(C)), false);
  }
  /// A product in two limbs, with bounds of the 2-norms of what its columns lack.
  struct Limbs {
    OnDevice<E> C;
    std::vector<double> bounds;
  };
  /// Computes op(A)·B for B in one or two limbs.
  template <class S>
  Limbs limbs(const OnDevice<T>& A, bool adjoint, const OnDevice<S>& B) {
    Limbs result{machine_.template matrix<E>(adjoint ? A.cols() : A.rows(), B.cols()), {}};
    const Operand a = left(A, adjoint);
    Product product(machine_.executor, integers_, {a.vectors, B.cols(), a.inner, parts},
                    {.moduli = moduli_, .balance = true});
    product.measure(a, columns(B));
    product.split(exact::even_budgets(moduli_));
    product.multiply({}, two_limbs(result.C));
    result.bounds = machine_.vector_of(B.cols(), [&](double* bounds) {
      machine_.reduce_columns(result.C.rows(), B.cols(),
                              device::BoundsOfLimbs<E>{product.entry_bound(), result.C, bounds});
    });
    return result;
  }

  /// Computes F*·J·F·Z − G*·G·Z·diag(values) for a diagonal J of signs; norms are ‖F‖_F and ‖G‖_F.
  Errors pencil_residual(const OnDevice<T>& F, const std::vector<int>& signs, const OnDevice<T>& G,
                         const OnDevice<T>& Z, const std::vector<double>& values, double norm_f, double norm_g) {
    const Limbs Y = limbs(F, false, Z), W = limbs(G, false, Z);
    const Buffer<int> J = machine_.upload(signs);
    const Buffer<double> lambda = machine_.upload(values);
    machine_.for_each(Y.C.rows(), Y.C.cols(), device::TimesSigns<E>{J.data(), Y.C});
    const Limbs N = limbs(G, true, W.C);
    machine_.for_each(N.C.rows(), N.C.cols(), device::TimesMinusValues<E>{lambda.data(), N.C});
    Errors result =
        difference(left(F, true), columns(Y.C), start_from(exact::Start::Kind::matrix, two_limbs(N.C)), false);
    for (std::size_t j = 0; j < values.size(); ++j)
      result.bounds[j] =
          (result.bounds[j] + norm_f * Y.bounds[j] + std::fabs(values[j]) * (norm_g * W.bounds[j] + 2 * N.bounds[j])) *
          (1 + 0x1p-20);
    return result;
  }

  /// Computes X·T − A·X.
  Errors similarity_error(const OnDevice<T>& A, const OnDevice<T>& X, const OnDevice<T>& form) {
    const Limbs right = limbs(X, false, form);
    Errors result =
        difference(left(A, false), columns(X), start_from(exact::Start::Kind::matrix, two_limbs(right.C)), true);
    for (std::size_t j = 0; j < right.bounds.size(); ++j)
      result.bounds[j] = (result.bounds[j] + right.bounds[j]) * (1 + 0x1p-20);
    return result;
  }

  /// Computes A − U·X for X in two limbs.
  Errors difference_from(const OnDevice<T>& A, const OnDevice<T>& U, const OnDevice<E>& X) {
    return difference(left(U, false), columns(X), start_from(exact::Start::Kind::matrix, target(A)), true);
  }
  /// Computes A·X − I.
  Errors identity_error(const OnDevice<T>& A, const OnDevice<T>& X) {
    return difference(left(A, false), columns(X), {.kind = exact::Start::Kind::minus_identity}, false);
  }
  /// Computes UᴴU − I; of a zero column with sigma[j] = 0 the diagonal element is 0.
  Errors gram_error(const OnDevice<T>& U, const double* sigma = nullptr) {
    const exact::Shape shape{U.cols(), U.cols(), U.rows(), parts, true};
    return gram(shape, columns(U), columns(U), {.kind = exact::Start::Kind::minus_identity}, sigma);
  }
  /// Computes VᴴJV − J' for diagonals of signs.
  Errors gram_error(const OnDevice<T>& V, const std::vector<int>& signs, const std::vector<int>& expected) {
    const auto JV = machine_.template matrix<T>(V.rows(), V.cols());
    const auto C = machine_.template matrix<T>(V.cols(), V.cols());
    const Buffer<int> J = machine_.upload(signs), diagonal = machine_.upload(expected);
    machine_.for_each(V.rows(), V.cols(), device::SignRows<T>{V, J.data(), JV});
    machine_.for_each(V.cols(), V.cols(), device::MinusDiagonal<T>{diagonal.data(), C});
    const exact::Shape shape{V.cols(), V.cols(), V.rows(), parts};
    return gram(shape, columns(JV), columns(V), start_from(exact::Start::Kind::matrix, target(C)), nullptr);
  }

  std::vector<double> column_norms(const OnDevice<T>& R) {
    return machine_.vector_of(R.cols(), [&](double* result) {
      machine_.reduce_columns(R.rows(), R.cols(), device::LargestOfColumns<T>{R, result});
      machine_.reduce_columns(R.rows(), R.cols(), device::NormsOfColumns<T>{R, result});
    });
  }
  std::vector<double> column_sums(const OnDevice<T>& R) {
    return machine_.vector_of(R.cols(), [&](double* result) {
      machine_.reduce_columns(R.rows(), R.cols(), device::WeightedColumns<T>{R, nullptr, result});
    });
  }

  std::vector<double> products(const OnDevice<T>& U, const OnDevice<T>& R) {
    return machine_.vector_of(R.cols(), [&](double* result) {
      machine_.reduce_columns(R.rows(), R.cols(), device::ProductsOfColumns<T>{U, R, result});
    });
  }

  std::vector<double> diagonal(const OnDevice<T>& R) {
    return machine_.vector_of(R.cols(), [&](double* result) {
      machine_.for_each(R.cols(), 1, device::DiagonalOf<T>{R, result});
    });
  }

 private:
  using Product = exact::Product<decltype(Machine::executor), Integers>;

  template <class S>
  static exact::Target target(const OnDevice<S>& C) {
    auto* numbers = reinterpret_cast<double*>(C.data());
    return {{{numbers, nullptr}, {numbers + 1, nullptr}}, parts, parts * C.rows()};
  }
  static exact::Target two_limbs(const OnDevice<E>& C) {
    auto* numbers = reinterpret_cast<double*>(C.data());
    return {{{numbers, numbers + 1}, {numbers + 2, numbers + 3}}, 2 * parts, 2 * parts * C.rows()};
  }
  static exact::Start start_from(exact::Start::Kind kind, const exact::Target& C, const double* sigma = nullptr) {
    return {kind, {{C.part[0].hi, C.part[0].lo}, {C.part[1].hi, C.part[1].lo}}, C.row_stride, C.col_stride, sigma};
  }
  static Operand operand(const exact::Target& C, Index rows, Index cols) {  // its vectors are columns
    return {{{C.part[0].hi, C.part[0].lo}, {C.part[1].hi, C.part[1].lo}},
            parts,
            cols,
            rows,
            C.col_stride,
            C.row_stride,
            false};
  }
  static Operand columns(const OnDevice<T>& B) { return operand(target(B), B.rows(), B.cols()); }
  static Operand columns(const OnDevice<E>& B) { return operand(two_limbs(B), B.rows(), B.cols()); }
  static Operand left(const OnDevice<T>& A, bool adjoint) {
    return adjoint ? conjugated(columns(A)) : columns(A).across();
  }
  static Operand conjugated(Operand x) {
    x.conjugated = is_complex<T>;
    return x;
  }

  Errors difference(const Operand& A, const Operand& B, const exact::Start& start, bool subtract) {
    return computed({A.vectors, B.vectors, A.inner, parts}, true, A, B, {.subtract = subtract, .start = start},
                    [](const OnDevice<T>&, const exact::Scales&) {});
  }
  Errors gram(const exact::Shape& shape, const Operand& A, const Operand& B, const exact::Start& start,
              const double* sigma) {
    return computed(shape, false, conjugated(A), B, {.lower = true, .start = start},
                    [&](const OnDevice<T>& R, const exact::Scales& scales) {
                      machine_.for_each(R.rows(), R.cols(), device::CompleteGramError<T>{R, scales, sigma});
                    });
  }
  template <class Complete>
  Errors computed(const exact::Shape& shape, bool balance, const Operand& A, const Operand& B,
                  const exact::Update& update, Complete&& complete) {
    Errors result{machine_.template matrix<T>(shape.m, shape.n), {}};
    if (shape.m == 0 || shape.n == 0) return result.bounds.resize(shape.n), std::move(result);
    Product product(machine_.executor, integers_, shape, {.moduli = moduli_, .balance = balance});
    product.measure(A, B);
    product.split(exact::even_budgets(moduli_));
    product.multiply(update, target(result.R));
    complete(result.R, product.right_scales());
    result.bounds = machine_.vector_of(shape.n, [&](double* bounds) {
      using Bounds = device::BoundsOfColumns<T>;
      machine_.reduce_columns(shape.m, shape.n, Bounds{product.entry_bound(Bounds::limbs), result.R, bounds});
    });
    return result;
  }

  Machine& machine_;
  Integers integers_;
  int moduli_;
};

// ---- Measurements of matrices of the host ----

template <class Machine, class Integers, class T, class S>
ProvedColumns measure_residual(Machine& machine, const Matrix<T>& A, bool adjoint, const Matrix<T>& V,
                               const Matrix<T>& U, const std::vector<S>& values, int moduli = proof_moduli) {
  ExactErrors<Machine, Integers, T> errors(machine, moduli);
  const Buffer<S> on_device = machine.upload(values);
  const auto u = machine.upload(U), v = &V == &U ? extended::DeviceMatrix<T>() : machine.upload(V);
  const auto [R, bounds] = errors.residual(machine.upload(A), adjoint, &V == &U ? u : v, u, on_device.data());
  return {errors.column_norms(R), bounds, errors.products(u, R)};
}

template <class Machine, class Integers, class T>
ProvedColumns measure_pencil(Machine& machine, const Matrix<T>& F, const std::vector<int>& signs, const Matrix<T>& G,
                             const Matrix<T>& Z, const std::vector<double>& values, int moduli = proof_moduli) {
  ExactErrors<Machine, Integers, T> errors(machine, moduli);
  const auto z = machine.upload(Z);
  const auto [R, bounds] = errors.pencil_residual(machine.upload(F), signs, machine.upload(G), z, values,
                                                  frobenius_norm(F), frobenius_norm(G));
  return {errors.column_norms(R), bounds, {}};
}

template <class Machine, class Integers, class T>
EigErrors measure_eig(Machine& machine, const extended::DeviceMatrix<T>& A, const EigMatrices& of,
                      int moduli = proof_moduli) {
  ExactErrors<Machine, Integers, T> errors(machine, moduli);
  const auto columns = [&](const auto& measured) {
    return ProvedColumns{errors.column_norms(measured.R), measured.bounds, {}};
  };
  const auto of_pairs = [&](bool adjoint, const Matrix<T>& X) {
    std::vector<T> values = of.values;
    if (adjoint)
      for (T& value : values) value = std::conj(value);
    const Buffer<T> on_device = machine.upload(values);
    const auto x = machine.upload(X);
    return columns(errors.residual(A, adjoint, x, x, on_device.data()));
  };
  EigErrors result;
  if (of.V) result.right = of_pairs(false, *of.V);
  if (of.W) result.left = of_pairs(true, *of.W);
  if (of.E) result.form = columns(errors.similarity_error(A, machine.upload(*of.E), machine.upload(*of.T)));
  return result;
}

/// Returns the 2-norms of the rows of X⁻¹, in double.
template <class Machine, class T>
std::vector<double> measure_inverse(Machine& machine, const Matrix<T>& X) {
  const Index n = X.rows();
  const auto lu = machine.upload(X), inverse = machine.template matrix<T>(n, n);
  machine.for_each(n, n, SetIdentity<T>{inverse});
  machine.solve(lu.view(), inverse.view());
  return device::row_norms(machine, inverse);
}

template <class Machine, class Integers, class T>
Orthogonality measure_orthogonality(Machine& machine, const Matrix<T>& V, std::vector<int> signs = {},
                                    std::vector<int> expected = {}, int moduli = proof_moduli) {
  ExactErrors<Machine, Integers, T> errors(machine, moduli);
  signs.resize(V.rows(), 1), expected.resize(V.cols(), 1);
  const auto are_positive = [](const std::vector<int>& x) {
    return std::ranges::all_of(x, [](int s) { return s > 0; });
  };
  const auto on_device = machine.upload(V);
  const auto [R, bounds] = are_positive(signs) && are_positive(expected)
                               ? errors.gram_error(on_device)
                               : errors.gram_error(on_device, signs, expected);
  return {norm<double>(errors.column_norms(R)), largest_component<double>(errors.column_sums(R)),
          std::sqrt(static_cast<double>(R.rows())) * largest_component<double>(bounds) * (1 + 0x1p-20),
          errors.diagonal(R)};
}

}  // namespace pivotlab::experiments
