// SPDX-License-Identifier: BSD-3-Clause
#include "digests.hpp"

#include "tests/digests/exact.hpp"

#include <pivotlab/error.hpp>

#include <fmt/format.h>

#include <sstream>

namespace pivotlab::test {
namespace {

/// The words of a line: variant, rows of F and of G, columns, pair.
struct GsvdDigestCase {
  std::string variant;
  Index m_f = 0, m_g = 0, n = 0;
  std::string pair;  ///< independent; dependent: Cholesky factorizations of F's tiles fail
};

GsvdDigestCase parse(const std::string& name) {
  GsvdDigestCase c;
  std::istringstream words(name);
  if (!(words >> c.variant >> c.m_f >> c.m_g >> c.n >> c.pair) || (c.pair != "independent" && c.pair != "dependent"))
    throw InputError("digests: '" + name + "': not 'variant m_f m_g n pair'; correct the line");
  return c;
}

template <class T>
Matrix<T> exact_matrix(Index rows, Index cols, ExactNumbers& numbers) {
  Matrix<T> A(rows, cols);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = numbers.next_scalar<T>();
  for (Index j = 0; j < cols; ++j) A(j, j) += T(2);
  return A;
}

/// Columns 1, 3, … differ from their left neighbours by 2⁻³⁰ of themselves: squared, less than roundoff.
template <class T>
void make_dependent(Matrix<T>& A) {
  for (Index j = 1; j < A.cols(); j += 2)
    for (Index i = 0; i < A.rows(); ++i) A(i, j) = A(i, j - 1) + A(i, j) * 0x1p-30;
}

template <class T>
std::uint64_t compute(const GsvdDigestCase& c, const GsvdVariant& variant, Backend backend) {
  ExactNumbers numbers;
  Matrix<T> F = exact_matrix<T>(c.m_f, c.n, numbers), G = exact_matrix<T>(c.m_g, c.n, numbers);
  if (c.pair == "dependent") make_dependent(F);
  const GsvdResult<T> result = gsvd<T>(F, G, {.variant = variant, .backend = backend});
  std::uint64_t qr_tiles = 0;
  for (const SweepCounters& sweep : result.sweeps) qr_tiles += sweep.qr_tiles;
  if (result.status != Status::passed || (qr_tiles > 0) != (c.pair == "dependent"))
    throw std::runtime_error(fmt::format("{} {}: ended as {}, {} tiles by QR", c.variant, c.pair,
                                         std::string(to_string(result.status)), qr_tiles));
  return digest(result);
}

}  // namespace

std::uint64_t compute_digest(const std::string& name, Backend backend) {
  const GsvdDigestCase c = parse(name);
  const NamedGsvdVariant named = parse_gsvd_variant(c.variant);
  return named.type == ScalarType::d ? compute<double>(c, named.variant, backend)
                                     : compute<std::complex<double>>(c, named.variant, backend);
}

template <class T>
std::uint64_t digest(const GsvdResult<T>& result) {
  Fnv1a fnv;
  for (const auto* sigma : {&result.sigma_f, &result.sigma_g, &result.sigma})
    fnv.add(sigma->data(), sigma->size() * sizeof(double));
  for (const auto* A : {&result.U, &result.V, &result.Z})
    fnv.add(A->data(), static_cast<std::size_t>(A->size()) * sizeof(T));
  return fnv.value();
}
template std::uint64_t digest(const GsvdResult<double>&);
template std::uint64_t digest(const GsvdResult<std::complex<double>>&);

}  // namespace pivotlab::test
