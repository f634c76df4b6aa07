// SPDX-License-Identifier: BSD-3-Clause
#include <generators/algebra.hpp>
#include <generators/rounded.hpp>
#include <generators/spectrum.hpp>
#include <generators/symmetric_kinds.hpp>
#include <pivotlab/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

enum Ingredient { eigenvectors, signs, diagonal };

template <class Algebra>
auto hermitian(const Algebra& algebra, Index n, const std::vector<Quad>& eigenvalues) {
  return algebra.finish(algebra.hermitian(algebra.orthonormal(n, n, eigenvectors), eigenvalues), {});
}

/// Computes Q·Λ·Qᴴ, rounded once.
template <class T>
SymmetricMatrix<T> with_spectrum(const SymmetricProblem& problem, std::vector<Quad> eigenvalues) {
  if (is_complex<T> && problem.symmetry == Symmetry::symmetric)
    throw InputError(
        "generator: a complex symmetric matrix has no inertia that could be prescribed; take a Hermitian one, or "
        "random, "
        "graded, hilbert, …");
  const Index n = problem.n;
  if (n >= device_pair_order)
    if (const auto device = make_device_pair_algebra<T>())
      return {.A = hermitian(DeviceAlgebraOf<T>(problem.seed, problem.threads, *device), n, eigenvalues),
              .eigenvalues = std::move(eigenvalues),
              .provenance = ", made in double-double on a GPU"};
  const HostAlgebra<Rebind<T, Quad>> algebra(problem.seed, problem.threads);
  return {.A = rounded<T>(hermitian(algebra, n, eigenvalues)), .eigenvalues = std::move(eigenvalues)};
}

/// Negates a fraction of the values, chosen at random.
void negate(std::vector<Quad>& values, double fraction, RandomStream stream) {
  const auto n = static_cast<double>(values.size());
  shuffle(values, stream);
  std::for_each_n(values.begin(), std::lround(fraction * n), [](Quad& x) { x = -x; });
}

// ---- DLATB4 ----

/// Condition and norm of a type, as set by DLATB4.
struct Latb4 {
  double kappa = 2, norm = 1;

  explicit Latb4(int type) {
    constexpr double eps = std::numeric_limits<double>::epsilon();  // DLAMCH('Precision')
    const double small = 0.25 * (std::numeric_limits<double>::min() / eps);
    if (type == 7) kappa = std::sqrt(0.1 / eps);
    if (type == 8) kappa = 0.1 / eps;
    if (type == 9) norm = small;
    if (type == 10) norm = 1 / small;
  }
};

/// Returns the rows and columns that DCHKSY sets to zero: first and one past the last.
std::pair<Index, Index> zero_range(int type, Index n) {
  switch (type) {
    case 3:
      return {0, 1};
    case 4:
      return {n - 1, n};
    case 5:
      return {n / 2, n / 2 + 1};
    case 6:
      return {n - (n / 2 + 1), n};
    default:
      return {0, 0};
  }
}

template <class T>
Matrix<T> diagonal_matrix(const std::vector<Quad>& d) {
  const auto n = static_cast<Index>(d.size());
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j) A(j, j) = T(static_cast<double>(d[j]));
  return A;
}

/// Makes eigenvalues equidistant from −n to n − 1 (the thesis, section 3.5); the `nullity` eigenvalues nearest to zero
/// are zero.
template <class T>
SymmetricMatrix<T> make_equidistant(const SymmetricProblem& problem) {
  const Index n = problem.n, nullity = std::min(n, static_cast<Index>(problem.options.number("nullity")));
  std::vector<Quad> eigenvalues(n, Quad(-n));
  for (Index i = 1; i < n; ++i) eigenvalues[i] = -Quad(n) + Quad(i) * Quad(2 * n - 1) / Quad(n - 1);
  std::ranges::stable_sort(eigenvalues, {}, [](const Quad& x) { return Quad(abs(x)); });
  std::fill_n(eigenvalues.begin(), nullity, Quad(0));
  std::ranges::sort(eigenvalues);
  return with_spectrum<T>(problem, std::move(eigenvalues));
}

