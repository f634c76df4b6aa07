// SPDX-License-Identifier: BSD-3-Clause
// Ranks and signs of integer matrices from elimination modulo primes.
//
// With powers of two, S·A·S is a matrix of integers. P·S·A·S·Pᵀ = M·D·Mᵀ modulo a prime p, with r pivots, gives its
// leading minors d_1, …, d_r modulo p, and all minors of order r + 1 are 0 modulo p.
//
//   rank ≥ r        d_r ≠ 0 modulo p, therefore d_r ≠ 0
//   rank ≤ r        so for the same pivots modulo p_1, …, p_m: the minor of order r + 1 that adds row i and column j to
//                   d_r is a multiple of p_1⋯p_m, but by Hadamard's inequality below it
//   signs           d_k has Σ v_i·p_1⋯p_(i−1) with |v_i| < p_i/2 if |d_k| < p_1⋯p_m/2: the sign of the last v_i ≠ 0
//   inertia         of the leading r × r matrix from the signs of d_k (Jacobi; where d_k = 0, d_(k−1)·d_(k+1) < 0)
//
// Sources: F. R. Gantmacher, The Theory of Matrices, chapter X, section 3; J. von zur Gathen, J. Gerhard, Modern
// Computer Algebra, 3rd ed., section 5.5 and theorem 16.6 (Hadamard). Residues are doubles: products of two are exact.
#include "kernels/ldlt/exact_inertia.hpp"

#include "kernels/numerics/dense.hpp"
#include "kernels/numerics/threads.hpp"

#include <pivotlab/interrupt.hpp>
#include <pivotlab/scalar_traits.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace pivotlab::ldlt_detail {
namespace {

/// Integers modulo a prime p < 2²⁷, represented by doubles between −p/2 − 2 and p/2 + 2.
struct Field {
  double p, inverse_p;

  explicit Field(std::int64_t prime) : p(static_cast<double>(prime)), inverse_p(1 / p) {}
  /// |x| < 2⁵³: the quotient is below 2²⁸, and its product with p is exact.
  double reduced(double x) const {
    constexpr double round = 0x1.8p52;  // x + round − round is the nearest integer to x
    return x - ((x * inverse_p + round) - round) * p;
  }
  double product(double x, double y) const { return reduced(x * y); }
  /// Returns the representative between −p/2 and p/2.
  double balanced(double x) const { return 2 * x > p ? x - p : (2 * x < -p ? x + p : x); }
  double of(std::int64_t x) const { return static_cast<double>(x % static_cast<std::int64_t>(p)); }
  double inverse(double x) const {  // by Euclid's algorithm
    std::int64_t a = static_cast<std::int64_t>(p), b = static_cast<std::int64_t>(x), u = 0, v = 1;
    while (b != 0) {
      const std::int64_t q = a / b;
      a = std::exchange(b, a - q * b);
      u = std::exchange(v, u - q * v);
    }
    return balanced(static_cast<double>(a * u));  // a = ±1
  }
};

/// The primes below 2²⁷ in descending order.
class Primes {
 public:
  Field next() {
    do candidate_ -= 2;
    while (!is_prime());
    return Field(candidate_);
  }

 private:
  bool is_prime() const {
    for (std::int64_t d = 3; d * d <= candidate_; d += 2)
      if (candidate_ % d == 0) return false;
    return true;
  }
  std::int64_t candidate_ = (std::int64_t{1} << 27) + 1;
};

/// mantissa·2^exponent
struct Element {
  Index row, col;
  std::int64_t mantissa;
  int exponent;
};

/// S·A·S with integers as small as powers of two in S make them, without its zeros.
class IntegerMatrix {
 public:
  explicit IntegerMatrix(const Matrix<double>& A) : order_(A.rows()) {
    for (Index j = 0; j < order_; ++j)
      for (Index i = 0; i < order_; ++i)
        if (A(i, j) != 0) elements_.push_back(element(i, j, A(i, j)));
    scale();
    for (const Element& e : elements_) largest_exponent_ = std::max(largest_exponent_, e.exponent);
    sum_logarithms();
  }
  Index order() const { return order_; }
  std::size_t nonzeros() const { return elements_.size(); }
  /// Returns an upper bound of log₂ of all minors of this order.
  double log2_of_minors(Index size) const {
    const auto end = std::min(logarithms_.begin() + size, logarithms_.end());
    return std::accumulate(logarithms_.begin(), end, 1e-6 * static_cast<double>(size + 1));
  }
  /// Computes P·S·A·S·Pᵀ modulo p; row i of A becomes row position[i].
  void residues(const Field& field, const std::vector<Index>& position, Matrix<double>& W) const {
    std::vector<double> powers(static_cast<std::size_t>(largest_exponent_) + 1, 1);
    for (std::size_t e = 1; e < powers.size(); ++e) powers[e] = field.reduced(2 * powers[e - 1]);
    std::fill_n(W.data(), W.size(), 0.);
    for (const Element& e : elements_)
      W(position[e.row], position[e.col]) = field.product(field.reduced(field.of(e.mantissa)), powers[e.exponent]);
  }

