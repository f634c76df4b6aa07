// SPDX-License-Identifier: BSD-3-Clause
#include <generators/symmetric_kinds.hpp>
#include <kernels/numerics/threads.hpp>
#include <pivotlab/error.hpp>

#include <fmt/format.h>
#include <algorithm>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

const SymmetricKinds& kinds() {
  static const SymmetricKinds all = joined_kinds(spectral_symmetric_kinds(), classic_symmetric_kinds());
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
  const auto& kind = find_kind(kinds(), name.kind);
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
