#include <experiments/metrics/gsvd_probes.hpp>
#include <experiments/metrics/threaded_norms.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <random>

namespace pivotlab::experiments {
namespace {

// ---- Vectors in double-double, their parts apart so that loops over them run at full vector width ----

struct Plane {
  Matrix<double> hi, lo;

  Plane() = default;
  Plane(Index rows, Index cols) : hi(rows, cols), lo(rows, cols) {}
};

/// Columns; im is empty for real ones.
struct Vectors {
  Plane re, im;

  template <class T>
  static Vectors like(Index rows, Index cols) {
    return {Plane(rows, cols), is_complex<T> ? Plane(rows, cols) : Plane()};
  }
  Index rows() const { return re.hi.rows(); }
  Index cols() const { return re.hi.cols(); }
};

/// hi + lo += a·(x_hi + x_lo) without renormalization. Source: Ogita, Rump & Oishi, "Accurate sum and dot product",
/// SIAM J. Sci. Comput. 26 (2005), Algorithm 5.3.
inline void accumulate(double& hi, double& lo, double a, double x_hi, double x_lo) {
  const double product = a * x_hi, rounded = std::fma(a, x_hi, -product);
  const double sum = hi + product, taken = sum - hi;
  lo += ((hi - (sum - taken)) + (product - taken)) + std::fma(a, x_lo, rounded);
  hi = sum;
}

/// Some rows of a column, real and imaginary parts apart.
struct Rows {
  static constexpr Index most = 128;
  std::array<double, most> re, im;
  Index count = 0;

  template <class T>
  void take(const T* from, Index rows) {
    count = rows;
    for (Index i = 0; i < rows; ++i) {
      re[static_cast<std::size_t>(i)] = std::real(from[i]);
      if constexpr (is_complex<T>) im[static_cast<std::size_t>(i)] = std::imag(from[i]);
    }
  }
};

/// y_i += a_i·x for one x
void add_multiple(double* y_hi, double* y_lo, const double* a, double sign, double x_hi, double x_lo, Index count) {
  for (Index i = 0; i < count; ++i) accumulate(y_hi[i], y_lo[i], a[i], sign * x_hi, sign * x_lo);
}

/// Σ_i a_i·x_i, in a few sums that do not wait for each other.
struct Dot {
  static constexpr Index lanes = 8;
  std::array<double, lanes> hi{}, lo{};

