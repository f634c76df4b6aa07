// SPDX-License-Identifier: BSD-3-Clause
// Pairs (F, G; J) for the tests of the generalized hyperbolic SVD, their true eigenvalues, and errors of
// decompositions.
#pragma once

#include "matrices.hpp"

#include <pivotlab/generate.hpp>
#include <pivotlab/ghsvd.hpp>

#include <numeric>
#include <string>

namespace pivotlab::test {

template <class T>
struct SignedPair {
  Matrix<T> F, G;
  std::vector<int> J;
};

/// m signs, every third one negative.
inline std::vector<int> thirds(Index m) {
  std::vector<int> J(static_cast<std::size_t>(m), 1);
  for (Index i = 0; i < m; i += 3) J[static_cast<std::size_t>(i)] = -1;
  return J;
}

template <class T>
void scale_columns(Matrix<T>& A, const std::vector<double>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (T& x : A.col(j)) x *= d[static_cast<std::size_t>(j)];
}
template <class T>
void scale_rows(Matrix<T>& A, const std::vector<double>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) *= d[static_cast<std::size_t>(i)];
}

/// Gradings of a random pair, in decades: of columns and rows of F and G.
struct Gradings {
  double f_columns = 0, f_rows = 0, g_columns = 0, g_rows = 0;
};

template <class T>
SignedPair<T> random_pair(Index m_f, Index m_g, Index n, const Gradings& gradings, unsigned seed) {
  std::mt19937_64 generator(seed);
  SignedPair<T> pair{random_matrix<T>(m_f, n, generator), random_matrix<T>(m_g, n, generator), thirds(m_f)};
  const auto permuted = [&](Index count, double grading) { return shuffled(decades(count, grading), generator); };
  scale_columns(pair.F, permuted(n, gradings.f_columns));
  scale_rows(pair.F, permuted(m_f, gradings.f_rows));
  scale_columns(pair.G, permuted(n, gradings.g_columns));
  scale_rows(pair.G, permuted(m_g, gradings.g_rows));
  return pair;
}

/// A pair of a generator (pivotlab/generate.hpp) with signs of a pattern.
template <class T>
SignedPair<T> generated_pair(const std::string& generator, Index m, Index n, const std::string& signs, unsigned seed) {
  auto made = std::get<Pair<T>>(generate_pair(
      {.generator = generator, .type = scalar_type<T>, .n = n, .m_f = m, .m_g = m, .seed = seed, .sigma = false}));
  return {std::move(made.F), std::move(made.G), generate_signs(signs, m, seed)};
}

/// Waves whose G has a condition of about 3e8. They stand for the FLAPW method's pairs, which are not public.
template <class T>
SignedPair<T> wave_pair(Index n, unsigned seed) {
  return generated_pair<T>("waves;overlap=" + std::to_string((is_complex<T> ? 12.8 : 6.4) / static_cast<double>(n)),
                           2 * n, n, "third", seed);
}

/// |f*Jf| is about 1e-6·‖f‖², and 1e-8 of it for one of 32 columns.
template <class T>
SignedPair<T> neutral_pair(Index n, unsigned seed) {
  return generated_pair<T>("neutral", 2 * n, n, "halves", seed);
}

/// The eigenvalues of (F*JF, G*G) in descending order: those of L⁻¹·F*JF·L⁻* with G*G = L·L*, in Quad. Columns are in
/// ascending order of ‖f‖/‖g‖, so that small columns are not mixed with large ones.
template <class T>
std::vector<Quad> true_eigenvalues(const SignedPair<T>& pair) {
  using E = Rebind<T, Quad>;
  const Index n = pair.F.cols();
  std::vector<double> ratios;
  const auto norm = [](std::span<const T> x) {
    double sum = 0;
    for (const T& e : x) sum += std::norm(e);
    return std::sqrt(sum);
  };
  for (Index j = 0; j < n; ++j) ratios.push_back(norm(pair.F.col(j)) / norm(pair.G.col(j)));
  std::vector<Index> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), Index(0));
  std::ranges::sort(order, {}, [&](Index j) { return ratios[static_cast<std::size_t>(j)]; });
  Matrix<T> F(pair.F.rows(), n), G(pair.G.rows(), n);
  for (Index j = 0; j < n; ++j) {
    std::ranges::copy(pair.F.col(order[static_cast<std::size_t>(j)]), F.col(j).begin());
    std::ranges::copy(pair.G.col(order[static_cast<std::size_t>(j)]), G.col(j).begin());
  }
  const Matrix<E> f = converted<Quad>(F), g = converted<Quad>(G);
  Matrix<E> Jf = f;
  for (Index i = 0; i < F.rows(); ++i)
    if (pair.J[static_cast<std::size_t>(i)] < 0)
      for (Index j = 0; j < n; ++j) Jf(i, j) = -Jf(i, j);
  const Matrix<E> K = multiplied(true, f, Jf), N = multiplied(true, g, g);
  Matrix<E> L(n, n);
  for (Index k = 0; k < n; ++k) {
    for (Index i = k; i < n; ++i) {
      L(i, k) = N(i, k);
      for (Index l = 0; l < k; ++l) L(i, k) -= detail::times(L(i, l), conjugate(L(k, l)));
    }
    const Quad root = sqrt(real_part(L(k, k)));
    for (Index i = k; i < n; ++i) L(i, k) = i == k ? E(root) : L(i, k) / root;
  }
  const auto divided = [&](Matrix<E> A) {  // L⁻¹·A
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) {
        for (Index l = 0; l < i; ++l) A(i, j) -= detail::times(L(i, l), A(l, j));
        A(i, j) /= real_part(L(i, i));
      }
    return A;
  };
  const auto adjoint = [&](const Matrix<E>& A) {
    Matrix<E> B(n, n);
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i) B(i, j) = conjugate(A(j, i));
    return B;
  };
  Matrix<E> A = divided(adjoint(divided(K)));
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      A(i, j) = i == j ? E(real_part(A(i, i))) : A(i, j);
      A(j, i) = conjugate(A(i, j));
    }
  EighOptions options{.vectors = false, .threads = 1};
  options.variant.pivoting = Pivoting::complete;
  options.variant.sweeps.form = JacobiForm::PT;
  return eigh<E>(A, options).eigenvalues;
}

