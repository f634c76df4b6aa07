// SPDX-License-Identifier: BSD-3-Clause
// The GSVD by tangent reduction on the backend that the options ask for, with its fall-backs.
#include <pivotlab/gsvd_tangent.hpp>

#include "kernels/exec/build.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/refine_option.hpp"
#include "kernels/gsvd/tangent/shared/attempt.hpp"

#include <pivotlab/device.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace pivotlab {
namespace {

using tangent::Attempt, tangent::Breakdown;

template <class T>
Attempt<T> attempt(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options) {
  switch (options.backend) {
    case Backend::host:
      return tangent::attempt_on_host<T>(F, G, options);
    case Backend::emulation:
      return tangent::attempt_emulated<T>(F, G, options);
    default:
      if (const std::string why = why_no_device(); !why.empty()) throw NotSupported("backend 'cuda': " + why);
      return on_cuda<tangent::attempt_on_cuda<T>>(F, G, options);
  }
}

template <class T>
void reverse_columns(Matrix<T>& A) {
  for (Index j = 0; j < A.cols() / 2; ++j) std::ranges::swap_ranges(A.col(j), A.col(A.cols() - 1 - j));
}

template <class T>
void reverse_rows(Matrix<T>& A) {
  for (Index j = 0; j < A.cols(); ++j) std::ranges::reverse(A.col(j));
}

template <class T>
void take(Attempt<T>&& from, int threads, TangentResult<T>& result) {
  result.U = std::move(from.U), result.V = std::move(from.V);
  result.Z = std::move(from.Z), result.X = std::move(from.X);
  result.sigma_f = std::move(from.outcome.sigma_f), result.sigma_g = std::move(from.outcome.sigma_g);
  result.sigma = std::move(from.outcome.sigma);
  result.sigma_error = std::move(from.outcome.sigma_error);
  result.report = std::move(from.outcome.report);
  complete_columns(result.U.view(), thread_count(threads));
  result.status = Status::passed;
}

/// The decomposition of (F, G) from that of (G, F).
template <class T>
void swap_roles(TangentResult<T>& result) {
  std::swap(result.U, result.V);
  std::swap(result.sigma_f, result.sigma_g);
  for (Matrix<T>* factor : {&result.U, &result.V, &result.Z}) reverse_columns(*factor);
  reverse_rows(result.X);
  for (auto* values : {&result.sigma_f, &result.sigma_g, &result.sigma, &result.sigma_error})
    std::ranges::reverse(*values);
  for (double& sigma : result.sigma) sigma = 1 / sigma;
}

template <class T>
void solve_by_hari_zimmermann(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options,
                              TangentResult<T>& result) {
  const double seconds = result.compute_seconds;
  result.fallback = TangentFallback::hari_zimmermann;
  static_cast<GsvdResult<T>&>(result) = gsvd<T>(
      F, G, {.variant = {}, .backend = options.backend, .compute_x = options.compute_x, .threads = options.threads});
  result.compute_seconds += seconds;
}

}  // namespace

std::string_view to_string(TangentFallback fallback) {
  switch (fallback) {
    case TangentFallback::none:
      return "none";
    case TangentFallback::swapped:
      return "swapped";
    default:
      return "hari-zimmermann";
  }
}

template <class T>
TangentResult<T> gsvd_tangent(MatrixView<const T> F, MatrixView<const T> G, const TangentOptions& options) {
  require_valid(options.variant);
  if (options.variant.refine) {
    TangentOptions plain = options;
    plain.variant.refine = false;
    TangentResult<T> result = gsvd_tangent<T>(F, G, plain);
    refine_option::refine_pair<T>(F, G, options.backend, options.threads, result, result.sigma_error);
    return result;
  }
  if (F.cols != G.cols)
    throw InputError("the pair: F has " + std::to_string(F.cols) + " columns and G has " + std::to_string(G.cols) +
                     "; they must have the same number of columns");
  require_shapes(F.rows, G.rows, F.cols);
  const int threads = thread_count(options.threads);
  detail::largest_parts(F, 'F', threads);  // for their check of the elements
  detail::largest_parts(G, 'G', threads);

  TangentResult<T> result;
  Attempt<T> given = attempt<T>(F, G, options);
  result.compute_seconds = given.compute_seconds;
  if (given.outcome.breakdown == Breakdown::none) {
    take(std::move(given), threads, result);
    return result;
  }
  result.fallback_reason = given.outcome.reason;
  if (given.outcome.breakdown == Breakdown::no_reduction) {
    Attempt<T> swapped = attempt<T>(G, F, options);
    result.compute_seconds += swapped.compute_seconds;
    if (swapped.outcome.breakdown == Breakdown::none) {
      result.fallback = TangentFallback::swapped;
      take(std::move(swapped), threads, result);
      swap_roles(result);
      return result;
    }
    result.fallback_reason += "; with F and G swapped: " + swapped.outcome.reason;
  }
  if (options.hari_zimmermann_fallback)
    solve_by_hari_zimmermann(F, G, options, result);
  else
    result.message = "tangent reduction is not possible: " + result.fallback_reason;
  return result;
}

template decltype(gsvd_tangent<double>) gsvd_tangent<double>;
template decltype(gsvd_tangent<std::complex<double>>) gsvd_tangent<std::complex<double>>;

}  // namespace pivotlab
