#include <generators/kinds.hpp>
#include <generators/orthogonal.hpp>
#include <kernels/numerics/extended_product.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <functional>

// Source: Novaković & Singer, section 5.1.2.
namespace pivotlab {
namespace {

// Each ingredient has a stream of its own, so that an option of one leaves the others as they are.
enum Ingredient { sigma_f, sigma_g, lambda_x, factor_u, factor_v, factor_q };

constexpr double least_accepted = 1e-10;

void shuffle(std::vector<Quad>& values, RandomStream& stream) {
  for (std::size_t i = values.size(); i > 1; --i)
    std::swap(values[i - 1], values[static_cast<std::size_t>(stream.uniform() * static_cast<double>(i))]);
}

/// A diagonal of the kind that `spectrum` names, between 1/kappa and 1, in random order.
std::vector<Quad> diagonal(const std::string& spectrum, double kappa, Index n, RandomStream stream) {
  std::vector<Quad> d(static_cast<std::size_t>(n), Quad(1));
  if (spectrum == "uniform") {
    for (Quad& x : d) do
        x = stream.uniform();
      while (x <= least_accepted);
    return d;
  }
  const Quad least = 1 / Quad(kappa);
  for (Index i = 0; i < n; ++i) {
    const Quad t = n > 1 ? Quad(i) / Quad(n - 1) : Quad(0);
    if (spectrum == "geometric") d[i] = pow(least, t);
    if (spectrum == "arithmetic") d[i] = 1 - t * (1 - least);
    if (spectrum == "cluster0" && i > 0) d[i] = least;
    if (spectrum == "cluster1" && i + 1 == n && n > 1) d[i] = least;
  }
  shuffle(d, stream);
  return d;
}

std::vector<Quad> diagonal(const Problem& problem, Ingredient which) {
  return diagonal(problem.options.text("spectrum"), problem.options.number("kappa"), problem.n,
                  RandomStream(problem.seed, which));
}

template <class T>
void scale_columns(Matrix<T>& A, const std::vector<Quad>& d) {
  for (Index j = 0; j < A.cols(); ++j)
    for (T& x : A.col(j)) x *= d[j];
}

template <class T>
Matrix<T> orthonormal(const Problem& problem, Index m, Ingredient which) {
  RandomStream stream(problem.seed, which);
  return random_orthonormal<T>(m, problem.n, stream, problem.threads);
}

/// Q·Λ·Qᴴ, exactly Hermitian (xLAGSY, xLATMS).
template <class T>
Matrix<T> hermitian(const Matrix<T>& Q, const std::vector<Quad>& eigenvalues, int threads) {
  Matrix<T> scaled = Q;
  scale_columns(scaled, eigenvalues);
  Matrix<T> A = product<T>(scaled, {Q, Op::adjoint}, threads);
  for (Index j = 0; j < A.cols(); ++j) {
    A(j, j) = T(real_part(A(j, j)));
    for (Index i = 0; i < j; ++i) A(i, j) = conjugate(A(j, i));
  }
  return A;
}

template <class T>
Pair<T> usx_pair(const Problem& problem) {
  const double cond_x = problem.options.number("cond_x");
  const RandomStream stream(problem.seed, lambda_x);
  const Matrix<T> X = hermitian(
      orthonormal<T>(problem, problem.n, factor_q),
      cond_x == 0 ? diagonal("uniform", 1, problem.n, stream) : diagonal("geometric", cond_x, problem.n, stream),
      problem.threads);
  const auto times_x = [&](Index m, Ingredient factor, const std::vector<Quad>& sigma) {
    Matrix<T> Q = orthonormal<T>(problem, m, factor);
    scale_columns(Q, sigma);
    return product<T>(Q, X, problem.threads);
  };
  const std::vector<Quad> f = diagonal(problem, sigma_f), g = diagonal(problem, sigma_g);
  Pair<T> pair{times_x(problem.m_f, factor_u, f), times_x(problem.m_g, factor_v, g), f, ""};
  for (std::size_t i = 0; i < f.size(); ++i) pair.sigma[i] = f[i] / g[i];
  std::ranges::sort(pair.sigma, std::greater());
  return pair;
}

template <class T>
Pair<T> hpd_pair(const Problem& problem) {
  if (problem.m_f != problem.n || problem.m_g != problem.n)
    throw InputError("generator: paper;form=hpd: the matrices are square; use m_f = m_g = n or form=usx");
  if (problem.options.number("cond_x") != 0)
    throw InputError("generator: paper;form=hpd: there is no X that cond_x could change; use kappa or form=usx");
  const auto make = [&](Ingredient factor, Ingredient values) {
    return hermitian(orthonormal<T>(problem, problem.n, factor), diagonal(problem, values), problem.threads);
  };
  return {make(factor_u, sigma_f), make(factor_v, sigma_g), {}, ""};
}

}  // namespace

template <class T>
Pair<T> make_paper_pair(const Problem& problem) {
  const std::string& form = problem.options.text("form");
  if (problem.options.text("spectrum") == "uniform" && problem.options.changed("kappa"))
    throw InputError("generator: paper: kappa: a uniform spectrum has no prescribed range; use spectrum=geometric, …");
  Pair<T> pair = form == "hpd" || (form == "auto" && is_complex<T>) ? hpd_pair<T>(problem) : usx_pair<T>(problem);
  if (const double g = problem.options.number("grade"); g != 0) {
    std::vector<Quad> d(static_cast<std::size_t>(problem.n));
    for (Index j = 0; j < problem.n; ++j)
      d[j] = pow(Quad(10), Quad(-g) + 2 * Quad(g) * Quad(j) / Quad(std::max<Index>(problem.n - 1, 1)));
    scale_columns(pair.F, d);
    scale_columns(pair.G, d);
  }
  return pair;
}

template Pair<Quad> make_paper_pair(const Problem&);
template Pair<std::complex<Quad>> make_paper_pair(const Problem&);

}  // namespace pivotlab
