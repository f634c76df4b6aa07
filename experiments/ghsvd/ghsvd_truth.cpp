// SPDX-License-Identifier: BSD-3-Clause
// True eigenvalues of (F*JF, G*G) with proved enclosures. The vectors Z come from the decomposition in Quad; what is
// proved of the eigenvalues depends only on products with Z, whatever has computed it.
//
// For any nonsingular Z the pencil (H, M) = ((FZ)*J(FZ), (GZ)*(GZ)) has the eigenvalues of (F*JF, G*G). With weights
// w_ij = d_j/d_i and λ_i = H_ii/M_ii they lie in the union of the intervals
//
//   |λ − λ_i| ≤ (a_i + |λ_i|·b_i)/(M_ii − b_i),   a_i = Σ_{j≠i} |H_ij|·w_ij,   b_i = Σ_{j≠i} |M_ij|·w_ij,
//
// if M_ii > b_i for all i, which also proves that Z is nonsingular, and a union of k intervals that does not meet the
// others contains k of them. Bounds of the rounding errors of H and M are part of a_i and b_i.
// Source: Gershgorin's theorem for pencils, Stewart & Sun, Matrix Perturbation Theory (1990), section VI.2.
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <kernels/numerics/arithmetic.hpp>
#include <kernels/numerics/extension.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <pivotlab/error.hpp>

namespace pivotlab::experiments {
namespace {

template <class T>
using Extended = Rebind<T, Quad>;

template <class T>
Matrix<Extended<T>> extended(const Matrix<T>& A) {
  Matrix<Extended<T>> result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = extend<Extended<T>>(A.data()[i]);
  return result;
}

/// |Re x| + |Im x|, which is at least |x|.
template <class E>
Quad magnitude(const E& x) {
  using std::abs;
  if constexpr (is_complex<E>)
    return abs(x.real()) + abs(x.imag());
  else
    return abs(x);
}

/// Y*·J·Y for Y = A·Z, and bounds of its rounding errors: |error of (i, j)| ≤ sizes[i]·sizes[j].
template <class E>
struct SignedGram {
  SignedGram(const Matrix<E>& A, const std::vector<int>& J, const Matrix<E>& Z) : gram(Z.cols(), Z.cols()) {
    const Index m = A.rows(), n = Z.cols();
    Matrix<E> Y(m, n);
    const Quad rounding = ldexp(Quad(4.0 * static_cast<double>(2 * A.cols() + m + 16)), -113);
    for (Index j = 0; j < n; ++j) {
      std::vector<Quad> moduli(m, Quad(0));
      for (Index k = 0; k < A.cols(); ++k)
        for (Index i = 0; i < m; ++i) {
          Y(i, j) += A(i, k) * Z(k, j);
          moduli[i] += magnitude(A(i, k)) * magnitude(Z(k, j));
        }
      Quad squares(0);
      for (const Quad& x : moduli) squares += x * x;
      sizes.push_back(sqrt(Quad(squares * rounding)));
    }
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i <= j; ++i) {
        E sum(0);
        for (Index k = 0; k < m; ++k) {
          const E term = conjugate(Y(k, i)) * Y(k, j);
          sum += !J.empty() && J[k] < 0 ? E(-term) : term;
        }
        gram(i, j) = sum, gram(j, i) = conjugate(sum);
      }
  }

  Quad diagonal(Index i) const { return real_part(gram(i, i)); }
  /// Returns a bound of |element (i, j)|, and of the error of the diagonal.
  Quad bound(Index i, Index j) const {
    const Quad error = sizes[i] * sizes[j];
    return i == j ? error : Quad(magnitude(gram(i, j)) + error);
  }

