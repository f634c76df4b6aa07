// SPDX-License-Identifier: BSD-3-Clause
// Digests of decompositions by the kernels. Cases are lines "variant scalar m n kind signs": the hyperbolic SVD of an
// m × n matrix, or, for variants HEV, the eigendecomposition of a Hermitian matrix of order n = m (signs -). Scalar is
// real or complex; kind is independent, dependent (Cholesky factorizations of tiles fail) or graded; signs are plus,
// half or mixed.
#include "tests/digests/digests.hpp"
#include "tests/digests/exact.hpp"

#include <pivotlab/eigh.hpp>
#include <pivotlab/error.hpp>

#include <array>
#include <cmath>
#include <sstream>
#include <stdexcept>

namespace pivotlab::test {
namespace {

struct JacobiDigestCase {
  std::string variant, scalar, kind, signs;
  Index m = 0, n = 0;
};

JacobiDigestCase parse(const std::string& name) {
  JacobiDigestCase c;
  std::istringstream words(name);
  const auto is_one_of = [](const std::string& word, std::initializer_list<const char*> list) {
    return std::ranges::find(list, word) != list.end();
  };
  if (!(words >> c.variant >> c.scalar >> c.m >> c.n >> c.kind >> c.signs) ||
      !is_one_of(c.scalar, {"real", "complex"}) || !is_one_of(c.kind, {"independent", "dependent", "graded"}) ||
      !is_one_of(c.signs, {"plus", "half", "mixed", "-"}))
    throw InputError("digests: '" + name + "': not 'variant scalar m n kind signs'; correct the line");
  return c;
}

/// The elements are exact on every machine.
template <class T>
Matrix<T> matrix_of(const JacobiDigestCase& c) {
  ExactNumbers numbers;
  Matrix<T> A(c.m, c.n);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = numbers.next_scalar<T>();
  for (Index j = 0; j < c.n; ++j) {
    A(j, j) += T(2);
    for (Index i = 0; i < c.m; ++i) {
      if (c.kind == "dependent" && j % 2 == 1) A(i, j) = A(i, j - 1) + A(i, j) * 0x1p-30;
      if (c.kind == "graded") A(i, j) *= std::ldexp(1.0, -static_cast<int>(j * 7 % c.n));
    }
  }
  return A;
}

std::vector<int> signs_of(const JacobiDigestCase& c) {
  std::vector<int> J(static_cast<std::size_t>(c.n), 1);
  for (Index j = 0; j < c.n; ++j)
    if ((c.signs == "half" && j >= c.n / 2) || (c.signs == "mixed" && j % 3 == 1)) J[j] = -1;
  return J;
}

template <class T>
void add(Fnv1a& fnv, const std::vector<T>& x) {
  fnv.add(x.data(), x.size() * sizeof(T));
}
template <class T>
void add(Fnv1a& fnv, const Matrix<T>& X) {
  fnv.add(X.data(), static_cast<std::size_t>(X.size()) * sizeof(T));
}

/// Adds the counters, and throws unless the tiles of dependent columns alone were factored by QR.
void add(Fnv1a& fnv, const JacobiDigestCase& c, const std::vector<HsvdSweep>& sweeps, bool by_qr) {
  std::uint64_t qr_tiles = 0;
  for (const HsvdSweep& s : sweeps) {
    for (const std::uint64_t n : {s.transformations, s.big, s.hyperbolic, s.clamped, s.skipped_tiles, s.qr_tiles,
                                  s.null_columns, static_cast<std::uint64_t>(s.max_inner_sweeps)})
      fnv.add(&n, sizeof n);
    for (const double x : {s.largest_cosine, s.largest_tan, s.largest_tanh}) fnv.add(&x, sizeof x);
    qr_tiles += s.qr_tiles;
  }
  if (!by_qr && (qr_tiles > 0) != (c.kind == "dependent"))
    throw std::runtime_error(c.variant + " " + c.kind + ": " + std::to_string(qr_tiles) + " tiles by QR");
}

template <class Result>
void require_passed(const JacobiDigestCase& c, const Result& result) {
  if (result.status != Status::passed) throw std::runtime_error(c.variant + ": " + result.message);
}

template <class T>
std::uint64_t compute(const JacobiDigestCase& c, Backend backend) {
  Fnv1a fnv;
  Matrix<T> A = matrix_of<T>(c);
  if (c.variant.starts_with("HEV")) {
    for (Index j = 0; j < c.n; ++j)
      for (Index i = 0; i <= j; ++i)
        A(i, j) = i == j ? T(real_part(A(i, i)) * (i % 2 == 0 ? 1 : -1)) : conjugate(A(j, i));
    const auto result = eigh<T>(A, {.variant = parse_eigh_variant(c.variant), .backend = backend});
    require_passed(c, result);
    add(fnv, result.eigenvalues);
    add(fnv, result.U);
    add(fnv, c, result.sweeps, false);
  } else {
    const HsvdVariant variant = parse_hsvd_variant(c.variant);
    const auto result = hsvd<T>(A, signs_of(c), {.variant = variant, .backend = backend, .compute_v = true});
    require_passed(c, result);
    add(fnv, result.sigma);
    add(fnv, result.J);
    add(fnv, result.estimate);
    add(fnv, result.U);
    add(fnv, result.V);
    add(fnv, c, result.sweeps, variant.factor == TileFactor::qr);
  }
  return fnv.value();
}

}  // namespace

std::uint64_t compute_digest(const std::string& name, Backend backend) {
  const JacobiDigestCase c = parse(name);
  return c.scalar == "real" ? compute<double>(c, backend) : compute<std::complex<double>>(c, backend);
}

}  // namespace pivotlab::test
