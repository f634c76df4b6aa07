#include "digests.hpp"

#include <pivotlab/error.hpp>

#include <fmt/format.h>

#include <cmath>
#include <sstream>

namespace pivotlab::test {
namespace {

// Source: Fowler, Noll and Vo; IETF RFC 9923.
class Fnv1a {
 public:
  void add(const void* data, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) state_ = (state_ ^ static_cast<const unsigned char*>(data)[i]) * prime;
  }
  std::uint64_t value() const { return state_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t state_ = 0xcbf29ce484222325;
};

/// Multiples of 2⁻²⁰ in [−1, 1): nothing is rounded, whatever the machine.
class ExactNumbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;  // Knuth's MMIX
    return std::ldexp(static_cast<double>(state_ >> 43), -20) - 1.0;
  }

 private:
  std::uint64_t state_ = 1;
};

template <class T>
T next_scalar(ExactNumbers& numbers) {
  const double re = numbers.next();
  if constexpr (is_complex<T>)
    return T(re, numbers.next());
  else
    return re;
}

template <class T>
Matrix<T> exact_matrix(Index rows, Index cols, ExactNumbers& numbers) {
  Matrix<T> A(rows, cols);
  for (Index i = 0; i < A.size(); ++i) A.data()[i] = next_scalar<T>(numbers);
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
std::uint64_t compute(const DigestCase& c, const GsvdVariant& variant, Backend backend) {
  ExactNumbers numbers;
  Matrix<T> F = exact_matrix<T>(c.m_f, c.n, numbers), G = exact_matrix<T>(c.m_g, c.n, numbers);
  if (c.pair == "dependent") make_dependent(F);
  const GsvdResult<T> result = gsvd<T>(F, G, {.variant = variant, .backend = backend});
  std::uint64_t qr_tiles = 0;
  for (const SweepCounters& sweep : result.sweeps) qr_tiles += sweep.qr_tiles;
  if (result.status != Status::passed || (qr_tiles > 0) != (c.pair == "dependent"))
    throw std::runtime_error(
        fmt::format("{}: ended as {}, {} tiles by QR", c.name(), std::string(to_string(result.status)), qr_tiles));
  return digest(result);
}

}  // namespace

std::string DigestCase::name() const {
  return fmt::format("{} {} {} {} {}", variant, m_f, m_g, n, pair);
}

std::vector<DigestCase> read_digests(std::string_view text) {
  std::vector<DigestCase> cases;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    DigestCase c;
    std::istringstream words(line);
    if (!(words >> c.variant >> c.m_f >> c.m_g >> c.n >> c.pair) || (c.pair != "independent" && c.pair != "dependent"))
      throw InputError("digests: '" + line + "': not 'variant m_f m_g n pair digest'; correct the line");
    words >> std::hex >> c.digest;
    cases.push_back(std::move(c));
  }
  return cases;
}

std::string write_digests(std::string_view text, const std::vector<DigestCase>& cases) {
  std::string result;
  std::istringstream lines{std::string(text)};
  std::size_t next = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line[0] != '#') {
      const DigestCase& c = cases.at(next++);
      line = fmt::format("{:<38} {:>3} {:>3} {:>3} {:<11} {:016x}", c.variant, c.m_f, c.m_g, c.n, c.pair, c.digest);
    }
    result += line + '\n';
  }
  return result;
}

std::uint64_t compute_digest(const DigestCase& digest_case, Backend backend) {
  const NamedGsvdVariant named = parse_gsvd_variant(digest_case.variant);
  return named.type == ScalarType::d ? compute<double>(digest_case, named.variant, backend)
                                     : compute<std::complex<double>>(digest_case, named.variant, backend);
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
