// SPDX-License-Identifier: BSD-3-Clause
#include <generators/symmetric_kinds.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

struct Kind {
  std::string name, summary;
  std::vector<GeneratorOption> options;
  SymmetricMatrix<double> (*make_real)(const SymmetricProblem&);
  SymmetricMatrix<Complex> (*make_complex)(const SymmetricProblem&);
};

const std::vector<Kind>& kinds() {
  static const std::vector<Kind> all{
      {"equidistant",
       "random, eigenvalues equidistant from -n to n-1",
       {{"nullity", "0", "how many eigenvalues, those nearest to zero, are zero", {}, 0, 1e9}},
       make_equidistant<double>,
       make_equidistant<Complex>},
      {"spectrum",
       "random with eigenvalues of magnitude 1/kappa to 1",
       {{"of",
         "geometric",
         "how the magnitudes are distributed; cluster0: one 1, the rest 1/kappa; cluster1: one 1/kappa, the rest 1",
         {"geometric", "arithmetic", "cluster0", "cluster1"}},
        {"kappa", "1000", "largest over smallest magnitude", {}, 1, 1e30},
        {"negative", "0.5", "fraction of negative eigenvalues", {}, 0, 1}},
       make_spectrum<double>,
       make_spectrum<Complex>},
      {"latb4",
       "the types of LAPACK's DLATB4: 1 diagonal, 2 random, 3 to 6 zero rows and columns, 7 and 8 ill-conditioned, "
       "9 and 10 near under- and overflow",
       {{"type", "2", "1 to 10", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}}},
       make_latb4<double>,
       make_latb4<Complex>},
      {"random",
       "independent random entries",
       {{"entries",
         "normal",
         "distribution: normal (0,1), uniform (0,1), symmetric (-1,1)",
         {"normal", "uniform", "symmetric"}}},
       make_random_symmetric<double>,
       make_random_symmetric<Complex>},
      {"graded",
       "D*R*D with D from 1e-g to 1e+g",
       {{"g", "8", "grade", {}, 0, 70},
        {"order", "rising", "of D's elements", {"rising", "falling", "random"}},
        {"core",
         "normal",
         "R: normal, or conditioned = with random eigenvectors and eigenvalues of magnitude 0.1 to 1",
         {"normal", "conditioned"}}},
       make_graded_symmetric<double>,
       make_graded_symmetric<Complex>},
      {"lowrank",
       "of small integers and of exactly known rank and inertia",
       {{"rank", "0.5", "fraction of n", {}, 0, 1}, {"negative", "0.5", "fraction of the rank", {}, 0, 1}},
       make_low_rank<double>,
       make_low_rank<Complex>},
      {"kkt",
       "saddle point [H B'; B -delta*I] with positive definite H and B of full row rank",
       {{"constraints", "0.3", "rows of B as a fraction of n, at most 0.5", {}, 0, 0.5},
        {"delta", "0", "regularization", {}, 0, 1e6},
        {"kappa", "1000", "condition of H", {}, 1, 1e15},
        {"h", "dense", "H: dense, or diagonal from 1/sqrt(kappa) to sqrt(kappa)", {"dense", "diagonal"}}},
       make_saddle_point<double>,
       make_saddle_point<Complex>},
      {"quasidefinite",
       "D*[H B'; B -K]*D with positive definite H and K of condition 10 and D from 1e-g to 1e+g in random order",
       {{"constraints", "0.3", "rows of B as a fraction of n, at most 0.5", {}, 0, 0.5},
        {"g", "4", "grade", {}, 0, 70}},
       make_quasi_definite<double>,
       make_quasi_definite<Complex>},
      {"hadamard", "Sylvester's Hadamard matrix, n = 2^k", {}, make_hadamard<double>, make_hadamard<Complex>},
      {"clement",
       "Clement's (Kac's) tridiagonal matrix with zero diagonal",
       {},
       make_clement<double>,
       make_clement<Complex>},
      {"hilbert", "1/(i+j-1)", {}, make_hilbert<double>, make_hilbert<Complex>},
      {"fiedler", "|i-j|", {}, make_fiedler<double>, make_fiedler<Complex>},
      {"minij", "min(i,j)", {}, make_min_ij<double>, make_min_ij<Complex>},
      {"unbounded",
       "blocks [0 eps 0; eps 0 1; 0 1 1], for which partial pivoting gives M an element 1/eps",
       {{"eps", "1e-08", "the small element", {}, 1e-300, 0.5}},
       make_unbounded<double>,
       make_unbounded<Complex>},
  };
  return all;
}

Inertia inertia_of(const std::vector<Quad>& eigenvalues) {
  Inertia inertia;
  for (const Quad& x : eigenvalues) ++(x > 0 ? inertia.positive : x < 0 ? inertia.negative : inertia.zero);
  return inertia;
}

template <class T>
SymmetricMatrix<T> complete(SymmetricMatrix<T> matrix, const SymmetricProblem& problem, const std::string& name) {
  matrix.symmetry = problem.symmetry;
  std::ranges::sort(matrix.eigenvalues);
  if (!matrix.eigenvalues.empty()) matrix.inertia = inertia_of(matrix.eigenvalues);
  if (problem.symmetry == Symmetry::symmetric && is_complex<T>) matrix.inertia.reset();
  matrix.provenance = fmt::format("{}, seed {}{}", name, problem.seed, matrix.provenance);
  return matrix;
}

template <class T>
SymmetricMatrix<T> generate(SymmetricMatrix<T> (*make)(const SymmetricProblem&), const SymmetricProblem& problem,
                            const std::string& name) {
  if (problem.n == 0) return complete<T>({.inertia = Inertia{}}, problem, name);
  return complete(make(problem), problem, name);
}

}  // namespace

const GeneratorCatalog& symmetric_catalog() {
  static const GeneratorCatalog catalog = catalog_of(kinds());
  return catalog;
}

AnySymmetric generate_symmetric(const SymmetricRequest& request) {
  const GeneratorName name = parse_generator(request.generator, symmetric_catalog());
  if (request.n < 0) throw InputError(fmt::format("n = {}: an order is not negative; use n ≥ 0", request.n));
  const SymmetricProblem problem{request.n, request.seed, thread_count(request.threads), request.symmetry,
                                 name.options};
  const Kind& kind = *std::ranges::find(kinds(), name.kind, &Kind::name);
  if (request.type == ScalarType::z) return generate(kind.make_complex, problem, name.canonical);
  return generate(kind.make_real, problem, name.canonical);
}

std::vector<GeneratorInfo> list_symmetric_generators() {
  return describe_kinds(kinds());
}

std::string canonical_symmetric_generator(std::string_view name) {
  return parse_generator(name, symmetric_catalog()).canonical;
}

}  // namespace pivotlab
