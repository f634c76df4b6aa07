// SPDX-License-Identifier: BSD-3-Clause
// A pair in one HDF5 file.
//
//   /F, /G          shape (m, n); float64 or the compound {r, i}; attribute triangle = "lower" if only that is stored
//   /sigma          the generalized singular values as float64, for other readers
//   /sigma_exact    r × 4, r ≤ n: value = (column 0 + column 1 + column 2)·2^(column 3), without rounding; infinite
//   ones
//                   are 1·2^32768
//   attributes      schema, type, m_f, m_g, n, provenance, and those of the caller
#include <pivotlab/by_columns.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "generators/io/check.hpp"
#include "generators/io/exact_numbers.hpp"
#include "generators/io/hdf5.hpp"
#include "generators/io/hdf5_file.hpp"
#include "generators/io/symmetry.hpp"

namespace pivotlab {
namespace {

using io::hdf5::Place;

constexpr const char* schema = "pivotlab/pair/1";
constexpr double infinite_exponent = 32768;

std::vector<Quad> descending(std::vector<Quad> sigma, const Place& place) {
  for (std::size_t i = 0; i < sigma.size(); ++i) {
    const auto bad = [&](std::string_view what) {
      place.fail(fmt::format("row {}: {}", i + 1, what), "write the file again");
    };
    if (!(sigma[i] >= 0)) bad("a singular value is negative or infinite");
    if (i > 0 && sigma[i] > sigma[i - 1]) bad("the singular values do not descend");
  }
  return sigma;
}

void require_pair(const Place& root, bool same_type, Index cols_of_f, Index cols_of_g) {
  if (!same_type) root.fail("one of F and G is real and the other complex", "store both as complex");
  if (cols_of_f != cols_of_g)
    root.fail(fmt::format("F has {} columns and G {}", cols_of_f, cols_of_g),
              "store matrices with equally many columns");
}

/// The objects of a pair's file.
const io::hdf5::Wanted wanted{.objects = {"/F", "/G"}, .optional = {"/sigma_exact"}};

/// Throws InputError for matrices that are no pair, before their elements are read.
void require_pair(const io::hdf5::OldFile& file) {
  const auto F = io::hdf5::read_shape(file, "/F"), G = io::hdf5::read_shape(file, "/G");
  require_pair(Place{file.name(), ""}, F.type == G.type, F.cols, G.cols);
}

std::string provenance(const io::hdf5::OldFile& file) {
  return file.text("provenance").value_or(file.name().string());
}

/// Joins at most n values, the first ones of which may be infinite.
std::vector<Quad> join_sigma(const Matrix<double>& parts, Index n, const Place& truth) {
  Index infinite = 0;
  while (parts.cols() == 4 && infinite < parts.rows() && parts(infinite, 3) == infinite_exponent) ++infinite;
  const Matrix<double> finite(parts.view().block(infinite, 0, parts.rows() - infinite, parts.cols()));
  std::vector<Quad> sigma = descending(io::join_exactly(finite, std::min(parts.rows(), n) - infinite, truth), truth);
  sigma.insert(sigma.begin(), static_cast<std::size_t>(infinite), std::numeric_limits<Quad>::infinity());
  return sigma;
}

Matrix<double> split_sigma(const std::vector<Quad>& sigma) {
  const auto first = std::ranges::find_if(sigma, [](const Quad& x) { return isfinite(x); });
  const Matrix<double> finite = io::split_exactly({first, sigma.end()});
  const Index infinite = first - sigma.begin();
  Matrix<double> parts(infinite + finite.rows(), 4);
  for (Index i = 0; i < infinite; ++i) parts(i, 0) = 1, parts(i, 3) = infinite_exponent;
  for (Index k = 0; k < 4; ++k) std::ranges::copy(finite.col(k), parts.col(k).begin() + infinite);
  return parts;
}

/// Reads sigma and provenance, for a Pair or a PairHead.
template <class Known>
void read_known(const io::hdf5::OldFile& file, Index n, Known& known) {
  const Place truth{file.name(), "/sigma_exact"};
  if (const auto parts = io::hdf5::read_optional(file, truth.object)) known.sigma = join_sigma(*parts, n, truth);
  known.provenance = provenance(file);
}

template <class T>
Pair<T> read(const io::hdf5::OldFile& file) {
  const auto read_one = [&](const char* name) { return std::get<Matrix<T>>(io::hdf5::read_matrix(file, name)); };
  Pair<T> pair{read_one("/F"), read_one("/G"), {}, {}};
  read_known(file, pair.F.cols(), pair);
  return pair;
}

template <class T>
void write(hid_t file, const Place& root, const Pair<T>& pair, const PairFileOptions& options) {
  using io::hdf5::write_attribute;
  write_attribute(file, root, "schema", std::string(schema));
  write_attribute(file, root, "type", std::string(1, static_cast<char>(scalar_type<T>)));
  write_attribute(file, root, "m_f", std::int64_t{pair.F.rows()});
  write_attribute(file, root, "m_g", std::int64_t{pair.G.rows()});
  write_attribute(file, root, "n", std::int64_t{pair.F.cols()});
  write_attribute(file, root, "provenance", pair.provenance);
  const auto write_one = [&](const char* name, const Matrix<T>& A) {
    const bool lower = options.one_triangle && io::has_symmetry(A.view(), io::Symmetry::hermitian);
    io::hdf5::write_matrix(file, Place{root.file, name}, A.view(), {options.compression, lower});
  };
  write_one("/F", pair.F);
  write_one("/G", pair.G);
  if (pair.sigma.empty()) return;
  std::vector<double> rounded;
  for (const auto& value : pair.sigma) rounded.push_back(static_cast<double>(value));
  io::hdf5::write_vector(file, Place{root.file, "/sigma"}, rounded);
  const Matrix<double> parts = split_sigma(pair.sigma);
  io::hdf5::write_matrix(file, Place{root.file, "/sigma_exact"}, parts.view(), {options.compression, false});
}

template <class T>
void require_writable(const std::filesystem::path& file, const Pair<T>& pair, const PairFileOptions& options) {
  if (options.compression < 0 || options.compression > 9)
    io::fail(file, "compression", fmt::format("{} is not a level of deflate", options.compression), "choose 0..9");
  if (pair.F.cols() != pair.G.cols() || pair.F.size() == 0 || pair.G.size() == 0)
    io::fail(file, "",
             fmt::format("F is {} x {} and G is {} x {}", pair.F.rows(), pair.F.cols(), pair.G.rows(), pair.G.cols()),
             "give two matrices with equally many columns");
  io::require_finite(file, "F", pair.F.view());
  io::require_finite(file, "G", pair.G.view());
  if (static_cast<Index>(pair.sigma.size()) > pair.F.cols())
    io::fail(file, "sigma", fmt::format("{} singular values for {} columns", pair.sigma.size(), pair.F.cols()),
             "give at most one for each column");
  for (std::size_t i = 0; i < pair.sigma.size(); ++i)
    if (!(pair.sigma[i] >= 0) || (i > 0 && pair.sigma[i] > pair.sigma[i - 1]))
      io::fail(file, "sigma", fmt::format("value {} is negative, not a number or larger than the one before", i + 1),
               "give the singular values in descending order");
}

}  // namespace

AnyPair read_pair(const std::filesystem::path& file) {
  const io::hdf5::OldFile opened(file, wanted);
  require_pair(opened);
  io::require_memory(file, "", "the pair",
                     io::hdf5::bytes_in_memory(opened, "/F") + io::hdf5::bytes_in_memory(opened, "/G"));
  if (io::hdf5::read_shape(opened, "/F").type == ScalarType::z) return read<std::complex<double>>(opened);
  return read<double>(opened);
}

PairHead read_pair_head(const std::filesystem::path& file) {
  const io::hdf5::OldFile opened(file, wanted);
  require_pair(opened);
  const auto F = io::hdf5::read_shape(opened, "/F"), G = io::hdf5::read_shape(opened, "/G");
  PairHead head{F.type, F.rows, G.rows, F.cols, {}, {}};
  read_known(opened, head.n, head);
  return head;
}

template <class T>
Pair<T> read_pair_columns(const std::filesystem::path& file, const std::vector<Index>& columns) {
  const io::hdf5::OldFile opened(file, wanted);
  const auto read_one = [&](const char* name) {
    if (io::hdf5::read_shape(opened, name).type != scalar_type<T>)
      io::fail(file, name, is_complex<T> ? "is not complex" : "is not real", "read it by its type");
    return std::get<Matrix<T>>(io::hdf5::read_columns(opened, name, columns));
  };
  return {read_one("/F"), read_one("/G"), {}, provenance(opened)};
}

template Pair<double> read_pair_columns(const std::filesystem::path&, const std::vector<Index>&);
template Pair<std::complex<double>> read_pair_columns(const std::filesystem::path&, const std::vector<Index>&);

void write_pair(const std::filesystem::path& file, const AnyPair& pair, const PairFileOptions& options,
                const std::map<std::string, std::string>& attributes) {
  std::visit(
      [&](const auto& p) {
        require_writable(file, p, options);
        const io::hdf5::Silence silence;
        io::hdf5::NewFile output(file);
        write(output, Place{file, ""}, p, options);
        io::hdf5::write_attributes(output, Place{file, ""}, attributes);
        output.commit();
      },
      pair);
}

}  // namespace pivotlab
