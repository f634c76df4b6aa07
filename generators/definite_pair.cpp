// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/io/check.hpp"
#include "kernels/numerics/double_double.hpp"
#include "kernels/numerics/extension.hpp"
#include "kernels/numerics/threads.hpp"

#include <pivotlab/definite_pair.hpp>
#include <pivotlab/interrupt.hpp>
#include <pivotlab/ldlt.hpp>

namespace pivotlab {
namespace {

template <class T>
using Extended = Rebind<T, long double>;

template <class T>
Extended<T> lengthened(const T& x) {
  return Extended<T>(x);
}

/// Computes x − Σ_p conj(a_p)·b_p over first ≤ p < last with four partial sums, because successive long double
/// additions wait for each other.
template <class T>
Extended<T> minus_dot(const T& x, const T* a, const T* b, Index first, Index last) {
  Extended<T> sums[4] = {lengthened(x), {}, {}, {}};
  for (Index p = first; p < last; ++p) {
    auto& sum = sums[p % 4];
    if constexpr (is_complex<T>) {
      const long double ar = a[p].real(), ai = a[p].imag(), br = b[p].real(), bi = b[p].imag();
      sum -= Extended<T>(ar * br + ai * bi, ar * bi - ai * br);
    } else {
      sum -= lengthened(a[p]) * lengthened(b[p]);
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

/// Returns n·ε of R, the size of rounding errors of n operations.
template <class R>
R rounding(Index n) {
  return static_cast<R>(n) * std::numeric_limits<R>::epsilon();
}

template <class T>
void require_hermitian(std::string_view name, const Matrix<T>& A) {
  if (A.rows() != A.cols() || A.rows() == 0)
    io::fail(name, "", fmt::format("is {} x {}, not square", A.rows(), A.cols()), "give a Hermitian matrix");
  io::require_finite(name, "", A.view());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j; i < A.rows(); ++i)
      if (A(j, i) != conjugate(A(i, j)))
        io::fail(name, "", fmt::format("the entries ({0}, {1}) and ({1}, {0}) are not conjugate", i + 1, j + 1),
                 "give a Hermitian matrix, for instance (A + A')/2");
}

/// Computes A = RᴴR, R upper triangular: r_ii = √(a_ii − r_iᴴr_i), r_ij = (a_ij − r_iᴴr_j)/r_ii over the rows above i.
/// Column j of R has the leading zeros of column j of A, so sums start after them: matrices of structures have narrow
/// envelopes.
template <class T>
class Cholesky {
 public:
  explicit Cholesky(const Matrix<T>& A) : A_(A), R_(A.rows(), A.rows()), first_(size()), root_(size()) {
    for (Index j = 0; j < A.cols(); ++j) {
      const auto column = A.col(j).first(j);
      first_[at(j)] = std::find_if(column.begin(), column.end(), [](const T& x) { return x != T(0); }) - column.begin();
    }
  }

  /// Returns nothing if a pivot is at most `least` of its diagonal element, by default the rounding errors of sums,
  /// unless its row and column of A are zero.
  std::optional<Matrix<T>> factor(int threads, std::optional<double> least = {}) && {
    if (least) least_ = *least;
    constexpr Index panel = 64;  // rows between two barriers
    for (Index top = 0; top < A_.rows(); top += panel) {
      throw_if_interrupted();
      const Index bottom = std::min(top + panel, A_.rows());
      for (Index j = top; j < bottom; ++j) {
        reduce(j, top, j);
        if (!set_pivot(j)) return std::nullopt;
      }
#pragma omp parallel for schedule(static, 8) num_threads(thread_count(threads))
      for (Index j = bottom; j < A_.cols(); ++j) reduce(j, top, bottom);
    }
    return std::move(R_);
  }

 private:
  std::size_t size() const {
    return static_cast<std::size_t>(A_.rows());
  }
  static std::size_t at(Index i) {
    return static_cast<std::size_t>(i);
  }

  /// Computes the entries of column j in rows top ≤ i < bottom, whose pivots are known.
  void reduce(Index j, Index top, Index bottom) {
    for (Index i = std::max(top, first_[at(j)]); i < bottom; ++i) {
      if (root_[at(i)] == 0) continue;
      const Index begin = std::max(first_[at(i)], first_[at(j)]);
      R_(i, j) = T(minus_dot(A_(i, j), R_.col(i).data(), R_.col(j).data(), begin, i) / root_[at(i)]);
    }
  }

  bool set_pivot(Index j) {
    const T* column = R_.col(j).data();
    const auto pivot = real_part(minus_dot(A_(j, j), column, column, first_[at(j)], j));
    if (pivot == 0 && is_zero(j)) return true;
    if (!(pivot > least_ * real_part(A_(j, j)))) return false;
    root_[at(j)] = std::sqrt(pivot);
    R_(j, j) = T(static_cast<double>(root_[at(j)]));
    return true;
  }

  bool is_zero(Index j) const {
    const auto column = A_.col(j);
    return std::all_of(column.begin(), column.end(), [](const T& x) { return x == T(0); });
  }

  const Matrix<T>& A_;
  long double least_ = rounding<long double>(A_.rows());
  Matrix<T> R_;
  std::vector<Index> first_;       ///< row of the first nonzero of a column above the diagonal, or the diagonal
  std::vector<long double> root_;  ///< the diagonal of R before it is rounded, 0 in a zero row
};

/// Computes A = FᴴF for a semidefinite A by Cholesky's method with diagonal pivots, the largest relative to the
/// diagonal of A first: row k of F is that of the k-th pivot, and rows beyond the rank are zero. A remainder counts as
/// zero where it is rounding error of this computation, and, if it is indefinite, of A's entries. Returns nothing for
/// an indefinite A.
template <class T>
std::optional<Matrix<T>> semidefinite_factor(const Matrix<T>& A) {
  using E = Extended<T>;
  const Index n = A.rows();
  std::vector<E> S(A.size());
  std::transform(A.data(), A.data() + A.size(), S.begin(), lengthened<T>);
  const auto s = [&](Index i, Index j) -> E& { return S[i + j * n]; };
  const auto size = [&](Index i, Index j) {
    return std::sqrt(static_cast<long double>(real_part(A(i, i)))) *
           std::sqrt(static_cast<long double>(real_part(A(j, j))));
  };
  std::vector<Index> left(n);
  std::iota(left.begin(), left.end(), Index(0));
  for (const Index j : left)
    if (!(real_part(A(j, j)) >= 0)) return std::nullopt;
  Matrix<T> F(n, n);
  for (Index k = 0; k < n; ++k) {
    Index pivot = -1;
    long double largest = 0;
    for (const Index j : left)
      if (const long double ratio = A(j, j) == T(0) ? 0 : std::real(s(j, j)) / std::real(lengthened(A(j, j)));
          ratio > largest)
        largest = ratio, pivot = j;
    const bool indefinite = std::any_of(left.begin(), left.end(), [&](Index i) {
      return std::real(s(i, i)) < 0 || std::any_of(left.begin(), left.end(), [&](Index j) {
               return i < j && std::norm(s(i, j)) > std::real(s(i, i)) * std::real(s(j, j));
             });
    });
    if (pivot < 0 || largest <= 8 * rounding<long double>(n) || (indefinite && largest <= rounding<double>(n))) break;
    const long double root = std::sqrt(std::real(s(pivot, pivot)));
    std::erase(left, pivot);
    std::vector<E> row(n);
    for (const Index j : left) row[j] = s(pivot, j) / root;
    F(k, pivot) = T(static_cast<double>(root));
    for (const Index j : left) {
      F(k, j) = T(row[j]);
      for (const Index i : left) s(i, j) -= conjugate(row[i]) * row[j];
    }
  }
  for (const Index j : left)
    for (const Index i : left)
      if (!(std::abs(s(i, j)) <= rounding<double>(n) * size(i, j))) return std::nullopt;
  return F;
}

/// Returns the Cholesky factor of a definite A, else nothing. Where rounding errors could decide, `semidefinite`
/// becomes a factor of a semidefinite A.
template <class T>
std::optional<Matrix<T>> definite_factor(const Matrix<T>& A, int threads, std::optional<Matrix<T>>& semidefinite) {
  if (auto R = Cholesky<T>(A).factor(threads, 1e-10)) return R;
  // A smaller pivot may be due to the rounding of R to double, which pivots before it magnify.
  semidefinite = semidefinite_factor(A);
  const Index last = A.rows() - 1;
  if (semidefinite && std::ranges::all_of(std::views::iota(Index(0), A.cols()),
                                          [&](Index j) { return (*semidefinite)(last, j) == T(0); }))
    return std::nullopt;
  return Cholesky<T>(A).factor(threads);
}

/// Returns a factor F of A = FᴴF.
template <class T>
Matrix<T> factor_of(std::string_view name, const Matrix<T>& A, std::string_view remedy, int threads) {
  std::optional<Matrix<T>> F;
  if (auto R = definite_factor(A, threads, F)) return *std::move(R);
  if (!F) io::fail(name, "", "is indefinite", remedy);
  return *std::move(F);
}

template <class T>
const Matrix<T>& checked_second(std::string_view first_name, const Matrix<T>& first, std::string_view name,
                                const AnyMatrix& any) {
  const auto& second = std::get<Matrix<T>>(any);
  require_hermitian(first_name, first);
  require_hermitian(name, second);
  if (first.rows() != second.rows())
    io::fail(fmt::format("{} and {}", first_name, name), "",
             fmt::format("are of orders {} and {}", first.rows(), second.rows()), "give two matrices of one order");
  return second;
}

void require_one_type(std::string_view names, const AnyMatrix& A, const AnyMatrix& B) {
  if (A.index() != B.index()) io::fail(names, "", "one is real and the other complex", "give two matrices of one type");
}

}  // namespace

AnyPair definite_pair(const AnyMatrix& K, const AnyMatrix& M, int threads) {
  require_one_type("K and M", K, M);
  return std::visit(
      [&]<class T>(const Matrix<T>& stiffness) -> AnyPair {
        const Matrix<T>& mass = checked_second("K", stiffness, "M", M);
        auto G = factor_of("M", mass, "exchange K and M where the other one is positive semidefinite", threads);
        auto F = factor_of("K", stiffness, "take indefinite_pair(K, M) and ghsvd, which want a positive definite M",
                           threads);
        return Pair<T>{std::move(F), std::move(G), {}, "Cholesky factors of K and M"};
      },
      K);
}

IndefinitePair indefinite_pair(const AnyMatrix& H, const AnyMatrix& S, int threads) {
  require_one_type("H and S", H, S);
  return std::visit(
      [&]<class T>(const Matrix<T>& hermitian) -> IndefinitePair {
        using E = Rebind<T, DoubleDouble>;
        const Matrix<T>& metric = checked_second("H", hermitian, "S", S);
        std::optional<Matrix<T>> semidefinite;
        auto G = definite_factor(metric, threads, semidefinite);
        const auto diagonal = std::views::iota(Index(0), metric.rows());
        if (!G || std::ranges::any_of(diagonal, [&](Index j) { return (*G)(j, j) == T(0); }))
          io::fail("S", "", "is not positive definite up to rounding errors",
                   "give a positive definite matrix, or exchange H and S where the other one is");
        Matrix<E> extended(hermitian.rows(), hermitian.cols());
        double largest = 0;
        for (Index i = 0; i < hermitian.size(); ++i) largest = std::max(largest, std::abs(hermitian.data()[i]));
        // Second limbs of tiny elements would underflow.
        const double scale = std::ldexp(1.0, largest > 0 && largest < 0x1p-800 ? std::ilogb(largest) / 2 : 0);
        for (Index i = 0; i < hermitian.size(); ++i)
          extended.data()[i] = extend<E>(hermitian.data()[i] / scale / scale);
        const auto f = ldlt<E>(
            extended,
            {.variant = {.pivoting = Pivoting::complete}, .triangle = InputTriangle::lower, .threads = threads});
        const auto gjg = f.gjg();
        IndefinitePair result;
        for (const int sign : gjg.J)
          if (sign != 0) result.J.push_back(sign);
        Matrix<T> F(std::ssize(result.J), hermitian.cols());
        Index row = 0;
        for (Index k = 0; k < hermitian.cols(); ++k) {
          if (gjg.J[k] == 0) continue;
          for (Index i = 0; i < hermitian.cols(); ++i)
            F(row, f.permutation[i]) = scale * conjugate(round_to_double<T>(gjg.G(i, k)));
          ++row;
        }
        result.pair = Pair<T>{std::move(F), *std::move(G), {}, "H = F^H J F and S = G^H G"};
        return result;
      },
      H);
}

}  // namespace pivotlab
