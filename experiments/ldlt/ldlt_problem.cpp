#include <experiments/common/problem_cache.hpp>
#include <experiments/engine/judgement.hpp>
#include <experiments/ldlt/ldlt_estimate.hpp>
#include <experiments/ldlt/ldlt_problem.hpp>
#include <experiments/ldlt/matrix_source.hpp>
#include <experiments/metrics/gjg_errors.hpp>
#include <experiments/metrics/inertia_certificate.hpp>
#include <experiments/metrics/ldlt_factors.hpp>
#include <experiments/metrics/ldlt_stages.hpp>
#include <experiments/metrics/threaded_norms.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/peers.hpp>

#include <algorithm>

namespace pivotlab::experiments {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr Index kRightHandSides = 4;

template <class T>
struct VariantSolution final : Solution {
  explicit VariantSolution(LdltFactorization<T> computed) : factorization(std::move(computed)) {
    compute_s = factorization.compute_seconds;
  }
  LdltFactorization<T> factorization;
};

template <class T>
struct PeerSolution final : Solution {
  explicit PeerSolution(LdltPeerResult<T> computed) : result(std::move(computed)) {
    compute_s = result.compute_seconds;
  }
  LdltPeerResult<T> result;
};

std::vector<int> pivot_orders(const std::vector<Index>& interchanges) {
  std::vector<int> orders;
  for (std::size_t k = 0; k < interchanges.size(); k += static_cast<std::size_t>(orders.back()))
    orders.push_back(k + 1 < interchanges.size() && interchanges[k + 1] < 0 ? 2 : 1);
  return orders;
}

/// Interchanges of two different rows for pivots of an order.
Index count_swaps(const std::vector<Index>& interchanges, int order) {
  Index swaps = 0, k = 0;
  for (const int size : pivot_orders(interchanges))
    for (const Index end = k + size; k < end; ++k)
      swaps += size == order && std::abs(interchanges[static_cast<std::size_t>(k)]) != k + 1;
  return swaps;
}

json describe(const LdltVariant& variant) {
  constexpr auto word = [](Pivoting pivoting) {
    return pivoting == Pivoting::complete ? "complete" : pivoting == Pivoting::rook ? "rook" : "partial";
  };
  json description = {{"pivoting", word(variant.pivoting)}, {"alpha", variant.alpha}};
  if (variant.equilibrate) description["equilibrate"] = true;
  return description;
}

template <class T>
class LdltProblem final : public Problem {
 public:
  explicit LdltProblem(SymmetricMatrix<T> matrix)
      : matrix_(std::move(matrix)), system_(make_system(matrix_.A, kRightHandSides)) {}

  std::unique_ptr<Solution> solve(const Case& axes) const override {
    const LdltCase wanted = interpret_ldlt(axes);
    if (!wanted.variant)
      return std::make_unique<PeerSolution<T>>(
          factor_with_peer<T>(wanted.solver, matrix_.A, system_.B, wanted.symmetry, wanted.threads));
    LdltOptions options;
    options.variant = *wanted.variant;
    options.backend = parse_backend(wanted.backend);
    options.symmetry = wanted.symmetry;
    options.storage = wanted.storage;
    options.rank_tolerance = wanted.tolerance;
    options.threads = wanted.threads;
    return std::make_unique<VariantSolution<T>>(ldlt<T>(matrix_.A, options));
  }

  Judgement judge(const Case& axes, const Solution& solution) const override {
    const LdltCase judged = interpret_ldlt(axes);
    Judgement judgement;
    judgement.problem = describe_problem();
    if (judged.variant) {
      judgement.variant = describe(*judged.variant);
      const auto& f = static_cast<const VariantSolution<T>&>(solution).factorization;
      judge_variant(f, judgement);
      certify(f, judged, judgement);
      if (judged.gjg) judgement.metrics["gjg"] = to_json(compare_gjg(matrix_, f, judged.tolerance, 0));
    } else {
      judge_peer(judged, static_cast<const PeerSolution<T>&>(solution).result, judgement);
    }
    return judgement;
  }

 private:
  void judge_variant(const LdltFactorization<T>& f, Judgement& judgement) const {
    const auto unrefined = f.solve_refined(matrix_.A, system_.B, InputTriangle::whole, 0);
    give(factors_of(f), claims_of(f), &unrefined.X, judgement);
    judgement.metrics.update({{"max_growth", f.max_growth()},
                              {"swaps_1x1", f.swaps_1x1},
                              {"swaps_2x2", f.swaps_2x2},
                              {"tolerance", f.tolerance},
                              {"remainder", f.variant.pivoting == Pivoting::complete ? json(f.remainder) : json()},
                              {"stages", to_json(f.stages)}});
  }