/// Errors of a decomposition.
struct GhsvdDefects {
  double u = 0;         ///< max|U*JU − J'| / max‖u_j‖²
  double v = 0;         ///< max|V*V − I|
  double f = 0;         ///< largest ‖F·z − u·σ_F‖ / ‖|F|·|z|‖
  double g = 0;         ///< largest ‖G·z − v·σ_G‖ / (‖G‖·‖z‖)
  double residual = 0;  ///< largest ‖(F*JF − λ·G*G)z‖ / ((‖F‖² + |λ|·‖G‖²)·‖z‖), Frobenius norms
};

template <class T>
double frobenius(const Matrix<T>& A) {
  double sum = 0;
  for (Index i = 0; i < A.size(); ++i) sum += std::norm(A.data()[i]);
  return std::sqrt(sum);
}

/// Returns the largest ‖A·z − y·σ‖ / ‖|A|·|z|‖ of all columns, with ‖A‖·‖z‖ in the place of ‖|A|·|z|‖ where σ = 0.
template <class T>
double largest_error(const Matrix<T>& A, const Matrix<T>& Z, const Matrix<T>& Y, const std::vector<double>& sigma) {
  double worst = 0;
  const Matrix<T> AZ = multiplied(false, A, Z);
  for (Index j = 0; j < Z.cols(); ++j) {
    double error = 0, size = 0;
    for (Index i = 0; i < A.rows(); ++i) {
      double magnitude = 0;
      for (Index k = 0; k < A.cols(); ++k) magnitude += std::abs(A(i, k)) * std::abs(Z(k, j));
      error += std::norm(AZ(i, j) - Y(i, j) * sigma[static_cast<std::size_t>(j)]);
      size += magnitude * magnitude;
    }
    if (sigma[static_cast<std::size_t>(j)] == 0) {
      size = 0;
      for (const T& z : Z.col(j)) size += std::norm(z);
      size *= frobenius(A) * frobenius(A);
    }
    worst = std::max(worst, error > 0 ? std::sqrt(error / size) : 0);
  }
  return worst;
}

template <class T>
GhsvdDefects defects(const SignedPair<T>& pair, const GhsvdResult<T>& r) {
  GhsvdDefects result;
  const std::vector<double> signs(pair.J.begin(), pair.J.end());
  Matrix<T> JU = r.U;
  scale_rows(JU, signs);
  const Matrix<T> UJU = multiplied(true, r.U, JU), VV = multiplied(true, r.V, r.V);
  const Index n = r.Z.cols();
  double longest = 0;
  for (Index j = 0; j < n; ++j) {
    double square = 0;
    for (const T& u : r.U.col(j)) square += std::norm(u);
    longest = std::max(longest, square);
    for (Index i = 0; i < n; ++i) {
      result.u = std::max(result.u, std::abs(UJU(i, j) - T(i == j ? r.J[static_cast<std::size_t>(j)] : 0)));
      result.v = std::max(result.v, std::abs(VV(i, j) - T(i == j)));
    }
  }
  if (longest > 0) result.u /= longest;
  // Where F*JF has a smaller rank than F, F·z is not zero for λ = 0.
  Matrix<T> Z_of_others = r.Z;
  for (Index j = 0; j < n; ++j)
    if (r.J[static_cast<std::size_t>(j)] == 0) std::ranges::fill(Z_of_others.col(j), T(0));
  result.f = largest_error(pair.F, Z_of_others, r.U, r.sigma_f);
  result.g = largest_error(pair.G, r.Z, r.V, r.sigma_g);
  Matrix<T> JFZ = multiplied(false, pair.F, r.Z);
  scale_rows(JFZ, signs);
  const Matrix<T> KZ = multiplied(true, pair.F, JFZ), NZ = multiplied(true, pair.G, multiplied(false, pair.G, r.Z));
  const double f = frobenius(pair.F), g = frobenius(pair.G);
  for (Index j = 0; j < n; ++j) {
    const double lambda = r.eigenvalues[static_cast<std::size_t>(j)];
    double error = 0, norm = 0;
    for (Index i = 0; i < n; ++i) error += std::norm(KZ(i, j) - NZ(i, j) * lambda), norm += std::norm(r.Z(i, j));
    if (error > 0)
      result.residual = std::max(result.residual, std::sqrt(error / norm) / (f * f + std::abs(lambda) * g * g));
  }
  return result;
}

}  // namespace pivotlab::test
