// SPDX-License-Identifier: BSD-3-Clause
// The public functions: checks, the host's loop over matrices, the arguments of the kernels.
#include <pivotlab/batch.hpp>

#include "kernels/batch/calls.hpp"
#include "kernels/exec/arena.hpp"
#include "kernels/ldlt/shared/products.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <pivotlab/error.hpp>
#include <tuple>
#include <vector>

namespace pivotlab {
namespace {

using namespace batch;
using Complex = std::complex<double>;

template <class T>
FactorArguments<T> factor_arguments(MatrixBatch<const T> A, const LdltBatch<T>& result,
                                    const LdltBatchOptions& options) {
  return {.A = strided(A),
          .n = static_cast<int>(A.rows),
          .triangle = static_cast<Triangle>(options.triangle),
          .rule = {options.variant.pivoting, options.variant.alpha},
          .M = strided(result.M),
          .diagonal = result.diagonal,
          .subdiagonal = result.subdiagonal,
          .permutation = result.permutation,
          .inertia = result.inertia,
          .status = result.status,
          .doubtful = result.doubtful};
}

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
    std::vector<T> y(static_cast<std::size_t>(n));
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
    }
  };
  for_matrices(B.count, options.threads, solve, [](Index) {});
}

template <class T>
JacobiArguments<T> jacobi_arguments(MatrixBatch<const T> G, const HsvdBatch<T>& result,
                                    const JacobiBatchOptions& options) {
  return {.G = strided(G),
          .m = static_cast<int>(G.rows),
          .n = static_cast<int>(G.cols),
          .max_sweeps = options.max_sweeps,
          .values = result.sigma,
          .estimate = result.estimate,
          .signs = result.J,
          .U = strided(result.U),
          .V = strided(result.V),
          .status = result.status};
}

template <class T>
void require_memory(const JacobiArguments<T>& arguments) {
  require_order(arguments.n);
  if (arguments.n > most_columns_of_values<T> && arguments.U.data == nullptr)
    throw InputError("batch U: matrices of more than " + std::to_string(most_columns_of_values<T>) +
                     " columns need it; pass its memory");
  if (arguments.m >= most_shared_bytes || shared_bytes(arguments) > most_shared_bytes)
    throw NotSupported("batch G: a matrix of " + std::to_string(arguments.m) +
                       " rows does not fit in the shared memory of a multiprocessor; take the backend host");
}

template <class T>
void decompose_on_host(MatrixBatch<const T> G, const int* J, const HsvdBatch<T>& result,
                       const JacobiBatchOptions& options) {
  const Index n = G.cols;
  const HsvdOptions single{.variant = {.form = JacobiForm::PT},
                           .compute_v = result.V.data != nullptr,
                           .max_sweeps = options.max_sweeps,
                           .threads = 1};
  for_matrices(
      G.count, options.threads,
      [&](Index k) {
        const std::vector<int> signs = J == nullptr ? std::vector<int>() : std::vector<int>(J + k * n, J + (k + 1) * n);
        const HsvdResult<T> r = hsvd<T>(G[k], signs, single);
        store(result.sigma, k, r.sigma), store(result.J, k, r.J), store(result.estimate, k, r.estimate);
        store(result.U, k, r.U), store(result.V, k, r.V);
        result.status[k] = static_cast<int>(r.status);
      },
      [&](Index k) {
        fill(result.sigma, k, n, nan), fill(result.J, k, n, 0), fill(result.estimate, k, n, nan);
        fill(result.U, k, all_nan<T>), fill(result.V, k, all_nan<T>);
        result.status[k] = Outcome::failed;
      });
}

template <class T>
void diagonalize_on_host(MatrixBatch<const T> A, const EighBatch<T>& result, const JacobiBatchOptions& options) {
  const Index n = A.rows;
  const EighOptions single{.variant = {.sweeps = {.form = JacobiForm::PT}},
                           .vectors = result.U.data != nullptr,
                           .max_sweeps = options.max_sweeps,
                           .threads = 1};
  for_matrices(
      A.count, options.threads,
      [&](Index k) {
        const EighResult<T> r = eigh<T>(A[k], single);
        store(result.eigenvalues, k, r.eigenvalues), store(result.estimate, k, r.estimate);
        store(result.U, k, r.U);
        result.status[k] = static_cast<int>(r.status);
      },
      [&](Index k) {
        fill(result.eigenvalues, k, n, nan), fill(result.estimate, k, n, nan);
        fill(result.U, k, all_nan<T>);
        result.status[k] = Outcome::failed;
      });
}

/// What eigh_batch() keeps in its workspace.
template <class T>
struct EighWorkspace {
  LdltBatch<T> factors;
  T* G;
  int* J;

