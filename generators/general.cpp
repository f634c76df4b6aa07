// SPDX-License-Identifier: BSD-3-Clause
#include <generators/general_kinds.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <functional>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

constexpr Index usual_truth_order = 128, max_truth_order = 1024;

const GeneralKinds& kinds() {
  static const GeneralKinds all = joined_kinds(classic_general_kinds(), spectral_general_kinds());
  return all;
}

template <class T>
void settle_truth(GeneralMatrix<T>& matrix, const GeneralProblem& problem) {
  const std::string& truth = problem.options.text("truth");
  if (truth == "none") return matrix.eigenvalues.clear();
  if (truth == "computed" && problem.n > max_truth_order)
    throw InputError(fmt::format("generator: truth=computed: n = {} is beyond {}; use a smaller n or truth=none",
                                 problem.n, max_truth_order));
  if (truth == "computed" || (matrix.eigenvalues.empty() && problem.n <= usual_truth_order))
    matrix.eigenvalues = extended_eigenvalues<T>(matrix.A, problem.threads);
}

template <class T>
GeneralMatrix<T> generate(GeneralMatrix<T> (*make)(const GeneralProblem&), const GeneralProblem& problem,
                          const std::string& name) {
  GeneralMatrix<T> matrix;
  if (problem.n > 0) {
    matrix = make(problem);
    settle_truth(matrix, problem);
    std::ranges::stable_sort(matrix.eigenvalues, std::greater(),
                             [](const auto& z) { return Quad(z.real() * z.real() + z.imag() * z.imag()); });
  }
  matrix.provenance = fmt::format("{}, seed {}", name, problem.seed);
  return matrix;
}

}  // namespace

const GeneratorOption& eigenvalues_option() {
  static const GeneratorOption truth{
      "truth",
      "auto",
      "eigenvalues: auto: those that it was made from, else computed up to n = 128; computed: of the doubles",
      {"auto", "computed", "none"}};
  return truth;
}

const GeneratorCatalog& general_catalog() {
  static const GeneratorCatalog catalog = catalog_of(kinds());
  return catalog;
}

AnyGeneral generate_general(const GeneralRequest& request) {
  const GeneratorName name = parse_generator(request.generator, general_catalog());
  if (request.n < 0) throw InputError(fmt::format("n = {}: an order is not negative; use n ≥ 0", request.n));
  const GeneralProblem problem{request.n, request.seed, thread_count(request.threads), name.options};
  const auto& kind = find_kind(kinds(), name.kind);
  if (request.type == ScalarType::z) return generate(kind.make_complex, problem, name.canonical);
  return generate(kind.make_real, problem, name.canonical);
}

std::vector<GeneratorInfo> list_general_generators() {
  return describe_kinds(kinds());
}

std::string canonical_general_generator(std::string_view name) {
  return parse_generator(name, general_catalog()).canonical;
}

}  // namespace pivotlab
