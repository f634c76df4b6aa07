// SPDX-License-Identifier: BSD-3-Clause
// Symmetric and Hermitian matrices: generators, "file:A" and "permuted:A". A result that a permutation changes was
// decided by ties and rounding. A file MANIFEST.csv beside the matrix may state its inertia: in the columns name (of
// the file, without extensions), npos, nneg and nzero.
#include <experiments/problems/family.hpp>
#include <experiments/problems/symmetrics.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::array<FileSource, 3> symmetric_sources{
    {one_file("A"),
     {"permuted", "A", "The same with rows and columns permuted by the seed", 1, 1, true},
     from_collection}};

ProblemCase identify_symmetric(const std::string& generator, Symmetry symmetry) {
  const std::string path = path_of(generator);
  const SymmetricShape shape = read_symmetric_shape(path, symmetry);
  return {.type = shape.type, .symmetry = shape.symmetry, .n = shape.n, .digest = digest_of_files({path})};
}

/// Splits a line of CSV into fields; commas in quotes do not separate fields.
std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line)
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  return fields;
}

std::optional<Index> count_of(const std::string& text) {
  Index count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return count;
}

/// Returns the inertia that the manifest beside a file states; nothing without a manifest, a line or counts.
std::optional<Inertia> stated_inertia(const fs::path& file) {
  const fs::path beside = file.parent_path() / "MANIFEST.csv";
  std::error_code ignored;
  if (!fs::is_regular_file(beside, ignored)) return std::nullopt;
  std::ifstream manifest(beside);
  const std::string name = file.filename().string().substr(0, file.filename().string().find('.'));
  std::string line;
  if (!std::getline(manifest, line)) return std::nullopt;
  const std::vector<std::string> header = fields_of(line);
  while (std::getline(manifest, line)) {
    const std::vector<std::string> fields = fields_of(line);
    const auto field = [&](const char* column) {
      const auto at = static_cast<std::size_t>(std::ranges::find(header, column) - header.begin());
      return at < fields.size() ? fields[at] : std::string();
    };
    if (field("name") != name) continue;
    const auto positive = count_of(field("npos")), negative = count_of(field("nneg")), zero = count_of(field("nzero"));
    if (positive && negative && zero) return Inertia{*positive, *negative, *zero};
  }
  return std::nullopt;
}

/// Returns the permutation of Fisher and Yates' algorithm, which depends only on n and the seed.
std::vector<Index> permutation(Index n, std::uint64_t seed) {
  std::vector<Index> order(n);
  std::iota(order.begin(), order.end(), Index{0});
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

template <class T>
Matrix<T> permuted(const Matrix<T>& A, std::uint64_t seed) {
  const std::vector<Index> order = permutation(A.rows(), seed);
  Matrix<T> result(A.rows(), A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) result(i, j) = A(order[i], order[j]);
  return result;
}

AnySymmetric make_symmetric(const ProblemCase& wanted, int threads) {
  return generate_symmetric({.generator = wanted.generator,
                             .type = wanted.type,
                             .symmetry = wanted.symmetry,
                             .n = wanted.n,
                             .seed = wanted.seed,
                             .threads = threads});
}

/// Reads the matrix; its inertia is that of the file or of the manifest, if either states it.
AnySymmetric load_symmetric(const ProblemCase& wanted) {
  const ProblemFiles files(wanted, {{wanted.n, wanted.n}});
  const std::string& path = files.paths().front();
  AnySymmetric any = files.read([&] { return read_symmetric(path, wanted.symmetry); });
  std::visit(
      [&]<class T>(SymmetricMatrix<T>& matrix) {
        matrix.provenance = wanted.generator;
        const bool has_inertia = !is_complex<T> || matrix.symmetry == Symmetry::hermitian;
        if (!matrix.inertia && has_inertia) matrix.inertia = stated_inertia(without_dataset(path));
        const auto& inertia = matrix.inertia;  // stated for another matrix of this name
        if (inertia && inertia->positive + inertia->negative + inertia->zero != matrix.A.rows()) matrix.inertia.reset();
        const FileSource* source = find_source(symmetric_sources, wanted.generator);
        if (source != nullptr && source->permuted) matrix.A = permuted(matrix.A, wanted.seed);
      },
      any);
  return any;
}

bool is_any_of(const std::string& generator, std::initializer_list<const char*> kinds) {
  return std::ranges::any_of(kinds, [&](const char* kind) { return generator.starts_with(kind); });
}

}  // namespace

bool has_spectrum(const ProblemCase& matrix) {
  return !matrix.is_from_files() && is_any_of(matrix.generator, {"equidistant", "spectrum", "latb4", "kkt"});
}

bool is_slow_symmetric(const ProblemCase& matrix) {
  return has_spectrum(matrix) || is_any_of(matrix.generator, {"lowrank"});
}

const Kind<AnySymmetric>& symmetrics() {
  static const Kind<AnySymmetric> kind{
      {.sources = symmetric_sources,
       .generators = list_symmetric_generators,
       .canonical = canonical_symmetric_generator,
       .least_order = 0,
       .rows = {},
       .takes_few_rows = nullptr,
       .identify = identify_symmetric,
       .is_slow_to_generate = is_slow_symmetric},
      make_symmetric,
      load_symmetric,
      [](const fs::path& file) { return read_symmetric(file); },
      [](const fs::path& file, const AnySymmetric& matrix) { write_symmetric(file, matrix); }};
  return kind;
}

}  // namespace pivotlab::experiments
