#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "generators/io/check.hpp"

#include <pivotlab/definite_pair.hpp>
#include <pivotlab/error.hpp>

namespace pivotlab {
namespace {

template <class T>
using Extended = Rebind<T, long double>;

template <class T>
Extended<T> extend(const T& x) {
  return Extended<T>(x);
}

/// x − Σ_p conj(a_p)·b_p, by four partial sums because long double additions wait for each other.
template <class T>
Extended<T> minus_dot(const T& x, const T* a, const T* b, Index count) {
  Extended<T> sums[4] = {extend(x), {}, {}, {}};
  for (Index p = 0; p < count; ++p) {
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

template <class T>
bool is_zero_column(MatrixView<const T> A, Index j) {
  return std::all_of(A.col(j).begin(), A.col(j).end(), [](const T& x) { return x == T(0); });
}

/// A = RᴴR, R upper triangular, row by row: r_ii = √(a_ii − r_iᴴr_i), r_ij = (a_ij − r_iᴴr_j)/r_ii over the rows above
/// i.
template <class T>
Matrix<T> cholesky(std::string_view name, const Matrix<T>& A, bool semidefinite) {
  const Index n = A.rows();
  Matrix<T> R(n, n);
  for (Index i = 0; i < n; ++i) {
    const auto pivot = real_part(minus_dot(A(i, i), &R(0, i), &R(0, i), i));
    if (pivot == 0 && semidefinite && is_zero_column(A.view(), i)) continue;
    if (!(pivot > 0))
      io::fail(name, "", fmt::format("is not positive definite: the leading minor of order {} is not positive", i + 1),
               semidefinite ? "give a positive semidefinite matrix, zero only in whole rows and columns"
                            : "give a positive definite matrix, or exchange K and M where the other one is");
    const long double root = std::sqrt(pivot);
    R(i, i) = T(static_cast<double>(root));
#pragma omp parallel for schedule(static)
    for (Index j = i + 1; j < n; ++j) R(i, j) = T(minus_dot(A(i, j), &R(0, i), &R(0, j), i) / root);
  }
  return R;
}

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
        return Pair<T>{cholesky("K", stiffness, true), cholesky("M", mass, false), {}, "Cholesky factors of K and M"};
      },
      K);
}

}  // namespace pivotlab
