#include <generators/spectrum.hpp>

namespace pivotlab {

std::vector<Quad> spectrum(const std::string& distribution, const Quad& kappa, Index n) {
  std::vector<Quad> d(static_cast<std::size_t>(n), Quad(1));
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

void shuffle(std::vector<Quad>& values, RandomStream& stream) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[static_cast<std::size_t>(stream.uniform() * static_cast<double>(i))]);
}

}  // namespace pivotlab
