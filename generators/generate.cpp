// SPDX-License-Identifier: BSD-3-Clause
#include <generators/kinds.hpp>
#include <generators/truth.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/by_columns.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace pivotlab {
namespace {

enum class Truth { as_built, of_the_doubles };  // meaning of truth=auto for a kind

struct Kind {
  std::string name, summary;
  Truth truth;
  std::vector<GeneratorOption> options;
  Pair<double> (*make_real)(const Problem&);
  Pair<std::complex<double>> (*make_complex)(const Problem&);
  bool any_shape = false;  ///< whether there may be fewer rows than columns
};

template <class T>
Pair<T> make_rounded_paper_pair(const Problem& problem) {
  if (problem.n >= device_pair_order)
    if (const auto algebra = make_device_pair_algebra<T>()) {
      Pair<T> pair = make_paper_pair<T>(problem, *algebra);
      pair.provenance = ", made in double-double on a GPU";
      return pair;
    }
  return rounded<T>(make_paper_pair<Rebind<T, Quad>>(problem));
}

using Complex = std::complex<double>;

const std::vector<Kind>& kinds() {
  static const GeneratorOption truth{
      "truth",
      "auto",
      "sigma: auto = known from the construction or, for the other kinds at n <= 64, as rounded; "
      "rounded = of exactly the double matrices, n <= 256; none",
      {"auto", "rounded", "none"}};
  static const std::vector<Kind> all{
      {"paper",
       "section 5.1.2 of the GSVD paper: real F = U*Sigma_F*X, G = V*Sigma_G*X; complex Hermitian positive definite",
       Truth::as_built,
       {{"form",
         "auto",
         "usx: as real, sigma known; hpd: positive definite, sigma unknown; auto: usx real, hpd complex",
         {"auto", "usx", "hpd"}},
        {"spectrum",
         "uniform",
         "diagonals of Sigma_F, Sigma_G (usx) or eigenvalues of F, G (hpd), in random order; "
         "cluster0: one 1, the rest 1/kappa; cluster1: one 1/kappa, the rest 1",
         {"uniform", "geometric", "arithmetic", "cluster0", "cluster1"}},
        {"kappa", "1000", "largest over smallest value of the spectrum; uniform in (0,1) has none", {}, 1, 1e30},
        {"cond_x", "0", "condition of X, its eigenvalues then geometric; 0: uniform in (0,1)", {}, 0, 1e30},
        {"grade", "0", "columns of F and G times 1e-grade to 1e+grade; sigma stays", {}, 0, 100},
        truth},
       make_rounded_paper_pair<double>,
       make_rounded_paper_pair<Complex>},
      {"graded",
       "well-conditioned B, C (normal + 3*I) with columns or rows times D from 1e-g to 1e+g: (B*D, C), (D*B, C), ...",
       Truth::of_the_doubles,
       {{"side", "right", "right: columns, left: rows", {"right", "left"}},
        {"on", "f", "which matrix is scaled", {"f", "g", "both"}},
        {"permute", "none", "which matrix has its D in random order", {"none", "f", "g"}},
        {"g", "8", "grade", {}, 0, 20},
        truth},
       make_graded_pair<double>,
       make_graded_pair<Complex>},
      {"two-sided",
       "well-conditioned B, C (normal + 3*I) with rows and columns times D of their own from 1e-g to 1e+g",
       Truth::of_the_doubles,
       {{"rows_f", "none", "D of the rows of F: ascending or in random order", {"none", "ascending", "random"}},
        {"columns_f", "none", "of the columns of F", {"none", "ascending", "random"}},
        {"rows_g", "none", "of the rows of G", {"none", "ascending", "random"}},
        {"columns_g", "none", "of the columns of G", {"none", "ascending", "random"}},
        {"pattern", "dense", "elements of B and C that are not zero", {"dense", "arrow", "band"}},
        {"g", "8", "grade", {}, 0, 20},
        truth},
       make_two_sided_pair<double>,
       make_two_sided_pair<Complex>},
      {"hilbert",
       "Hilbert matrix F with a difference operator G, as in regularization",
       Truth::of_the_doubles,
       {{"l", "1", "order of the differences; 0: G = I", {"0", "1", "2"}}, truth},
       make_hilbert_pair<double>,
       make_hilbert_pair<Complex>},
      {"identity", "F = G = I", Truth::as_built, {truth}, make_identity_pair<double>, make_identity_pair<Complex>},
      {"random",
       "independent random entries",
       Truth::of_the_doubles,
       {{"entries",
         "normal",
         "distribution: normal (0,1), uniform (0,1), symmetric (-1,1)",
         {"normal", "uniform", "symmetric"}},
        truth},
       make_random_pair<double>,
       make_random_pair<Complex>,
       true},
      {"lapack",
       "the types of LAPACK's tests of the GSVD (DLATB9), of any shape: norms 10 and 1000, singular values geometric "
       "and "
       "arithmetic",
       Truth::as_built,
       {{"type",
         "4",
         "1: diagonal, upper; 2: upper, upper; 3: lower, upper; 4: dense, conditions 100, 10; 5 to 8: conditions "
         "2e7 or 5e14",
         {"1", "2", "3", "4", "5", "6", "7", "8"}},
        truth},
       make_lapack_pair<double>,
       make_lapack_pair<Complex>,
       true},
      {"ranks",
       "integer matrices of any shape with G of rank l and [F; G] of rank k + l, exactly",
       Truth::as_built,
       {{"k", "1", "number of infinite sigma", {}, 0, 1e9}, {"l", "1", "number of finite sigma", {}, 0, 1e9}, truth},
       make_ranks_pair<double>,
       make_ranks_pair<Complex>,
       true},
      {"integral",
       "integral equation of the first kind, by midpoints, with the n - l differences of order l, and zero rows, as G",
       Truth::as_built,
       {{"kernel",
         "baart",
         "baart: exp(s*cos(t)), wing: t*exp(-s*t^2), deriv2: second antiderivative; shaw: image restoration, heat: "
         "inverse heat equation",
         {"baart", "wing", "deriv2", "shaw", "heat"}},
        {"l", "1", "order of the differences", {"0", "1", "2"}},
        truth},
       make_integral_pair<double>,
       make_integral_pair<Complex>,
       true},
      {"waves",
       "waves with wave numbers (1 - overlap)*j, an overcomplete basis, as G; random combinations of the rows of G as "
       "F",
       Truth::of_the_doubles,
       {{"overlap",
         "0.2",
         "0: orthogonal; the condition of G grows with n and overlap: 3e8 for 0.2, real n = 32",
         {},
         0,
         1},
        truth},
       make_wave_pair<double>,
       make_wave_pair<Complex>},
      {"neutral",
       "F = [X; Q*X*(I + gap*D)], Q unitary: f*Jf is about gap*|f|^2 for signs J whose second half is negative; G "
       "random",
       Truth::of_the_doubles,
       {{"gap", "1e-06", "distance of columns of F from neutral ones", {}, 0, 1}, truth},
       make_neutral_pair<double>,
       make_neutral_pair<Complex>}};
  return all;
}

std::string provenance(const GeneratorName& name, const Problem& problem, const std::string& how) {
  return fmt::format("{}, seed {}{}", name.canonical, problem.seed, how);
}

template <class T>
Pair<T> generate(const Kind& kind, Pair<T> (*make)(const Problem&), const GeneratorName& name, const Problem& problem,
                 bool with_sigma) {
  Pair<T> pair = make(problem);
  const std::string& truth = problem.options.text("truth");
  if (!with_sigma || truth == "none")
    pair.sigma.clear();
  else if (truth == "rounded" ||
           (truth == "auto" && kind.truth == Truth::of_the_doubles && problem.n <= usual_truth_order))
    pair.sigma = exact_generalized_singular_values(pair.F, pair.G, problem.threads);
  pair.provenance = provenance(name, problem, pair.provenance);
  return pair;
}

Problem make_problem(const PairRequest& request, const OptionValues& options, bool any_shape) {
  Problem problem{request.n, request.m_f, request.m_g, request.seed, thread_count(request.threads), options};
  if (problem.n < 1) throw InputError(fmt::format("n = {}: there must be a column; use n ≥ 1", problem.n));
  if (problem.m_f == 0) problem.m_f = problem.n;
  if (problem.m_g == 0) problem.m_g = problem.n;
  for (const auto& [m, which] : {std::pair(problem.m_f, "m_f"), std::pair(problem.m_g, "m_g")})
    if (m < (any_shape ? 1 : problem.n))
      throw InputError(fmt::format("{} = {}: fewer rows than the {} columns; use {} ≥ n", which, m, problem.n, which));
  return problem;
}

}  // namespace