  Matrix<E> gram;
  std::vector<Quad> sizes;
};

struct Interval {
  Quad value, lower, upper;
};

/// Returns an interval around every λ_i, empty if the columns of Z are too far from diagonal form.
template <class E>
std::vector<Interval> intervals(const SignedGram<E>& H, const SignedGram<E>& M) {
  const Index n = H.gram.cols();
  std::vector<Quad> value, weight;
  for (Index i = 0; i < n; ++i) {
    if (!(M.diagonal(i) > Quad(0))) return {};
    value.push_back(H.diagonal(i) / M.diagonal(i));
  }
  // Elements of H have errors in proportion to √|λ_i·λ_j|, those of M do not depend on λ: d = |λ|^(−¼) is between the
  // best weights for both. Powers of two have no rounding errors.
  for (Index i = 0; i < n; ++i) {
    using std::abs;
    const Quad size = std::max(Quad(abs(value[i])), H.bound(i, i));
    weight.push_back(size > Quad(0) ? ldexp(Quad(1), -static_cast<int>(ilogb(size)) / 4) : Quad(1));
  }
  std::vector<Interval> result;
  for (Index i = 0; i < n; ++i) {
    using std::abs;
    Quad a(0), b(0);
    for (Index j = 0; j < n; ++j) {
      const Quad w = weight[j] / weight[i];
      a += H.bound(i, j) * w, b += M.bound(i, j) * w;
    }
    if (!(b < M.diagonal(i))) return {};
    const Quad center = value[i];
    const Quad radius = (a + abs(center) * b) / (M.diagonal(i) - b) * Quad(1.0001) + ldexp(Quad(abs(center)), -110);
    result.push_back({center, Quad(center - radius), Quad(center + radius)});
  }
  return result;
}

/// Returns the number of eigenvalues that are zero because F has few nonzero rows or columns.
template <class T>
Index structural_zeros(const Matrix<T>& F) {
  Index rows = 0, columns = 0;
  for (Index i = 0; i < F.rows(); ++i) {
    bool any = false;
    for (Index j = 0; j < F.cols(); ++j) any |= F(i, j) != T(0);
    rows += any ? 1 : 0;
  }
  for (Index j = 0; j < F.cols(); ++j)
    columns += std::ranges::any_of(F.col(j), [](const T& x) { return x != T(0); }) ? 1 : 0;
  return F.cols() - std::min(rows, columns);
}

}  // namespace

template <class T>
GhsvdTruth ghsvd_truth(const Matrix<T>& F, const Matrix<T>& G, const std::vector<int>& J, int threads) {
  using E = Extended<T>;
  if (G.cols() > ghsvd_truth_order) return {};
  const Matrix<E> f = extended(F), g = extended(G);
  GhsvdOptions options{.threads = threads};
  options.variant.sweeps.form = JacobiForm::PT;
  Matrix<E> Z;
  try {
    Z = ghsvd<E>(f, g, J, options).Z;
  } catch (const InputError&) {  // beyond the range of Quad's squares
    return {};
  }
  if (Z.cols() != G.cols()) return {};
  for (Index j = 0; j < Z.cols(); ++j) {  // ‖G·z‖ = 1, up to a power of two
    const SignedGram<E> one(g, {}, [&] {
      Matrix<E> z(Z.rows(), 1);
      std::ranges::copy(Z.col(j), z.col(0).begin());
      return z;
    }());
    if (!(one.diagonal(0) > Quad(0))) return {};
    const int exponent = static_cast<int>(ilogb(one.diagonal(0))) / 2;
    for (E& z : Z.col(j)) z *= E(ldexp(Quad(1), -exponent));
  }
  const SignedGram<E> H(f, J, Z), M(g, {}, Z);
  std::vector<Interval> all = intervals(H, M);
  if (std::ssize(all) != G.cols()) return {};
  const auto holds_zero = [](const Interval& x) { return x.lower <= Quad(0) && x.upper >= Quad(0); };
  if (std::ranges::count_if(all, holds_zero) == structural_zeros(F))
    for (Interval& x : all)
      if (holds_zero(x)) x = {Quad(0), Quad(0), Quad(0)};
  std::ranges::sort(all, std::ranges::greater(), &Interval::upper);
  GhsvdTruth truth;
  for (std::size_t first = 0; first < all.size();) {
    Quad lower = all[first].lower;
    std::size_t last = first + 1;
    for (; last < all.size() && all[last].upper >= lower; ++last) lower = std::min(lower, all[last].lower);
    const Quad upper = all[first].upper;
    std::vector<Quad> values;
    for (std::size_t j = first; j < last; ++j) values.push_back(all[j].value);
    std::ranges::sort(values, std::ranges::greater());
    const int sign = lower > Quad(0) ? 1 : upper < Quad(0) ? -1 : 0;
    const Quad least = sign > 0 ? lower : sign < 0 ? Quad(-upper) : Quad(0);
    for (const Quad& value : values) {
      truth.eigenvalues.push_back(value);
      truth.signs.push_back(sign);
      truth.determined.push_back(sign != 0 && upper - lower <= Quad(1e-20) * least);
      truth.reach.push_back(std::max(Quad(-lower), upper));
    }
    first = last;
  }
  return truth;
}

using Complex = std::complex<double>;
template GhsvdTruth ghsvd_truth(const Matrix<double>&, const Matrix<double>&, const std::vector<int>&, int);
template GhsvdTruth ghsvd_truth(const Matrix<Complex>&, const Matrix<Complex>&, const std::vector<int>&, int);

}  // namespace pivotlab::experiments
