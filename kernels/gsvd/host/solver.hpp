// SPDX-License-Identifier: BSD-3-Clause
// Decomposition of a pair on the host: bordering, iteration, extraction of U, V, Z and Σ.
#pragma once

#include "kernels/gsvd/host/blocked.hpp"
#include "kernels/gsvd/host/pointwise_iteration.hpp"
#include "kernels/gsvd/shared/backward_error.hpp"
#include "kernels/gsvd/shared/column_values.hpp"
#include "kernels/gsvd/shared/exact_rank.hpp"
#include "kernels/gsvd/shared/pair.hpp"
#include "kernels/gsvd/shared/rank.hpp"
#include "kernels/numerics/order.hpp"
#include "support/timer.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace pivotlab {

/// Borders Y to `order` columns, with ones on the diagonal of the new corner, so that the new columns are orthogonal to
/// all others and never take part in a transformation (section 3.1).
template <class T>
Matrix<T> bordered(MatrixView<const T> Y, Index order) {
  const Index border = order - Y.cols;
  Matrix<T> result(Y.rows + border, order);
  as_eigen(result.view().block(0, 0, Y.rows, Y.cols)) = as_eigen(Y);
  for (Index j = 0; j < border; ++j) result(Y.rows + j, Y.cols + j) = T(1);
  return result;
}

/// The pair that the iteration works on: the caller's storage, or a bordered copy if n is not a multiple of the tile's
/// order.
template <class T>
class WorkingPair {
 public:
  WorkingPair(MatrixView<T> F, MatrixView<T> G, Index multiple)
      : order_((F.cols + multiple - 1) / multiple * multiple), F_(F), G_(G), Z_(Matrix<T>::identity(order_)) {
    if (order_ == F.cols) return;
    F_ = (bordered_f_ = bordered<T>(F, order_));
    G_ = (bordered_g_ = bordered<T>(G, order_));
  }

  Index order() const { return order_; }
  MatrixView<T> F() { return F_; }
  MatrixView<T> G() { return G_; }
  MatrixView<T> Z() { return Z_; }

 private:
  Index order_;
  Matrix<T> bordered_f_, bordered_g_;
  MatrixView<T> F_, G_;
  Matrix<T> Z_;
};

template <class R>
struct Sigmas {
  std::vector<R> f, g, ratio;
};

/// Does section 3.4 at the end of the iteration: computes Σ_F, Σ_G and Σ from the column norms of F and G, which become
/// U and V, and normalizes Z. Undoes the scaling.
template <class T>
Sigmas<RealOf<T>> extract(MatrixView<T> F, MatrixView<T> G, MatrixView<T> Z, const PairScaling& scaling) {
  using R = RealOf<T>;
  auto f_columns = as_eigen(F), g_columns = as_eigen(G), z_columns = as_eigen(Z);
  Sigmas<R> sigmas;
  for (Index j = 0; j < Z.cols; ++j) {
    const R norm_f = f_columns.col(j).norm(), g = g_columns.col(j).norm();
    const R scaled_f = is_null_column(norm_f, g) ? R(0) : norm_f;
    f_columns.col(j) *= scaled_f != R(0) ? R(1) / scaled_f : R(0);  // what is left of a collapsed column is noise
    g_columns.col(j) *= R(1) / g;
    const ColumnValues<R> values = values_of_column(scaled_f, g, scaling.f);
    z_columns.col(j) *= values.factor;
    for (std::size_t i = 0; i < scaling.columns.size(); ++i) {
      T& z = Z(static_cast<Index>(i), j);
      z = times_power_of_two(z, scaling.columns[i] + values.exponent);
    }
    sigmas.f.push_back(values.sigma_f);
    sigmas.g.push_back(values.sigma_g);
    sigmas.ratio.push_back(values.sigma);
  }
  return sigmas;
}

/// Returns the columns of the bordered decomposition that belong to the pair itself, in order of descending σ. A column
/// of the border has nonzero elements of Z only below row n, wherever the sorting has moved it.
template <class T>
std::vector<Index> descending_columns(MatrixView<const T> Z, Index n, const std::vector<RealOf<T>>& sigma) {
  std::vector<Index> order;
  for (Index j = 0; j < Z.cols; ++j)
    if ((as_eigen(Z).col(j).tail(Z.rows - n).array() == T(0)).all()) order.push_back(j);
  sort_indices(order, [&](Index a, Index b) { return sigma[a] > sigma[b]; });
  return order;
}

