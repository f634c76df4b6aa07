// SPDX-License-Identifier: BSD-3-Clause
#include <generators/kinds.hpp>
#include <generators/truth.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/by_columns.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

const std::vector<PairKind>& kinds() {
  static const std::vector<PairKind> all = joined_kinds(paper_pair_kinds(), graded_pair_kinds(), classic_pair_kinds(),
                                                        any_pair_kinds(), signed_pair_kinds());
  return all;
}

std::string provenance(const GeneratorName& name, const Problem& problem, const std::string& how) {
  return fmt::format("{}, seed {}{}", name.canonical, problem.seed, how);
}

template <class T>
Pair<T> generate(const PairKind& kind, Pair<T> (*make)(const Problem&), const GeneratorName& name,
                 const Problem& problem, bool with_sigma) {
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

const GeneratorOption& sigma_option() {
  static const GeneratorOption truth{
      "truth",
      "auto",
      "sigma: auto = known from the construction or, for the other kinds at n <= 64, as rounded; "
      "rounded = of exactly the double matrices, n <= 256; none",
      {"auto", "rounded", "none"}};
  return truth;
}

const GeneratorCatalog& pair_catalog() {
  static const GeneratorCatalog catalog = catalog_of(kinds());
  return catalog;
}

std::string canonical_generator(std::string_view name) {
  return parse_generator(name).canonical;
}

AnyPair generate_pair(const PairRequest& request) {
  const GeneratorName name = parse_generator(request.generator);
  const PairKind& kind = find_kind(kinds(), name.kind);
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