/// Makes eigenvalues with magnitudes from 1/kappa to 1; the fraction `negative` of them is negative.
template <class T>
SymmetricMatrix<T> make_spectrum(const SymmetricProblem& problem) {
  const OptionValues& options = problem.options;
  std::vector<Quad> eigenvalues = spectrum(options.text("of"), Quad(options.number("kappa")), problem.n);
  negate(eigenvalues, options.number("negative"), RandomStream(problem.seed, signs));
  return with_spectrum<T>(problem, std::move(eigenvalues));
}

/// Makes the ten types of DLATB4 for symmetric matrices.
template <class T>
SymmetricMatrix<T> make_latb4(const SymmetricProblem& problem) {
  const int type = std::stoi(problem.options.text("type"));
  const Latb4 parameters(type);
  std::vector<Quad> eigenvalues = spectrum("geometric", Quad(parameters.kappa), problem.n);
  RandomStream stream(problem.seed, signs);
  for (Quad& x : eigenvalues) x *= (stream.uniform() > 0.5 ? -1 : 1) * Quad(parameters.norm);
  if (type == 1) return {.A = diagonal_matrix<T>(eigenvalues), .eigenvalues = eigenvalues};

  SymmetricMatrix<T> matrix = with_spectrum<T>(problem, std::move(eigenvalues));
  const auto [first, last] = zero_range(type, problem.n);
  if (first == last) return matrix;
  for (Index j = 0; j < problem.n; ++j)
    for (Index i = 0; i < problem.n; ++i)
      if ((first <= i && i < last) || (first <= j && j < last)) matrix.A(i, j) = T(0);
  matrix.eigenvalues.clear();
  return matrix;
}

/// The parts of [H Bᴴ; B −K].
template <class T>
struct SaddleParts {
  Matrix<T> H, B;
};

template <class T>
SaddleParts<T> saddle_parts(const SymmetricProblem& problem, double kappa) {
  const Index n = problem.n;
  const auto rows =
      std::min(n / 2, static_cast<Index>(std::lround(problem.options.number("constraints") * static_cast<double>(n))));
  SymmetricProblem definite = problem;
  definite.n = n - rows;
  RandomStream stream(problem.seed, signs);
  return {with_spectrum<T>(definite, spectrum("geometric", Quad(kappa), n - rows)).A,
          random_matrix<T>(rows, n - rows, Distribution::normal, stream, problem.threads)};
}

/// Puts the parts together; the block −K is left zero.
template <class T>
SymmetricMatrix<T> bordered(const SaddleParts<T>& parts) {
  const Index order = parts.H.rows(), rows = parts.B.rows();
  SymmetricMatrix<T> matrix{.A = Matrix<T>(order + rows, order + rows), .inertia = Inertia{order, rows, 0}};
  for (Index j = 0; j < order; ++j) {
    for (Index i = 0; i < order; ++i) matrix.A(i, j) = parts.H(i, j);
    for (Index i = 0; i < rows; ++i) {
      matrix.A(order + i, j) = parts.B(i, j);
      matrix.A(j, order + i) = conjugate(parts.B(i, j));
    }
  }
  return matrix;
}

/// Makes [H Bᴴ; B −δI] with a positive definite H and B of full row rank.
template <class T>
SymmetricMatrix<T> make_saddle_point(const SymmetricProblem& problem) {
  const OptionValues& options = problem.options;
  const double kappa = options.number("kappa");
  SaddleParts<T> parts = saddle_parts<T>(problem, kappa);
  if (options.text("h") == "diagonal") {
    std::vector<Quad> d = spectrum("geometric", Quad(kappa), parts.H.rows());
    RandomStream order(problem.seed, diagonal);
    shuffle(d, order);
    for (Quad& x : d) x *= Quad(std::sqrt(kappa));
    parts.H = diagonal_matrix<T>(d);
  }
  SymmetricMatrix<T> matrix = bordered(parts);
  for (Index i = parts.H.rows(); i < problem.n; ++i) matrix.A(i, i) = T(-options.number("delta"));
  return matrix;
}

