// SPDX-License-Identifier: BSD-3-Clause
// The hyperbolic SVD on the backend that the options select, and what all backends need beyond it: matrices with more
// columns than rows, columns too far apart for double, and a J-orthogonal V.
#pragma once

#include "kernels/gsvd/shared/refine_option.hpp"
#include "kernels/jacobi/backend.hpp"
#include "kernels/jacobi/device/spectral_svd_outcome.hpp"
#include "kernels/jacobi/exact_preconditioner.hpp"
#include "kernels/jacobi/host/solver.hpp"
#include "kernels/jacobi/j_orthogonality.hpp"
#include "kernels/numerics/dense.hpp"

namespace pivotlab {
namespace jacobi {

template <class T>
HsvdResult<T> hsvd_on_backend(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    if (options.backend == Backend::emulation) return hsvd_emulated<T>(G, J, options);
    if (options.backend == Backend::cuda) return hsvd_on_cuda<T>(G, J, options);
  }
  return hsvd_on_host<T>(G, J, options);
}

/// Decomposes G with fewer rows than columns, J = ±I: G*·U = V·Σ.
template <class T>
HsvdResult<T> hsvd_of_wide(MatrixView<const T> G, const std::vector<int>& J, HsvdOptions options) {
  if (has_both_signs(J))
    throw InputError("matrix G: it is " + std::to_string(G.rows) + " x " + std::to_string(G.cols) +
                     ", with fewer rows than columns, and J has both signs; append rows of zeros");
  const bool keep_v = options.compute_v;
  options.compute_v = true;
  HsvdResult<T> result =
      hsvd<T>(matrix_of(adjoint(G)).view(), std::vector<int>(J.empty() ? 0 : G.rows, J.empty() ? 1 : J[0]), options);
  std::swap(result.U, result.V);
  if (!keep_v) result.V = {};
  return result;
}

/// The type in which columns are decomposed that are too far apart for double.
template <class T>
using Wider = std::conditional_t<is_complex<T>, std::complex<long double>, long double>;

/// Decomposes in long double, whose exponents suffice for all matrices of double, and rounds the result.
template <class T>
HsvdResult<T> hsvd_in_long_double(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  const auto converted = []<class To, class From>(MatrixView<const From> A, To) {
    Matrix<To> result(A.rows, A.cols);
    for (Index j = 0; j < A.cols; ++j)
      for (Index i = 0; i < A.rows; ++i) result(i, j) = static_cast<To>(A(i, j));
    return result;
  };
  const HsvdResult<Wider<T>> wide = hsvd<Wider<T>>(converted(G, Wider<T>()).view(), J, options);
  HsvdResult<T> result;
  result.status = wide.status;
  result.message = wide.message;
  result.sweeps = wide.sweeps;
  result.U = converted(MatrixView<const Wider<T>>(wide.U), T());
  result.V = converted(MatrixView<const Wider<T>>(wide.V), T());
  result.J = wide.J;
  result.compute_seconds = wide.compute_seconds;
  for (std::size_t j = 0; j < wide.sigma.size(); ++j) {
    const long double sigma = wide.sigma[j];
    if (sigma > std::numeric_limits<double>::max())
      throw InputError("matrix G: a singular value is too large for double; multiply G by 2^-10");
    double estimate = static_cast<double>(wide.estimate[j]);
    if (sigma > 0) {
      const long double unit = std::max(std::numeric_limits<double>::epsilon() * sigma,
                                        static_cast<long double>(std::numeric_limits<double>::denorm_min()));
      estimate = std::min(1.0, static_cast<double>(estimate + unit / sigma));
    }
    result.sigma.push_back(static_cast<double>(sigma));
    result.estimate.push_back(estimate);
  }
  return result;
}

/// Returns whether long double must decompose G. Other backends than the host refuse such matrices.
template <class T>
bool needs_long_double(MatrixView<const T> G, const HsvdOptions& options) {
  if constexpr (std::is_same_v<RealOf<T>, double>)
    return options.backend == Backend::host && !fits_the_range(G, options.variant, thread_count(options.threads));
  return false;
}

template <class T>
HsvdResult<T> hsvd_of_any_range(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  if constexpr (std::is_same_v<RealOf<T>, double>)
    if (needs_long_double(G, options)) return hsvd_in_long_double(G, J, options);
  return hsvd_on_backend(G, J, options);
}

/// Decomposes G by eigenvectors of G*G. The status is `failed` where that is not possible.
template <class T>
HsvdResult<T> hsvd_by_eigenvectors(MatrixView<const T> G, const HsvdOptions& options) {
  HsvdResult<T> result;
  result.U = Matrix<T>::uninitialized(G.rows, G.cols), result.V = Matrix<T>::uninitialized(G.cols, G.cols);
  const MatrixView<T> U = result.U, V = result.V;
  SpectralSvdOutcome outcome = spectral_svd<T>(options.backend, G, U, V, options.threads);
  if (outcome.reason.empty()) result.status = Status::passed;
  result.message = std::move(outcome.reason);
  result.sigma = std::move(outcome.sigma), result.estimate = std::move(outcome.estimate);
  result.J.assign(result.sigma.size(), 1);
  result.compute_seconds = outcome.compute_seconds;
  return result;
}

/// Decomposes G, J = ±I, by the variant with `exact`.
template <class T>
HsvdResult<T> hsvd_by_exact_products(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  if (has_both_signs(J))
    throw InputError("option exact: J has both signs, and V must be unitary; take a variant without exact");
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    HsvdOptions plain = options;
    plain.variant.exact = plain.variant.spectral = false;
    plain.compute_v = true;
    const int threads = thread_count(options.threads);
    HsvdResult<T> result;  // the status is `failed`
    if (options.variant.spectral && !is_negative(J, 0)) result = hsvd_by_eigenvectors<T>(G, options);
    if (result.status != Status::passed) {
      detail::largest_parts(G, 'G', threads);  // its errors name the element; eigenvectors refuse such G, too
      const Timer timer;
      result = decompose_by_exact_products<T>(G, J, threads, [&](MatrixView<const T> B, const std::vector<int>& signs) {
        return hsvd_of_any_range<T>(B, signs, plain);
      });
      result.compute_seconds = timer.seconds();
    }
    if (!options.compute_v) result.V = {};
    return result;
  } else {
    throw NotSupported("option exact: its scalars are double and std::complex<double>; take a variant without exact");
  }
}

