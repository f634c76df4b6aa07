#include <experiments/common/file_source.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <pivotlab/io.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::array<FileSource, 2> sources{
    {{"file", "A", "Matrix Market or HDF5 (a.h5, a.h5:/dataset); a path may begin with $NAME, an environment variable"},
     {"permuted", "A", "The same with rows and columns permuted by the seed"}}};

std::string path_of(const std::string& generator) {
  return expand_variable(std::string_view(generator).substr(generator.find(':') + 1), generator);
}

MatrixIdentity identify(const std::string& generator, Symmetry symmetry) {
  const std::string path = path_of(generator);
  const SymmetricShape shape = read_symmetric_shape(path, symmetry);
  return {shape.type, shape.symmetry, shape.n, digest_of_files({path})};
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
  std::vector<Index> order(static_cast<std::size_t>(n));
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

}  // namespace

std::span<const FileSource> matrix_sources() {
  return sources;
}

bool is_matrix_file(std::string_view generator) {
  return find_source(sources, generator) != nullptr;
}

bool is_permuted_file(std::string_view generator) {
  return find_source(sources, generator) == &sources[1];
}

const MatrixIdentity& identify_matrix(const std::string& generator, Symmetry symmetry) {
  static std::map<std::pair<std::string, Symmetry>, MatrixIdentity> seen;
  const std::pair key(generator, symmetry);
  const auto known = seen.find(key);
  return known != seen.end() ? known->second : seen.emplace(key, identify(generator, symmetry)).first->second;
}

AnySymmetric load_matrix(const std::string& generator, Symmetry symmetry, std::uint64_t seed) {
  const std::string path = path_of(generator);
  AnySymmetric any = read_symmetric(path, symmetry);
  std::visit(
      [&]<class T>(SymmetricMatrix<T>& matrix) {
        matrix.provenance = generator;
        const bool has_inertia = !is_complex<T> || matrix.symmetry == Symmetry::hermitian;
        if (!matrix.inertia && has_inertia) matrix.inertia = stated_inertia(without_dataset(path));
        const auto& inertia = matrix.inertia;  // stated for another matrix of this name
        if (inertia && inertia->positive + inertia->negative + inertia->zero != matrix.A.rows()) matrix.inertia.reset();
        if (is_permuted_file(generator)) matrix.A = permuted(matrix.A, seed);
      },
      any);
  return any;
}

}  // namespace pivotlab::experiments