/// Makes D·[H Bᴴ; B −K]·D with positive definite H and K of condition 10.
template <class T>
SymmetricMatrix<T> make_quasi_definite(const SymmetricProblem& problem) {
  const SaddleParts<T> parts = saddle_parts<T>(problem, 10);
  const Index order = parts.H.rows(), rows = parts.B.rows(), n = problem.n;
  SymmetricMatrix<T> matrix = bordered(parts);
  if (rows > 0) {
    SymmetricProblem lower = problem;
    lower.n = rows, lower.seed = problem.seed + 1;
    const Matrix<T> K = with_spectrum<T>(lower, spectrum("geometric", Quad(10), rows)).A;
    for (Index j = 0; j < rows; ++j)
      for (Index i = 0; i < rows; ++i) matrix.A(order + i, order + j) = -K(i, j);
  }
  scale_rows_and_columns(matrix.A,
                         grades(n, problem.options.number("g"), "random", RandomStream(problem.seed, diagonal)));
  return matrix;
}

}  // namespace

template <class T>
SymmetricMatrix<T> make_conditioned_core(const SymmetricProblem& problem) {
  std::vector<Quad> eigenvalues = spectrum("geometric", Quad(10), problem.n);
  negate(eigenvalues, 0.5, RandomStream(problem.seed, signs));
  SymmetricMatrix<T> matrix = with_spectrum<T>(problem, std::move(eigenvalues));
  matrix.inertia = Inertia{problem.n - std::lround(0.5 * static_cast<double>(problem.n)),
                           std::lround(0.5 * static_cast<double>(problem.n)), 0};
  matrix.eigenvalues.clear();
  return matrix;
}

template SymmetricMatrix<double> make_conditioned_core(const SymmetricProblem&);
template SymmetricMatrix<Complex> make_conditioned_core(const SymmetricProblem&);

SymmetricKinds spectral_symmetric_kinds() {
  return {{"equidistant",
           "random, eigenvalues equidistant from -n to n-1",
           {{"nullity", "0", "how many eigenvalues, those nearest to zero, are zero", {}, 0, 1e9}},
           make_equidistant<double>,
           make_equidistant<Complex>},
          {"spectrum",
           "random with eigenvalues of magnitude 1/kappa to 1",
           {{"of",
             "geometric",
             "how the magnitudes are distributed; cluster0: one 1, the rest 1/kappa; cluster1: one 1/kappa, the rest 1",
             {"geometric", "arithmetic", "cluster0", "cluster1"}},
            {"kappa", "1000", "largest over smallest magnitude", {}, 1, 1e30},
            {"negative", "0.5", "fraction of negative eigenvalues", {}, 0, 1}},
           make_spectrum<double>,
           make_spectrum<Complex>},
          {"latb4",
           "the types of LAPACK's DLATB4: 1 diagonal, 2 random, 3 to 6 zero rows and columns, 7 and 8 ill-conditioned, "
           "9 and 10 near under- and overflow",
           {{"type", "2", "1 to 10", {"1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}}},
           make_latb4<double>,
           make_latb4<Complex>},
          {"kkt",
           "saddle point [H B'; B -delta*I] with positive definite H and B of full row rank",
           {{"constraints", "0.3", "rows of B as a fraction of n, at most 0.5", {}, 0, 0.5},
            {"delta", "0", "regularization", {}, 0, 1e6},
            {"kappa", "1000", "condition of H", {}, 1, 1e15},
            {"h", "dense", "H: dense, or diagonal from 1/sqrt(kappa) to sqrt(kappa)", {"dense", "diagonal"}}},
           make_saddle_point<double>,
           make_saddle_point<Complex>},
          {"quasidefinite",
           "D*[H B'; B -K]*D with positive definite H and K of condition 10 and D from 1e-g to 1e+g in random order",
           {{"constraints", "0.3", "rows of B as a fraction of n, at most 0.5", {}, 0, 0.5},
            {"g", "4", "grade", {}, 0, 70}},
           make_quasi_definite<double>,
           make_quasi_definite<Complex>}};
}

}  // namespace pivotlab
