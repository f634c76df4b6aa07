// SPDX-License-Identifier: BSD-3-Clause
// Batches of singular value decompositions and of Hermitian matrices.
#include "kernels/batch/calls.hpp"
#include "kernels/exec/arena.hpp"

#include <complex>
#include <pivotlab/eigh.hpp>
#include <pivotlab/jacobi.hpp>
#include <vector>

namespace pivotlab {
namespace {

using namespace batch;
using Complex = std::complex<double>;

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

void require_variant(const EighBatchOptions& options) {
  const bool tridiagonal = is_two_stage(options.variant);
  if (options.variant != (tridiagonal ? EighVariant{.pivoting = Pivoting::none} : eigh_variant_of_batches()))
    throw NotSupported("batch: it has the variants HEV-RK-ME-PT and HEV-2STAGE, without options");
  if (tridiagonal && options.backend == Backend::host)
    throw NotSupported(
        "variant HEV-2STAGE: it runs on a GPU; take the backend cuda, or emulation for small matrices, or HEV-RK-ME-PT "
        "on the host");
}

template <class T>
void diagonalize_on_host(MatrixBatch<const T> A, const EighBatch<T>& result, const EighBatchOptions& options) {
  const Index n = A.rows;
  const EighOptions single{
      .variant = options.variant, .vectors = result.U.data != nullptr, .max_sweeps = options.max_sweeps, .threads = 1};
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
  double* zeros;

  EighWorkspace(Arena& arena, Index n, Index count) {
    factors.M = {arena.take<T>(n * n * count), n, n, n, n * n, count};
    G = arena.take<T>(n * n * count);
    factors.diagonal = arena.take<T>(n * count), factors.subdiagonal = arena.take<T>(n * count);
    factors.permutation = arena.take<int>(n * count), J = arena.take<int>(n * count);
    factors.inertia = arena.take<int>(3 * count), factors.status = arena.take<int>(count);
    zeros = arena.take<double>(count);
  }
};

}  // namespace

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
std::size_t eigh_batch_workspace(Index n, Index count, const EighVariant& variant) {
  if (is_two_stage(variant)) {
    T element;  // stands for vectors
    EighArguments<T> arguments;
    arguments.n = static_cast<int>(n), arguments.U.data = &element;
    return workspace_bytes(arguments, static_cast<int>(count));
  }
  Arena arena(nullptr);
  EighWorkspace<T>(arena, n, count);
  return arena.used();
}

template <class T>
void eigh_batch(MatrixBatch<const T> A, const EighBatch<T>& result, void* workspace, const EighBatchOptions& options) {
  require_square(A);
  const Index n = A.rows, count = A.count;
  if (result.U.data != nullptr) require_shape("U", result.U, n, n, count);
  if (options.max_sweeps < 1) throw InputError("option max_sweeps: it is not positive; allow a sweep");
  require_variant(options);
  if (count == 0) return;
  if (options.backend == Backend::host) return diagonalize_on_host(A, result, options);
  require_order(n);
  if (workspace == nullptr) throw InputError("eigh_batch: it needs a workspace; allocate eigh_batch_workspace() bytes");
  if (is_two_stage(options.variant)) {
    if (n * count > std::numeric_limits<int>::max())
      throw NotSupported("batch: it has more than 2^31 − 1 eigenvalues; divide it");
    return run(EighArguments<T>{.A = strided(A),
                                .n = static_cast<int>(n),
                                .values = result.eigenvalues,
                                .estimate = result.estimate,
                                .U = strided(result.U),
                                .status = result.status,
                                .workspace = workspace},
               count, options);
  }
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
  arguments.zeros = work.zeros;
  require_memory(arguments);
  LdltBatchOptions rook{options, {.pivoting = Pivoting::rook}};
  FactorArguments<T> factor = factor_arguments(A, work.factors, rook);
  factor.zeros = work.zeros;
  run(factor, count, options);
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

template void hsvd_batch(MatrixBatch<const double>, const int*, const HsvdBatch<double>&, const JacobiBatchOptions&);
template void hsvd_batch(MatrixBatch<const Complex>, const int*, const HsvdBatch<Complex>&, const JacobiBatchOptions&);
template std::size_t eigh_batch_workspace<double>(Index, Index, const EighVariant&);
template std::size_t eigh_batch_workspace<Complex>(Index, Index, const EighVariant&);
template void eigh_batch(MatrixBatch<const double>, const EighBatch<double>&, void*, const EighBatchOptions&);
template void eigh_batch(MatrixBatch<const Complex>, const EighBatch<Complex>&, void*, const EighBatchOptions&);

}  // namespace pivotlab