 private:
  static Element element(Index i, Index j, double x) {
    int exponent = 0;
    auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(x, &exponent), 53));
    for (exponent -= 53; mantissa % 2 == 0; ++exponent) mantissa /= 2;
    return {i, j, mantissa, exponent};
  }

  /// Chooses s with s_i + s_j + exponent ≥ 0: first some, then smaller ones row by row.
  void scale() {
    std::vector<std::vector<const Element*>> columns(order_);
    for (const Element& e : elements_) columns[e.col].push_back(&e);
    constexpr int none = std::numeric_limits<int>::min();
    std::vector<int> s(columns.size(), none);
    const auto necessary = [&](Index j) {
      int least = none;
      for (const Element* e : columns[j])
        if (e->row == j)
          least = std::max(least, -(e->exponent >> 1));  // ⌈−exponent/2⌉
        else if (s[e->row] != none)
          least = std::max(least, -e->exponent - s[e->row]);
      return least;
    };
    // A row that is first among its neighbours begins with half of its least exponent.
    for (Index j = 0; j < order_; ++j) {
      int half = none;
      for (const Element* e : columns[j]) half = std::max(half, -(e->exponent >> 1));
      s[j] = std::max(necessary(j), half);
    }
    for (int pass = 0; pass < 4; ++pass)
      for (Index j = 0; j < order_; ++j) s[j] = necessary(j);
    for (Element& e : elements_) e.exponent += s[e.row] + s[e.col];
  }

  /// Computes log₂ of the 2-norms of the rows in descending order.
  void sum_logarithms() {
    std::vector<double> largest(order_), sums(largest.size());
    const auto size = [](const Element& e) {
      return std::log2(std::abs(static_cast<double>(e.mantissa))) + e.exponent;
    };
    for (const Element& e : elements_) largest[e.row] = std::max(largest[e.row], size(e));
    for (const Element& e : elements_) sums[e.row] += std::exp2(2 * (size(e) - largest[e.row]));
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i] > 0) logarithms_.push_back(largest[i] + std::log2(sums[i]) / 2);
    std::ranges::sort(logarithms_, std::greater());
  }

  Index order_;
  std::vector<Element> elements_;
  std::vector<double> logarithms_;  ///< of rows that are not zero
  int largest_exponent_ = 0;
};

/// The pivots of an elimination: row i of A is row position[i], and sizes has their orders, 1 or 2.
struct Pivots {
  std::vector<Index> position;
  std::vector<int> sizes;
  Index rank = 0;
  double operations = 0;
};

/// Elimination modulo a prime.
class Elimination {
 public:
  explicit Elimination(Index order) : W_(order, order), first_(static_cast<std::size_t>(order)), second_(first_) {}

