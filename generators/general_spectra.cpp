// SPDX-License-Identifier: BSD-3-Clause
// Matrices with prescribed eigenvalues, made in Quad. The eigenvalues of a real matrix are conjugate pairs: a + i·b, a
// − i·b is the block [a b; −b a] of Λ.
#include <generators/algebra.hpp>
#include <generators/general_kinds.hpp>
#include <generators/rounded.hpp>
#include <generators/spectrum.hpp>
#include <kernels/numerics/elementary.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

using QuadComplex = std::complex<Quad>;
using Spectrum = std::vector<QuadComplex>;

enum Ingredient { left_vectors, right_vectors, of_values, order_of_values };

/// Draws n values, or for a real matrix n/2 pairs and, for odd n, a real one at the end.
template <class T, class Draw>
Spectrum draw_spectrum(Index n, Draw&& draw) {
  Spectrum values;
  while (std::ssize(values) < n) {
    const QuadComplex value = draw(std::ssize(values));
    if (is_complex<T> || std::ssize(values) + 1 == n) {
      values.push_back(is_complex<T> ? value : QuadComplex(value.real() == 0 ? Quad(1) : value.real()));
    } else {
      values.push_back(value);
      values.push_back(conjugate(value));
    }
  }
  return values;
}

/// Makes the eigenvalues of the option `spectrum`.
template <class T>
Spectrum spectrum_of(const GeneralProblem& problem) {
  RandomStream stream(problem.seed, of_values);
  const std::string& name = problem.options.text("spectrum");
  if (name == "normal")
    return draw_spectrum<T>(problem.n, [&](Index) {
      const auto z = stream.draw<std::complex<double>>(Distribution::normal);
      return QuadComplex(Quad(z.real()), Quad(z.imag()));
    });
  const Quad ratio(problem.options.number("ratio"));
  return draw_spectrum<T>(problem.n, [&](Index k) {
    const Quad angle = 2 * pi() * Quad(stream.uniform());
    const Quad modulus = name == "circle" || problem.n == 1 ? Quad(1) : pow(ratio, Quad(-k) / Quad(problem.n - 1));
    return QuadComplex(Quad(modulus * cos(angle)), Quad(modulus * sin(angle)));
  });
}

/// Computes X·Λ.
template <class E>
Matrix<E> times_spectrum(Matrix<E> X, const Spectrum& values) {
  for (Index j = 0; j < X.cols(); ++j)
    if constexpr (is_complex<E>) {
      for (E& x : X.col(j)) x *= values[j];
    } else if (values[j].imag() == 0) {
      for (E& x : X.col(j)) x *= values[j].real();
    } else {
      const Quad a = values[j].real(), b = values[j].imag();
      for (Index i = 0; i < X.rows(); ++i) {
        const E x = X(i, j), y = X(i, j + 1);
        X(i, j) = a * x - b * y, X(i, j + 1) = b * x + a * y;
      }
      ++j;
    }
  return X;
}

template <class E>
Matrix<E> orthonormal(const GeneralProblem& problem, Ingredient ingredient) {
  RandomStream stream(problem.seed, ingredient);
  return random_orthonormal<E>(problem.n, problem.n, stream, problem.threads);
}

/// Computes Q·X·Qᴴ.
template <class E>
Matrix<E> congruent(const Matrix<E>& Q, const Matrix<E>& X, int threads) {
  return product<E>(product<E>(Q, X, threads), {Q, Op::adjoint}, threads);
}

template <class T>
GeneralMatrix<T> normal(const GeneralProblem& problem, Spectrum values) {
  using E = Rebind<T, Quad>;
  const Matrix<E> Q = orthonormal<E>(problem, left_vectors);
  return {.A = rounded<T>(product<E>(times_spectrum(Q, values), {Q, Op::adjoint}, problem.threads)),
          .eigenvalues = std::move(values)};
}

/// Computes U·D·(Wᴴ·Λ·W)·D⁻¹·Uᴴ.
template <class T>
GeneralMatrix<T> similar(const GeneralProblem& problem, Spectrum values) {
  using E = Rebind<T, Quad>;
  const Matrix<E> W = orthonormal<E>(problem, right_vectors);
  Matrix<E> X = product<E>(times_spectrum(W, values), {W, Op::adjoint}, problem.threads);
  const std::vector<Quad> d = spectrum("geometric", Quad(problem.options.number("kappa")), problem.n);
  for (Index j = 0; j < X.cols(); ++j)
    for (Index i = 0; i < X.rows(); ++i) X(i, j) *= d[i] / d[j];
  const Matrix<E> U = orthonormal<E>(problem, left_vectors);
  return {.A = rounded<T>(congruent(U, X, problem.threads)), .eigenvalues = std::move(values)};
}

/// Makes Q·Λ·Qᴴ.
template <class T>
GeneralMatrix<T> make_normal(const GeneralProblem& problem) {
  return normal<T>(problem, spectrum_of<T>(problem));
}