/// Decomposes G (m ≥ n) by the variant without `refine`, and refines the result.
template <class T>
HsvdResult<T> hsvd_refined(MatrixView<const T> G, const std::vector<int>& J, HsvdOptions options) {
  if (std::ranges::find(J, -1) != J.end())
    throw InputError("option refine: J has a sign -1; take a variant without refine");
  if constexpr (std::is_same_v<RealOf<T>, double>) {
    const bool keep_v = std::exchange(options.compute_v, true);
    options.variant.refine = false;
    HsvdResult<T> result = hsvd<T>(G, J, options);
    const auto refine = [&] {
      return refine_svd<T>(G, result.U, result.V, refine_option::options_for(options.backend, options.threads));
    };
    if (auto refined = refine_option::attempt(result, refine)) {
      refine_option::take_values(*refined, 2, 1, result.sigma, result.estimate, result.refinement, [](std::size_t) {});
      if (result.refinement.kept == 0) result.U = std::move(refined->U), result.V = std::move(refined->vectors);
      result.compute_seconds += result.refinement.seconds;
    }
    if (!keep_v) result.V = {};
    return result;
  } else {
    refine_option::refuse_scalar();
  }
}

}  // namespace jacobi

template <class T>
HsvdResult<T> hsvd(MatrixView<const T> G, const std::vector<int>& J, const HsvdOptions& options) {
  using namespace jacobi;
  require_backend<T>(options);
  require_signs(J, G.cols, "G has " + std::to_string(G.cols) + " columns");
  if (G.rows < G.cols) return hsvd_of_wide(G, J, options);
  if (options.variant.refine && G.cols > 0) return hsvd_refined(G, J, options);
  if (options.variant.exact && G.cols > 0) return hsvd_by_exact_products(G, J, options);
  HsvdResult<T> result = hsvd_of_any_range(G, J, options);
  if (options.compute_v && has_both_signs(J) && !needs_long_double(G, options))
    restore_orthogonality<T>(
        G, J, thread_count(options.threads),
        [&](const Matrix<T>& GV, const std::vector<int>& signs) { return hsvd_of_any_range<T>(GV, signs, options); },
        result);
  return result;
}

template <class T>
HsvdVariant choose_hsvd_variant(MatrixView<const T> G, const std::vector<int>& J, Backend backend, int threads) {
  if (G.rows < G.cols && !jacobi::has_both_signs(J))
    return choose_hsvd_variant<T>(matrix_of(adjoint(G)).view(), {}, backend, threads);
  const bool possible = backend == Backend::host && !jacobi::has_both_signs(J);
  return {.qrp = possible && jacobi::is_graded_by_rows(jacobi::grading_of(G, thread_count(threads)))};
}

// Instantiated in jacobi_long_double.cpp and jacobi_quad.cpp.
extern template HsvdResult<long double> hsvd(MatrixView<const long double>, const std::vector<int>&,
                                             const HsvdOptions&);
extern template HsvdResult<std::complex<long double>> hsvd(MatrixView<const std::complex<long double>>,
                                                           const std::vector<int>&, const HsvdOptions&);
extern template HsvdResult<Quad> hsvd(MatrixView<const Quad>, const std::vector<int>&, const HsvdOptions&);
extern template HsvdResult<std::complex<Quad>> hsvd(MatrixView<const std::complex<Quad>>, const std::vector<int>&,
                                                    const HsvdOptions&);

}  // namespace pivotlab
