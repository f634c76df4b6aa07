#include <fmt/format.h>
#include <experiments/common/file_source.hpp>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/value.hpp>
#include <experiments/gsvd/pair_source.hpp>
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <array>
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

Index rows(const AnyMatrix& matrix) {
  return std::visit([](const auto& given) { return given.rows(); }, matrix);
}

Index cols(const AnyMatrix& matrix) {
  return std::visit([](const auto& given) { return given.cols(); }, matrix);
}

bool holds_complex(const AnyMatrix& matrix) {
  return std::holds_alternative<Matrix<std::complex<double>>>(matrix);
}

Matrix<std::complex<double>> to_complex(const AnyMatrix& matrix) {
  return std::visit(
      [](const auto& given) {
        Matrix<std::complex<double>> result(given.rows(), given.cols());
        std::copy_n(given.data(), given.size(), result.data());
        return result;
      },
      matrix);
}

AnyPair pair_of(const AnyMatrix& F, const AnyMatrix& G) {
  if (holds_complex(F) || holds_complex(G)) return Pair<std::complex<double>>{to_complex(F), to_complex(G), {}, {}};
  return Pair<double>{std::get<Matrix<double>>(F), std::get<Matrix<double>>(G), {}, {}};
}

std::vector<AnyMatrix> read_matrices(const Source& source, const std::string& generator) {
  std::vector<AnyMatrix> matrices;
  for (const std::string& file : source.files) matrices.push_back(read_matrix(file));
  if (cols(matrices.front()) != cols(matrices.back()))
    throw InputError(fmt::format("generator '{}': {} has {} columns and {} has {}; a pair needs equally many",
                                 generator, source.files.front(), cols(matrices.front()), source.files.back(),
                                 cols(matrices.back())));
  return matrices;
}

/// Type and shape; factoring is the worker's business.
PairIdentity read_shape(const Source& source, const std::string& generator) {
  const auto of_pair = []<class T>(const Pair<T>& pair) -> PairIdentity {
    return {scalar_type<T>, pair.F.cols(), pair.F.rows(), pair.G.rows(), ""};
  };
  if (source.kind == "file") return std::visit(of_pair, read_pair(source.files[0]));
  const std::vector<AnyMatrix> matrices = read_matrices(source, generator);
  const AnyMatrix &first = matrices.front(), &last = matrices.back();
  const bool complex = holds_complex(first) || holds_complex(last);
  return {complex ? ScalarType::z : ScalarType::d, cols(first), rows(first),
          matrices.size() > 1 ? rows(last) : cols(first), ""};
}

PairIdentity identify(const std::string& generator) {
  const Source source = parse_source(generator);
  PairIdentity identity = read_shape(source, generator);
  if (identity.n < 1 || std::min(identity.m_f, identity.m_g) < identity.n)
    throw InputError(
        fmt::format("generator '{}': F is {} by {} and G is {} by {}; both need as many rows as columns and "
                    "at least one",
                    generator, identity.m_f, identity.n, identity.m_g, identity.n));
  for (const std::string& file : source.files) identity.digest += digest(read_text(file));
  if (source.files.size() > 1) identity.digest = digest(identity.digest);
  return identity;
}

/// G of a pair whose second matrix is not in a file.
AnyMatrix implied_second(const Source& source, const AnyMatrix& first) {
  const Index n = cols(first);
  if (source.kind == "difference") return difference_operator(n, 1);
  if (holds_complex(first)) return Matrix<std::complex<double>>::identity(n);
  return Matrix<double>::identity(n);
}

AnyPair assemble(const Source& source, const std::vector<AnyMatrix>& matrices, const std::string& generator) {
  const AnyMatrix& first = matrices.front();
  const AnyMatrix second = matrices.size() > 1 ? matrices[1] : implied_second(source, first);
  if (source.kind != "cholesky") return pair_of(first, second);
  try {
    return definite_pair(first, second);
  } catch (const InputError& error) {
    throw InputError(fmt::format("generator '{}': {}", generator, error.what()));
  }
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
  AnyPair pair = assemble(source, read_matrices(source, generator), generator);
  std::visit([&](auto& made) { made.provenance = generator; }, pair);
  return pair;
}

}  // namespace pivotlab::experiments
