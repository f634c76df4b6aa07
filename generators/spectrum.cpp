// SPDX-License-Identifier: BSD-3-Clause
#include <generators/spectrum.hpp>
#include <kernels/numerics/elementary.hpp>

#include <algorithm>
#include <cmath>

namespace pivotlab {

std::vector<Quad> spectrum(const std::string& distribution, const Quad& kappa, Index n) {
  std::vector<Quad> d(n, Quad(1));
  const Quad least = 1 / kappa;
  for (Index i = 0; i < n; ++i) {
    const Quad t = n > 1 ? Quad(i) / Quad(n - 1) : Quad(0);
    if (distribution == "geometric") d[i] = pow(least, t);
    if (distribution == "arithmetic") d[i] = 1 - t * (1 - least);
    if (distribution == "cluster0" && i > 0) d[i] = least;
    if (distribution == "cluster1" && i + 1 == n && n > 1) d[i] = least;
  }
  return d;
}

std::vector<double> grades(Index n, double g, const std::string& order, RandomStream stream) {
  std::vector<double> d(n, 1.0);
  for (Index i = 0; i < n && n > 1; ++i) {
    const double t = 2 * static_cast<double>(i) / static_cast<double>(n - 1) - 1;
    d[i] = std::exp2(std::round(t * g * std::log2(10.0)));
  }
  if (order == "falling") std::ranges::reverse(d);
  if (order == "random") shuffle(d, stream);
  return d;
}

}  // namespace pivotlab
