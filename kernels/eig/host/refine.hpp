// SPDX-License-Identifier: BSD-3-Clause
// Newton steps on all eigenpairs simultaneously. With R = A·V − V·Λ and Z = V⁻¹·R, to first order
//
//   V := V·(I + F),  F_ij = Z_ij/(λ_j − λ_i) for i ≠ j,      λ_j := λ_j + Z_jj.
//
// A step removes the rounding errors that the sweeps have accumulated, and takes the time of half a sweep. For
// eigenvalues too close for a Newton step, F_ij = 0. A pair is changed only if its residual ‖A·v − λ·v‖ becomes
// smaller. So clusters and defective matrices, whose V is singular to working precision, do not become worse.
//
// In double, R has an absolute error of about n·ε·‖A‖, and λ_j one of κ(λ_j) times as much. Variants with `extended`
// compute R in double-double: the error of λ_j becomes one of second order, and V is as accurate as rounding allows.
#pragma once

#include "kernels/eig/host/dense.hpp"
#include "kernels/eig/host/vectors.hpp"
#include "kernels/numerics/extended_product.hpp"
#include "kernels/numerics/extension.hpp"

#include <pivotlab/error.hpp>

namespace pivotlab::eig_detail {

template <class R>
class Refinement {
 public:
  using C = std::complex<R>;

  Refinement(MatrixView<const C> A, const EigVariant& variant, int threads)
      : n_(A.cols), variant_(variant), threads_(threads), A_(n_, n_) {
    if (variant.extended && !std::is_same_v<R, double>)
      throw NotSupported("eig: the option 'extended' is for matrices of double; leave it out for others");
    A_.assign(A);
  }

  /// Improves pairs (λ_j, column j of V with unit norm) where possible, in at most two steps. Returns the number of
  /// improved pairs.
  Index improve(std::vector<C>& lambda, SplitComplex<R>& V) const {
    std::vector<char> improved(lambda.size(), 0);
    SplitComplex<R> residual = residuals_of(A_, V, lambda);
    for (int step = 0; step < 2; ++step) {
      std::vector<C> new_lambda = lambda;
      SplitComplex<R> new_v = newton_step(V, residual, new_lambda);
      SplitComplex<R> new_residual = residuals_of(A_, new_v, new_lambda);
      const auto take_value = [&](Index j) { improved[j] = 1, lambda[j] = new_lambda[j]; };
      if (keep_better(new_v, new_residual, V, residual, take_value) == 0) break;
    }
    return std::ranges::count(improved, char(1));
  }

  /// Improves left vectors, columns of W with unit norm, for the given λ. A row r = wᴴA − λ·wᴴ cannot vanish, because λ
  /// is not exact, but it can become α·vᴴ, the multiple of the right vector with the same product α = r·v, which is its
  /// minimum:
  ///   wᴴ := wᴴ + g·V⁻¹,  g_i = ((α·vᴴ − r)·v_i)/(λ_i − λ) for all vectors except v.
  void improve_left(const std::vector<C>& lambda, const SplitComplex<R>& V, SplitComplex<R>& W) const {
    const SplitComplex<R> adjoint_a = adjoint_of(A_), adjoint_v = adjoint_of(V);
    std::vector<C> conjugates;
    for (const C& x : lambda) conjugates.push_back(conjugate(x));
    SplitComplex<R> residual = residuals_of(adjoint_a, W, conjugates);
    for (int step = 0; step < 2; ++step) {
      SplitComplex<R> new_w =
          SplitLU<R>(adjoint_v, threads_).solve(left_corrections(adjoint_v, conjugates, V, residual));
      add_and_normalize(W, new_w);
      SplitComplex<R> new_residual = residuals_of(adjoint_a, new_w, conjugates);
      if (keep_better(new_w, new_residual, W, residual, [](Index) {}) == 0) break;
    }
  }

 private:
  /// Computes A·V − V·Λ.
  SplitComplex<R> residuals_of(const SplitComplex<R>& A, const SplitComplex<R>& V, const std::vector<C>& lambda) const {
    if constexpr (std::is_same_v<R, double>)
      if (variant_.extended) return extended_residuals(A, V, lambda);
    return residuals(A, V, lambda, threads_);
  }

