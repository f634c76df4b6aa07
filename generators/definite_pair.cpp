#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/io/check.hpp"

#include <pivotlab/definite_pair.hpp>

namespace pivotlab {
namespace {

template <class T>
using Extended = Rebind<T, long double>;

template <class T>
Extended<T> extend(const T& x) {
  return Extended<T>(x);
}

/// Computes x − Σ_p conj(a_p)·b_p over first ≤ p < last with four partial sums, because successive long double
/// additions wait for each other.
template <class T>
Extended<T> minus_dot(const T& x, const T* a, const T* b, Index first, Index last) {
  Extended<T> sums[4] = {extend(x), {}, {}, {}};
  for (Index p = first; p < last; ++p) {
    auto& sum = sums[p % 4];
    if constexpr (is_complex<T>) {
      const long double ar = a[p].real(), ai = a[p].imag(), br = b[p].real(), bi = b[p].imag();
      sum -= Extended<T>(ar * br + ai * bi, ar * bi - ai * br);
    } else {
      sum -= extend(a[p]) * extend(b[p]);
    }
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
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
  Cholesky(std::string_view name, const Matrix<T>& A, bool semidefinite)
      : name_(name), A_(A), semidefinite_(semidefinite), R_(A.rows(), A.rows()), first_(size()), root_(size()) {
    for (Index j = 0; j < A.cols(); ++j) {
      const auto column = A.col(j).first(static_cast<std::size_t>(j));
      first_[at(j)] = std::find_if(column.begin(), column.end(), [](const T& x) { return x != T(0); }) - column.begin();
    }
  }

  Matrix<T> factor() && {
    constexpr Index panel = 64;  // rows between two barriers
    for (Index top = 0; top < A_.rows(); top += panel) {
      const Index bottom = std::min(top + panel, A_.rows());
      for (Index j = top; j < bottom; ++j) {
        reduce(j, top, j);
        set_pivot(j);
      }
#pragma omp parallel for schedule(static, 8)
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

  void set_pivot(Index j) {
    const T* column = R_.col(j).data();
    const auto pivot = real_part(minus_dot(A_(j, j), column, column, first_[at(j)], j));
    if (pivot == 0 && semidefinite_ && is_zero(j)) return;
    if (!(pivot > 0))
      io::fail(name_, "", fmt::format("is not positive definite: the leading minor of order {} is not positive", j + 1),
               semidefinite_ ? "give a positive semidefinite matrix, zero only in whole rows and columns"
                             : "give a positive definite matrix, or exchange K and M where the other one is");
    root_[at(j)] = std::sqrt(pivot);
    R_(j, j) = T(static_cast<double>(root_[at(j)]));
  }

  bool is_zero(Index j) const {
    const auto column = A_.col(j);
    return std::all_of(column.begin(), column.end(), [](const T& x) { return x == T(0); });
  }

  std::string_view name_;
  const Matrix<T>& A_;
  bool semidefinite_;
  Matrix<T> R_;
  std::vector<Index> first_;       ///< row of the first nonzero of a column above the diagonal, or the diagonal
  std::vector<long double> root_;  ///< the diagonal of R before it is rounded, 0 in a zero row
};

}  // namespace

AnyPair definite_pair(const AnyMatrix& K, const AnyMatrix& M) {
  if (K.index() != M.index())
    io::fail("K and M", "", "one is real and the other complex", "give two matrices of one type");
  return std::visit(
      [&]<class T>(const Matrix<T>& stiffness) -> AnyPair {
        const auto& mass = std::get<Matrix<T>>(M);
        require_hermitian("K", stiffness);
        require_hermitian("M", mass);
        if (stiffness.rows() != mass.rows())
          io::fail("K and M", "", fmt::format("are of orders {} and {}", stiffness.rows(), mass.rows()),
                   "give two matrices of one order");
        auto G = Cholesky<T>("M", mass, false).factor();
        return Pair<T>{Cholesky<T>("K", stiffness, true).factor(), std::move(G), {}, "Cholesky factors of K and M"};
      },
      K);
}

}  // namespace pivotlab
