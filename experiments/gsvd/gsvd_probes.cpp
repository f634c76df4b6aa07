// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/gsvd/gsvd_probes.hpp>
#include <experiments/metrics/judging.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <kernels/verification/scaled_pair.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

namespace pivotlab::experiments {
namespace {

// ---- Vectors in double-double, with separate arrays for high and low parts, so that loops are vectorized ----

struct Plane {
  Matrix<double> hi, lo;

  Plane() = default;
  Plane(Index rows, Index cols) : hi(rows, cols), lo(rows, cols) {}
};

/// Column vectors; im is empty for real vectors.
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

/// x·first·second is x·2^e, exact unless it underflows, also for e outside the exponents of double.
struct PowersOfTwo {
  std::vector<double> first, second;

  PowersOfTwo() = default;
  explicit PowersOfTwo(const std::vector<int>& exponents) {
    for (const int e : exponents) first.push_back(std::ldexp(1.0, e / 2)), second.push_back(std::ldexp(1.0, e - e / 2));
  }
};

/// Some rows of a column, with separate real and imaginary parts.
struct ColumnPart {
  static constexpr Index most = 128;
  std::array<double, most> re, im;
  Index count = 0;

  template <class T>
  void take(const T* from, Index rows) {
    count = rows;
    for (Index i = 0; i < rows; ++i) {
      re[i] = std::real(from[i]);
      if constexpr (is_complex<T>) im[i] = std::imag(from[i]);
    }
  }
  /// Multiplies row i, including the imaginary part of complex rows, by factor(i).
  template <bool complex, class Factor>
  void multiply(const Factor& factor) {
    for (Index i = 0; i < count; ++i) {
      re[i] *= factor(static_cast<std::size_t>(i));
      if constexpr (complex) im[i] *= factor(static_cast<std::size_t>(i));
    }
  }
};

/// y_i += a_i·x for one x
void add_multiple(double* y_hi, double* y_lo, const double* a, double sign, double x_hi, double x_lo, Index count) {
  for (Index i = 0; i < count; ++i) accumulate(y_hi[i], y_lo[i], a[i], sign * x_hi, sign * x_lo);
}

/// Σ_i a_i·x_i, in a few independent partial sums.
struct Dot {
  static constexpr Index lanes = 8;
  std::array<double, lanes> hi{}, lo{};

  void add(const double* a, double sign, const double* x_hi, const double* x_lo, Index count) {
    Index i = 0;
    for (; i + lanes <= count; i += lanes)
      for (Index l = 0; l < lanes; ++l) accumulate(hi[l], lo[l], sign * a[i + l], x_hi[i + l], x_lo[i + l]);
    for (; i < count; ++i) accumulate(hi[0], lo[0], sign * a[i], x_hi[i], x_lo[i]);
  }
  void store(double& sum_hi, double& sum_lo) const {
    sum_hi = sum_lo = 0;
    for (std::size_t l = 0; l < hi.size(); ++l) accumulate(sum_hi, sum_lo, 1, hi[l], lo[l]);
  }
};

/// Some columns of a matrix diag(rows)·A·diag(columns), where missing powers are 1.
template <class T>
struct Columns {
  MatrixView<const T> A;
  const std::vector<Index>& places;  // in the whole
  PowersOfTwo rows = {}, columns = {};

