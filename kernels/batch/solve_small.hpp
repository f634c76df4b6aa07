// SPDX-License-Identifier: BSD-3-Clause
// Solves many small systems by their factors, X := Pᵀ·M⁻*·D⁻¹·M⁻¹·P·B, and makes G·J·G* of factors.
#pragma once

#include "kernels/batch/factor_small.hpp"

namespace pivotlab::batch {

/// Grid: one block per matrix, of order n ≤ largest; a thread has a row. Shared memory: a right-hand side, the
/// permutation. M is read from device memory, column by column and then row by row.
template <class T, int largest>
struct SolveSmall {
  using Arguments = SolveArguments<T>;
  static constexpr int threads = largest < 32 ? 32 : largest, min_blocks = 1;

  static int shared_bytes(int n) { return n * int(sizeof(T)); }

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    using namespace ldlt_detail;
    const int n = a.n, i = context.thread(), matrix = context.block();
    const std::int64_t at = std::int64_t(matrix) * n;
    const T *M = a.M.matrix(matrix), *diagonal = a.diagonal + at, *below = a.subdiagonal + at;
    const int* permutation = a.permutation + at;
    T* X = a.X.matrix(matrix);
    auto y = context.template shared<T>(0, n);
    const int outcome = a.inertia[3 * std::int64_t(matrix) + 2] > 0 ? Outcome::incorrect : a.status[matrix];
    if (outcome != Outcome::passed) {
      for (int c = 0; i < n && c < a.columns; ++c) X[i + c * a.X.stride] = not_a_number<T>();
      context.sync();
      if (i == 0) a.status[matrix] = outcome;
      return;
    }
    bool overflows = false;
    for (int c = 0; c < a.columns; ++c) {
      T* x = X + c * a.X.stride;
      if (i < n) y[i] = x[permutation[i]];
      context.sync();
      for (int j = 0; j < n; ++j) {
        if (i > j && i < n) y[i] = multiply_add(negated(M[i + j * a.M.stride]), T(y[j]), T(y[i]));
        context.sync();
      }
      if (i < n) {
        if (below[i] != T(0)) {
          const auto both = BlockInverse<T, true>::solve({diagonal[i], below[i], diagonal[i + 1]}, y[i], y[i + 1]);
          y[i] = both.first, y[i + 1] = both.second;
        } else if (i == 0 || below[i - 1] == T(0)) {
          y[i] = divided_by_real(T(y[i]), real_part(diagonal[i]));
        }
      }
      context.sync();
      for (int j = n - 1; j >= 0; --j) {
        if (i < j) y[i] = multiply_add(negated(across<true>(M[j + i * a.M.stride])), T(y[j]), T(y[i]));
        context.sync();
      }
      if (i < n) x[permutation[i]] = y[i], overflows |= !is_in_range(T(y[i]));
      context.sync();
    }
    if (context.count(overflows) > 0 && i == 0) a.status[matrix] = Outcome::failed;
  }
};

/// Grid: one block per matrix. G = Pᵀ·M·Q·√|Λ|, J = sign Λ from the eigenvalues Λ and eigenvectors Q of the blocks of
/// D, as LdltFactorization::gjg() computes them; a thread has a row. No shared memory.
template <class T, int largest>
struct SignedFactorSmall {
  using Arguments = SignedFactorArguments<T>;
  static constexpr int threads = largest < 32 ? 32 : largest, min_blocks = 1;

  template <class Context>
  PIVOTLAB_DEVICE static void run(Context& context, const Arguments& a) {
    const int n = a.n, i = context.thread(), matrix = context.block();
    const std::int64_t at = std::int64_t(matrix) * n;
    if (i >= n || a.status[matrix] != Outcome::passed) return;
    const T *M = a.M.matrix(matrix) + i, *diagonal = a.diagonal + at, *below = a.subdiagonal + at;
    T* G = a.G + at * n + a.permutation[at + i];
    int* J = a.J + at;
    for (int k = 0; k < n;) {
      const T x = M[k * a.M.stride];
      if (below[k] == T(0)) {
        const double d = real_part(diagonal[k]), size = absolute(d);
        G[k * n] = multiply(x, T(size > 0 ? square_root(size) : 1.0));
        if (i == 0) J[k] = d > 0 ? 1 : d < 0 ? -1 : 0;
        k += 1;
        continue;
      }
      const T y = M[(k + 1) * a.M.stride];
      const double size = modulus(below[k]), p = real_part(diagonal[k]) / size, r = real_part(diagonal[k + 1]) / size;
      const T phase = divided_by_real(below[k], size);
      const double half = (r - p) / 2, trace = p + r, root = square_root(half * half + 1);
      const double larger = trace < 0 ? trace / 2 - root : trace / 2 + root, smaller = fused(p, r, -1.0) / larger;
      const double first = square_root((trace < 0 ? smaller : larger) * size);
      const double second = square_root(-(trace < 0 ? larger : smaller) * size);
      const double t = 1 / (absolute(half) + root), cosine = 1 / square_root(1 + t * t), sine = t * cosine;
      const double along = half < 0 ? cosine : sine, beside = half < 0 ? sine : cosine;
      const T turned = multiply(y, phase);
      G[k * n] = multiply(multiply_add(x, T(along), multiply(turned, T(beside))), T(first));
      G[(k + 1) * n] = multiply(multiply_add(x, T(-beside), multiply(turned, T(along))), T(second));
      if (i == 0) J[k] = 1, J[k + 1] = -1;
      k += 2;
    }
  }
};

}  // namespace pivotlab::batch