  EighWorkspace(Arena& arena, Index n, Index count) {
    factors.M = {arena.take<T>(n * n * count), n, n, n, n * n, count};
    G = arena.take<T>(n * n * count);
    factors.diagonal = arena.take<T>(n * count), factors.subdiagonal = arena.take<T>(n * count);
    factors.permutation = arena.take<int>(n * count), J = arena.take<int>(n * count);
    factors.inertia = arena.take<int>(3 * count), factors.status = arena.take<int>(count);
  }
};

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

template <class T>
void hsvd_batch(MatrixBatch<const T> G, const int* J, const HsvdBatch<T>& result, const JacobiBatchOptions& options) {
  const Index m = G.rows, n = G.cols;
  if (m < n || n < 1)
    throw InputError("batch G: its matrices are " + shape_of(G) +
                     "; they must have a column, and as many rows as columns or more");
  require_shape("G", G, m, n, G.count);
  if (result.U.data != nullptr) require_shape("U", result.U, m, n, G.count);
  if (result.V.data != nullptr) require_shape("V", result.V, n, n, G.count);
  if (options.max_sweeps < 1) throw InputError("option max_sweeps: it is not positive; allow a sweep");
  if (G.count == 0) return;
  if (options.backend == Backend::host) return decompose_on_host(G, J, result, options);
  JacobiArguments<T> arguments = jacobi_arguments(G, result, options);
  arguments.J = J;
  require_memory(arguments);
  run(arguments, G.count, options);
}

template <class T>
std::size_t eigh_batch_workspace(Index n, Index count) {
  Arena arena(nullptr);
  EighWorkspace<T>(arena, n, count);
  return arena.used();
}

template <class T>
void eigh_batch(MatrixBatch<const T> A, const EighBatch<T>& result, void* workspace,
                const JacobiBatchOptions& options) {
  require_square(A);
  const Index n = A.rows, count = A.count;
  if (result.U.data != nullptr) require_shape("U", result.U, n, n, count);
  if (options.max_sweeps < 1) throw InputError("option max_sweeps: it is not positive; allow a sweep");
  if (count == 0) return;
  if (options.backend == Backend::host) return diagonalize_on_host(A, result, options);
  require_order(n);
  if (workspace == nullptr) throw InputError("eigh_batch: it needs a workspace; allocate eigh_batch_workspace() bytes");
  Arena arena(workspace);
  const EighWorkspace<T> work(arena, n, count);
  JacobiArguments<T> arguments =
      jacobi_arguments<T>({work.G, n, n, n, n * n, count},
                          {.sigma = result.eigenvalues,
                           .estimate = result.estimate,
                           .U = result.U.data == nullptr && n > most_columns_of_values<T> ? work.factors.M : result.U,
                           .status = result.status},
                          options);
  arguments.J = work.J, arguments.given = work.factors.status, arguments.eigenvalues = true;
  require_memory(arguments);
  LdltBatchOptions rook{options, {.pivoting = Pivoting::rook}};
  run(factor_arguments(A, work.factors, rook), count, options);
  run(SignedFactorArguments<T>{.M = {work.factors.M.data, n, n * n},
                               .diagonal = work.factors.diagonal,
                               .subdiagonal = work.factors.subdiagonal,
                               .permutation = work.factors.permutation,
                               .status = work.factors.status,
                               .n = static_cast<int>(n),
                               .G = work.G,
                               .J = work.J},
      count, options);
  run(arguments, count, options);
}

template void ldlt_batch(MatrixBatch<const double>, const LdltBatch<double>&, const LdltBatchOptions&);
template void ldlt_batch(MatrixBatch<const Complex>, const LdltBatch<Complex>&, const LdltBatchOptions&);
template void solve_batch(const LdltBatch<double>&, MatrixBatch<double>, const BatchOptions&);
template void solve_batch(const LdltBatch<Complex>&, MatrixBatch<Complex>, const BatchOptions&);
template void hsvd_batch(MatrixBatch<const double>, const int*, const HsvdBatch<double>&, const JacobiBatchOptions&);
template void hsvd_batch(MatrixBatch<const Complex>, const int*, const HsvdBatch<Complex>&, const JacobiBatchOptions&);
template std::size_t eigh_batch_workspace<double>(Index, Index);
template std::size_t eigh_batch_workspace<Complex>(Index, Index);
template void eigh_batch(MatrixBatch<const double>, const EighBatch<double>&, void*, const JacobiBatchOptions&);
template void eigh_batch(MatrixBatch<const Complex>, const EighBatch<Complex>&, void*, const JacobiBatchOptions&);

}  // namespace pivotlab
