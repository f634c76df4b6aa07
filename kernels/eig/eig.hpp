// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition on the backend that the options select.
#pragma once

#include "kernels/eig/device/eig_driver.hpp"
#include "kernels/eig/host/separated_solver.hpp"
#include "kernels/eig/host/separation.hpp"
#include "kernels/eig/host/solver.hpp"
#include "kernels/eig/host/triangular_order.hpp"
#include "kernels/numerics/threads.hpp"

#include <algorithm>
#include <complex>
#include <exception>
#include <optional>
#include <pivotlab/error.hpp>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pivotlab::eig_detail {

template <class T>
Matrix<std::complex<RealOf<T>>> as_complex(MatrixView<const T> A) {
  Matrix<std::complex<RealOf<T>>> copy(A.rows, A.cols);
  for (Index j = 0; j < A.cols; ++j)
    for (Index i = 0; i < A.rows; ++i) copy(i, j) = A(i, j);
  return copy;
}

/// Runs the parts that the device's kernels support: the iteration and right eigenvectors.
template <class R>
DeviceDecomposition<R> decompose_on_device(MatrixView<const std::complex<R>> A, const EigOptions& options) {
  if constexpr (std::is_same_v<R, double>)
    return options.backend == Backend::cuda ? decompose_on_cuda(A, options) : decompose_emulated(A, options);
  else
    throw NotSupported("backend '" + std::string(to_string(options.backend)) +
                       "': its kernels have double precision; take the backend host for other scalars");
}

template <class R>
EigResult<R> solve(MatrixView<std::complex<R>> A, const EigOptions& options);

/// Decomposes a matrix that is triangular in another order of its rows and columns; returns nothing for others.
template <class R>
std::optional<EigResult<R>> solve_reordered(MatrixView<std::complex<R>> A, const EigOptions& options) {
  if (is_upper_triangular<R>(A)) return std::nullopt;
  const std::vector<Index> order = triangular_order<R>(A);
  if (order.empty()) return std::nullopt;
  Matrix<std::complex<R>> T = in_order_of<R>(order, A);
  EigResult<R> result = solve<R>(T, options);
  for (Index j = 0; j < T.cols(); ++j) std::ranges::copy(T.col(j), A.col(j).begin());
  for (auto* rows : {&result.V, &result.W, &result.E}) restore_rows(order, *rows);
  return result;
}

/// Decomposes a matrix of whose eigenvalues the iteration would lose small ones: one that is triangular in another
/// order, or one with two blocks whose eigenvalues have very different sizes. Returns nothing for others.
template <class R>
std::optional<EigResult<R>> solve_by_structure(MatrixView<std::complex<R>> A, const EigOptions& options) {
  if (!options.variant.balance) return std::nullopt;
  if (auto result = solve_reordered(A, options)) return result;
  const Timer timer;
  const auto separation = Separation<R>::of(A);
  if (!separation) return std::nullopt;
  const double seconds = timer.seconds();
  std::optional<EigResult<R>> result = SeparatedSolver<R>(*separation, options, solve<R>).solve(A);
  if (result) result->compute_seconds += seconds;
  return result;
}

/// Decomposes one n × n matrix that has been checked. A becomes T.
template <class R>
EigResult<R> solve(MatrixView<std::complex<R>> A, const EigOptions& options) {
  if (auto result = solve_by_structure<R>(A, options)) return *std::move(result);
  Solver<R> solver(options);
  if (options.backend == Backend::host || A.cols == 0) return solver.solve(A);
  return solver.finish_on_host(A, decompose_on_device<R>(A, options));
}

/// Computes eig_batched() by one kernel for all matrices.
template <class T>
std::vector<EigResult<double>> batched_on_device(MatrixView<const T> A, const EigOptions& options) {
  const Index n = A.rows;
  for (Index first = 0; first < A.cols; first += n) require_square_and_finite(A.cols_range(first, n));
  auto copy = as_complex(A);
  auto decompositions = decompose_batch(copy, options);
  std::vector<EigResult<double>> results;
  for (Index k = 0; k < std::ssize(decompositions); ++k) {
    Matrix<std::complex<double>> T_k(copy.view().cols_range(k * n, n));
    auto special = solve_by_structure<double>(T_k, options);
    results.push_back(special ? *std::move(special)
                              : Solver<double>(options).finish_on_host(T_k, std::move(decompositions[k])));
    if (options.triangular_form) results.back().T = std::move(T_k);
  }
  return results;
}

}  // namespace pivotlab::eig_detail

namespace pivotlab {

template <class T>
EigResult<RealOf<T>> eig(MatrixView<const T> A, const EigOptions& options) {
  using namespace eig_detail;
  require_valid(options);
  require_square_and_finite(A);
  auto copy = as_complex(A);
  EigResult<RealOf<T>> result = solve<RealOf<T>>(copy, options);
  if (options.triangular_form) result.T = std::move(copy);
  return result;
}

template <class R>
EigResult<R> eig_in_place(MatrixView<std::complex<R>> A, const EigOptions& options) {
  using namespace eig_detail;
  require_valid(options);
  require_square_and_finite<std::complex<R>>(A);
  return solve<R>(A, options);
}

template <class T>
std::vector<EigResult<RealOf<T>>> eig_batched(MatrixView<const T> A, const EigOptions& options) {
  using namespace eig_detail;
  require_valid(options);
  const Index n = A.rows, count = n == 0 ? 0 : A.cols / n;
  if (count * n != A.cols)
    throw InputError("matrices A: they have " + std::to_string(n) + " rows and " + std::to_string(A.cols) +
                     " columns together; lay square matrices side by side");
  if constexpr (std::is_same_v<RealOf<T>, double>)
    if (options.backend != Backend::host && 0 < n && n <= largest_in_batch) return batched_on_device(A, options);
  EigOptions single = options;
  single.threads = 1;
  std::vector<EigResult<RealOf<T>>> results(count);
  std::exception_ptr error;
#pragma omp parallel for schedule(dynamic) \
    num_threads(options.backend == Backend::host ? thread_count(options.threads) : 1)
  for (Index k = 0; k < count; ++k) try {
      results[k] = eig<T>(A.cols_range(k * n, n), single);
    } catch (...) {
#pragma omp critical
      error = std::current_exception();
    }
  if (error) std::rethrow_exception(error);
  return results;
}

}  // namespace pivotlab
