// SPDX-License-Identifier: BSD-3-Clause
// Random butterflies: orthogonal matrices U of rotations that mix all rows in O(n) operations a level, as a substitute
// for a search of pivots.
//
// The papers take B = 1/√2·[R, S; R, −S] with random diagonal R, S near 1. Here each pair of rows has a rotation
// instead, by an angle of 28° to 64° and a random sign, so that U⁻¹ = Uᵀ, no norm changes, and det U = 1. Sources: D.
// S. Parker, UCLA CSD-950023 (1995); M. Baboulin, J. Dongarra, J. Herrmann, S. Tomov, ACM Trans. Math. Softw. 39
// (2013); T. Trogdon, Appl. Math. Lett. 96 (2019).
#pragma once

#include "kernels/ldlt/shared/butterfly_pairs.hpp"
#include "kernels/numerics/threads.hpp"

#include <cstdint>
#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::ldlt_detail {

/// Returns the rotations of a butterfly, in the layout of LdltFactorization::butterfly, always the same for an order
/// and a number of levels. The tangents of the half angles are ±(1/4 + 3/8·u), u uniform in [0, 1) by SplitMix64
/// (Steele, Lea and Flood, 2014), so that they are exact, and bits do not depend on a library's sine.
template <class R>
Matrix<R> random_butterfly(Index order, int depth) {
  Matrix<R> rotations(depth > 0 ? order : 0, 2 * depth);
  for (int level = 0; level < depth; ++level)
    for (Index i = 0; i < order; ++i) {
      const ButterflyPair pair = pair_of(order, level, i);
      rotations(i, 2 * level) = R(1);
      if (pair.is_single() || pair.second == i) continue;
      std::uint64_t z = static_cast<std::uint64_t>(level * order + i + 1) * 0x9e3779b97f4a7c15u;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      z ^= z >> 31;
      const double half = 0.25 + 0.375 * (static_cast<double>(z >> 32) * 0x1p-32);
      const R t(z % 2 == 0 ? half : -half), square = t * t;
      rotations(i, 2 * level) = (R(1) - square) / (R(1) + square);
      rotations(i, 2 * level + 1) = R(2) * t / (R(1) + square);
    }
  return rotations;
}

/// Access to the rotations of one level.
template <class R>
class ButterflyLevel {
 public:
  ButterflyLevel(const Matrix<R>& rotations, int level) : rotations_(rotations), level_(level) {
    const Index order = rotations.rows();
    for (Index i = 0; i < order; ++i)
      if (const ButterflyPair pair = pair_of(order, level, i); pair.first == i) pairs_.push_back(pair);
  }
  const std::vector<ButterflyPair>& pairs() const { return pairs_; }
  Rotation<R> rotation(const ButterflyPair& pair) const {
    return {rotations_(pair.first, 2 * level_), rotations_(pair.first, 2 * level_ + 1)};
  }

 private:
  const Matrix<R>& rotations_;
  int level_;
  std::vector<ButterflyPair> pairs_;
};

template <class R>
int levels_of(const Matrix<R>& rotations) {
  return static_cast<int>(rotations.cols() / 2);
}

/// Calls visit(level, inverse) for the levels of Uᵀ or, with their inverse rotations, of U in the order in which they
/// are applied.
template <class R, class Visit>
void for_levels(const Matrix<R>& rotations, bool transposed, const Visit& visit) {
  for (int step = 0; step < levels_of(rotations); ++step)
    visit(ButterflyLevel<R>(rotations, transposed ? levels_of(rotations) - 1 - step : step));
}

/// Computes X := Uᵀ·X or X := U·X.
template <class T>
void apply_butterfly(const Matrix<RealOf<T>>& rotations, bool transposed, MatrixView<T> X) {
  for_levels(rotations, transposed, [&](const auto& level) {
    for (const ButterflyPair& pair : level.pairs()) {
      const auto given = level.rotation(pair), rotation = transposed ? given : given.inverse();
      for (Index j = 0; j < X.cols && !pair.is_single(); ++j) {
        const T x = X(pair.first, j), y = X(pair.second, j);
        X(pair.first, j) = rotation.upper(x, y);
        X(pair.second, j) = rotation.lower(x, y);
      }
    }
  });
}

/// Computes x := |U|·x or |Uᵀ|·x for a bound of what U does to x, level by level.
template <class R>
void apply_moduli_of_butterfly(const Matrix<R>& rotations, bool transposed, std::vector<R>& x) {
  for_levels(rotations, transposed, [&](const auto& level) {
    for (const ButterflyPair& pair : level.pairs()) {
      if (pair.is_single()) continue;
      const auto rotation = level.rotation(pair);
      const R c = absolute(rotation.cosine), s = absolute(rotation.sine), y = x[pair.first], z = x[pair.second];
      x[pair.first] = c * y + s * z;
      x[pair.second] = c * z + s * y;
    }
  });
}

/// Replaces a triangle A by Uᵀ·A·U or U·A·Uᵀ. A storage has order(), diagonal(j), and column(j)[i] for i > j.
template <bool hermitian, class R, class Storage>
void transform_by_butterfly(const Matrix<R>& rotations, bool transposed, Storage& A, int threads) {
  const auto stored = [&A](Index i, Index j) -> auto& {
    return i == j ? A.diagonal(j) : A.column(j)[i];
  };
  const ButterflyElements<hermitian, decltype(stored)> elements{stored};
  for_levels(rotations, transposed, [&](const auto& level) {
    const std::vector<ButterflyPair>& pairs = level.pairs();
    const auto count = std::ssize(pairs);
    const auto rotation = [&](const ButterflyPair& pair) {
      return transposed ? level.rotation(pair) : level.rotation(pair).inverse();
    };
#pragma omp parallel for num_threads(A.order() <= 256 ? 1 : thread_count(threads)) schedule(dynamic, 8)
    for (std::ptrdiff_t b = 0; b < count; ++b)
      for (std::ptrdiff_t a = b; a < count; ++a)
        elements.rotate(pairs[a], pairs[b], rotation(pairs[a]), rotation(pairs[b]));
  });
}

}  // namespace pivotlab::ldlt_detail
