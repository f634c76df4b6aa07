// SPDX-License-Identifier: BSD-3-Clause
// The spectral preconditioner's rules of all backends. From an approximate eigendecomposition A ≈ X·Λ·X*, a J-unitary
// V₀ arises that makes the columns of G·V₀ nearly orthogonal. V₀ may be inaccurate; only V₀*·J·V₀ = S must hold, which
// Newton steps achieve:
//
//   S = sign Λ,   V₀ := J·G*·X·|Λ|^(−½)·S;   repeat  E := V₀*JV₀ − S,  V₀ := V₀·(I − ½·S·E)  until E was small.
#pragma once

#include "kernels/numerics/order.hpp"

#include <algorithm>
#include <cmath>
#include <pivotlab/eigh.hpp>
#include <string>
#include <vector>

namespace pivotlab::jacobi {

/// The eigenvectors that V₀ is made of, in the order of J: λ descends.
struct SpectralColumns {
  std::vector<int> column;      ///< of X
  std::vector<int> signs;       ///< S
  std::vector<double> factors;  ///< |λ|^(−½)·sign λ
};

/// Chooses as many columns as J has signs, those of the largest |λ|. Without eigenvalues, or if their signs are not
/// those of J, it sets report.refusal to a sentence about the library.
inline SpectralColumns choose_columns(const std::vector<double>& values, const std::vector<int>& J,
                                      const std::string& library, SpectralReport& report) {
  SpectralColumns chosen;
  if (values.empty()) {
    report.refusal = library + "'s eigensolver does not converge";
    return chosen;
  }
  std::vector<Index> order =
      sorted_indices(std::ssize(values), [&](Index a, Index b) { return std::fabs(values[a]) > std::fabs(values[b]); });
  order.resize(J.size());
  sort_indices(order, [&](Index a, Index b) { return values[a] > values[b]; });
  chosen.column.assign(order.begin(), order.end());
  for (const int k : chosen.column) {
    chosen.signs.push_back(values[k] > 0 ? 1 : -1);
    chosen.factors.push_back(chosen.signs.back() / std::sqrt(std::fabs(values[k])));
  }
  const bool zero = std::ranges::any_of(chosen.column, [&](int k) { return values[k] == 0; });
  if (zero || std::ranges::count(chosen.signs, 1) != std::ranges::count(J, 1))
    report.refusal = "the inertia of " + library + "'s eigenvalues is another one";
  return chosen;
}

/// Does Newton steps until V₀ is J-unitary: defect() returns max|E| or NaN, correct() does a step with this E. Sets
/// report.refusal if V₀ cannot be made J-unitary.
template <class Defect, class Correct>
void make_j_unitary(SpectralReport& report, const Defect& defect, const Correct& correct) {
  constexpr int most_steps = 6;
  double size = 1;
  while (report.newton_steps < most_steps && size > 1e-8) {
    size = defect();
    if (report.newton_steps == 0) report.defect = size;
    if (!(size < 0.3)) break;
    correct();
    ++report.newton_steps;
  }
  report.used = size <= 1e-8;
  if (!report.used) report.refusal = "the approximate eigenvectors do not give a J-unitary matrix";
}

}  // namespace pivotlab::jacobi