  /// Chooses pivots: a diagonal element with few others in its column, or two zeros with a nonzero element between.
  Pivots choose(const IntegerMatrix& A, const Field& field) {
    Pivots pivots;
    pivots.position.resize(first_.size());
    std::iota(pivots.position.begin(), pivots.position.end(), Index(0));
    A.residues(field, pivots.position, W_);
    std::vector<Index> row = pivots.position;  // inverse of position
    counts_.resize(row.size());
    for (Index j = 0; j < order(); ++j) count(0, j);
    const auto exchange = [&](Index k, Index i) {
      if (i == k) return;
      for (Index j = 0; j < order(); ++j) std::swap(W_(k, j), W_(i, j));
      std::swap_ranges(&W_(0, k), &W_(0, k) + order(), &W_(0, i));
      std::swap(counts_[k], counts_[i]);
      std::swap(row[k], row[i]);
    };
    Index k = 0;
    while (k < order()) {
      throw_if_interrupted();
      Index best = order();
      for (Index i = k; i < order(); ++i)
        if (W_(i, i) != 0 && (best == order() || counts_[i] < counts_[best])) best = i;
      if (best < order()) {
        exchange(k, best);
        pivots.sizes.push_back(1);
      } else {
        const Index col =
            static_cast<Index>(std::find_if(counts_.begin() + k, counts_.end(), std::identity()) - counts_.begin());
        if (col == order()) break;
        exchange(k, col);
        exchange(k + 1,
                 static_cast<Index>(std::find_if(&W_(k + 1, k), &W_(0, k) + order(), std::identity()) - &W_(0, k)));
        pivots.sizes.push_back(2);
      }
      pivots.operations += eliminate(field, k, pivots.sizes.back(), false);
      k += pivots.sizes.back();
      for (const Index j : changed_) count(k, j);
    }
    pivots.rank = k;
    for (Index i = 0; i < order(); ++i) pivots.position[row[i]] = i;
    return pivots;
  }

  enum class Outcome { same_rank, larger_rank, singular_pivot };
  /// Eliminates with these pivots; minors are d_1, …, d_r.
  Outcome repeat(const IntegerMatrix& A, const Field& field, const Pivots& pivots, std::vector<double>& minors) {
    A.residues(field, pivots.position, W_);
    minors.clear();
    double minor = 1;
    Index k = 0;
    for (const int size : pivots.sizes) {
      minors.push_back(field.product(minor, W_(k, k)));
      if (size == 2) minors.push_back(field.product(minor, determinant(field, k)));
      minor = minors.back();
      if (minor == 0) return Outcome::singular_pivot;
      eliminate(field, k, size, true);
      k += size;
    }
    for (Index j = k; j < order(); ++j)
      for (Index i = j; i < order(); ++i)
        if (W_(i, j) != 0) return Outcome::larger_rank;
    return Outcome::same_rank;
  }

 private:
  Index order() const { return W_.rows(); }

  double determinant(const Field& field, Index k) const {
    return field.reduced(field.product(W_(k, k), W_(k + 1, k + 1)) - W_(k + 1, k) * W_(k + 1, k));
  }
  /// Counts nonzero elements below row k.
  void count(Index k, Index j) { counts_[j] = std::count_if(&W_(0, j) + k, &W_(0, j) + order(), std::identity()); }

  /// Computes the Schur complement, or its lower triangle. Returns the number of products.
  double eliminate(const Field& field, Index k, int size, bool lower) {
    const Index next = k + size;
    const double *const x = &W_(0, k), *const y = &W_(0, k + size - 1);
    changed_.clear();
    for (Index i = next; i < order(); ++i)
      if (x[i] != 0 || y[i] != 0) changed_.push_back(i);
    if (size == 1) {
      const double inverse = field.inverse(x[k]);
      for (const Index i : changed_) first_[i] = field.product(x[i], inverse);
    } else {
      const double inverse = field.inverse(determinant(field, k));
      const double a = field.product(x[k], inverse), b = field.product(x[k + 1], inverse),
                   c = field.product(y[k + 1], inverse);
      for (const Index i : changed_) {
        first_[i] = field.reduced(field.product(x[i], c) - y[i] * b);
        second_[i] = field.reduced(field.product(y[i], a) - x[i] * b);
      }
    }
    const bool dense = 3 * std::ssize(changed_) > 2 * (order() - next);
    if (dense)  // multipliers of unchanged rows are zero
      for (Index i = next; i < order(); ++i)
        if (x[i] == 0 && y[i] == 0) first_[i] = second_[i] = 0;
    for (std::size_t at = 0; at < changed_.size(); ++at) {
      const Index j = changed_[at];
      double* const w = &W_(0, j);
      const auto subtract = [&](const std::vector<double>& m, double from) {
        const double* const multiplier = m.data();
        if (from == 0) return;
        if (dense)
          for (Index i = lower ? j : next; i < order(); ++i) w[i] = field.reduced(w[i] - multiplier[i] * from);
        else
          for (std::size_t other = lower ? at : 0; other < changed_.size(); ++other) {
            const Index i = changed_[other];
            w[i] = field.reduced(w[i] - multiplier[i] * from);
          }
      };
      subtract(first_, x[j]);
      if (size == 2) subtract(second_, y[j]);
    }
    const double changed = static_cast<double>(changed_.size());
    return size * changed * (dense ? changed / 2 : changed) + static_cast<double>(order() - k);
  }