  /// Computes A·V − V·Λ in double-double, rounded once.
  SplitComplex<R> extended_residuals(const SplitComplex<R>& A, const SplitComplex<R>& V,
                                     const std::vector<C>& lambda) const {
    using E = std::complex<DoubleDouble>;
    const Matrix<C> a = joined(A, n_, 0, n_), v = joined(V, n_, 0, n_);
    const Matrix<E> AV = pivotlab::product<E>(a.view(), v.view(), threads_);
    SplitComplex<R> result(n_, n_);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const C x = round_to_double<C>(E(AV(i, j) - extend<E>(v(i, j)) * extend<E>(lambda[j])));
        result.re(j)[i] = x.real(), result.im(j)[i] = x.imag();
      }
    return result;
  }

  /// Computes V·(I + F) with columns of unit norm; λ becomes λ + diag Z.
  SplitComplex<R> newton_step(const SplitComplex<R>& V, const SplitComplex<R>& residual, std::vector<C>& lambda) const {
    const std::vector<C> before = lambda;
    SplitComplex<R> F = SplitLU<R>(V, threads_).solve(residual);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const C z(F.re(j)[i], F.im(j)[i]), gap = before[j] - before[i];
        C f(0);
        if (i == j)
          lambda[j] = before[j] + z;
        else if (R(2) * modulus(z) < modulus(gap))
          f = quotient(z, gap);
        F.re(j)[i] = f.real(), F.im(j)[i] = f.imag();
      }
    SplitComplex<R> result = product(V, F, threads_);
    add_and_normalize(V, result);
    return result;
  }

  /// Computes gᴴ of every pair as columns. `conjugates` are those of λ, and column j of `residual` is rᴴ.
  SplitComplex<R> left_corrections(const SplitComplex<R>& adjoint_v, const std::vector<C>& conjugates,
                                   const SplitComplex<R>& V, const SplitComplex<R>& residual) const {
    SplitComplex<R> target(n_, n_);  // (α·vᴴ − r)ᴴ
    for (Index j = 0; j < n_; ++j) {
      C alpha(0);  // conjugate of the α above
      for (Index i = 0; i < n_; ++i)
        alpha = multiply_add(C(V.re(j)[i], R(-V.im(j)[i])), C(residual.re(j)[i], residual.im(j)[i]), alpha);
      for (Index i = 0; i < n_; ++i) {
        const C x = multiply(alpha, C(V.re(j)[i], V.im(j)[i]));
        target.re(j)[i] = x.real() - residual.re(j)[i], target.im(j)[i] = x.imag() - residual.im(j)[i];
      }
    }
    SplitComplex<R> g = product(adjoint_v, target, threads_);
    for (Index j = 0; j < n_; ++j)
      for (Index i = 0; i < n_; ++i) {
        const C z(g.re(j)[i], g.im(j)[i]), gap = conjugates[i] - conjugates[j];
        const C f = i != j && R(2) * modulus(z) < modulus(gap) ? quotient(z, gap) : C(0);
        g.re(j)[i] = f.real(), g.im(j)[i] = f.imag();
      }
    return g;
  }

  /// Computes X := X + Y with columns of unit norm.
  void add_and_normalize(const SplitComplex<R>& Y, SplitComplex<R>& X) const {
    for (Index j = 0; j < n_; ++j) {
      for (Index i = 0; i < n_; ++i) X.re(j)[i] += Y.re(j)[i], X.im(j)[i] += Y.im(j)[i];
      normalize(X.re(j), X.im(j), n_);
    }
  }

  /// Accepts vectors and their residuals if the residuals are smaller, and calls `visit` for them. Returns their
  /// number.
  template <class Visit>
  Index keep_better(const SplitComplex<R>& new_vectors, const SplitComplex<R>& new_residual, SplitComplex<R>& vectors,
                    SplitComplex<R>& residual, const Visit& visit) const {
    Index better = 0;
    for (Index j = 0; j < n_; ++j) {
      if (!(squared_norm(new_residual, j) < squared_norm(residual, j))) continue;  // false also for NaN
      ++better;
      copy_column(new_vectors, vectors, j), copy_column(new_residual, residual, j);
      visit(j);
    }
    return better;
  }

  static R squared_norm(const SplitComplex<R>& X, Index j) {
    R sum(0);
    for (Index i = 0; i < X.rows(); ++i) sum += X.re(j)[i] * X.re(j)[i] + X.im(j)[i] * X.im(j)[i];
    return sum;
  }

  static void copy_column(const SplitComplex<R>& from, SplitComplex<R>& to, Index j) {
    std::copy_n(from.re(j), from.rows(), to.re(j));
    std::copy_n(from.im(j), from.rows(), to.im(j));
  }

  Index n_;
  const EigVariant& variant_;
  int threads_;
  SplitComplex<R> A_;
};

}  // namespace pivotlab::eig_detail