  void add(const double* a, double sign, const double* x_hi, const double* x_lo, Index count) {
    Index i = 0;
    for (; i + lanes <= count; i += lanes)
      for (Index l = 0; l < lanes; ++l)
        accumulate(hi[static_cast<std::size_t>(l)], lo[static_cast<std::size_t>(l)], sign * a[i + l], x_hi[i + l],
                   x_lo[i + l]);
    for (; i < count; ++i) accumulate(hi[0], lo[0], sign * a[i], x_hi[i], x_lo[i]);
  }
  void store(double& sum_hi, double& sum_lo) const {
    sum_hi = sum_lo = 0;
    for (std::size_t l = 0; l < hi.size(); ++l) accumulate(sum_hi, sum_lo, 1, hi[l], lo[l]);
  }
};

/// A·X, so many rows at a time that their results stay in the cache.
template <class T>
Vectors product(const Matrix<T>& A, const Vectors& X, int threads) {
  Vectors Y = Vectors::like<T>(A.rows(), X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic)
  for (Index first = 0; first < A.rows(); first += Rows::most) {
    Rows a;
    for (Index j = 0; j < A.cols(); ++j) {
      a.take(&A(first, j), std::min(Rows::most, A.rows() - first));
      for (Index k = 0; k < X.cols(); ++k) {
        const auto add = [&](Plane& y, const auto& part, double sign, const Plane& x) {
          add_multiple(&y.hi(first, k), &y.lo(first, k), part.data(), sign, x.hi(j, k), x.lo(j, k), a.count);
        };
        add(Y.re, a.re, 1, X.re);
        if constexpr (is_complex<T>) {
          add(Y.re, a.im, -1, X.im);
          add(Y.im, a.re, 1, X.im);
          add(Y.im, a.im, 1, X.re);
        }
      }
    }
  }
  return Y;
}

/// Aᴴ·X
template <class T>
Vectors adjoint_product(const Matrix<T>& A, const Vectors& X, int threads) {
  Vectors Y = Vectors::like<T>(A.cols(), X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 16)
  for (Index j = 0; j < A.cols(); ++j) {
    Rows a;
    std::array<Dot, probe_count> re{}, im{};
    for (Index first = 0; first < A.rows(); first += Rows::most) {
      a.take(&A(first, j), std::min(Rows::most, A.rows() - first));
      for (Index k = 0; k < X.cols(); ++k) {
        const auto add = [&](Dot& y, const auto& part, double sign, const Plane& x) {
          y.add(part.data(), sign, &x.hi(first, k), &x.lo(first, k), a.count);
        };
        Dot &of_re = re[static_cast<std::size_t>(k)], &of_im = im[static_cast<std::size_t>(k)];
        add(of_re, a.re, 1, X.re);
        if constexpr (is_complex<T>) {
          add(of_re, a.im, 1, X.im);
          add(of_im, a.re, 1, X.im);
          add(of_im, a.im, -1, X.re);
        }
      }
    }
    for (Index k = 0; k < X.cols(); ++k) {
      re[static_cast<std::size_t>(k)].store(Y.re.hi(j, k), Y.re.lo(j, k));
      if constexpr (is_complex<T>) im[static_cast<std::size_t>(k)].store(Y.im.hi(j, k), Y.im.lo(j, k));
    }
  }
  return Y;
}

// ---- The errors ----

template <class T>
Vectors random_signs(Index n) {
  std::mt19937_64 generator(1);
  Vectors W = Vectors::like<T>(n, probe_count);
  for (Index k = 0; k < W.re.hi.size(); ++k) W.re.hi.data()[k] = (generator() >> 63) != 0 ? 1.0 : -1.0;
  return W;
}

/// diag(factors)·W for signs W
Vectors with_rows_times(Vectors W, const std::vector<double>& factors) {
  for (Index k = 0; k < W.cols(); ++k)
    for (Index i = 0; i < W.rows(); ++i) W.re.hi(i, k) *= factors[static_cast<std::size_t>(i)];
  return W;
}

/// Of the matrix that has made X − Y from random signs.
double frobenius_norm_of_difference(const Vectors& X, const Vectors& Y) {
  std::vector<double> differences;
  for (const auto& [x, y] : {std::pair(&X.re, &Y.re), std::pair(&X.im, &Y.im)})
    for (Index k = 0; k < x->hi.size(); ++k)
      differences.push_back((x->hi.data()[k] - y->hi.data()[k]) + (x->lo.data()[k] - y->lo.data()[k]));
  return norm<double>(differences) / std::sqrt(static_cast<double>(X.cols()));
}

template <class T>
double frobenius_norm(const Matrix<T>& A, int threads) {
  std::vector<double> norms(static_cast<std::size_t>(A.cols()));
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 16)
  for (Index j = 0; j < A.cols(); ++j) norms[static_cast<std::size_t>(j)] = norm<T>(A.col(j));
  return norm<double>(norms);
}

/// ‖A·Z − U·Σ‖_F/(‖A‖_F‖Z‖_F), from W and Z·W.
template <class T>
double residual_z(const Matrix<T>& A, const Matrix<T>& U, const std::vector<double>& sigma, const Vectors& W,
                  const Vectors& ZW, double norm_of_z, int threads) {
  return frobenius_norm_of_difference(product(A, ZW, threads), product(U, with_rows_times(W, sigma), threads)) /
         (frobenius_norm(A, threads) * norm_of_z);
}

/// ‖UᴴU − I‖_F, where a column that is zero because its σ is zero counts as orthonormal.
template <class T>
double orthogonality(const Matrix<T>& U, const std::vector<double>& sigma, Vectors W, int threads) {
  for (Index j = 0; j < U.cols(); ++j) {
    const bool is_zero = sigma[static_cast<std::size_t>(j)] == 0 && largest_component<T>(U.col(j)) == 0;
    for (Index k = 0; is_zero && k < W.cols(); ++k) W.re.hi(j, k) = 0;
  }
  return frobenius_norm_of_difference(adjoint_product(U, product(U, W, threads), threads), W);
}

}  // namespace

template <class T>
ProbedErrors probe_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, int threads) {
  const Vectors W = random_signs<T>(result.Z.cols()), ZW = product(result.Z, W, threads);
  const double norm_of_z = frobenius_norm(result.Z, threads);
  return {residual_z(pair.F, result.U, result.sigma_f, W, ZW, norm_of_z, threads),
          residual_z(pair.G, result.V, result.sigma_g, W, ZW, norm_of_z, threads),
          orthogonality(result.U, result.sigma_f, W, threads), orthogonality(result.V, result.sigma_g, W, threads)};
}

template ProbedErrors probe_gsvd(const Pair<double>&, const GsvdResult<double>&, int);
template ProbedErrors probe_gsvd(const Pair<std::complex<double>>&, const GsvdResult<std::complex<double>>&, int);

}  // namespace pivotlab::experiments
