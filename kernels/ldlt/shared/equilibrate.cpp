// SPDX-License-Identifier: BSD-3-Clause
// The iteration of the equilibration, on the logarithms of the scaling.
#include "kernels/ldlt/shared/equilibrate.hpp"

namespace pivotlab::ldlt_detail {
namespace {

constexpr int largest_passes = 16, euclidean_passes = 10;    // each of the first passes halves the range of exponents
constexpr int coarse = 4 * log2_unit, fine = log2_unit / 2;  // tolerances at which the passes of each kind end

int farthest_from_zero(const std::vector<int>& logarithms) {
  int farthest = 0;
  for (const int x : logarithms) farthest = std::max(farthest, std::abs(x));
  return farthest;
}

}  // namespace

std::vector<int> equilibrating_exponents(Index order, const RowNorms& norms) {
  std::vector<int> logarithms(order);
  const auto iterate = [&](RowNorm norm, int passes, int near_enough) {
    for (int pass = 0; pass < passes; ++pass) {
      const std::vector<int> of_rows = norms(norm, logarithms);
      if (farthest_from_zero(of_rows) <= near_enough) return;
      for (std::size_t i = 0; i < logarithms.size(); ++i) logarithms[i] -= of_rows[i] >> 1;
    }
  };
  iterate(RowNorm::largest, largest_passes, coarse);
  iterate(RowNorm::euclidean, euclidean_passes, fine);
  for (int& x : logarithms) x = (x + log2_unit / 2) >> fraction_bits;
  return logarithms;
}

}  // namespace pivotlab::ldlt_detail
