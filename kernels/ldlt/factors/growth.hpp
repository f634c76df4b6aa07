// SPDX-License-Identifier: BSD-3-Clause
// The growth of the reduced matrices from the factors. The reduced matrix of a stage is the product of the later ones,
//
//   A^[n−k] = M(k:n, k:n)·D(k:n, k:n)·M(k:n, k:n)*,
//
// so that it is summed from the last stage to the first, by tiles that fit the first-level cache.
#pragma once

#include "kernels/ldlt/factors/factors.hpp"

namespace pivotlab::ldlt_detail {

/// A tile of the lower triangle of the sum, and the largest element after each stage.
template <class T>
class GrowthTile {
 public:
  using R = RealOf<T>;
  static constexpr Index size = 64;

  GrowthTile(const LdltFactorization<T>& f, int exponent) : f_(f), exponent_(exponent), sums_(size, size) {}

  /// Raises largest[t] to the largest element of stage t in the tile that begins at (row, col).
  void run(Index row, Index col, std::vector<R>& largest) {
    const Index end_row = std::min(row + size, f_.order()), end_col = std::min(col + size, f_.order());
    std::fill_n(sums_.data(), sums_.size(), T(0));
    for (Index t = std::ssize(f_.stages) - 1; t >= 0; --t) {
      const auto& [k, order, growth, condition] = f_.stages[t];
      if (k >= end_col) continue;
      const T *m1 = &f_.M(0, k), *m2 = order == 2 ? &f_.M(0, k + 1) : nullptr;
      const T a = scaled(f_.diagonal[k]), b = scaled(f_.subdiagonal[k]), c = m2 ? scaled(f_.diagonal[k + 1]) : T(0);
      R most(0);
      for (Index j = std::max(col, k); j < end_col; ++j) {
        const Index first = std::max(row, j);
        if (first >= end_row) break;
        T* const sums = &sums_(0, j - col) - row;
        const T x = across(m1[j]), y = m2 ? across(m2[j]) : T(0);
        const T u = m2 ? multiply_add(a, x, multiply(across(b), y)) : multiply(a, x),
                v = multiply_add(b, x, multiply(c, y));
        const R of_column = largest_of<R>(end_row - first, [=](Index i) {
          T& sum = sums[first + i];
          sum = multiply_add(m1[first + i], u, sum);
          if (m2) sum = multiply_add(m2[first + i], v, sum);
          return modulus(sum);
        });
        most = std::max<R>(most, of_column);
      }
      largest[t] = std::max<R>(largest[t], most);
    }
  }

 private:
  T scaled(const T& d) const { return exponent_ == 0 ? d : times_power_of_two(d, -exponent_); }
  T across(const T& x) const { return f_.symmetry == Symmetry::hermitian ? conjugate(x) : x; }

  const LdltFactorization<T>& f_;
  int exponent_;
  Matrix<T> sums_;
};

}  // namespace pivotlab::ldlt_detail

namespace pivotlab {

template <class T>
void LdltFactorization<T>::measure_growth(int threads) {
  using namespace ldlt_detail;
  if (!std::exchange(growth_of_panels, false) || largest_element == Real(0)) return;
  const int exponent = exponent_of(largest_element);
  const Real size = times_power_of_two(largest_element, -exponent);
  constexpr Index tile = GrowthTile<T>::size;
  const Index tiles = (order() + tile - 1) / tile;
  std::vector<Real> largest(stages.size(), Real(0));
#pragma omp parallel num_threads(threads_for(order(), threads))
  {
    GrowthTile<T> one(*this, exponent);
    std::vector<Real> own(stages.size(), Real(0));
#pragma omp for schedule(dynamic, 1)
    for (Index row = tiles - 1; row >= 0; --row)
      for (Index col = 0; col <= row; ++col) one.run(row * tile, col * tile, own);
#pragma omp critical(pivotlab_growth)
    std::ranges::transform(largest, own, largest.begin(), [](const Real& x, const Real& y) { return std::max(x, y); });
  }
  for (std::size_t t = 1; t < stages.size(); ++t) stages[t].growth = largest[t] / size;
}

}  // namespace pivotlab
