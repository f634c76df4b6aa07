// SPDX-License-Identifier: BSD-3-Clause
// Singular values to twenty digits, proved by a theorem that does not depend on how they were found.
//
// Any nonsingular V proves enclosures of the eigenvalues μ = J'·σ² of the pencil (G*G, J): those of (A, S), A = (GV)*GV
// and S = V*JV, are the same. For a real μ scale A − μ·S from both sides by d_j = (f_j + |μ|)^(−½), f_j ≥ A_jj: off the
// diagonal its elements are at most η_ij = |A_ij|/√(f_i·f_j) + |S_ij|, and it is singular only if for some j
//
//   |A_jj − μ·S_jj| ≤ ρ_j·(f_j + |μ|),   ρ_j = Σ_{i≠j} η_ij   (Gershgorin).
//
// With f_j = A_jj this is an interval about A_jj/S_jj of relative radius about 2·ρ_j. A union of k of these intervals
// that touches no other contains k eigenvalues, by continuity in the elements off the diagonal. V is that of an
// iteration in Quad; where it has no digits of σ_j, f_j is larger, and the interval is about zero. Rounding errors of A
// and S enter ρ.
//
// For J = ±I, σ that are too small for this against ‖G‖ come from a second iteration: on G·V, of which every element
// has an error of its rounding alone, because it is computed with 300 bits. (G·V)*(G·V) and V*JV = J + E, |E| ≤ η, have
// the same eigenvalues, and the V of the second iteration is one for them.
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <kernels/numerics/arithmetic.hpp>
#include <kernels/numerics/extension.hpp>
#include <kernels/numerics/long_numbers.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab::experiments {
namespace {

/// Returns Σ_l conj(X(l, i))·signs_l·Y(l, j); empty signs are 1.
template <class Q>
Q inner_product(const Matrix<Q>& X, Index i, const Matrix<Q>& Y, Index j, const std::vector<int>& signs = {}) {
  Q sum(0);
  for (Index l = 0; l < X.rows(); ++l) {
    const Q term = conjugate(X(l, i)) * Y(l, j);
    sum += signs.empty() || signs[l] > 0 ? term : -term;
  }
  return sum;
}

template <class Q>
std::vector<Quad> norms_of_columns(const Matrix<Q>& X) {
  std::vector<Quad> norms;
  for (Index j = 0; j < X.cols(); ++j) norms.push_back(square_root(real_part(inner_product(X, j, X, j))));
  return norms;
}

using Long =
    boost::multiprecision::number<boost::multiprecision::cpp_bin_float<300, boost::multiprecision::digit_base_2>,
                                  boost::multiprecision::et_off>;

/// Returns the parts of A: one, or Re and Im.
template <class Q>
std::vector<Matrix<Long>> long_parts(const Matrix<Q>& A) {
  std::vector<Matrix<Long>> parts(is_complex<Q> ? 2 : 1, Matrix<Long>(A.rows(), A.cols()));
  for (Index i = 0; i < A.size(); ++i) {
    parts[0].data()[i] = to_long<Long>(real_part(A.data()[i]));
    if constexpr (is_complex<Q>) parts[1].data()[i] = to_long<Long>(A.data()[i].imag());
  }
  return parts;
}

/// Returns G·V, computed with 300 bits and rounded.
template <class Q>
Matrix<Q> rounded_product(const Matrix<Q>& G, const Matrix<Q>& V) {
  const auto g = long_parts(G), v = long_parts(V);
  Matrix<Q> W(G.rows(), V.cols());
  for (Index j = 0; j < V.cols(); ++j)
    for (Index i = 0; i < G.rows(); ++i) {
      Long re(0), im(0);
      for (Index l = 0; l < G.cols(); ++l) {
        re += g[0](i, l) * v[0](l, j);
        if constexpr (is_complex<Q>) {
          re -= g[1](i, l) * v[1](l, j);
          im += g[0](i, l) * v[1](l, j) + g[1](i, l) * v[0](l, j);
        }
      }
      if constexpr (is_complex<Q>)
        W(i, j) = Q(to_quad(re), to_quad(im));
      else
        W(i, j) = to_quad(re);
    }
  return W;
}

/// Proves enclosures from the V of r, an approximate decomposition of (G, J) with rows ≥ columns. They are those of the
/// pencil (G*G, J + E), |E| ≤ η element by element, and of any G whose elements have an error of half a unit of the
/// last place.
template <class Q>
HsvdTruth proved(const Matrix<Q>& G, const std::vector<int>& J, const HsvdResult<Q>& r, const Quad& eta = Quad(0)) {
  constexpr double enough = 1e-21;
  const Index n = G.cols();
  const Quad unit = std::numeric_limits<Quad>::epsilon();
  Matrix<Q> W(G.rows(), n);
  for (Index j = 0; j < n; ++j)
    for (Index l = 0; l < n; ++l)
      for (Index i = 0; i < G.rows(); ++i) W(i, j) += G(i, l) * r.V(l, j);
  const std::vector<Quad> columns = norms_of_columns(G), lengths = norms_of_columns(r.V), norms = norms_of_columns(W);

  const auto count = static_cast<std::size_t>(n);
  std::vector<Quad> error(count, Quad(0)), floor(count), value(count);  // ‖δw_j‖, √f_j, S_jj
  std::vector<bool> known(count);
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t l = 0; l < count; ++l)
      error[j] += columns[l] * modulus(r.V(static_cast<Index>(l), static_cast<Index>(j)));
    error[j] *= Quad(static_cast<double>(n + 5)) * unit;
    known[j] = norms[j] > 0 && error[j] <= Quad(enough / 10) * norms[j];
    floor[j] = norms[j];
    value[j] = real_part(inner_product(r.V, static_cast<Index>(j), r.V, static_cast<Index>(j), J));
  }

  // Columns that are not known have f_j so large that their products with the known ones are negligible.
  const Quad coupling = Quad(enough / 2) / Quad(static_cast<double>(n));
  for (std::size_t j = 0; j < count; ++j) {
    if (known[j]) continue;
    Quad product = error[j];
    for (std::size_t i = 0; i < count; ++i)
      if (known[i])
        product = std::max(product,
                           Quad(modulus(inner_product(W, static_cast<Index>(i), W, static_cast<Index>(j))) / norms[i]));
    floor[j] = std::max(Quad(Quad(static_cast<double>(8 * n)) * norms[j]), Quad(product / coupling));
  }

  const auto over = [](const Quad& x, const Quad& y) { return x > 0 ? Quad(x / y) : Quad(0); };  // 0/0 = 0
  std::vector<Quad> radius(count, Quad(0));
  for (std::size_t j = 0; j < count; ++j)
    for (std::size_t i = 0; i < count; ++i) {
      const Quad rounding = over(error[i], floor[i]) + over(error[j], floor[j]) +
                            Quad(static_cast<double>(G.rows() + 4)) * unit * (Quad(1) + lengths[i] * lengths[j]) +
                            Quad(static_cast<double>(n)) * eta * lengths[i] * lengths[j];
      radius[j] += rounding;
      if (i == j) continue;
      const auto at_i = static_cast<Index>(i), at_j = static_cast<Index>(j);
      radius[j] += over(modulus(inner_product(W, at_i, W, at_j)), Quad(floor[i] * floor[j])) +
                   modulus(inner_product(r.V, at_i, r.V, at_j, J));
    }

  Quad about_zero(0);  // σ of the pencil that are not known are less
  bool possible = true;
  for (std::size_t j = 0; j < count; ++j) {
    const double expected = r.J[j];
    possible &= radius[j] < Quad(0.25) && absolute(Quad(value[j] - Quad(expected))) < Quad(0.25);
    if (!known[j]) about_zero = std::max(about_zero, Quad(Quad(2) * floor[j]));
  }
  HsvdTruth truth;
  for (std::size_t j = 0; j < count; ++j) {
    truth.sigma.push_back(known[j] ? Quad(norms[j] / square_root(absolute(value[j]))) : r.sigma[j]);
    truth.determined.push_back(
        possible && (known[j] ? radius[j] <= Quad(enough) && norms[j] > Quad(2) * about_zero : floor[j] == 0));
  }
  return truth;
}

