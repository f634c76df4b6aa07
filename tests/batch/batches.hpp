// SPDX-License-Identifier: BSD-3-Clause
// Batches with their results in memory that the host can read; Allocator makes it memory of the backend.
#pragma once

#include <pivotlab/batch.hpp>
#include <pivotlab/gsvd.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace pivotlab::test {

/// Matrices of one shape, with a few elements between columns and between matrices.
template <class T, template <class> class Allocator = std::allocator>
struct Stored {
  std::vector<T, Allocator<T>> elements;
  MatrixBatch<T> view;

  Stored(Index rows, Index cols, Index count) {
    view = {nullptr, rows, cols, rows + 1, (rows + 1) * cols + 3, count};
    elements.assign(static_cast<std::size_t>(view.distance * count), T(-7));
    view.data = elements.data();
  }
  explicit Stored(const std::vector<Matrix<T>>& matrices)
      : Stored(matrices.front().rows(), matrices.front().cols(), std::ssize(matrices)) {
    for (Index k = 0; k < view.count; ++k)
      for (Index j = 0; j < view.cols; ++j) std::ranges::copy(matrices[k].col(j), view[k].col(j).begin());
  }
  Stored(const Stored&) = delete;
  Matrix<T> operator[](Index k) const { return Matrix<T>(view[k]); }
};

/// A number that tells whether numbers have the same bits.
template <class Number>
std::size_t bits_of(const Number* from, Index numbers) {
  return std::hash<std::string_view>()(
      {reinterpret_cast<const char*>(from), static_cast<std::size_t>(numbers) * sizeof(Number)});
}

template <class T, template <class> class Allocator = std::allocator>
struct FactoredBatch {
  using Integers = std::vector<int, Allocator<int>>;
  Index n, count;
  Stored<T, Allocator> M;
  std::vector<T, Allocator<T>> diagonal, subdiagonal;
  Integers permutation, inertia, status, doubtful;

  FactoredBatch(const std::vector<Matrix<T>>& A, const LdltBatchOptions& options)
      : n(A.front().rows()),
        count(std::ssize(A)),
        M(n, n, count),
        diagonal(n * count),
        subdiagonal(n * count),
        permutation(n * count),
        inertia(3 * count),
        status(count, -1),
        doubtful(count, -1) {
    const Stored<T, Allocator> given(A);
    ldlt_batch<T>(given.view, factors(), options);
  }
  LdltBatch<T> factors() {
    return {M.view,         diagonal.data(), subdiagonal.data(), permutation.data(),
            inertia.data(), status.data(),   doubtful.data()};
  }
  /// Numbers that tell whether all results of matrix k have the same bits.
  std::vector<std::size_t> bits(Index k) const {
    return {bits_of(M[k].data(), n * n),     bits_of(&diagonal[k * n], n), bits_of(&subdiagonal[k * n], n),
            bits_of(&permutation[k * n], n), bits_of(&inertia[3 * k], 3),  bits_of(&status[k], 1),
            bits_of(&doubtful[k], 1)};
  }
};

template <class T, template <class> class Allocator = std::allocator>
struct DecomposedBatch {
  using Integers = std::vector<int, Allocator<int>>;
  Index m, n, count;
  std::vector<double, Allocator<double>> sigma, estimate;
  Integers J, status;
  Stored<T, Allocator> U, V;

  DecomposedBatch(Index rows, Index cols, Index matrices)
      : m(rows),
        n(cols),
        count(matrices),
        sigma(n * count),
        estimate(n * count),
        J(n * count),
        status(count, -1),
        U(m, n, count),
        V(n, n, count) {}
  /// The hyperbolic SVD.
  DecomposedBatch(const std::vector<Matrix<T>>& G, const std::vector<int>& signs, const JacobiBatchOptions& options)
      : DecomposedBatch(G.front().rows(), G.front().cols(), std::ssize(G)) {
    const Stored<T, Allocator> given(G);
    const Integers given_signs(signs.begin(), signs.end());
    hsvd_batch<T>(given.view, signs.empty() ? nullptr : given_signs.data(),
                  {sigma.data(), J.data(), estimate.data(), U.view, V.view, status.data()}, options);
  }
  /// The eigendecomposition; sigma are the eigenvalues.
  DecomposedBatch(const std::vector<Matrix<T>>& A, const EighBatchOptions& options)
      : DecomposedBatch(A.front().rows(), A.front().rows(), std::ssize(A)) {
    const Stored<T, Allocator> given(A);
    std::vector<double, Allocator<double>> workspace(eigh_batch_workspace<T>(n, count, options.variant) /
                                                     sizeof(double));
    eigh_batch<T>(given.view, {sigma.data(), estimate.data(), U.view, status.data()}, workspace.data(), options);
  }