/// Makes Q·Λ·Qᴴ with real eigenvalues, exactly Hermitian.
template <class T>
GeneralMatrix<T> make_hermitian(const GeneralProblem& problem) {
  RandomStream stream(problem.seed, of_values);
  Spectrum values(static_cast<std::size_t>(problem.n));
  for (QuadComplex& x : values) x = QuadComplex(Quad(stream.draw<double>(Distribution::normal)));
  GeneralMatrix<T> matrix = normal<T>(problem, std::move(values));
  for (Index j = 0; j < problem.n; ++j) {
    matrix.A(j, j) = T(real_part(matrix.A(j, j)));
    for (Index i = 0; i < j; ++i) matrix.A(i, j) = conjugate(matrix.A(j, i));
  }
  return matrix;
}

/// Makes Q·Λ·Qᴴ with eigenvalues of modulus 1.
template <class T>
GeneralMatrix<T> make_unitary(const GeneralProblem& problem) {
  RandomStream stream(problem.seed, of_values);
  return normal<T>(problem, draw_spectrum<T>(problem.n, [&](Index) {
                     const Quad angle = 2 * pi() * Quad(stream.uniform());
                     return QuadComplex(Quad(cos(angle)), Quad(sin(angle)));
                   }));
}

/// Makes S·Λ·S⁻¹, S = U·D·Wᴴ with singular values D from 1 to 1/kappa.
template <class T>
GeneralMatrix<T> make_similarity(const GeneralProblem& problem) {
  return similar<T>(problem, spectrum_of<T>(problem));
}

/// Makes S·Λ·S⁻¹ with few different eigenvalues: each is multiple, none defective.
template <class T>
GeneralMatrix<T> make_repeated(const GeneralProblem& problem) {
  const auto distinct = static_cast<Index>(problem.options.number("distinct"));
  GeneralProblem fewer = problem;
  fewer.n = std::min(problem.n, is_complex<T> ? distinct : distinct + distinct % 2);
  const Spectrum few = draw_spectrum<T>(fewer.n, [stream = RandomStream(problem.seed, of_values)](Index) mutable {
    const auto z = stream.draw<std::complex<double>>(Distribution::normal);
    return QuadComplex(Quad(z.real()), Quad(z.imag()));
  });
  return similar<T>(problem, draw_spectrum<T>(problem.n, [&](Index k) { return few[k % std::ssize(few)]; }));
}

/// Makes Q·J·Qᴴ with Jordan blocks of the eigenvalue 1.
template <class T>
GeneralMatrix<T> make_defective(const GeneralProblem& problem) {
  using E = Rebind<T, Quad>;
  const Index n = problem.n, blocks = std::clamp<Index>(static_cast<Index>(problem.options.number("blocks")), 1, n);
  Matrix<E> J = Matrix<E>::identity(n);
  for (Index i = 0; i + 1 < n; ++i)
    if ((i + 1) * blocks / n == i * blocks / n) J(i, i + 1) = E(1);
  const Matrix<E> Q = orthonormal<E>(problem, left_vectors);
  return {.A = rounded<T>(congruent(Q, J, problem.threads)),
          .eigenvalues = Spectrum(static_cast<std::size_t>(n), QuadComplex(1))};
}

}  // namespace

GeneralKinds spectral_general_kinds() {
  const GeneratorOption& truth = eigenvalues_option();
  const GeneratorOption values{"spectrum",
                               "normal",
                               "eigenvalues: complex normal, on the unit circle, or of modulus 1 down to 1/ratio",
                               {"normal", "circle", "geometric"}},
      ratio{"ratio", "1000", "largest over smallest modulus, of spectrum=geometric", {}, 1, 1e30};
  const GeneratorOption kappa{"kappa", "10000", "condition of S", {}, 1, 1e15};
  return {{"normal",
           "Q*Lambda*Q' with a random unitary Q",
           {values, ratio, truth},
           make_normal<double>,
           make_normal<Complex>},
          {"similarity",
           "S*Lambda*inv(S) with the singular values of S from 1 to 1/kappa",
           {kappa, values, ratio, truth},
           make_similarity<double>,
           make_similarity<Complex>},
          {"repeated",
           "S*Lambda*inv(S) with few different eigenvalues, each multiple, none defective",
           {{"distinct", "4", "how many eigenvalues differ", {}, 1, 1e9},
            {"kappa", "1", "condition of S", {}, 1, 1e15},
            truth},
           make_repeated<double>,
           make_repeated<Complex>},
          {"defective",
           "Q*J*Q' with Jordan blocks of the eigenvalue 1",
           {{"blocks", "1", "how many Jordan blocks, of nearly equal order", {}, 1, 1e9}, truth},
           make_defective<double>,
           make_defective<Complex>},
          {"hermitian", "Q*Lambda*Q' with real eigenvalues", {truth}, make_hermitian<double>, make_hermitian<Complex>},
          {"unitary",
           "Q*Lambda*Q' with eigenvalues on the unit circle",
           {truth},
           make_unitary<double>,
           make_unitary<Complex>}};
}

}  // namespace pivotlab
