// SPDX-License-Identifier: BSD-3-Clause
// Pairs: generators, "file:pair.h5", "files:F,G" and others (pair_sources).
#include <fmt/format.h>
#include <experiments/problems/family.hpp>
#include <experiments/problems/pairs.hpp>
#include <pivotlab/by_columns.hpp>
#include <pivotlab/definite_pair.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace pivotlab::experiments {
namespace {

/// A generator "kind:path,path", parsed.
struct Source {
  std::string kind;
  std::vector<std::string> files;
};

constexpr std::array<FileSource, 4> pair_sources{
    {{"file", "PAIR.h5", "F and G of one HDF5 file; a path may begin with $NAME, an environment variable"},
     {"files", "F,G", "F and G of two files (HDF5, Matrix Market)", 2, 2},
     {"cholesky", "A,B", "Cholesky factors of A = FᴴF and B = GᴴG: σ² are the eigenvalues of (A, B); B may be left out",
      1, 2},
     {"difference", "F", "F of a file and a difference operator G of full column rank (Tikhonov's penalty)"}}};

Source parse_source(std::string_view generator) {
  const std::size_t colon = generator.find(':');
  Source source{std::string(generator.substr(0, colon)), {}};
  for (std::string_view rest = generator.substr(colon + 1);;) {
    const std::size_t comma = source.kind == "file" ? std::string_view::npos : rest.find(',');
    source.files.push_back(expand_variable(rest.substr(0, comma), generator));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  const std::size_t least = find_source(pair_sources, generator)->least,
                    most = find_source(pair_sources, generator)->most;
  if (source.files.size() < least || source.files.size() > most)
    throw InputError(fmt::format("generator '{}': names {} files, must name {}; see `pivotlab list generators`",
                                 generator, source.files.size(), least == most ? std::to_string(most) : "one or two"));
  return source;
}

Index cols(const AnyMatrix& matrix) {
  return std::visit([](const auto& given) { return given.cols(); }, matrix);
}

bool holds_complex(const AnyMatrix& matrix) {
  return std::holds_alternative<Matrix<std::complex<double>>>(matrix);
}

[[noreturn]] void fail_columns(const Source& source, const std::string& generator, Index first, Index last) {
  throw InputError(fmt::format("generator '{}': {} has {} columns and {} has {}; a pair needs equally many", generator,
                               source.files.front(), first, source.files.back(), last));
}

/// Reads the matrices of all files, after checking that their shapes match.
std::vector<AnyMatrix> read_matrices(const Source& source, const std::string& generator) {
  std::vector<MatrixFile> files(source.files.begin(), source.files.end());
  const Index first = files.front().shape().cols, last = files.back().shape().cols;
  if (first != last) fail_columns(source, generator, first, last);
  std::vector<AnyMatrix> matrices;
  for (MatrixFile& file : files) matrices.push_back(file.read());
  return matrices;
}

/// Reads type and shape only; a worker factors the matrices.
ProblemCase read_shape(const Source& source, const std::string& generator) {
  if (source.kind == "file") {
    const PairHead head = read_pair_head(source.files[0]);
    return {.type = head.type, .n = head.n, .m_f = head.m_f, .m_g = head.m_g};
  }
  const MatrixShape first = read_matrix_shape(source.files.front()),
                    last = source.files.size() > 1 ? read_matrix_shape(source.files.back()) : first;
  if (first.cols != last.cols) fail_columns(source, generator, first.cols, last.cols);
  const bool complex = first.type == ScalarType::z || last.type == ScalarType::z;
  return {.type = complex ? ScalarType::z : ScalarType::d,
          .n = first.cols,
          .m_f = first.rows,
          .m_g = source.files.size() > 1 ? last.rows : first.cols};
}

ProblemCase identify_pair(const std::string& generator, Symmetry) {
  const Source source = parse_source(generator);
  ProblemCase identity = read_shape(source, generator);
  if (std::min({identity.n, identity.m_f, identity.m_g}) < 1)
    throw InputError(fmt::format("generator '{}': F is {} by {} and G is {} by {}; both need a row and a column",
                                 generator, identity.m_f, identity.n, identity.m_g, identity.n));
  identity.digest = digest_of_files(source.files);
  return identity;
}

/// Returns G of a pair whose second matrix is not in a file.
AnyMatrix implied_second(const Source& source, const AnyMatrix& first) {
  const Index n = cols(first);
  if (source.kind == "difference") return difference_operator(n, 1);
  if (holds_complex(first)) return Matrix<std::complex<double>>::identity(n);
  return Matrix<double>::identity(n);
}

AnyPair assemble(const Source& source, std::vector<AnyMatrix> matrices, const std::string& generator) {
  AnyMatrix& first = matrices.front();
  AnyMatrix second = matrices.size() > 1 ? std::move(matrices[1]) : implied_second(source, first);
  if (source.kind != "cholesky") return pair_of(std::move(first), std::move(second));
  try {
    return definite_pair(first, second);
  } catch (const InputError& error) {
    throw InputError(fmt::format("generator '{}': {}", generator, error.what()));
  }
}

/// Reads and factors a pair.
AnyPair load_pair(const ProblemCase& wanted) {
  if (is_family(wanted.generator)) {
    const ProblemFiles files(wanted, {{wanted.m_f, wanted.n}, {wanted.m_g, wanted.n}});
    return assemble({"files", files.paths()}, read_matrices({"files", files.paths()}, wanted.generator),
                    wanted.generator);
  }
  const Source source = parse_source(wanted.generator);
  if (source.kind == "file") return read_pair(source.files[0]);
  AnyPair pair = assemble(source, read_matrices(source, wanted.generator), wanted.generator);
  std::visit([&](auto& made) { made.provenance = wanted.generator; }, pair);
  return pair;
}

bool takes_few_rows(std::string_view generator) {
  const std::vector<GeneratorInfo> all = list_pair_generators();
  const auto kind = std::ranges::find(all, generator.substr(0, generator.find(';')), &GeneratorInfo::name);
  return kind != all.end() && kind->any_shape;
}

/// Generating random numbers is faster than reading them from a file.
bool is_slow_pair(const ProblemCase& wanted) {
  return wanted.signs.empty() && (!is_drawn(wanted) || has_computed_truth(wanted));
}

void write_uncompressed(const std::filesystem::path& file, const AnyPair& pair) {
  PairFileOptions options;
  options.compression = 0;  // random digits do not compress
  write_pair(file, pair, options);
}

}  // namespace

AnyPair pair_of(AnyMatrix F, AnyMatrix G) {
  if (holds_complex(F) || holds_complex(G))
    return Pair<std::complex<double>>{to_complex(std::move(F)), to_complex(std::move(G)), {}, {}};
  return Pair<double>{std::get<Matrix<double>>(std::move(F)), std::get<Matrix<double>>(std::move(G)), {}, {}};
}

bool is_drawn(const ProblemCase& wanted) {
  return std::ranges::any_of(std::array{"random", "graded", "two-sided"},
                             [&](const char* kind) { return wanted.generator.starts_with(kind); });
}

bool has_computed_truth(const ProblemCase& wanted) {
  constexpr Index usual_order = 64;
  return wanted.generator.find("truth=rounded") != std::string::npos ||
         (wanted.n <= usual_order && wanted.generator.find("truth=none") == std::string::npos);
}

PairRequest request_for(const ProblemCase& wanted, int threads) {
  return {.generator = wanted.generator,
          .type = wanted.type,
          .n = wanted.n,
          .m_f = wanted.m_f,
          .m_g = wanted.m_g,
          .seed = wanted.seed,
          .threads = threads,
          .sigma = wanted.signs.empty()};
}

const Kind<AnyPair>& pairs() {
  static const Kind<AnyPair> kind{
      {.sources = pair_sources,
       .generators = list_pair_generators,
       .canonical = canonical_generator,
       .least_order = 1,
       .rows = {{"m_f", &ProblemCase::m_f, "--m-f", "Rows of F (default n)"},
                {"m_g", &ProblemCase::m_g, "--m-g", "Rows of G (default n)"}},
       .takes_few_rows = takes_few_rows,
       .identify = identify_pair,
       .is_slow_to_generate = is_slow_pair},
      [](const ProblemCase& wanted, int threads) { return generate_pair(request_for(wanted, threads)); },
      load_pair,
      [](const std::filesystem::path& file) { return read_pair(file); },
      write_uncompressed};
  return kind;
}

}  // namespace pivotlab::experiments
