// SPDX-License-Identifier: BSD-3-Clause
#include <experiments/ldlt/ldlt_factors.hpp>

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <numeric>

namespace pivotlab::experiments {

std::vector<int> pivot_orders(const std::vector<Index>& interchanges) {
  std::vector<int> orders;
  for (std::size_t k = 0; k < interchanges.size(); k += static_cast<std::size_t>(orders.back()))
    orders.push_back(k + 1 < interchanges.size() && interchanges[k + 1] < 0 ? 2 : 1);
  return orders;
}

Index count_swaps(const std::vector<Index>& interchanges, int order) {
  Index swaps = 0, k = 0;
  for (const int size : pivot_orders(interchanges))
    for (const Index end = k + size; k < end; ++k) swaps += size == order && std::abs(interchanges[k]) != k + 1;
  return swaps;
}

template <class T>
std::vector<LdltStage<double>> stages_of(const LdltFactors<T>& f, Symmetry symmetry, double largest) {
  const Index n = f.M.rows();
  const auto mirrored = [&](const T& x) {
    if constexpr (is_complex<T>)
      return symmetry == Symmetry::hermitian ? std::conj(x) : x;
    else
      return x;
  };
  Matrix<T> reduced(n, n);  // its lower triangle, from row and column `first`
  std::vector<LdltStage<double>> stages;
  Index first = std::accumulate(f.pivots.begin(), f.pivots.end(), Index{0});
  double modulus = 0;
  for (auto size = f.pivots.rbegin(); size != f.pivots.rend(); ++size) {
    const Index last = first - 1;
    first -= *size;
    for (Index j = first; j < n; ++j) {
      // Row j of D·M* for the columns of the pivot.
      const T x = mirrored(f.M(j, first)), y = *size == 2 ? mirrored(f.M(j, last)) : T(0);
      const T c = *size == 2 ? f.subdiagonal[first] : T(0);
      const T upper = f.diagonal[first] * x + mirrored(c) * y, lower = c * x + f.diagonal[last] * y;
      for (Index i = j; i < n; ++i) {
        reduced(i, j) += f.M(i, first) * upper;
        if (*size == 2) reduced(i, j) += f.M(i, last) * lower;
      }
    }
    modulus = 0;
    for (Index j = first; j < n; ++j)
      for (Index i = j; i < n; ++i) modulus = std::max(modulus, std::abs(reduced(i, j)));
    stages.push_back({.first = first, .size = *size, .growth = largest > 0 ? modulus / largest : 0});
  }
  std::ranges::reverse(stages);
  return stages;
}

double largest_growth(const std::vector<LdltStage<double>>& stages) {
  double growth = 0;
  for (const auto& stage : stages) growth = std::max(growth, stage.growth);
  return growth;
}

LdltClaims claims_of_baseline(std::string_view name, ScalarType type) {
  if (type == ScalarType::z || !name.ends_with("_rook")) return {};
  const LdltVariant rook{.pivoting = Pivoting::rook};
  return {.multiplier_bound = rook.multiplier_bound(), .condition_bound = rook.condition_bound()};
}

template std::vector<LdltStage<double>> stages_of(const LdltFactors<double>&, Symmetry, double);
template std::vector<LdltStage<double>> stages_of(const LdltFactors<std::complex<double>>&, Symmetry, double);

}  // namespace pivotlab::experiments
