// The scaled rank test: which pivots are rounding noise. The backward error of A = M·D·Mᴴ is bounded by n·ε·|G|·|G|ᴴ
// with G·J·Gᴴ = M·D·Mᴴ, so that an element (i, j) of a reduced matrix up to n·ε·ρ_i·ρ_j, where ρ_i is the norm of row i
// of the columns of G so far, may consist of rounding errors only.
#pragma once

#include "kernels/ldlt/shared/block.hpp"

#include <cmath>
#include <limits>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Returns n·ε.
template <class R>
R scaled_noise_level(Index n) {
  return R(n) * std::numeric_limits<R>::epsilon();
}

/// Returns √(a² + b²) for a, b ≥ 0 without overflow and underflow.
template <class R>
R length_of(const R& a, const R& b) {
  const R large = std::max(a, b), ratio = large > R(0) ? R(std::min(a, b) / large) : R(0);
  return large * square_root<R>(fused(ratio, ratio, R(1)));
}

/// Adds the columns of G of the stage at k to the norms of its later rows. column(j)[i] is element (i, j) of M.
template <class T, class Columns>
void add_columns(const Columns& column, const Block<T>& pivot, Index k, int size, std::vector<RealOf<T>>& rows) {
  using R = RealOf<T>;
  const Index n = std::ssize(rows);
  if (size == 1) {
    const R root = square_root<R>(modulus(pivot.a));
    for (Index i = k + 1; root > R(0) && i < n; ++i) rows[i] = length_of<R>(rows[i], root * modulus(column(k)[i]));
    return;
  }
  const HermitianSpectrum<T> spectrum(pivot);
  const R roots[2] = {square_root<R>(absolute(spectrum.positive)), square_root<R>(absolute(spectrum.negative))};
  for (Index i = k + 2; i < n; ++i)
    for (int e = 0; e < 2; ++e) {
      const T g = multiply_add(column(k)[i], spectrum.Q[0][e], multiply(column(k + 1)[i], spectrum.Q[1][e]));
      rows[i] = length_of<R>(rows[i], roots[e] * modulus(g));
    }
}

/// Does this for the storage of a factorization after the elimination of a stage.
template <class T, class Storage>
void add_stage(const Storage& a, Index k, int size, std::vector<RealOf<T>>& rows) {
  const Block<T> pivot =
      size == 1 ? Block<T>{a.diagonal(k), T(0), T(0)} : Block<T>{a.diagonal(k), a.column(k)[k + 1], a.diagonal(k + 1)};
  add_columns<T>([&](Index j) { return a.column(j); }, pivot, k, size, rows);
}

/// Returns whether the pivot at k is noise. rows[i] is the norm of row i of the columns of G before it.
template <class T>
bool is_noise_pivot(const LdltFactorization<T>& f, Index k, int size, const RealOf<T>& level,
                    const std::vector<RealOf<T>>& rows) {
  using R = RealOf<T>;
  if (size == 1) return modulus(f.diagonal[k]) <= level * rows[k] * rows[k];
  const HermitianSpectrum<T> spectrum({f.diagonal[k], f.subdiagonal[k], f.diagonal[k + 1]});
  const auto is_noise = [&](const R& eigenvalue, int e) {
    const R row = modulus(spectrum.Q[0][e]) * rows[k] + modulus(spectrum.Q[1][e]) * rows[k + 1];
    return absolute(eigenvalue) <= level * row * row;
  };
  return is_noise(spectrum.positive, 0) && is_noise(spectrum.negative, 1);
}

/// Sets the pivots of D that are noise to zero; such a 2×2 pivot becomes two 1×1 pivots.
template <class T>
void clear_noise_pivots(LdltFactorization<T>& f) {
  using R = RealOf<T>;
  const R level = scaled_noise_level<R>(f.order());
  std::vector<R> rows(static_cast<std::size_t>(f.order()), R(0));
  std::vector<LdltStage<R>> stages;
  for (const LdltStage<R>& stage : f.stages) {
    const Index k = stage.first;
    if (!is_noise_pivot(f, k, stage.size, level, rows)) {
      const Block<T> pivot{f.diagonal[k], f.subdiagonal[k], stage.size == 1 ? T(0) : f.diagonal[k + 1]};
      add_columns<T>([&](Index j) { return &f.M(0, j); }, pivot, k, stage.size, rows);
      stages.push_back(stage);
      continue;
    }
    f.subdiagonal[k] = T(0);
    for (Index j = k; j < k + stage.size; ++j) {
      f.diagonal[j] = T(0);
      f.interchanges[j] = std::abs(f.interchanges[j]);
      stages.push_back({j, 1, stage.growth, R(1)});
    }
  }
  f.stages = std::move(stages);
}

}  // namespace pivotlab::ldlt_detail
