// SPDX-License-Identifier: BSD-3-Clause
// Matrices for the tests of numerics: entries of full precision in any scalar, well or ill scaled.
#pragma once

#include <cmath>
#include <kernels/numerics/double_double.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <random>

namespace pivotlab::test {

template <class T>
class RandomEntries {
 public:
  explicit RandomEntries(unsigned seed) : engine_(seed) {}

  /// Uniform in (−1, 1), with all the bits that T has.
  T operator()() {
    if constexpr (is_complex<T>) {
      const auto re = real(), im = real();
      return T(re, im);
    } else {
      return real();
    }
  }
  int exponent(int span) { return std::uniform_int_distribution(-span, span)(engine_); }

 private:
  using R = RealOf<T>;
  R real() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    R x(uniform(engine_));
    if constexpr (!std::is_same_v<R, double>) x += R(uniform(engine_) * 0x1p-53);
    if constexpr (std::is_same_v<R, Quad>) x += R(uniform(engine_) * 0x1p-106);
    return x;
  }
  std::mt19937 engine_;
};

template <class T>
T scaled(const T& x, int e) {
  using std::ldexp;
  if constexpr (is_complex<T>)
    return T(scaled(x.real(), e), scaled(x.imag(), e));
  else
    return ldexp(x, e);
}

/// Rows scaled by 2^e with |e| ≤ row_span, columns likewise, entries by up to 2^±entry_span, some entries zero.
template <class T>
Matrix<T> random_matrix(Index rows, Index cols, unsigned seed, int row_span = 0, int col_span = 0, int entry_span = 0,
                        bool some_zeros = false) {
  RandomEntries<T> next(seed);
  std::vector<int> row_scale(rows), col_scale(cols);
  for (int& e : row_scale) e = next.exponent(row_span);
  for (int& e : col_scale) e = next.exponent(col_span);
  Matrix<T> A(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) {
      const T x = scaled(next(), row_scale[i] + col_scale[j] + next.exponent(entry_span));
      A(i, j) = some_zeros && next.exponent(3) > 0 ? T(0) : x;
    }
  return A;
}

}  // namespace pivotlab::test
