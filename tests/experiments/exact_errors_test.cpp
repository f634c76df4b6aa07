// SPDX-License-Identifier: BSD-3-Clause
// Errors by exact products, emulated, against the same errors in Quad: within the bounds, and small changes are seen.
#include <gtest/gtest.h>

#include <experiments/metrics/j_orthogonality.hpp>
#include <kernels/exec/host_executor.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/verification/device/exact_errors.hpp>
#include <pivotlab/scalar.hpp>
#include <tests/extended/host_machine.hpp>

#include <random>

namespace pivotlab::experiments::exact_errors_test {
namespace {

using Complex = std::complex<double>;
using exact::HostIntegers, pivotlab::test::HostMachine;

enum class Kind { random, graded, ill_conditioned };

/// Elements of one size; rows and columns of many sizes; or nearly of rank one.
template <class T>
Matrix<T> made(Index m, Index n, Kind kind, double factor = 1) {
  std::mt19937_64 generator(7);
  std::normal_distribution<double> normal;
  const auto number = [&] {
    if constexpr (is_complex<T>) {
      const double re = normal(generator), im = normal(generator);
      return T(re, im);
    } else {
      return normal(generator);
    }
  };
  Matrix<T> A(m, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < m; ++i) {
      A(i, j) = number();
      if (kind == Kind::graded) A(i, j) *= std::ldexp(1.0, static_cast<int>((i * 7 + j * 3) % 90) - 45);
      if (kind == Kind::ill_conditioned) A(i, j) = T(1.0) + A(i, j) * 1e-13;
      A(i, j) *= factor;
    }
  return A;
}

/// Returns U = A·V·diag(values)⁻¹ in double, of which A·V − U·diag(values) is a rounding error.
template <class T, class S>
Matrix<T> nearly(const Matrix<T>& A, bool adjoint, const Matrix<T>& V, const std::vector<S>& values) {
  const Index m = adjoint ? A.cols() : A.rows(), k = adjoint ? A.rows() : A.cols();
  Matrix<T> U(m, V.cols());
  for (Index j = 0; j < V.cols(); ++j)
    for (Index i = 0; i < m; ++i) {
      T sum(0.0);
      for (Index t = 0; t < k; ++t) sum += (adjoint ? conjugate(A(t, i)) : A(i, t)) * V(t, j);
      U(i, j) = sum / T(values[j]);
    }
  return U;
}

template <class T, class S>
Matrix<T> error_in_quad(const Matrix<T>& A, bool adjoint, const Matrix<T>& V, const Matrix<T>& U,
                        const std::vector<S>& values) {
  using E = Rebind<T, Quad>;
  const Matrix<E> AV = product<E>({A, adjoint ? Op::adjoint : Op::none}, V, 1);
  Matrix<T> error(U.rows(), U.cols());
  for (Index j = 0; j < U.cols(); ++j)
    for (Index i = 0; i < U.rows(); ++i)
      error(i, j) = round_to_double<T>(E(AV(i, j) - extend<E>(U(i, j)) * extend<E>(T(values[j]))));
  return error;
}

template <class T, class S>
void expect_quads(const Matrix<T>& A, bool adjoint, const Matrix<T>& V, const std::vector<S>& values) {
  Matrix<T> U = nearly(A, adjoint, V, values);
  std::vector<double> last;
  for (int run = 0; run < 2; ++run) {
    HostMachine machine;
    const ProvedColumns measured = measure_residual<HostMachine, HostIntegers>(machine, A, adjoint, V, U, values);
    const Matrix<T> error = error_in_quad(A, adjoint, V, U, values);
    const std::vector<double> expected = column_norms(error), products = proved_columns(error, U).products,
                              lengths = column_norms(U);
    for (std::size_t j = 0; j < expected.size(); ++j) {
      if (lengths[j] < 1e100) {  // products of judges, whose columns of U are near 1, do not overflow
        EXPECT_NEAR(measured.products[j], products[j], lengths[j] * (measured.bounds[j] + 1e-13 * expected[j])) << j;
      }
      EXPECT_NEAR(measured.norms[j], expected[j], measured.bounds[j] + 1e-13 * expected[j]) << j;
      EXPECT_LE(measured.bounds[j], 1e-4 * expected[j]) << j << " is not settled";
    }
    if (run == 1) {
      EXPECT_GT(std::abs(measured.norms[1] - last[1]), 2 * measured.bounds[1]);
    }
    last = measured.norms;
    U(2, 1) *= 1 + static_cast<double>(U.rows()) * 0x1p-52;
  }
}

TEST(ExactErrors, ResidualsAreThoseOfQuad) {
  const std::vector<double> values{3, 0.1, -7, 1e-9, 2.5};
  const std::vector<Complex> complex_values{{3, 1}, {0.1, -0.3}, {0, -7}, {1e-9, 1e-12}, {2.5, 0}};
  for (const Kind kind : {Kind::random, Kind::graded, Kind::ill_conditioned})
    for (const double factor : {1.0, 1e150, 1e-150}) {
      SCOPED_TRACE(std::to_string(static_cast<int>(kind)) + " " + std::to_string(std::log10(factor)));
      expect_quads(made<double>(40, 23, kind, factor), false, made<double>(23, 5, Kind::random), values);
      expect_quads(made<Complex>(20, 23, kind, factor), false, made<Complex>(23, 5, Kind::random), values);
      expect_quads(made<Complex>(20, 23, kind, factor), true, made<Complex>(20, 5, Kind::random), complex_values);
    }
}

/// Compares measured norms with those in Quad, and with the last ones, if any, from which column 1 must differ.
void expect_columns(const ProvedColumns& measured, const std::vector<double>& expected, std::vector<double>& last) {
  for (std::size_t j = 0; j < expected.size(); ++j) {
    EXPECT_NEAR(measured.norms[j], expected[j], measured.bounds[j] + 1e-13 * expected[j]) << j;
    EXPECT_LE(measured.bounds[j], 1e-12 * expected[j]) << j;
  }
  if (!last.empty()) {
    EXPECT_GT(std::abs(measured.norms[1] - last[1]), 2 * measured.bounds[1]);
  }
  last = measured.norms;
}

/// Compares F*JF·Z − G*G·Z·Λ with Quad, and once more after the change of an element of Z.
template <class T>
void expect_pencil(Kind kind, double factor) {
  using E = Rebind<T, Quad>;
  const Matrix<T> F = made<T>(19, 13, kind, factor), G = made<T>(16, 13, kind, factor);
  Matrix<T> Z = made<T>(13, 4, Kind::random);
  const std::vector<double> lambda{2, -0.3, 1e-7, 5e3};
  std::vector<int> J(19, 1);
  J[2] = J[11] = -1;
  std::vector<double> last;
  for (int run = 0; run < 2; ++run) {
    HostMachine machine;
    const ProvedColumns measured = measure_pencil<HostMachine, HostIntegers>(machine, F, J, G, Z, lambda);
    Matrix<E> FZ = product<E>(F, Z, 1);
    for (Index j = 0; j < 4; ++j) FZ(2, j) = -FZ(2, j), FZ(11, j) = -FZ(11, j);
    const Matrix<E> K = product<E>({F, Op::adjoint}, FZ, 1), N = product<E>({G, Op::adjoint}, product<E>(G, Z, 1), 1);
    Matrix<T> error(13, 4);
    for (Index j = 0; j < 4; ++j)
      for (Index i = 0; i < 13; ++i)
        error(i, j) = round_to_double<T>(E(K(i, j) - N(i, j) * extend<E>(T(lambda[static_cast<std::size_t>(j)]))));
    expect_columns(measured, column_norms(error), last);
    Z(2, 1) *= 1 + 0x1p-38;
  }
}

TEST(ExactErrors, ResidualsOfPencilsAreThoseOfQuad) {
  for (const double factor : {1.0, 1e70, 1e-70}) {
    expect_pencil<double>(Kind::random, factor);
    expect_pencil<Complex>(Kind::random, factor);
  }
  expect_pencil<double>(Kind::ill_conditioned, 1);
}

/// Compares A·X − X·T with Quad, and once more after the change of an element of T.
void expect_similarity(Kind kind, double factor) {
  const Matrix<Complex> A = made<Complex>(21, 21, kind, factor), other = made<Complex>(21, 21, Kind::random);
  Matrix<Complex> X(21, 21);
  for (Index j = 0; j < 21; ++j)
    for (Index i = 0; i < 21; ++i) X(i, j) = std::conj(other(j, i));
  Matrix<Complex> form = made<Complex>(21, 21, kind, factor);
  const std::vector<Complex> values(21);
  std::vector<double> last;
  for (int run = 0; run < 2; ++run) {
    HostMachine machine;
    const auto measured =
        measure_eig<HostMachine, HostIntegers>(machine, machine.upload(A), {values, nullptr, nullptr, &form, &X}).form;
    const auto AX = product<std::complex<Quad>>(A, X, 1), XT = product<std::complex<Quad>>(X, form, 1);
    Matrix<Complex> error(21, 21);
    for (Index i = 0; i < error.size(); ++i)
      error.data()[i] = round_to_double<Complex>(std::complex<Quad>(AX.data()[i] - XT.data()[i]));
    expect_columns(measured, column_norms(error), last);
    form(2, 1) *= 1 + 0x1p-38;
  }
}

TEST(ExactErrors, ErrorsOfSimilaritiesAreThoseOfQuad) {
  for (const double factor : {1.0, 1e150, 1e-150}) expect_similarity(Kind::random, factor);
  expect_similarity(Kind::ill_conditioned, 1);
}

TEST(ExactErrors, ResidualsAreZeroWithoutError) {
  HostMachine machine;
  const Matrix<double> I = Matrix<double>::identity(33);
  const ProvedColumns measured =
      measure_residual<HostMachine, HostIntegers>(machine, I, false, I, I, std::vector<double>(33, 1.0));
  EXPECT_EQ(measured.norms, std::vector<double>(33));
  EXPECT_LT(largest_component<double>(measured.bounds), 1e-29);
}

/// Returns columns of a reflector, to working precision, of which one has a fault.
template <class T>
Matrix<T> reflector(Index m, Index n, double fault) {
  Matrix<T> U(m, n);
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < m; ++i) U(i, j) = T((i == j ? 1.0 : 0.0) - 2.0 / static_cast<double>(m));
    if constexpr (is_complex<T>) U(j, j) *= T(0.6, 0.8);
  }
  U(1, 0) += T(fault);
  return U;
}

