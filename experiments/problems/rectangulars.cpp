// SPDX-License-Identifier: BSD-3-Clause
// Matrices with at least as many rows as columns: generators, and "file:G".
#include <fmt/format.h>
#include <experiments/problems/family.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/io.hpp>

#include <array>

namespace pivotlab::experiments {
namespace {

constexpr std::array<FileSource, 2> rectangular_sources{one_file("G"), from_collection};

ProblemCase identify_rectangular(const std::string& generator, Symmetry) {
  const std::string path = path_of(generator);
  const MatrixShape shape = read_matrix_shape(path);
  if (shape.cols < 1 || shape.rows < shape.cols)
    throw InputError(fmt::format("{}: is {} x {}; give a matrix with columns, and with as many rows or more", path,
                                 shape.rows, shape.cols));
  return {.type = shape.type, .n = shape.cols, .m = shape.rows, .digest = digest_of_files({path})};
}

AnyMatrix make_rectangular(const ProblemCase& wanted, int threads) {
  return generate_rectangular({.generator = wanted.generator,
                               .type = wanted.type,
                               .n = wanted.n,
                               .m = wanted.m,
                               .seed = wanted.seed,
                               .threads = threads});
}

}  // namespace

const Kind<AnyMatrix>& rectangulars() {
  static const Kind<AnyMatrix> kind{
      {.sources = rectangular_sources,
       .generators = list_rectangular_generators,
       .canonical = canonical_rectangular_generator,
       .least_order = 1,
       .rows = {{"m", &ProblemCase::m, "-m,--rows", "Rows, at least n (default: n)"}},
       .takes_few_rows = nullptr,
       .identify = identify_rectangular,
       .is_slow_to_generate = [](const ProblemCase& wanted) { return wanted.generator.starts_with("spectrum"); }},
      make_rectangular,
      [](const ProblemCase& wanted) {
        return read_matrix(ProblemFiles(wanted, {{wanted.m, wanted.n}}).paths().front());
      },
      [](const std::filesystem::path& file) { return read_matrix(file); },
      [](const std::filesystem::path& file, const AnyMatrix& matrix) { write_matrix_market(file, matrix); }};
  return kind;
}

}  // namespace pivotlab::experiments