  Matrix<double> W_;
  std::vector<double> first_, second_;   ///< multipliers
  std::vector<Index> counts_, changed_;  ///< nonzero elements of columns; rows that the last pivot changed
};

/// Returns the signs of integers below half of the product of all primes, given by their residues: residues[i][k] is
/// the k-th one modulo prime i.
std::vector<int> signs_of(const std::vector<Field>& fields, const std::vector<std::vector<double>>& residues,
                          int threads) {
  const auto count = static_cast<Index>(residues.front().size());
  std::vector<int> signs(residues.front().size());
  constexpr Index batch = 64;
  // 1/(p_1⋯p_(i−1)) modulo p_i
  std::vector<double> inverses;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    double product = 1;
    for (std::size_t j = 0; j < i; ++j)
      product = fields[i].product(product, fields[i].reduced(fields[j].p - fields[i].p));
    inverses.push_back(fields[i].inverse(product));
  }
  ParallelInterrupt interrupt;
#pragma omp parallel for num_threads(thread_count(threads)) schedule(dynamic, 1)
  for (Index first = 0; first < count; first += batch) {
    const Index end = std::min(first + batch, count);
    std::vector<std::vector<double>> digits;
    for (std::size_t i = 0; i < fields.size() && !interrupt.seen(); ++i) {
      const Field& field = fields[i];
      std::vector<double> sums(end - first);
      for (std::size_t j = i; j-- > 0;) {  // Horner's rule
        const double p = field.reduced(fields[j].p - field.p);
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = field.reduced(sums[k] * p + digits[j][k]);
      }
      for (std::size_t k = 0; k < sums.size(); ++k) {
        const double rest = field.reduced(residues[i][first + static_cast<Index>(k)] - sums[k]);
        sums[k] = field.balanced(field.product(rest, inverses[i]));
        if (sums[k] != 0) signs[first + static_cast<Index>(k)] = sums[k] > 0 ? 1 : -1;
      }
      digits.push_back(std::move(sums));
    }
  }
  interrupt.throw_if_seen();
  return signs;
}

/// Returns the inertia of a matrix of order n from the signs of its leading minors and the orders of its pivots.
Inertia inertia_of(const std::vector<int>& signs, const std::vector<int>& sizes, Index n) {
  Inertia inertia{0, 0, n - std::ssize(signs)};
  int previous = 1;
  std::size_t k = 0;
  for (const int size : sizes) {
    const int last = signs[k + static_cast<std::size_t>(size) - 1];
    if (size == 2 && last != previous) {
      ++inertia.positive, ++inertia.negative;
    } else {
      (signs[k] == previous ? inertia.positive : inertia.negative) += size;
    }
    previous = last;
    k += static_cast<std::size_t>(size);
  }
  return inertia;
}

class ExactInertia {
 public:
  ExactInertia(const Matrix<double>& A, const Inertia& known, double most_operations, int threads)
      : A_(A), known_(known), most_operations_(most_operations), threads_(thread_count(threads)) {}

  std::optional<Inertia> run() {
    Pivots least;  // of a matrix of the least possible rank, without operations
    least.rank = known_.positive + known_.negative;
    if (!affordable(least, true)) return std::nullopt;
    Field field = primes_.next();
    for (;;) {
      const Pivots pivots = Elimination(A_.order()).choose(A_, field);
      const bool signs_known = known_.positive + known_.negative == pivots.rank;
      if (signs_known && pivots.rank == A_.order()) return Inertia{known_.positive, known_.negative, 0};
      if (!affordable(pivots, signs_known)) return std::nullopt;
      const std::optional<Field> other = collect(pivots);
      if (!other && signs_known) return Inertia{known_.positive, known_.negative, A_.order() - pivots.rank};
      if (!other) return inertia_of(signs_of(fields_, residues_, threads_), pivots.sizes, A_.order());
      field = *other;
    }
  }

