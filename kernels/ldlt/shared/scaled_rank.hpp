// The scaled rank test: which pivots are rounding noise. Let A = G·J·Gᴴ with G·J·Gᴴ = M·D·Mᴴ, and ρ_i the norm of row i
// of the columns of G before a pivot. The backward error of the factorization is bounded by n·ε·|G|·|G|ᴴ, so that the
// columns g of G that belong to the pivot may consist of rounding errors only if
//
//   |g_i|² ≤ n·ε·ρ_i²   for all rows i,
//
// because they contribute at most n·ε·ρ_i·ρ_j to an element (i, j). All rows count: a pivot that is small in its own
// row may couple rows whose elements are even smaller, and these elements are no noise.
#pragma once

#include "kernels/ldlt/shared/block.hpp"

#include <cmath>
#include <limits>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Returns √(n·ε).
template <class R>
R scaled_noise_level(Index n) {
  return square_root<R>(R(n) * std::numeric_limits<R>::epsilon());
}

/// Returns √(a² + b²) for a, b ≥ 0 without overflow and underflow.
template <class R>
R length_of(const R& a, const R& b) {
  const R large = std::max(a, b), ratio = large > R(0) ? R(std::min(a, b) / large) : R(0);
  return large * square_root<R>(fused(ratio, ratio, R(1)));
}

/// The columns of G of a pivot, as functions of those of M.
template <class T>
class PivotRoot {
 public:
  using R = RealOf<T>;

  /// Takes the root of the pivot of D at k, of order 1 or 2.
  PivotRoot(const LdltFactorization<T>& f, Index k, int size) : size_(size) {
    if (size == 1) {
      roots_[0] = square_root<R>(modulus(f.diagonal[k]));
      return;
    }
    const HermitianSpectrum<T> spectrum({f.diagonal[k], f.subdiagonal[k], f.diagonal[k + 1]});
    roots_ = {square_root<R>(absolute(spectrum.positive)), square_root<R>(absolute(spectrum.negative))};
    Q_ = spectrum.Q;
  }

  /// Returns |g_i| for the row of M with the elements x and, for a pivot of order 2, y.
  R row_norm(const T& x, const T& y) const {
    if (size_ == 1) return roots_[0] * modulus(x);
    const auto element = [&](int e) {
      return R(roots_[e] * modulus(multiply_add(x, Q_[0][e], multiply(y, Q_[1][e]))));
    };
    return length_of<R>(element(0), element(1));
  }

 private:
  int size_;
  std::array<R, 2> roots_{};
  std::array<std::array<T, 2>, 2> Q_{};
};

/// Returns whether the pivot at k is noise in its own rows. rows[i] is ρ_i.
template <class T>
bool may_be_noise(const PivotRoot<T>& root, Index k, int size, const RealOf<T>& level,
                  const std::vector<RealOf<T>>& rows) {
  return root.row_norm(T(1), T(0)) <= level * rows[k] &&
         (size == 1 || root.row_norm(T(0), T(1)) <= level * rows[k + 1]);
}

/// Sets the pivots of D that are noise to zero; such a 2×2 pivot becomes two 1×1 pivots.
template <class T>
void clear_noise_pivots(LdltFactorization<T>& f) {
  using R = RealOf<T>;
  const Index n = f.order();
  const R level = scaled_noise_level<R>(n);
  std::vector<R> rows(static_cast<std::size_t>(n), R(0));
  std::vector<LdltStage<R>> stages;
  for (const LdltStage<R>& stage : f.stages) {
    const Index k = stage.first, below = k + stage.size;
    const PivotRoot<T> root(f, k, stage.size);
    const auto row_norm = [&](Index i) { return root.row_norm(f.M(i, k), stage.size == 1 ? T(0) : f.M(i, k + 1)); };
    bool noise = may_be_noise(root, k, stage.size, level, rows);
    for (Index i = below; noise && i < n; ++i) noise = row_norm(i) <= level * rows[i];
    if (!noise) {
      for (Index i = below; i < n; ++i) rows[i] = length_of<R>(rows[i], row_norm(i));
      stages.push_back(stage);
      continue;
    }
    f.subdiagonal[k] = T(0);
    for (Index j = k; j < below; ++j) {
      f.diagonal[j] = T(0);
      f.interchanges[j] = std::abs(f.interchanges[j]);
      stages.push_back({j, 1, stage.growth, R(1)});
    }
  }
  f.stages = std::move(stages);
}

}  // namespace pivotlab::ldlt_detail
