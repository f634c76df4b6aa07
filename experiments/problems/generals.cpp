// SPDX-License-Identifier: BSD-3-Clause
// General square matrices: generators, and "file:A".
#include <experiments/problems/family.hpp>
#include <pivotlab/io.hpp>

#include <array>

namespace pivotlab::experiments {
namespace {

constexpr std::array<FileSource, 2> general_sources{one_file("A"), from_collection};

ProblemCase identify_general(const std::string& generator, Symmetry) {
  const std::string path = path_of(generator);
  const MatrixShape shape = read_general_shape(path);
  return {.type = shape.type, .n = shape.rows, .digest = digest_of_files({path})};
}

AnyGeneral make_general(const ProblemCase& wanted, int threads) {
  return generate_general(
      {.generator = wanted.generator, .type = wanted.type, .n = wanted.n, .seed = wanted.seed, .threads = threads});
}

AnyGeneral load_general(const ProblemCase& wanted) {
  const ProblemFiles files(wanted, {{wanted.n, wanted.n}});
  AnyGeneral any = files.read([&] { return read_general(files.paths().front()); });
  std::visit(
      [&]<class T>(GeneralMatrix<T>& matrix) {
        matrix.provenance = wanted.generator;
        if (matrix.eigenvalues.empty() && matrix.A.rows() <= file_truth_order)
          matrix.eigenvalues = extended_eigenvalues<T>(matrix.A);
      },
      any);
  return any;
}

}  // namespace

const Kind<AnyGeneral>& generals() {
  static const Kind<AnyGeneral> kind{
      {.sources = general_sources,
       .generators = list_general_generators,
       .canonical = canonical_general_generator,
       .least_order = 0,
       .rows = {},
       .takes_few_rows = nullptr,
       .identify = identify_general,
       .is_slow_to_generate = [](const ProblemCase&) { return true; }},
      make_general,
      load_general,
      [](const std::filesystem::path& file) { return read_general(file); },
      [](const std::filesystem::path& file, const AnyGeneral& matrix) { write_general(file, matrix); }};
  return kind;
}

}  // namespace pivotlab::experiments
