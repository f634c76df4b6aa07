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

/// The matrices of a pair in Quad, on the host. T is Quad or std::complex<Quad>.
template <class T>
class OnHost {
 public:
  using Result = T;
  using Factor = Matrix<T>;

  explicit OnHost(const Problem& problem) : problem_(problem) {}

  /// A random matrix with orthonormal columns, m × n.
  Factor orthonormal(Index m, Ingredient which) const {
    RandomStream stream(problem_.seed, which);
    return random_orthonormal<T>(m, problem_.n, stream, problem_.threads);
  }
  /// Q·Λ·Qᴴ, exactly Hermitian (xLAGSY, xLATMS).
  Factor hermitian(const Factor& Q, const std::vector<Quad>& eigenvalues) const {
    Matrix<T> A = pivotlab::product<T>(scaled(Q, eigenvalues), {Q, Op::adjoint}, problem_.threads);
    for (Index j = 0; j < A.cols(); ++j) {
      A(j, j) = T(real_part(A(j, j)));
      for (Index i = 0; i < j; ++i) A(i, j) = conjugate(A(j, i));
    }
    return A;
  }
  /// Q·diag(d)·X
  Factor product(Factor Q, const std::vector<Quad>& d, const Factor& X) const {
    return pivotlab::product<T>(scaled(std::move(Q), d), X, problem_.threads);
  }
  /// A·diag(d), and A without d, as it is in the pair.
  Matrix<Result> finish(Factor A, const std::vector<Quad>& d) const {
    return d.empty() ? std::move(A) : scaled(std::move(A), d);
  }

 private:
  static Matrix<T> scaled(Matrix<T> A, const std::vector<Quad>& d) {
    for (Index j = 0; j < A.cols(); ++j)
      for (T& x : A.col(j)) x *= d[j];
    return A;
  }

  const Problem& problem_;
};

/// The same on a GPU, in double-double and rounded at the end. T is double or std::complex<double>.
template <class T>
class OnDevice {
 public:
  using Result = T;
  using Factor = typename DevicePairAlgebra<T>::Handle;

  OnDevice(const Problem& problem, DevicePairAlgebra<T>& algebra) : problem_(problem), algebra_(algebra) {}

  Factor orthonormal(Index m, Ingredient which) const {
    RandomStream stream(problem_.seed, which);
    return algebra_.orthonormal(random_matrix<T>(m, problem_.n, Distribution::normal, stream, problem_.threads));
  }
  Factor hermitian(const Factor& Q, const std::vector<Quad>& eigenvalues) const {
    return algebra_.hermitian(Q, shortened(eigenvalues));
  }
  Factor product(const Factor& Q, const std::vector<Quad>& d, const Factor& X) const {
    return algebra_.product(Q, shortened(d), X);
  }
  Matrix<Result> finish(const Factor& A, const std::vector<Quad>& d) const { return algebra_.rounded(A, shortened(d)); }

 private:
  static std::vector<DoubleDouble> shortened(const std::vector<Quad>& d) { return {d.begin(), d.end()}; }

  const Problem& problem_;
  DevicePairAlgebra<T>& algebra_;
};

/// The scale of the columns that `grade` asks for; empty if it does not.
std::vector<Quad> column_grades(const Problem& problem) {
  const double g = problem.options.number("grade");
  if (g == 0) return {};
  std::vector<Quad> d(static_cast<std::size_t>(problem.n));
  for (Index j = 0; j < problem.n; ++j)
    d[j] = pow(Quad(10), Quad(-g) + 2 * Quad(g) * Quad(j) / Quad(std::max<Index>(problem.n - 1, 1)));
  return d;
}

template <class Algebra>
Pair<typename Algebra::Result> usx_pair(const Problem& problem, const Algebra& algebra) {
  const double cond_x = problem.options.number("cond_x");
  const RandomStream stream(problem.seed, lambda_x);
  const auto X = algebra.hermitian(
      algebra.orthonormal(problem.n, factor_q),
      cond_x == 0 ? diagonal("uniform", 1, problem.n, stream) : diagonal("geometric", cond_x, problem.n, stream));
  const std::vector<Quad> grades = column_grades(problem);
  const auto make = [&](Index m, Ingredient factor, const std::vector<Quad>& sigma) {
    return algebra.finish(algebra.product(algebra.orthonormal(m, factor), sigma, X), grades);
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
    return algebra.finish(algebra.hermitian(algebra.orthonormal(problem.n, factor), diagonal(problem, values)), grades);
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
  return make_with(problem, OnHost<T>(problem));
}

template <class T>
Pair<T> make_paper_pair(const Problem& problem, DevicePairAlgebra<T>& algebra) {
  return make_with(problem, OnDevice<T>(problem, algebra));
}

template Pair<Quad> make_paper_pair(const Problem&);
template Pair<std::complex<Quad>> make_paper_pair(const Problem&);
template Pair<double> make_paper_pair(const Problem&, DevicePairAlgebra<double>&);
template Pair<std::complex<double>> make_paper_pair(const Problem&, DevicePairAlgebra<std::complex<double>>&);

}  // namespace pivotlab