template <class T>
Orthogonality expect_orthogonality(const Matrix<T>& V, const std::vector<int>& signs = {},
                                   const std::vector<int>& expected = {}) {
  const auto or_ones = [](const std::vector<int>& x, Index n) {
    return x.empty() ? std::vector<int>(static_cast<std::size_t>(n), 1) : x;
  };
  const Matrix<T> error = j_unitary_error<Rebind<T, Quad>>(V, or_ones(signs, V.rows()), or_ones(expected, V.cols()), 1);
  HostMachine machine;
  const Orthogonality measured = measure_orthogonality<HostMachine, HostIntegers>(machine, V, signs, expected);
  const double frobenius = frobenius_norm(error), by_sums = norm_1(error);
  EXPECT_NEAR(measured.frobenius, frobenius, measured.bound + 1e-13 * frobenius);
  EXPECT_NEAR(measured.norm_1, by_sums, measured.bound + 1e-13 * by_sums);
  for (Index j = 0; j < V.cols(); ++j)
    EXPECT_NEAR(measured.diagonal[static_cast<std::size_t>(j)], std::real(error(j, j)), measured.bound);
  return measured;
}

TEST(ExactErrors, OrthogonalityIsThatOfQuad) {
  EXPECT_LT(expect_orthogonality(reflector<double>(70, 40, 0)).bound, 1e-19);
  expect_orthogonality(reflector<double>(70, 70, 1e-9));
  expect_orthogonality(reflector<Complex>(40, 33, 1e-3));
  const Orthogonality right = expect_orthogonality(reflector<double>(30, 30, 0)),
                      wrong = expect_orthogonality(reflector<double>(30, 30, 30 * 0x1p-52));
  EXPECT_GT(std::abs(wrong.frobenius - right.frobenius), right.bound + wrong.bound);
}

TEST(ExactErrors, OrthogonalityHasSigns) {
  Matrix<double> V = Matrix<double>::identity(20);  // hyperbolic rotations of the planes (i, i + 10)
  std::vector<int> signs(20, 1);
  for (Index i = 0; i < 10; ++i) {
    const double sh = std::ldexp(1.0, static_cast<int>(i) - 3), ch = std::sqrt(1 + sh * sh);
    V(i, i) = V(i + 10, i + 10) = ch, V(i, i + 10) = V(i + 10, i) = sh;
    signs[static_cast<std::size_t>(i + 10)] = -1;
  }
  EXPECT_LT(expect_orthogonality(V, signs, signs).frobenius, 1e-11);
  EXPECT_GT(expect_orthogonality(V, signs, {}).frobenius, 1);
}

}  // namespace
}  // namespace pivotlab::experiments::exact_errors_test