/// Copies column order[j] of `source` to column j of `target`; both may be the same storage.
template <class T>
void permute_columns(MatrixView<const T> source, const std::vector<Index>& order, MatrixView<T> target) {
  const auto copy_column = [&](MatrixView<const T> from, Index j, Index to) {
    std::copy_n(from.data + j * from.stride, target.rows, target.data + to * target.stride);
  };
  if (source.data != target.data) {
    for (std::size_t j = 0; j < order.size(); ++j) copy_column(source, order[j], static_cast<Index>(j));
    return;
  }
  std::vector<bool> done(order.size(), false);
  Matrix<T> saved(target.rows, 1);
  for (std::size_t start = 0; start < order.size(); ++start) {
    if (done[start]) continue;
    std::copy_n(target.data + static_cast<Index>(start) * target.stride, target.rows, saved.data());
    std::size_t j = start;
    while (true) {
      done[j] = true;
      const auto from = static_cast<std::size_t>(order[j]);
      if (from == start) break;
      copy_column(target, order[j], static_cast<Index>(j));
      j = from;
    }
    copy_column(saved, 0, static_cast<Index>(j));
  }
}

/// Moves the pair's own columns of a bordered decomposition to U, V and result.Z, σ descending. Returns false if there
/// are not enough columns, which happens if NaN has spread.
template <class T>
bool store(WorkingPair<T>& pair, const Sigmas<RealOf<T>>& sigmas, MatrixView<T> U, MatrixView<T> V,
           GsvdResult<T>& result) {
  const Index n = U.cols;
  const auto columns = descending_columns<T>(pair.Z(), n, sigmas.ratio);
  if (static_cast<Index>(columns.size()) != n) return false;
  permute_columns<T>(pair.F(), columns, U);
  permute_columns<T>(pair.G(), columns, V);
  result.Z = Matrix<T>(n, n);
  permute_columns<T>(pair.Z(), columns, result.Z);
  for (const Index j : columns) {
    result.sigma_f.push_back(sigmas.f[j]);
    result.sigma_g.push_back(sigmas.g[j]);
    result.sigma.push_back(sigmas.ratio[j]);
  }
  return true;
}

/// Solves by an iteration (BlockedAlgorithm, PointwiseIteration): checks, iteration, extraction. F and G become U and
/// V.
template <template <class> class Iteration, class T>
GsvdResult<T> solve_in_place(MatrixView<T> F, MatrixView<T> G, const GsvdOptions& options) {
  require_valid(options.variant);
  const int threads = thread_count(options.threads);
  const PairScaling scaling = check_pair<T>(F, G, threads);
  const Matrix<T> original_g{MatrixView<const T>(G)};
  const bool needs_f = options.compute_x || !scaling.columns.empty();
  const Matrix<T> original_f = needs_f ? Matrix<T>(MatrixView<const T>(F)) : Matrix<T>();

  GsvdResult<T> result;
  const Timer timer;
  apply_scaling(scaling, F, G);
  WorkingPair<T> pair(F, G, Iteration<T>::order_multiple(options.variant));
  const Matrix<T> start_f{MatrixView<const T>(pair.F())};
  const bool converged =
      Iteration<T>(options, pair.order()).run(pair.F(), pair.G(), pair.Z(), RoundingNoise<T>(start_f), result.sweeps);
  const auto sigmas = extract<T>(pair.F(), pair.G(), pair.Z(), scaling);
  const bool stored = store(pair, sigmas, F, G, result);
  if (stored) complete_columns(F, options.threads);
  result.compute_seconds = timer.seconds();

  if (stored) require_range(scaling, result);
  if (!stored || count_deficient<T>(RoundingNoise<T>(original_g, threads), G, result.Z, result.sigma_g, threads) > 0 ||
      gsvd_detail::confirmed_rank<T>(original_g, result.Z, threads) < G.cols)
    throw InputError(describe_deficiency<T>(start_f.view().block(0, 0, F.rows, F.cols), original_g, options.threads));
  if (options.compute_x) result.X = inverse_of_z<T>(original_f, original_g, F, G, result);
  judge_convergence(converged, options, result);
  if constexpr (std::is_same_v<RealOf<T>, double>)  // elements of Z may have underflowed
    if (!scaling.columns.empty()) gsvd_detail::verify<T>(original_f, original_g, F, G, threads, result);
  return result;
}

/// Does the same, with U and V in new matrices.
template <template <class> class Iteration, class T>
GsvdResult<T> solve(MatrixView<const T> F, MatrixView<const T> G, const GsvdOptions& options) {
  Matrix<T> U(F), V(G);
  GsvdResult<T> result = solve_in_place<Iteration, T>(U, V, options);
  result.U = std::move(U);
  result.V = std::move(V);
  return result;
}

}  // namespace pivotlab