  /// Reads rows of column j, from row `first` on.
  void take(Index first, Index j, ColumnPart& a) const {
    const auto at = [&](const std::vector<double>& x, Index i) { return x[i]; };
    a.take(&A(first, j), std::min(ColumnPart::most, A.rows - first));
    for (const std::vector<double>* factors : {&rows.first, &rows.second})
      if (!factors->empty())
        a.multiply<is_complex<T>>([&](std::size_t i) { return at(*factors, first + static_cast<Index>(i)); });
    for (const std::vector<double>* factors : {&columns.first, &columns.second})
      if (!factors->empty()) a.multiply<is_complex<T>>([factor = at(*factors, j)](std::size_t) { return factor; });
  }
};

/// A·X, in blocks of rows whose results fit into the cache.
template <class T>
Vectors product(const Columns<T>& columns, const Vectors& X, int threads) {
  const MatrixView<const T> A = columns.A;
  Vectors Y = Vectors::like<T>(A.rows, X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic)
  for (Index first = 0; first < A.rows; first += ColumnPart::most) {
    ColumnPart a;
    for (Index j = 0; j < A.cols; ++j) {
      columns.take(first, j, a);
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
Vectors adjoint_product(MatrixView<const T> A, const Vectors& X, int threads) {
  Vectors Y = Vectors::like<T>(A.cols, X.cols());
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 16)
  for (Index j = 0; j < A.cols; ++j) {
    ColumnPart a;
    std::array<Dot, probe_count> re{}, im{};
    for (Index first = 0; first < A.rows; first += ColumnPart::most) {
      a.take(&A(first, j), std::min(ColumnPart::most, A.rows - first));
      for (Index k = 0; k < X.cols(); ++k) {
        const auto add = [&](Dot& y, const auto& part, double sign, const Plane& x) {
          y.add(part.data(), sign, &x.hi(first, k), &x.lo(first, k), a.count);
        };
        Dot &of_re = re[k], &of_im = im[k];
        add(of_re, a.re, 1, X.re);
        if constexpr (is_complex<T>) {
          add(of_re, a.im, 1, X.im);
          add(of_im, a.re, 1, X.im);
          add(of_im, a.im, -1, X.re);
        }
      }
    }
    for (Index k = 0; k < X.cols(); ++k) {
      re[k].store(Y.re.hi(j, k), Y.re.lo(j, k));
      if constexpr (is_complex<T>) im[k].store(Y.im.hi(j, k), Y.im.lo(j, k));
    }
  }
  return Y;
}

// ---- Columns of a matrix on the ranks ----

/// The only rank.
class Alone final : public Transport {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  int rank_on_host() const override { return 0; }
  bool reaches_devices() const override { return false; }
  void expect(int, std::span<const Piece>) override {}
  void exchange(int, std::span<const Piece>) override {}
  void all_gather(const void* mine, std::size_t bytes, void* all) override { std::memcpy(all, mine, bytes); }
};

std::vector<double> gather(Transport& transport, std::span<const double> mine) {
  std::vector<double> all(mine.size() * static_cast<std::size_t>(transport.size()));
  transport.all_gather(mine.data(), mine.size_bytes(), all.data());
  return all;
}

/// Sums numbers of which each is zero on all ranks but one.
std::vector<double> put_together(Transport& transport, const std::vector<double>& mine) {
  const std::vector<double> all = gather(transport, mine);
  std::vector<double> together(mine.size(), 0.0);
  for (std::size_t i = 0; i < all.size(); ++i) together[i % mine.size()] += all[i];
  return together;
}

/// Sums the planes of all ranks.
void sum_over_ranks(Transport& transport, Plane& plane) {
  const auto size = static_cast<std::size_t>(plane.hi.size());
  const std::vector<double> hi = gather(transport, elements(plane.hi)), lo = gather(transport, elements(plane.lo));
  std::copy_n(hi.begin(), size, plane.hi.data());
  std::copy_n(lo.begin(), size, plane.lo.data());
  for (std::size_t i = size; i < hi.size(); ++i)
    accumulate(plane.hi.data()[i % size], plane.lo.data()[i % size], 1, hi[i], lo[i]);
}

Plane rows_of(const Plane& plane, const std::vector<Index>& places) {
  Plane rows(static_cast<Index>(places.size()), plane.hi.cols());
  for (Index k = 0; k < rows.hi.cols(); ++k)
    for (Index i = 0; i < rows.hi.rows(); ++i) {
      const Index place = places[i];
      rows.hi(i, k) = plane.hi(place, k), rows.lo(i, k) = plane.lo(place, k);
    }
  return rows;
}

/// Returns the rows of X at `places`, by which a rank's columns are multiplied.
Vectors rows_of(const Vectors& X, const std::vector<Index>& places) {
  return {rows_of(X.re, places), X.im.hi.size() > 0 ? rows_of(X.im, places) : Plane()};
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
    for (Index i = 0; i < W.rows(); ++i) W.re.hi(i, k) *= factors[i];
  return W;
}

/// x − y, the real parts first, at the places of the rows among n.
std::vector<double> differences(const Vectors& X, const Vectors& Y, const std::vector<Index>& places, Index n) {
  std::vector<double> result;
  for (const auto& [x, y] : {std::pair(&X.re, &Y.re), std::pair(&X.im, &Y.im)})
    for (Index k = 0; k < x->hi.cols(); ++k) {
      const std::size_t column = result.size();
      result.resize(column + static_cast<std::size_t>(n), 0.0);
      for (Index i = 0; i < x->hi.rows(); ++i)
        result[column + static_cast<std::size_t>(places[i])] =
            (x->hi(i, k) - y->hi(i, k)) + (x->lo(i, k) - y->lo(i, k));
    }
  return result;
}

/// Returns the estimated ‖E‖_F of the matrix E that maps random signs to these differences.
double estimated_norm(const std::vector<double>& differences) {
  return norm<double>(differences) / std::sqrt(static_cast<double>(probe_count));
}

std::vector<Index> all_places(Index n) {
  std::vector<Index> places(n);
  std::iota(places.begin(), places.end(), Index(0));
  return places;
}

/// F, G, U, V and Z, with the columns of one rank or all columns.
template <class T>
struct Probed {
  Transport& transport;
  int threads;
  Index n;
  const std::vector<double>&sigma_f, &sigma_g;

  /// Returns A·X with the whole A, on all ranks.
  Vectors times(const Columns<T>& A, const Vectors& X) const {
    Vectors Y = product(A, rows_of(X, A.places), threads);
    sum_over_ranks(transport, Y.re);
    if (is_complex<T>) sum_over_ranks(transport, Y.im);
    return Y;
  }

  /// Returns of_column(j) for every column j of the whole matrix, on all ranks.
  template <class OfColumn>
  std::vector<double> over_columns(const Columns<T>& A, const OfColumn& of_column) const {
    std::vector<double> values(n, 0.0);
    const auto mine = experiments::over_columns(A.A.cols, threads, of_column);
    for (Index j = 0; j < A.A.cols; ++j) values[A.places[j]] = mine[j];
    return put_together(transport, values);
  }
  std::vector<double> column_maxima(const Columns<T>& A) const {
    return over_columns(A, [&](Index j) { return largest_component<T>(A.A.col(j)); });
  }

  /// ‖2^−exponent·A‖_F
  double frobenius_norm_of(const Columns<T>& A, int exponent) const {
    return norm<double>(over_columns(A, [&](Index j) {
      double squares = 0;
      for (const T& x : A.A.col(j)) squares += std::norm(times_power_of_two(x, -exponent));
      return std::sqrt(squares);
    }));
  }

  /// The largest exponent of an element of diag(2^rows)·Z; 0 if Z = 0.
  int exponent_of_scaled(const Columns<T>& Z, const std::vector<int>& rows) const {
    constexpr double none = std::numeric_limits<int>::min();
    const std::vector<double> tops =
        over_columns(Z, [&](Index j) { return exponent_of<T>(Z.A.col(j), rows).value_or(none); });
    const double top = *std::ranges::max_element(tops);
    return top == none ? 0 : static_cast<int>(top);
  }

  /// W and its product S·Z·W in units of 2^top (scaled_pair.hpp).
  struct Signs {
    Vectors W, ZW;
    CommonScaling scaling;
    int top;
    double norm_of_z;  ///< ‖Z‖_F in units of 2^top_of_z
    int top_of_z;
  };

  Signs apply_to_signs(const Columns<T>& F, const Columns<T>& G, Columns<T> Z) const {
    Signs signs{random_signs<T>(n), {}, common_scaling(column_maxima(F), column_maxima(G)), 0, 0, 0};
    signs.top = exponent_of_scaled(Z, signs.scaling.columns);
    signs.top_of_z = exponent_of_scaled(Z, std::vector<int>(n, 0));
    signs.norm_of_z = frobenius_norm_of(Z, signs.top_of_z);
    std::vector<int> exponents = signs.scaling.columns;
    for (int& e : exponents) e -= signs.top;
    Z.rows = PowersOfTwo(exponents);
    signs.ZW = times(Z, signs.W);
    return signs;
  }

  /// ‖A·Z − U·Σ‖_F/(‖A‖_F‖Z‖_F), `exponent` of A being a or b.
  double residual_z(Columns<T> A, const Columns<T>& U, std::vector<double> sigma, int exponent,
                    const Signs& signs) const {
    const double norm_of_a = frobenius_norm_of(A, exponent);
    std::vector<int> exponents;
    for (const Index place : A.places) exponents.push_back(-signs.scaling.columns[place] - exponent);
    A.columns = PowersOfTwo(exponents);
    for (double& x : sigma) x = std::ldexp(x, -exponent - signs.top);
    const Vectors AZW = times(A, signs.ZW), USW = times(U, with_rows_times(signs.W, sigma));
    const double error = estimated_norm(differences(AZW, USW, all_places(AZW.rows()), AZW.rows()));
    return std::ldexp(relative(error, norm_of_a * signs.norm_of_z), signs.top - signs.top_of_z);
  }

  /// ‖UᴴU − I‖_F, where a zero column with σ = 0 counts as orthonormal.
  double orthogonality(const Columns<T>& U, const std::vector<double>& sigma, Vectors W) const {
    for (Index j = 0; j < U.A.cols; ++j) {
      const Index place = U.places[j];
      const bool is_zero = sigma[place] == 0 && largest_component<T>(U.A.col(j)) == 0;
      for (Index k = 0; is_zero && k < W.cols(); ++k) W.re.hi(place, k) = 0;
    }
    const Vectors UUW = adjoint_product(U.A, times(U, W), threads);
    return estimated_norm(put_together(transport, differences(UUW, rows_of(W, U.places), U.places, n)));
  }

  ProbedErrors errors(const Columns<T>& F, const Columns<T>& G, const Columns<T>& U, const Columns<T>& V,
                      const Columns<T>& Z) const {
    const Signs signs = apply_to_signs(F, G, Z);
    return {residual_z(F, U, sigma_f, signs.scaling.f, signs), residual_z(G, V, sigma_g, signs.scaling.g, signs),
            orthogonality(U, sigma_f, signs.W), orthogonality(V, sigma_g, signs.W)};
  }
};

}  // namespace

template <class T>
ProbedErrors probe_gsvd(const Pair<T>& pair, const GsvdResult<T>& result, int threads) {
  Alone alone;
  const std::vector<Index> all = all_places(pair.F.cols());
  const Probed<T> probed{alone, threads, pair.F.cols(), result.sigma_f, result.sigma_g};
  return probed.errors({pair.F, all}, {pair.G, all}, {result.U, all}, {result.V, all}, {result.Z, all});
}

template <class T>
ProbedErrors probe_gsvd(Transport& transport, const PairPart<T>& pair, const GsvdStripes<T>& result, int threads) {
  const Probed<T> probed{transport, threads, pair.n, result.sigma_f, result.sigma_g};
  return probed.errors({pair.columns.F, pair.places}, {pair.columns.G, pair.places}, {result.U, result.columns},
                       {result.V, result.columns}, {result.Z, result.columns});
}

template ProbedErrors probe_gsvd(const Pair<double>&, const GsvdResult<double>&, int);
template ProbedErrors probe_gsvd(const Pair<std::complex<double>>&, const GsvdResult<std::complex<double>>&, int);
template ProbedErrors probe_gsvd(Transport&, const PairPart<double>&, const GsvdStripes<double>&, int);
template ProbedErrors probe_gsvd(Transport&, const PairPart<std::complex<double>>&,
                                 const GsvdStripes<std::complex<double>>&, int);

}  // namespace pivotlab::experiments