 private:
  double bits(const Pivots& pivots) const { return A_.log2_of_minors(pivots.rank + 1) + 2; }

  bool affordable(const Pivots& pivots, bool signs_known) const {
    const double primes = bits(pivots) / 26.9 + 1, n = static_cast<double>(A_.order());
    const double of_prime = pivots.operations + n * n / 2 + 4 * static_cast<double>(A_.nonzeros());
    const double of_signs = signs_known ? 0 : primes * primes * (n / 2 + 4);
    return primes * of_prime + of_signs <= most_operations_;
  }

  std::vector<Elimination::Outcome> eliminate(const Pivots& pivots, const std::vector<Field>& fields,
                                              std::vector<std::vector<double>>& minors) const {
    const auto count = std::ssize(fields);
    std::vector<Elimination::Outcome> outcomes(fields.size());
    ParallelInterrupt interrupt;
#pragma omp parallel num_threads(static_cast <int>(std::min <std::ptrdiff_t>(threads_, count)))
    {
      Elimination elimination(A_.order());
#pragma omp for schedule(dynamic, 1)
      for (std::ptrdiff_t i = 0; i < count; ++i)
        if (!interrupt.seen()) outcomes[i] = elimination.repeat(A_, fields[i], pivots, minors[i]);
    }
    interrupt.throw_if_seen();
    return outcomes;
  }

  /// Eliminates modulo as many primes as prove the rank and the signs. Returns a prime that shows a larger rank.
  std::optional<Field> collect(const Pivots& pivots) {
    fields_.clear();
    residues_.clear();
    double missing = bits(pivots);
    std::optional<Field> larger;
    while (missing > 0 && !larger) {
      std::vector<Field> fields;
      for (double left = missing; left > 0; left -= 26.9) fields.push_back(primes_.next());
      std::vector<std::vector<double>> minors(fields.size());
      const std::vector<Elimination::Outcome> outcomes = eliminate(pivots, fields, minors);
      for (std::size_t i = 0; i < fields.size(); ++i) {
        if (outcomes[i] == Elimination::Outcome::larger_rank && !larger) larger = fields[i];
        if (outcomes[i] != Elimination::Outcome::same_rank) continue;
        missing -= 26.9;  // less than log₂ of the half a million primes above 1.26e8
        fields_.push_back(fields[i]);
        residues_.push_back(std::move(minors[i]));
      }
    }
    return larger;
  }

  IntegerMatrix A_;
  Inertia known_;
  double most_operations_;
  int threads_;
  Primes primes_;
  std::vector<Field> fields_;
  std::vector<std::vector<double>> residues_;
};

}  // namespace

template <>
std::optional<Inertia> exact_inertia(MatrixView<const double> A, const Inertia& known, double most_operations,
                                     int threads) {
  if (A.rows == 0) return Inertia{};
  return ExactInertia(matrix_of(Factor<double>(A)), known, most_operations, threads).run();
}

/// [Re A, −Im A; Im A, Re A] has every eigenvalue of A twice.
template <>
std::optional<Inertia> exact_inertia(MatrixView<const std::complex<double>> A, const Inertia& known,
                                     double most_operations, int threads) {
  const Index n = A.rows;
  Matrix<double> parts(2 * n, 2 * n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      parts(i, j) = parts(n + i, n + j) = A(i, j).real();
      parts(n + i, j) = A(i, j).imag();
      parts(i, n + j) = -A(i, j).imag();
    }
  const Inertia twice_known{2 * known.positive, 2 * known.negative, 2 * known.zero};
  const auto twice = exact_inertia<double>(parts, twice_known, most_operations, threads);
  if (!twice) return std::nullopt;
  return Inertia{twice->positive / 2, twice->negative / 2, twice->zero / 2};
}

}  // namespace pivotlab::ldlt_detail