template <class Q>
HsvdTruth truth_of_tall(const Matrix<Q>& G, const std::vector<int>& J, int threads) {
  HsvdOptions options{.compute_v = true, .threads = threads};
  options.variant.form = JacobiForm::PT;
  const HsvdResult<Q> result = hsvd<Q>(G, J, options);
  if (result.status != Status::passed) return {};
  HsvdTruth truth = proved(G, J, result);
  const auto known = [](const HsvdTruth& t) { return std::ranges::count(t.determined, true); };
  if (known(truth) == G.cols() || std::ranges::adjacent_find(J, std::ranges::not_equal_to()) != J.end()) return truth;
  const Matrix<Q> W = rounded_product(G, result.V);
  Quad eta(static_cast<double>(G.cols() + 4) * 4);
  eta *= std::numeric_limits<Quad>::epsilon();  // of the computed V*V
  for (Index j = 0; j < G.cols(); ++j)
    for (Index i = 0; i < G.cols(); ++i) {
      const Quad size = modulus(Q(inner_product(result.V, i, result.V, j) - Q(i == j ? 1 : 0)));
      eta = std::max(eta, Quad(size * Quad(2)));
    }
  const HsvdResult<Q> second = hsvd<Q>(W, J, options);
  if (second.status != Status::passed) return truth;
  HsvdTruth of_second = proved(W, J, second, eta);
  return known(of_second) > known(truth) ? of_second : truth;
}

}  // namespace

template <class T>
HsvdTruth hsvd_truth(const Matrix<T>& G, const std::vector<int>& J, int threads) {
  using Q = Rebind<T, Quad>;
  const bool wide = G.rows() < G.cols();
  if (std::max(G.rows(), G.cols()) > hsvd_truth_rows) return {};
  Matrix<Q> exact(wide ? G.cols() : G.rows(), wide ? G.rows() : G.cols());
  for (Index j = 0; j < G.cols(); ++j)
    for (Index i = 0; i < G.rows(); ++i)
      (wide ? exact(j, i) : exact(i, j)) = wide ? conjugate(extend<Q>(G(i, j))) : extend<Q>(G(i, j));
  if (!wide) return truth_of_tall(exact, J, threads);
  if (std::ranges::adjacent_find(J, std::ranges::not_equal_to()) != J.end()) return {};
  return truth_of_tall(exact, std::vector<int>(G.rows(), J.empty() ? 1 : J.front()), threads);
}

template HsvdTruth hsvd_truth(const Matrix<double>&, const std::vector<int>&, int);
template HsvdTruth hsvd_truth(const Matrix<std::complex<double>>&, const std::vector<int>&, int);

}  // namespace pivotlab::experiments
