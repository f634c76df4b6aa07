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

struct Kind {
  std::string name, summary;
  std::vector<GeneratorOption> options;
  GeneralMatrix<double> (*make_real)(const GeneralProblem&);
  GeneralMatrix<Complex> (*make_complex)(const GeneralProblem&);
};

const std::vector<Kind>& kinds() {
  static const GeneratorOption truth{
      "truth",
      "auto",
      "eigenvalues: auto: those that it was made from, else computed up to n = 128; computed: of the doubles",
      {"auto", "computed", "none"}};
  static const GeneratorOption values{
      "spectrum",
      "normal",
      "eigenvalues: complex normal, on the unit circle, or of modulus 1 down to 1/ratio",
      {"normal", "circle", "geometric"}},
      ratio{"ratio", "1000", "largest over smallest modulus, of spectrum=geometric", {}, 1, 1e30};
  static const GeneratorOption kappa{"kappa", "10000", "condition of S", {}, 1, 1e15};
  static const std::vector<Kind> all{
      {"random",
       "independent random entries",
       {{"entries",
         "normal",
         "distribution: normal (0,1), uniform (0,1), symmetric (-1,1)",
         {"normal", "uniform", "symmetric"}},
        truth},
       make_random_general<double>,
       make_random_general<Complex>},
      {"normal",
       "Q*Lambda*Q' with a random unitary Q",
       {values, ratio, truth},
       make_normal<double>,
       make_normal<Complex>},
      {"similarity",
       "S*Lambda*inv(S) with the singular values of S from 1 to 1/kappa",
       {kappa, values, ratio, truth},
       make_similarity<double>,
       make_similarity<Complex>},
      {"repeated",
       "S*Lambda*inv(S) with few different eigenvalues, each multiple, none defective",
       {{"distinct", "4", "how many eigenvalues differ", {}, 1, 1e9},
        {"kappa", "1", "condition of S", {}, 1, 1e15},
        truth},
       make_repeated<double>,
       make_repeated<Complex>},
      {"defective",
       "Q*J*Q' with Jordan blocks of the eigenvalue 1",
       {{"blocks", "1", "how many Jordan blocks, of nearly equal order", {}, 1, 1e9}, truth},
       make_defective<double>,
       make_defective<Complex>},
      {"hermitian", "Q*Lambda*Q' with real eigenvalues", {truth}, make_hermitian<double>, make_hermitian<Complex>},
      {"unitary",
       "Q*Lambda*Q' with eigenvalues on the unit circle",
       {truth},
       make_unitary<double>,
       make_unitary<Complex>},
      {"companion",
       "of a polynomial with random coefficients",
       {truth},
       make_companion<double>,
       make_companion<Complex>},
      {"grcar",
       "-1 below the diagonal, 1 on it and on k diagonals above",
       {{"k", "3", "superdiagonals", {}, 0, 1e9}, truth},
       make_grcar<double>,
       make_grcar<Complex>},
      {"jordan",
       "a Jordan block of the eigenvalue 1 and random noise",
       {{"noise", "1e-08", "standard deviation of its elements", {}, 0, 1}, truth},
       make_noisy_jordan<double>,
       make_noisy_jordan<Complex>},
      {"cyclic",
       "the cyclic shift: 1 above the diagonal and in the corner",
       {truth},
       make_cyclic_shift<double>,
       make_cyclic_shift<Complex>},
      {"scaled",
       "inv(D)*R*D with a random R and D from 1 to 1e+decades",
       {{"decades", "8", "of D", {}, 0, 140}, truth},
       make_badly_scaled<double>,
       make_badly_scaled<Complex>},
      {"graded",
       "D*R*D with a random R and D from 1e-g to 1e+g",
       {{"g", "4", "grade", {}, 0, 70},
        {"order", "falling", "of D's elements", {"rising", "falling", "random"}},
        truth},
       make_graded_general<double>,
       make_graded_general<Complex>},
  };
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

const GeneratorCatalog& general_catalog() {
  static const GeneratorCatalog catalog = catalog_of(kinds());
  return catalog;
}

AnyGeneral generate_general(const GeneralRequest& request) {
  const GeneratorName name = parse_generator(request.generator, general_catalog());
  if (request.n < 0) throw InputError(fmt::format("n = {}: an order is not negative; use n ≥ 0", request.n));
  const GeneralProblem problem{request.n, request.seed, thread_count(request.threads), name.options};
  const Kind& kind = *std::ranges::find(kinds(), name.kind, &Kind::name);
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
