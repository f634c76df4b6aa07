// SPDX-License-Identifier: BSD-3-Clause
// The judges of experiments: metrics in extended precision as the JSON of a record's section `metrics`.
#include <experiments/eig/eig_metrics.hpp>
#include <experiments/eigh/eigh_metrics.hpp>
#include <experiments/ghsvd/ghsvd_metrics.hpp>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <experiments/hsvd/hsvd_metrics.hpp>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <experiments/ldlt/ldlt_metrics.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <tuple>

#include "python/src/members.hpp"
#include "python/src/symmetry.hpp"

namespace pivotlab::python {
namespace {

using namespace experiments;

/// Returns (verdict, message, JSON) of what judge(options) returns.
template <class Metrics, class Judge>
nb::tuple judged(const Rows<Metrics>& rows, int threads, const Judge& judge) {
  const JudgeOptions options{.precision = {}, .threads = threads};
  const Metrics metrics = without_lock([&] { return judge(options); });
  return nb::make_tuple(std::string(to_string(metrics.verdict)), metrics.message, write_judged(rows, metrics).dump());
}

template <class T>
nb::tuple judge_pair(const InMatrix<T>& F, const InMatrix<T>& G, const InVector<double>& truth,
                     const InVector<double>& truth_rest, const nb::dict& members, int threads) {
  const Pair<T> pair{matrix_of<T>(F), matrix_of<T>(G), exact_of(truth, truth_rest), {}};
  const AnyGsvdResult<T> result = result_of<AnyGsvdResult<T>>(members);
  return judged(gsvd_metric_rows(), threads,
                [&](const JudgeOptions& options) { return judge_gsvd_by_z(pair, result, options); });
}

/// Returns A, averaged if it is symmetric but for rounding. Throws InputError if it is not symmetric or not finite.
template <class T>
Matrix<T> symmetric_of(Matrix<T> A, Symmetry symmetry) {
  symmetrize(A, symmetry);
  const bool hermitian = symmetry == Symmetry::hermitian;
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = j; i < A.rows(); ++i) {
      if (!std::isfinite(std::abs(A(i, j))))
        throw InputError("A: it has NaN or infinite elements; pass finite numbers");
      if (A.rows() != A.cols() || A(i, j) != (hermitian ? conjugate(A(j, i)) : A(j, i)))
        throw InputError(hermitian ? "A: it is not Hermitian; pass the matrix that was decomposed, both triangles"
                                   : "A: it is not symmetric; pass the matrix that was factored, both triangles");
    }
  return A;
}

template <class T>
nb::tuple judge_symmetric(const InMatrix<T>& A, const std::string& symmetry, const InVector<double>& truth,
                          const InVector<double>& truth_rest,
                          const std::optional<std::tuple<Index, Index, Index>>& inertia,
                          const LdltFactorization<T>& factors, int threads) {
  const Symmetry kind = symmetry_of(symmetry);
  SymmetricMatrix<T> matrix{symmetric_of(matrix_of<T>(A), kind), kind, exact_of(truth, truth_rest), {}, {}};
  if (inertia) matrix.inertia = std::make_from_tuple<Inertia>(*inertia);
  return judged(ldlt_metric_rows(), threads, [&](const JudgeOptions& options) {
    return judge_ldlt<T>(matrix, factors_of(factors), claims_of(factors), nullptr, options);
  });
}

template <class T>
nb::tuple judge_general(const InMatrix<T>& A, const InVector<Complex>& truth, const InVector<Complex>& truth_rest,
                        const nb::dict& members, int threads) {
  const GeneralMatrix<T> matrix{matrix_of<T>(A), exact_of(truth, truth_rest), {}};
  const EigResult<double> result = result_of<EigResult<double>>(members);
  EigFactors factors{result.eigenvalues, result.V};
  if (result.W.size() > 0) factors.W = &result.W;
  if (result.T.size() > 0 && result.E.size() > 0) factors.T = &result.T, factors.E = &result.E;
  if (!result.conditions.empty()) factors.conditions = &result.conditions;
  return judged(eig_metric_rows(), threads,
                [&](const JudgeOptions& options) { return judge_eig(matrix, factors, options); });
}

/// Computes the true eigenvalues first, where their number allows it.
template <class T>
nb::tuple judge_hermitian(const InMatrix<T>& A, const nb::dict& members, int threads) {
  const Matrix<T> matrix = symmetric_of(matrix_of<T>(A), Symmetry::hermitian);
  const EighResult<T> result = result_of<EighResult<T>>(members);
  return judged(eigh_metric_rows(), threads,
                [&](const JudgeOptions& options) { return judge_eigh(matrix, eigh_truth(matrix), result, options); });
}

/// Computes the true singular values first, where the number of rows allows it.
template <class T>
nb::tuple judge_signed(const InMatrix<T>& G, const InVector<Index>& J, const nb::dict& members, int threads) {
  const Matrix<T> matrix = matrix_of<T>(G);
  const std::vector<int> signs = signs_of(J);
  const HsvdResult<T> result = result_of<HsvdResult<T>>(members);
  return judged(hsvd_metric_rows(), threads, [&](const JudgeOptions& options) {
    return judge_hsvd(matrix, signs, hsvd_truth(matrix, signs, threads_for(options, matrix.rows())), result, options);
  });
}

/// Returns the true eigenvalues to 106 bits, NaN for those that are not determined; none if the order is too large.
template <class T>
nb::object true_signed_eigenvalues(const InMatrix<T>& F, const InMatrix<T>& G, const InVector<Index>& J, int threads) {
  const Matrix<T> f = matrix_of<T>(F), g = matrix_of<T>(G);
  const std::vector<int> signs = signs_of(J);
  GhsvdTruth truth = without_lock([&] { return ghsvd_truth(f, g, signs, threads); });
  for (std::size_t j = 0; j < truth.eigenvalues.size(); ++j)
    if (!truth.determined[j]) truth.eigenvalues[j] = Quad(not_a_number);
  return truth.eigenvalues.empty() ? nb::none() : truth_of(truth.eigenvalues);
}

/// Computes the true eigenvalues first, where the order allows it.
template <class T>
nb::tuple judge_signed_pair(const InMatrix<T>& F, const InMatrix<T>& G, const InVector<Index>& J,
                            const nb::dict& members, int threads) {
  const Matrix<T> f = matrix_of<T>(F), g = matrix_of<T>(G);
  const std::vector<int> signs = signs_of(J);
  const GhsvdResult<T> result = result_of<GhsvdResult<T>>(members);
  return judged(ghsvd_metric_rows(), threads, [&](const JudgeOptions& options) {
    return judge_ghsvd(f, g, signs, ghsvd_truth(f, g, signs, threads), result, options);
  });
}

template <class T>
void bind_judges_of(nb::module_& module) {
  module.def("judge_gsvd", &judge_pair<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(), nb::arg("truth"),
             nb::arg("truth_rest"), nb::arg("members"), nb::arg("threads"));
  module.def("judge_ldlt", &judge_symmetric<T>, nb::arg("A").noconvert(), nb::arg("symmetry"), nb::arg("truth"),
             nb::arg("truth_rest"), nb::arg("inertia").none(), nb::arg("factors"), nb::arg("threads"));
  module.def("judge_eig", &judge_general<T>, nb::arg("A").noconvert(), nb::arg("truth"), nb::arg("truth_rest"),
             nb::arg("members"), nb::arg("threads"));
  module.def("judge_eigh", &judge_hermitian<T>, nb::arg("A").noconvert(), nb::arg("members"), nb::arg("threads"));
  module.def("judge_ghsvd", &judge_signed_pair<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(), nb::arg("J"),
             nb::arg("members"), nb::arg("threads"));
  module.def("true_signed_eigenvalues", &true_signed_eigenvalues<T>, nb::arg("F").noconvert(), nb::arg("G").noconvert(),
             nb::arg("J"), nb::arg("threads"));
  module.def("judge_svd", &judge_signed<T>, nb::arg("G").noconvert(), nb::arg("J"), nb::arg("members"),
             nb::arg("threads"));
}

}  // namespace

void bind_judges(nb::module_& module) {
  bind_judges_of<double>(module);
  bind_judges_of<Complex>(module);
}

}  // namespace pivotlab::python
