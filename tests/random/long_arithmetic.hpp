// SPDX-License-Identifier: BSD-3-Clause
// Linear algebra in 100 digits, by the shortest algorithms there are: what judges are compared with. It shares no code
// with them.
#pragma once

#include <kernels/numerics/long_numbers.hpp>
#include <pivotlab/matrix.hpp>

#include <algorithm>
#include <complex>
#include <functional>
#include <vector>

namespace pivotlab::test {

using Long = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<100, boost::multiprecision::digit_base_10, void, std::int32_t>,
    boost::multiprecision::et_off>;
using LongComplex = std::complex<Long>;
using LongMatrix = Matrix<LongComplex>;

inline LongComplex to_long(double x) {
  return {Long(x), Long(0)};
}
inline LongComplex to_long(const std::complex<double>& x) {
  return {Long(x.real()), Long(x.imag())};
}
template <class T>
LongMatrix to_long(const Matrix<T>& A) {
  LongMatrix result(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) result.data()[i] = to_long(A.data()[i]);
  return result;
}

// By parts: the products of std::complex treat infinities, which costs more than the product.
inline LongComplex times(const LongComplex& x, const LongComplex& y) {
  return {x.real() * y.real() - x.imag() * y.imag(), x.real() * y.imag() + x.imag() * y.real()};
}
inline Long squared(const LongComplex& x) {
  return x.real() * x.real() + x.imag() * x.imag();
}
inline Long modulus(const LongComplex& x) {
  return sqrt(squared(x));
}
inline LongComplex quotient(const LongComplex& x, const LongComplex& y) {
  const LongComplex z = times(x, std::conj(y));
  const Long size = squared(y);
  return {z.real() / size, z.imag() / size};
}

inline LongMatrix operator*(const LongMatrix& A, const LongMatrix& B) {
  LongMatrix C(A.rows(), B.cols());
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < A.cols(); ++k)
      for (Index i = 0; i < A.rows(); ++i) C(i, j) += times(A(i, k), B(k, j));
  return C;
}
inline LongMatrix operator-(const LongMatrix& A, const LongMatrix& B) {
  LongMatrix C(A.rows(), A.cols());
  for (Index i = 0; i < A.size(); ++i) C.data()[i] = A.data()[i] - B.data()[i];
  return C;
}
inline LongMatrix transposed(const LongMatrix& A) {
  LongMatrix B(A.cols(), A.rows());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) B(j, i) = A(i, j);
  return B;
}
inline LongMatrix adjoint(LongMatrix A) {
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = std::conj(A.data()[i]);
  return transposed(A);
}
inline LongMatrix long_identity(Index n) {
  LongMatrix I(n, n);
  for (Index i = 0; i < n; ++i) I(i, i) = to_long(1.0);
  return I;
}

inline Long norm(std::span<const LongComplex> x) {
  Long squares = 0;
  for (const LongComplex& element : x) squares += squared(element);
  return sqrt(squares);
}
inline Long frobenius_norm(const LongMatrix& A) {
  return norm({A.data(), static_cast<std::size_t>(A.size())});
}
inline Long norm_1(const LongMatrix& A) {
  Long largest = 0;
  for (Index j = 0; j < A.cols(); ++j) {
    Long sum = 0;
    for (const LongComplex& x : A.col(j)) sum += modulus(x);
    largest = std::max(largest, sum);
  }
  return largest;
}

/// Returns the relative size below which differences are rounding errors of 100 digits.
inline Long long_noise() {
  return ldexp(Long(1), -250);
}

/// A⁻¹ by Gauß–Jordan elimination with complete pivoting; empty if A is singular.
inline LongMatrix inverted(LongMatrix A) {
  const Index n = A.cols();
  LongMatrix X = long_identity(n);
  std::vector<Index> pivot_rows(static_cast<std::size_t>(n));
  std::vector<bool> row_done(static_cast<std::size_t>(n)), column_done(static_cast<std::size_t>(n));
  for (Index step = 0; step < n; ++step) {
    Index row = -1, column = -1;
    for (Index j = 0; j < n; ++j)
      for (Index i = 0; i < n; ++i)
        if (!row_done[i] && !column_done[j] && (row < 0 || squared(A(i, j)) > squared(A(row, column))))
          row = i, column = j;
    if (squared(A(row, column)) == 0) return {};
    row_done[row] = column_done[column] = true, pivot_rows[column] = row;
    const LongComplex pivot = A(row, column);
    for (LongMatrix* M : {&A, &X})
      for (Index j = 0; j < n; ++j) (*M)(row, j) = quotient((*M)(row, j), pivot);
    for (Index i = 0; i < n; ++i) {
      const LongComplex factor = A(i, column);
      if (i == row || squared(factor) == 0) continue;
      for (LongMatrix* M : {&A, &X})
        for (Index j = 0; j < n; ++j) (*M)(i, j) -= times(factor, (*M)(row, j));
    }
  }
  LongMatrix result(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) result(i, j) = X(pivot_rows[i], j);
  return result;
}

/// Singular values, descending, by one-sided Jacobi rotations. Columns that are all rounding noise, as of a matrix that
/// is not of full rank, never become orthogonal; all others are after a third of these sweeps.
inline std::vector<Long> singular_values(LongMatrix A) {
  const Long noise = long_noise();
  constexpr int most_sweeps = 30;
  bool rotated = true;
  for (int sweep = 0; rotated && sweep < most_sweeps; ++sweep) {
    rotated = false;
    for (Index p = 0; p < A.cols(); ++p)
      for (Index q = p + 1; q < A.cols(); ++q) {
        LongComplex dot;
        for (Index i = 0; i < A.rows(); ++i) dot += times(std::conj(A(i, p)), A(i, q));
        const Long a = norm(A.col(p)), b = norm(A.col(q)), c = modulus(dot);
        if (c <= noise * a * b) continue;
        rotated = true;
        const LongComplex phase(dot.real() / c, dot.imag() / c);
        const Long zeta = (b * b - a * a) / (2 * c);
        const Long t = (zeta < 0 ? -1 : 1) / (abs(zeta) + sqrt(1 + zeta * zeta)), cosine = 1 / sqrt(1 + t * t),
                   sine = cosine * t;
        for (Index i = 0; i < A.rows(); ++i) {
          const LongComplex x = times(A(i, p), phase), y = A(i, q);
          A(i, p) = LongComplex(cosine * x.real() - sine * y.real(), cosine * x.imag() - sine * y.imag());
          A(i, q) = LongComplex(sine * x.real() + cosine * y.real(), sine * x.imag() + cosine * y.imag());
        }
      }
  }
  std::vector<Long> sigma;
  for (Index j = 0; j < A.cols(); ++j) sigma.push_back(norm(A.col(j)));
  std::ranges::sort(sigma, std::greater{});
  return sigma;
}

}  // namespace pivotlab::test
