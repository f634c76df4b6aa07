// SPDX-License-Identifier: BSD-3-Clause
#include <generators/algebra.hpp>
#include <generators/kinds.hpp>
#include <generators/spectrum.hpp>
#include <kernels/numerics/elementary.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <functional>

// Source: Novaković & Singer, section 5.1.2.
namespace pivotlab {
namespace {

// Each ingredient has a stream of its own, so that an option of one does not change the others.
enum Ingredient { sigma_f, sigma_g, lambda_x, factor_u, factor_v, factor_q };

constexpr double least_accepted = 1e-10;

/// Makes a diagonal with the distribution `distribution`, between 1/kappa and 1, in random order.
std::vector<Quad> diagonal(const std::string& distribution, double kappa, Index n, RandomStream stream) {
  if (distribution != "uniform") {
    std::vector<Quad> d = spectrum(distribution, Quad(kappa), n);
    shuffle(d, stream);
    return d;
  }
  std::vector<Quad> d(n);
  for (Quad& x : d) do
      x = stream.uniform();
    while (x <= least_accepted);
  return d;
}

std::vector<Quad> diagonal(const Problem& problem, Ingredient which) {
  return diagonal(problem.options.text("spectrum"), problem.options.number("kappa"), problem.n,
                  RandomStream(problem.seed, which));
}

/// Returns the scales of the columns for the option `grade`; empty without it.
std::vector<Quad> column_grades(const Problem& problem) {
  const double g = problem.options.number("grade");
  if (g == 0) return {};
  std::vector<Quad> d(problem.n);
  for (Index j = 0; j < problem.n; ++j)
    d[j] = pow(Quad(10), Quad(-g) + 2 * Quad(g) * Quad(j) / Quad(std::max<Index>(problem.n - 1, 1)));
  return d;
}

template <class Algebra>
Pair<typename Algebra::Result> usx_pair(const Problem& problem, const Algebra& algebra) {
  const double cond_x = problem.options.number("cond_x");
  if (cond_x > 0 && cond_x < 1)
    throw InputError("generator: paper: cond_x: a condition is at least 1; use that, or 0 for uniform eigenvalues");
  const RandomStream stream(problem.seed, lambda_x);
  const auto X = algebra.hermitian(
      algebra.orthonormal(problem.n, problem.n, factor_q),
      cond_x == 0 ? diagonal("uniform", 1, problem.n, stream) : diagonal("geometric", cond_x, problem.n, stream));
  const std::vector<Quad> grades = column_grades(problem);
  const auto make = [&](Index m, Ingredient factor, const std::vector<Quad>& sigma) {
    return algebra.finish(algebra.product(algebra.orthonormal(m, problem.n, factor), sigma, X), grades);
  };
  const std::vector<Quad> f = diagonal(problem, sigma_f), g = diagonal(problem, sigma_g);
  Pair<typename Algebra::Result> pair{make(problem.m_f, factor_u, f), make(problem.m_g, factor_v, g), f, ""};
  for (std::size_t i = 0; i < f.size(); ++i) pair.sigma[i] = f[i] / g[i];
  std::ranges::sort(pair.sigma, std::greater());
  return pair;
}

template <class Algebra>
Pair<typename Algebra::Result> hpd_pair(const Problem& problem, const Algebra& algebra) {
  if (problem.m_f != problem.n || problem.m_g != problem.n)
    throw InputError("generator: paper;form=hpd: the matrices are square; use m_f = m_g = n or form=usx");
  if (problem.options.number("cond_x") != 0)
    throw InputError("generator: paper;form=hpd: there is no X that cond_x could change; use kappa or form=usx");
  const std::vector<Quad> grades = column_grades(problem);
  const auto make = [&](Ingredient factor, Ingredient values) {
    return algebra.finish(
        algebra.hermitian(algebra.orthonormal(problem.n, problem.n, factor), diagonal(problem, values)), grades);
  };
  return {make(factor_u, sigma_f), make(factor_v, sigma_g), {}, ""};
}

template <class Algebra>
Pair<typename Algebra::Result> make_with(const Problem& problem, const Algebra& algebra) {
  const std::string& form = problem.options.text("form");
  if (problem.options.text("spectrum") == "uniform" && problem.options.changed("kappa"))
    throw InputError("generator: paper: kappa: a uniform spectrum has no prescribed range; use spectrum=geometric, …");
  const bool hpd = form == "hpd" || (form == "auto" && is_complex<typename Algebra::Result>);
  return hpd ? hpd_pair(problem, algebra) : usx_pair(problem, algebra);
}

}  // namespace

template <class T>
Pair<T> make_paper_pair(const Problem& problem) {
  return make_with(problem, HostAlgebra<T>(problem.seed, problem.threads));
}

template <class T>
Pair<T> make_paper_pair(const Problem& problem, DevicePairAlgebra<T>& algebra) {
  return make_with(problem, DeviceAlgebraOf<T>(problem.seed, problem.threads, algebra));
}

template Pair<Quad> make_paper_pair(const Problem&);
template Pair<std::complex<Quad>> make_paper_pair(const Problem&);
template Pair<double> make_paper_pair(const Problem&, DevicePairAlgebra<double>&);
template Pair<std::complex<double>> make_paper_pair(const Problem&, DevicePairAlgebra<std::complex<double>>&);

namespace {

template <class T>
Pair<T> make_rounded_paper_pair(const Problem& problem) {
  if (problem.n >= device_pair_order)
    if (const auto algebra = make_device_pair_algebra<T>()) {
      Pair<T> pair = make_paper_pair<T>(problem, *algebra);
      pair.provenance = ", made in double-double on a GPU";
      return pair;
    }
  return rounded<T>(make_paper_pair<Rebind<T, Quad>>(problem));
}

}  // namespace

std::vector<PairKind> paper_pair_kinds() {
  const GeneratorOption& truth = sigma_option();
  return {
      {"paper",
       "section 5.1.2 of the GSVD paper: real F = U*Sigma_F*X, G = V*Sigma_G*X; complex Hermitian positive definite",
       Truth::as_built,
       {{"form",
         "auto",
         "usx: as real, sigma known; hpd: positive definite, sigma unknown; auto: usx real, hpd complex",
         {"auto", "usx", "hpd"}},
        {"spectrum",
         "uniform",
         "diagonals of Sigma_F, Sigma_G (usx) or eigenvalues of F, G (hpd), in random order; "
         "cluster0: one 1, the rest 1/kappa; cluster1: one 1/kappa, the rest 1",
         {"uniform", "geometric", "arithmetic", "cluster0", "cluster1"}},
        {"kappa", "1000", "largest over smallest value of the spectrum; uniform in (0,1) has none", {}, 1, 1e30},
        {"cond_x", "0", "condition of X, its eigenvalues then geometric; 0: uniform in (0,1)", {}, 0, 1e30},
        {"grade", "0", "columns of F and G times 1e-grade to 1e+grade; sigma stays", {}, 0, 100},
        truth},
       make_rounded_paper_pair<double>,
       make_rounded_paper_pair<std::complex<double>>}};
}

}  // namespace pivotlab
