// SPDX-License-Identifier: BSD-3-Clause
// Operands of ten kinds for tests of exact products, and their products in integers of any length.
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <pivotlab/exact.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <random>
#include <string>
#include <vector>

namespace pivotlab::test {

using Long = boost::multiprecision::cpp_int;

/// A double is an integer in units of 2⁻¹⁰⁷⁴, a product of two in units of 2⁻²¹⁴⁸.
inline constexpr int unit_of_double = 1074, unit_of_product = 2148;

/// Returns x as an integer in units of 2^(−unit).
inline Long integer(double x, int unit) {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const int biased = static_cast<int>(bits >> 52) & 2047;
  Long result = bits & ((std::uint64_t(1) << 52) - 1);
  if (biased != 0) result |= std::uint64_t(1) << 52;
  result <<= (biased == 0 ? 1 : biased) - 1 + unit - unit_of_double;
  return bits >> 63 != 0 ? Long(-result) : result;
}

struct Kind {
  std::string name;
  bool two_limbs = false, is_finite = true;
};
inline const std::vector<Kind> kinds{{"gauss"},     {"cancel"},    {"graded"}, {"wide"},     {"two limbs", true},
                                     {"reflector"}, {"subnormal"}, {"huge"},   {"integers"}, {"special", false, false}};

/// Holds a factor of two limbs; lo is empty for kinds of one.
template <class T>
struct Limbs {
  Matrix<T> hi, lo;
  ExactFactor<T> factor() const { return {hi.view(), lo.size() > 0 ? lo.view() : MatrixView<const T>{}}; }
};

template <class T>
struct Problem {
  Limbs<T> A, B;
};

/// Makes A (m × k) and B (k × n) of a kind.
template <class T>
Problem<T> make_problem(const Kind& kind, Index m, Index n, Index k, unsigned seed = 1) {
  std::mt19937_64 engine(seed);
  std::normal_distribution<double> normal;
  std::uniform_int_distribution<int> power(-20, 20);
  std::vector<int> grades(static_cast<std::size_t>(k));
  for (int& grade : grades) grade = std::uniform_int_distribution<int>(-100, 100)(engine);
  const auto real = [&](bool is_b, Index i, Index inner) {
    const double x = normal(engine);
    if (kind.name == "graded") return std::ldexp(x, (is_b ? -1 : 1) * grades[static_cast<std::size_t>(inner)]);
    if (kind.name == "wide") return std::ldexp(x, power(engine));
    if (kind.name == "reflector")
      return (i == inner ? 1.0 : 0.0) - 2 * (1 + i % 7) * (1 + inner % 7) / (9.0 * static_cast<double>(k));
    if (kind.name == "subnormal") return std::ldexp(x, is_b ? 990 : -1068);
    if (kind.name == "huge") return std::ldexp(x, is_b ? -1010 : 1018);
    if (kind.name == "integers") return std::rint(x * 0x1p30);
    return x;
  };
  const auto fill = [&](Limbs<T>& limbs, bool is_b) {
    Matrix<T>& X = limbs.hi;
    X = is_b ? Matrix<T>(k, n) : Matrix<T>(m, k);
    for (Index j = 0; j < X.cols(); ++j)
      for (Index i = 0; i < X.rows(); ++i) {
        const Index outer = is_b ? j : i, inner = is_b ? i : j;
        const double re = real(is_b, outer, inner);
        if constexpr (is_complex<T>)
          X(i, j) = T(re, real(is_b, outer, inner));
        else
          X(i, j) = re;
      }
    if (kind.two_limbs) {
      limbs.lo = X;
      for (Index e = 0; e < X.size(); ++e) {
        auto* lo = reinterpret_cast<double*>(limbs.lo.data() + e);
        for (int p = 0; p < (is_complex<T> ? 2 : 1); ++p) lo[p] *= 0x1p-54 * std::sin(static_cast<double>(e + p));
      }
    }
  };
  Problem<T> problem;
  fill(problem.A, false), fill(problem.B, true);
  Matrix<T>&A = problem.A.hi, &B = problem.B.hi;
  if (kind.name == "cancel")  // the second half of the inner index nearly cancels the first
    for (Index t = 0; t < k / 2; ++t) {
      for (Index i = 0; i < m; ++i) A(i, k / 2 + t) = A(i, t);
      for (Index j = 0; j < n; ++j) B(k / 2 + t, j) = -B(t, j) * ((t + j) % 16 == 0 ? 1 + 0x1p-52 : 1.0);
    }
  if (kind.name == "special") {
    A(1, 2) = T(INFINITY), B(3, 2) = T(NAN);
    for (Index t = 0; t < k; ++t) A(3, t) = B(t, 4) = T(0);
  }
  return problem;
}

/// Holds real and imaginary part in units of 2⁻²¹⁴⁸; the latter is 0 for real products.
using LongComplex = std::array<Long, 2>;

/// Returns the parts of element (i, j) in units of 2⁻¹⁰⁷⁴.
template <class T>
LongComplex element(const ExactFactor<T>& X, Index i, Index j) {
  if (X.transposed) std::swap(i, j);
  LongComplex sum;
  for (const MatrixView<const T>& limb : {X.hi, X.lo})
    if (limb.data != nullptr) {
      const auto* parts = reinterpret_cast<const double*>(&limb(i, j));
      sum[0] += integer(parts[0], unit_of_double);
      if (is_complex<T>) sum[1] += integer(X.conjugated ? -parts[1] : parts[1], unit_of_double);
    }
  return sum;
}

/// Returns the exact product by columns. Factors must be finite.
template <class T>
std::vector<LongComplex> exact_entries(const ExactFactor<T>& A, const ExactFactor<T>& B) {
  std::vector<LongComplex> a, b, result;
  for (Index i = 0; i < A.rows(); ++i)
    for (Index k = 0; k < A.cols(); ++k) a.push_back(element(A, i, k));
  for (Index j = 0; j < B.cols(); ++j)
    for (Index k = 0; k < B.rows(); ++k) b.push_back(element(B, k, j));
  const auto inner = static_cast<std::size_t>(A.cols());
  for (std::size_t j = 0; j < static_cast<std::size_t>(B.cols()); ++j)
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows()); ++i) {
      LongComplex sum;
      for (std::size_t k = 0; k < inner; ++k) {
        const LongComplex &x = a[i * inner + k], &y = b[j * inner + k];
        sum[0] += x[0] * y[0];
        if (is_complex<T>) sum[0] -= x[1] * y[1], sum[1] += x[0] * y[1] + x[1] * y[0];
      }
      result.push_back(sum);
    }
  return result;
}

/// Returns |exact − (hi + lo)|² in units of 2⁻⁴²⁹⁶.
template <class T>
Long squared_error(const LongComplex& exact, const T& hi, const T& lo) {
  const auto *high = reinterpret_cast<const double*>(&hi), *low = reinterpret_cast<const double*>(&lo);
  Long sum = 0;
  for (std::size_t p = 0; p < (is_complex<T> ? 2 : 1); ++p) {
    const Long error = exact[p] - integer(high[p], unit_of_product) - integer(low[p], unit_of_product);
    sum += error * error;
  }
  return sum;
}

/// Returns whether an error is within a bound, without any rounding.
inline bool is_within(const Long& squared, double bound) {
  const Long limit = integer(bound, unit_of_product);
  return squared <= limit * limit;
}

}  // namespace pivotlab::test