  /// The inertia with evidence, where that takes no more than judging does: further factorizations on a GPU, or of a
  /// matrix that is not large.
  void certify(const LdltFactorization<T>& f, const LdltCase& judged, Judgement& judgement) const {
    InertiaOptions options;
    const bool on_gpu = judged.backend == "cuda";
    if (on_gpu) options.backend = Backend::cuda;
    if (is_complex<T> && matrix_.symmetry == Symmetry::symmetric) return;
    if (f.order() > options.residual_limit && !on_gpu) return;
    const InertiaReport report = certify_inertia<T>(matrix_.A, f, options);
    judgement.metrics["certificate"] = to_json(report);
    if (!matrix_.inertia) return;
    const std::optional<bool> agreement = agrees(report, *matrix_.inertia);
    judgement.metrics["inertia_agrees"] = agreement ? json(*agreement) : json();
  }

  /// Of a library's factors, rank and inertia are what D says by our rule; the growth is not known.
  void judge_peer(const LdltCase& judged, const LdltPeerResult<T>& result, Judgement& judgement) const {
    LdltFactors<T> factors{result.M, result.diagonal, result.subdiagonal, result.permutation,
                           pivot_orders(result.interchanges)};
    factors.tridiagonal = result.tridiagonal;
    factors.zero = judged.tolerance * largest_;
    LdltClaims claims;
    // Of complex numbers LAPACK compares |Re| + |Im|, for which the bounds are others.
    if (!is_complex<T> && judged.solver.ends_with("_rook")) {
      claims.multiplier_bound = LdltVariant{.pivoting = Pivoting::rook}.multiplier_bound();
      claims.condition_bound = LdltVariant{.pivoting = Pivoting::rook}.condition_bound();
    }
    give(factors, claims, result.X.rows() == matrix_.A.rows() ? &result.X : nullptr, judgement);
    const auto swaps = [&](int order) {
      return result.tridiagonal ? json() : json(count_swaps(result.interchanges, order));
    };
    judgement.metrics.update({{"max_growth", nullptr},
                              {"swaps_1x1", swaps(1)},
                              {"swaps_2x2", swaps(2)},
                              {"tolerance", factors.zero},
                              {"remainder", nullptr},
                              {"stages", nullptr}});
  }

  void give(const LdltFactors<T>& factors, const LdltClaims& claims, const Matrix<T>* X, Judgement& judgement) const {
    const LdltSystem<T> system{system_.B, system_.X_true, X};
    const LdltMetrics metrics = judge_ldlt(matrix_, factors, claims, &system);
    judgement.status = metrics.verdict;
    judgement.message = metrics.message;
    judgement.metrics = to_json(metrics);
  }

  json describe_problem() const {
    const auto& eigenvalues = matrix_.eigenvalues;
    json least = nullptr, most = nullptr;
    if (!eigenvalues.empty()) {
      const auto smaller = [](const Quad& x, const Quad& y) { return abs(x) < abs(y); };
      const auto [first, last] = std::ranges::minmax_element(eigenvalues, smaller);
      least = static_cast<double>(abs(*first));
      most = static_cast<double>(abs(*last));
    }
    return {{"provenance", matrix_.provenance},
            {"largest_element", largest_},
            {"norm_inf", number_or_null(norm_1(matrix_.A, 0, 0))},
            {"smallest_eigenvalue", least},
            {"largest_eigenvalue", most},
            {"inertia", to_json(matrix_.inertia)}};
  }

  SymmetricMatrix<T> matrix_;
  KnownSystem<T> system_;
  double largest_ = largest_modulus(matrix_.A, 0);
};

AnySymmetric generate(const LdltCase& wanted) {
  return generate_symmetric({.generator = wanted.generator,
                             .type = wanted.type,
                             .symmetry = wanted.symmetry,
                             .n = wanted.n,
                             .seed = wanted.seed});
}

AnySymmetric make_matrix(const LdltCase& wanted, std::string_view key, const fs::path& cache) {
  if (is_matrix_file(wanted.generator)) return load_matrix(wanted.generator, wanted.symmetry, wanted.seed);
  if (wanted.n * wanted.n < cached_elements || !is_slow_to_generate(wanted.generator)) return generate(wanted);
  return cached(
      cache_file(cache, key), [](const fs::path& file) { return read_symmetric(file); },
      [&] { return generate(wanted); }, write_symmetric);
}

}  // namespace

std::unique_ptr<Problem> make_ldlt_problem(const LdltCase& ldlt_case, std::string_view key, const fs::path& cache) {
  return std::visit(
      []<class T>(SymmetricMatrix<T> matrix) -> std::unique_ptr<Problem> {
        return std::make_unique<LdltProblem<T>>(std::move(matrix));
      },
      make_matrix(ldlt_case, key, cache));
}

}  // namespace pivotlab::experiments
