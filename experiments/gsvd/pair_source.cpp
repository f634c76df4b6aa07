#include <fmt/format.h>
#include <experiments/gsvd/pair_source.hpp>
#include <experiments/json_text.hpp>
#include <experiments/value.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <vector>

namespace pivotlab::experiments {
namespace {

/// "kind:path,path"
struct Source {
  std::string kind;
  std::vector<std::string> files;
};

constexpr std::array<std::string_view, 4> kKinds = {"file", "files", "cholesky", "difference"};

std::string expand_variable(std::string_view path, std::string_view generator) {
  if (!path.starts_with('$')) return std::string(path);
  const std::string name(path.substr(1, path.find('/') - 1));
  const char* value = std::getenv(name.c_str());
  if (value == nullptr)
    throw InputError(
        fmt::format("generator '{}': the environment variable {} is not set; set it to the folder of the "
                    "data",
                    generator, name));
  return value + std::string(path.substr(1 + name.size()));
}

Source parse_source(std::string_view generator) {
  const std::size_t colon = generator.find(':');
  Source source{std::string(generator.substr(0, colon)), {}};
  for (std::string_view rest = generator.substr(colon + 1);;) {
    const std::size_t comma = source.kind == "file" ? std::string_view::npos : rest.find(',');
    source.files.push_back(expand_variable(rest.substr(0, comma), generator));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  const std::size_t least = source.kind == "files" ? 2 : 1;
  const std::size_t most = source.kind == "files" || source.kind == "cholesky" ? 2 : 1;
  if (source.files.size() < least || source.files.size() > most)
    throw InputError(fmt::format("generator '{}': names {} files, must name {}; see `pivotlab list generators`",
                                 generator, source.files.size(), least == most ? std::to_string(most) : "one or two"));
  return source;
}

template <class T>
Matrix<T> as(const AnyMatrix& matrix) {
  return std::visit(
      [](const auto& given) -> Matrix<T> {
        using Given = std::remove_cvref_t<decltype(given(0, 0))>;
        if constexpr (std::is_same_v<Given, T>) {
          return given;
        } else {
          Matrix<T> converted(given.rows(), given.cols());
          for (Index j = 0; j < given.cols(); ++j)
            for (Index i = 0; i < given.rows(); ++i)
              if constexpr (is_complex<T>) converted(i, j) = given(i, j);
          return converted;
        }
      },
      matrix);
}

/// The upper triangular R with RᴴR = A (row by row), in extended precision, rounded once. Reads the upper triangle.
template <class T>
Matrix<T> cholesky_factor(const Matrix<T>& A, const std::string& file) {
  using Wide = Rebind<T, long double>;
  const Index n = A.cols();
  if (A.rows() != n)
    throw InputError(fmt::format("{}: is {} by {}; a Cholesky factor needs a square matrix", file, A.rows(), n));
  Matrix<Wide> R(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) {
      Wide sum = Wide(A(i, j));
      for (Index k = 0; k < i; ++k) sum -= conjugate(R(k, i)) * R(k, j);
      if (i < j) {
        R(i, j) = sum / R(i, i);
      } else if (real_part(sum) > 0) {
        R(j, j) = std::sqrt(real_part(sum));
      } else {
        throw InputError(
            fmt::format("{}: column {}: the matrix is not positive definite; it has no Cholesky factor", file, j + 1));
      }
    }
  Matrix<T> rounded(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i <= j; ++i) rounded(i, j) = T(R(i, j));
  return rounded;
}

template <class T>
Matrix<T> first_difference(Index n) {
  Matrix<T> G = Matrix<T>::identity(n);
  for (Index i = 1; i < n; ++i) G(i, i - 1) = T(-1);
  return G;
}

template <class T>
Pair<T> make_pair(const Source& source, const std::vector<AnyMatrix>& matrices, const std::string& generator) {
  Matrix<T> first = as<T>(matrices[0]);
  const Index n = first.cols();
  if (source.kind == "difference") return {std::move(first), first_difference<T>(n), {}, generator};
  if (source.kind == "files") return {std::move(first), as<T>(matrices[1]), {}, generator};
  Matrix<T> G = matrices.size() < 2 ? Matrix<T>::identity(n) : cholesky_factor(as<T>(matrices[1]), source.files[1]);
  return {cholesky_factor(first, source.files[0]), std::move(G), {}, generator};
}

bool holds_complex(const AnyMatrix& matrix) {
  return std::holds_alternative<Matrix<std::complex<double>>>(matrix);
}

std::vector<AnyMatrix> read_matrices(const Source& source, const std::string& generator) {
  std::vector<AnyMatrix> matrices;
  for (const std::string& file : source.files) matrices.push_back(read_matrix(file));
  const auto cols = [](const AnyMatrix& matrix) { return std::visit([](const auto& m) { return m.cols(); }, matrix); };
  if (cols(matrices.front()) != cols(matrices.back()))
    throw InputError(fmt::format("generator '{}': {} has {} columns and {} has {}; a pair needs equally many",
                                 generator, source.files.front(), cols(matrices.front()), source.files.back(),
                                 cols(matrices.back())));
  return matrices;
}

PairIdentity identify(const std::string& generator) {
  const Source source = parse_source(generator);
  PairIdentity identity;
  // Shapes only: factoring is the worker's business.
  const auto from_pair = [&](const auto& pair) {
    identity.type = scalar_type<std::remove_cvref_t<decltype(pair.F(0, 0))>>;
    identity.n = pair.F.cols();
    identity.m_f = pair.F.rows();
    identity.m_g = pair.G.rows();
  };
  if (source.kind == "file") {
    std::visit(from_pair, read_pair(source.files[0]));
  } else {
    const auto matrices = read_matrices(source, generator);
    const auto rows = [](const AnyMatrix& matrix) {
      return std::visit([](const auto& m) { return m.rows(); }, matrix);
    };
    identity.n = std::visit([](const auto& m) { return m.cols(); }, matrices[0]);
    identity.m_f = rows(matrices[0]);
    identity.m_g = matrices.size() > 1 ? rows(matrices[1]) : identity.n;
    identity.type = holds_complex(matrices.front()) || holds_complex(matrices.back()) ? ScalarType::z : ScalarType::d;
  }
  std::string digests;
  for (const std::string& file : source.files) digests += digest(read_text(file));
  identity.digest = source.files.size() == 1 ? digests : digest(digests);
  return identity;
}

}  // namespace

bool is_file_source(std::string_view generator) {
  const std::size_t colon = generator.find(':');
  return colon != std::string_view::npos &&
         std::find(kKinds.begin(), kKinds.end(), generator.substr(0, colon)) != kKinds.end();
}

const PairIdentity& identify_pair(const std::string& generator) {
  static std::map<std::string, PairIdentity> seen;
  const auto known = seen.find(generator);
  return known != seen.end() ? known->second : seen.emplace(generator, identify(generator)).first->second;
}

AnyPair load_pair(const std::string& generator) {
  const Source source = parse_source(generator);
  if (source.kind == "file") return read_pair(source.files[0]);
  const auto matrices = read_matrices(source, generator);
  if (holds_complex(matrices.front()) || holds_complex(matrices.back()))
    return make_pair<std::complex<double>>(source, matrices, generator);
  return make_pair<double>(source, matrices, generator);
}

}  // namespace pivotlab::experiments