  std::vector<std::size_t> bits(Index k) const {
    return {bits_of(&sigma[k * n], n),   bits_of(&estimate[k * n], n), bits_of(&J[k * n], n),
            bits_of(U[k].data(), m * n), bits_of(V[k].data(), n * n),  bits_of(&status[k], 1)};
  }
  HsvdResult<T> hsvd(Index k) const {
    HsvdResult<T> r;
    r.status = static_cast<Status>(status[k]);
    r.sigma.assign(&sigma[k * n], &sigma[k * n] + n), r.J.assign(&J[k * n], &J[k * n] + n);
    r.estimate.assign(&estimate[k * n], &estimate[k * n] + n);
    r.U = U[k], r.V = V[k];
    return r;
  }
  EighResult<T> eigh(Index k) const {
    EighResult<T> r;
    r.status = static_cast<Status>(status[k]);
    r.eigenvalues.assign(&sigma[k * n], &sigma[k * n] + n), r.estimate.assign(&estimate[k * n], &estimate[k * n] + n);
    r.U = U[k];
    return r;
  }
};

template <class T, template <class> class Allocator = std::allocator>
struct EigenpairsOfBatch {
  using Complex = std::complex<double>;
  Index n, count;
  std::vector<Complex, Allocator<Complex>> values;
  Stored<Complex, Allocator> V;
  std::vector<int, Allocator<int>> status;

  EigenpairsOfBatch(Index order, Index matrices)
      : n(order), count(matrices), values(n * count), V(n, n, count), status(count, -1) {}
  EigenpairsOfBatch(const std::vector<Matrix<T>>& A, Backend backend, bool vectors = true)
      : EigenpairsOfBatch(A.front().rows(), std::ssize(A)) {
    const Stored<T, Allocator> given(A);
    std::vector<Complex, Allocator<Complex>> workspace(eig_batch_workspace(n, count) / sizeof(Complex));
    BatchOptions options;
    options.backend = backend;
    eig_batch<T>(given.view, {values.data(), vectors ? V.view : MatrixBatch<Complex>(), status.data()},
                 workspace.empty() ? nullptr : workspace.data(), options);
  }
  std::vector<std::size_t> bits(Index k) const {
    return {bits_of(&values[k * n], n), bits_of(V[k].data(), n * n), bits_of(&status[k], 1)};
  }
};

template <class T, template <class> class Allocator = std::allocator>
struct DecomposedPairs {
  using Numbers = std::vector<double, Allocator<double>>;
  Index n, count;
  Numbers sigma, sigma_f, sigma_g;
  Stored<T, Allocator> U, V, Z;
  std::vector<int, Allocator<int>> status;

  DecomposedPairs(Index m_f, Index m_g, Index columns, Index pairs)
      : n(columns),
        count(pairs),
        sigma(n * count),
        sigma_f(n * count),
        sigma_g(n * count),
        U(m_f, n, count),
        V(m_g, n, count),
        Z(n, n, count),
        status(count, -1) {}
  DecomposedPairs(const std::vector<Matrix<T>>& F, const std::vector<Matrix<T>>& G, const GsvdBatchOptions& options)
      : DecomposedPairs(F.front().rows(), G.front().rows(), F.front().cols(), std::ssize(F)) {
    const Stored<T, Allocator> given_f(F), given_g(G);
    gsvd_batch<T>(given_f.view, given_g.view,
                  {sigma.data(), sigma_f.data(), sigma_g.data(), U.view, V.view, Z.view, status.data()}, options);
  }

  std::vector<std::size_t> bits(Index k) const {
    return {bits_of(&sigma[k * n], n),
            bits_of(&sigma_f[k * n], n),
            bits_of(&sigma_g[k * n], n),
            bits_of(U[k].data(), U.view.rows * n),
            bits_of(V[k].data(), V.view.rows * n),
            bits_of(Z[k].data(), n * n),
            bits_of(&status[k], 1)};
  }
  GsvdResult<T> gsvd(Index k) const {
    GsvdResult<T> r;
    r.status = static_cast<Status>(status[k]);
    r.U = U[k], r.V = V[k], r.Z = Z[k];
    for (Index j = k * n; j < (k + 1) * n; ++j)
      r.sigma.push_back(sigma[j]), r.sigma_f.push_back(sigma_f[j]), r.sigma_g.push_back(sigma_g[j]);
    return r;
  }
};

}  // namespace pivotlab::test
