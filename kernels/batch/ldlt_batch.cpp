// SPDX-License-Identifier: BSD-3-Clause
// Batches of symmetric indefinite factorizations, and solutions by them.
#include "kernels/batch/calls.hpp"
#include "kernels/batch/small_numbers.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <pivotlab/ldlt.hpp>
#include <tuple>
#include <vector>

namespace pivotlab {
namespace {

using namespace batch;
using Complex = std::complex<double>;

template <class T>
void factor_on_host(MatrixBatch<const T> A, const LdltBatch<T>& result, const LdltBatchOptions& options) {
  const Index n = A.rows;
  const LdltOptions single{.variant = options.variant, .triangle = options.triangle, .threads = 1};
  for_matrices(
      A.count, options.threads,
      [&](Index k) {
        const LdltFactorization<T> f = ldlt<T>(A[k], single);
        if (!f.scaling.empty()) throw InputError("D");
        store(result.M, k, f.M);
        store(result.diagonal, k, f.diagonal), store(result.subdiagonal, k, f.subdiagonal);
        store(result.permutation, k, f.permutation);
        store(result.inertia, k, std::array{f.inertia.positive, f.inertia.negative, f.inertia.zero});
        store(result.doubtful, k, std::array{f.doubtful});
        result.status[k] = Outcome::passed;
      },
      [&](Index k) {
        fill(result.M, k, all_nan<T>);
        fill(result.diagonal, k, n, all_nan<T>), fill(result.subdiagonal, k, n, all_nan<T>);
        for (Index i = 0; i < n; ++i) result.permutation[k * n + i] = static_cast<int>(i);
        fill(result.inertia, k, 3, 0), fill(result.doubtful, k, 1, 0);
        result.status[k] = Outcome::failed;
      });
}

/// Solves as SolveSmall does, with the same bits.
template <class T>
void solve_on_host(const LdltBatch<T>& f, MatrixBatch<T> B, const BatchOptions& options) {
  using namespace ldlt_detail;
  const Index n = B.rows;
  const auto solve = [&](Index k) {
    if (f.inertia[3 * k + 2] > 0) f.status[k] = Outcome::incorrect;
    if (f.status[k] != Outcome::passed) return fill(B, k, all_nan<T>);
    const MatrixView<T> M = f.M[k], X = B[k];
    const T *diagonal = f.diagonal + k * n, *below = f.subdiagonal + k * n;
    const int* permutation = f.permutation + k * n;
    std::vector<T> y(n);
    for (Index c = 0; c < X.cols; ++c) {
      for (Index i = 0; i < n; ++i) y[i] = X(permutation[i], c);
      for (Index j = 0; j < n; ++j)
        for (Index i = j + 1; i < n; ++i) y[i] = multiply_add(negated(M(i, j)), y[j], y[i]);
      for (Index i = 0; i < n; ++i)
        if (below[i] != T(0)) {
          std::tie(y[i], y[i + 1]) =
              BlockInverse<T, true>::solve({diagonal[i], below[i], diagonal[i + 1]}, y[i], y[i + 1]);
          ++i;
        } else {
          y[i] = divided_by_real(y[i], real_part(diagonal[i]));
        }
      for (Index j = n - 1; j >= 0; --j)
        for (Index i = 0; i < j; ++i) y[i] = multiply_add(negated(across<true>(M(j, i))), y[j], y[i]);
      for (Index i = 0; i < n; ++i) X(permutation[i], c) = y[i];
      if (!std::ranges::all_of(y, batch::is_in_range<T>)) f.status[k] = Outcome::failed;
    }
  };
  for_matrices(B.count, options.threads, solve, [](Index) {});
}

}  // namespace

template <class T>
void ldlt_batch(MatrixBatch<const T> A, const LdltBatch<T>& result, const LdltBatchOptions& options) {
  require_square(A);
  require_shape("M", result.M, A.rows, A.rows, A.count);
  require_valid(options.variant);
  if (options.variant.equilibrate) throw NotSupported("batch: there is no equilibration; take a variant without it");
  if (options.variant.pivoting == Pivoting::none)
    throw NotSupported("batch: there is no factorization without a search; take another pivoting");
  if (A.count == 0) return;
  if (options.backend == Backend::host) return factor_on_host(A, result, options);
  require_order(A.rows);
  run(factor_arguments(A, result, options), A.count, options);
}

template <class T>
void solve_batch(const LdltBatch<T>& f, MatrixBatch<T> B, const BatchOptions& options) {
  require_shape("M", f.M, f.M.rows, f.M.rows, f.M.count);
  require_shape("B", B, f.M.rows, B.cols, f.M.count);
  if (B.count == 0 || B.cols == 0) return;
  if (options.backend == Backend::host) return solve_on_host(f, B, options);
  require_order(f.M.rows);
  run(SolveArguments<T>{.M = {f.M.data, f.M.stride, f.M.distance},
                        .diagonal = f.diagonal,
                        .subdiagonal = f.subdiagonal,
                        .permutation = f.permutation,
                        .inertia = f.inertia,
                        .n = static_cast<int>(f.M.rows),
                        .columns = static_cast<int>(B.cols),
                        .X = strided(B),
                        .status = f.status},
      B.count, options);
}

template void ldlt_batch(MatrixBatch<const double>, const LdltBatch<double>&, const LdltBatchOptions&);
template void ldlt_batch(MatrixBatch<const Complex>, const LdltBatch<Complex>&, const LdltBatchOptions&);
template void solve_batch(const LdltBatch<double>&, MatrixBatch<double>, const BatchOptions&);
template void solve_batch(const LdltBatch<Complex>&, MatrixBatch<Complex>, const BatchOptions&);

}  // namespace pivotlab
