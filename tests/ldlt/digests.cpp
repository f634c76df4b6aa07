// SPDX-License-Identifier: BSD-3-Clause
// Digests of factorizations by the kernels. Cases are lines "variant scalar n structure"; the matrix is made of
// integers.
#include "tests/digests/digests.hpp"
#include "tests/digests/exact.hpp"

#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <sstream>

namespace pivotlab::test {
namespace {

constexpr std::array scalars = {"real", "hermitian", "symmetric"};  // the last two are complex
constexpr std::array structures = {"dense", "hollow", "ties", "singular"};

struct LdltDigestCase {
  LdltVariant variant;
  std::string scalar;
  Index n = 0;
  std::string structure;

  Symmetry symmetry() const { return scalar == "hermitian" ? Symmetry::hermitian : Symmetry::symmetric; }
  Index rank() const { return n / 2; }  ///< of a singular matrix
};

LdltDigestCase parse(const std::string& name) {
  LdltDigestCase c;
  std::string variant;
  std::istringstream words(name);
  words >> variant >> c.scalar >> c.n >> c.structure;
  const auto is_one_of = [](const auto& known, const std::string& word) { return std::ranges::count(known, word) > 0; };
  if (!words || !is_one_of(scalars, c.scalar) || !is_one_of(structures, c.structure))
    throw InputError("digests: '" + name + "': not 'variant scalar n structure'; correct the line");
  c.variant = parse_ldlt_variant(variant);
  return c;
}

/// −2 … 2 in place of [−1, 1).
template <class T>
T small_integer(const T& x) {
  const auto small = [](double part) { return std::floor(2.5 * part + 0.5); };
  if constexpr (is_complex<T>)
    return T(small(x.real()), small(x.imag()));
  else
    return small(x);
}

template <class T>
T across(const T& x, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

template <class T>
Matrix<T> general_matrix(const LdltDigestCase& c) {
  ExactNumbers numbers;
  Matrix<T> A(c.n, c.n);
  for (Index j = 0; j < c.n; ++j)
    for (Index i = j; i < c.n; ++i) {
      T x = numbers.next_scalar<T>();
      if (c.structure == "ties") x = small_integer(x);
      if (i == j) x = c.structure == "hollow" ? T(0) : c.symmetry() == Symmetry::hermitian ? T(real_part(x)) : x;
      A(i, j) = x;
      A(j, i) = across(x, c.symmetry());
    }
  return A;
}

/// Σ ±x·x* of vectors of small integers.
template <class T>
Matrix<T> singular_matrix(const LdltDigestCase& c) {
  ExactNumbers numbers;
  Matrix<T> X(c.n, c.rank()), A(c.n, c.n);
  for (Index i = 0; i < X.size(); ++i) X.data()[i] = small_integer(numbers.next_scalar<T>());
  for (Index k = 0; k < c.rank(); ++k)
    for (Index j = 0; j < c.n; ++j)
      for (Index i = 0; i < c.n; ++i) A(i, j) += X(i, k) * across(X(j, k), c.symmetry()) * T(k % 2 == 0 ? 1 : -1);
  return A;
}

/// Removes the signs of zeros, in which backends may differ.
template <class T>
void add(Fnv1a& fnv, const T* x, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const T unsigned_zero = x[i] + T(0);
    fnv.add(&unsigned_zero, sizeof(T));
  }
}

template <class T>
std::uint64_t digest(const LdltFactorization<T>& f) {
  Fnv1a fnv;
  fnv.add(f.interchanges.data(), f.interchanges.size() * sizeof(Index));
  for (const auto& stage : f.stages) fnv.add(&stage.growth, sizeof stage.growth);
  add(fnv, f.diagonal.data(), f.diagonal.size());
  add(fnv, f.subdiagonal.data(), f.subdiagonal.size());
  add(fnv, f.M.data(), static_cast<std::size_t>(f.M.size()));
  return fnv.value();
}

template <class T>
std::uint64_t compute(const LdltDigestCase& c, Backend backend) {
  const bool singular = c.structure == "singular";
  const Matrix<T> A = singular ? singular_matrix<T>(c) : general_matrix<T>(c);
  LdltOptions options{.variant = c.variant, .backend = backend, .symmetry = c.symmetry()};
  if (singular) options.rank_tolerance = 0x1p-30;  // above the rounding errors
  const auto f = ldlt<T>(A, options);
  if (c.structure == "hollow" && f.pivots(2) == 0) throw std::runtime_error("hollow: no 2x2 pivots");
  if (singular && c.variant.pivoting == Pivoting::complete && f.rank != c.rank())
    throw std::runtime_error("singular: the rank is " + std::to_string(f.rank));
  return digest(f);
}

}  // namespace

std::uint64_t compute_digest(const std::string& name, Backend backend) {
  const LdltDigestCase c = parse(name);
  return c.scalar == "real" ? compute<double>(c, backend) : compute<std::complex<double>>(c, backend);
}

}  // namespace pivotlab::test