const GeneratorCatalog& pair_catalog() {
  static const GeneratorCatalog catalog = catalog_of(kinds());
  return catalog;
}

std::string canonical_generator(std::string_view name) {
  return parse_generator(name).canonical;
}

AnyPair generate_pair(const PairRequest& request) {
  const GeneratorName name = parse_generator(request.generator);
  const Kind& kind = *std::ranges::find(kinds(), name.kind, &Kind::name);
  const Problem problem = make_problem(request, name.options, kind.any_shape);
  if (request.type == ScalarType::z) return generate(kind, kind.make_complex, name, problem, request.sigma);
  return generate(kind, kind.make_real, name, problem, request.sigma);
}

template <class T>
Pair<T> generate_pair_columns(const PairRequest& request, const std::vector<Index>& columns) {
  const GeneratorName name = parse_generator(request.generator);
  const Problem problem = make_problem(request, name.options, false);
  if (name.kind != "random")
    throw NotSupported(
        fmt::format("generator '{}': its columns are not made one by one; take random, or a pair from "
                    "a file",
                    name.canonical));
  Pair<T> pair = make_random_columns<T>(problem, columns);
  pair.provenance = provenance(name, problem, "");
  return pair;
}

template Pair<double> generate_pair_columns(const PairRequest&, const std::vector<Index>&);
template Pair<Complex> generate_pair_columns(const PairRequest&, const std::vector<Index>&);

std::vector<GeneratorInfo> list_pair_generators() {
  return describe_kinds(kinds());
}

}  // namespace pivotlab
