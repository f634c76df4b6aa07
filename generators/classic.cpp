// SPDX-License-Identifier: BSD-3-Clause
#include <generators/kinds.hpp>
#include <generators/random.hpp>
#include <pivotlab/error.hpp>

#include <numeric>

namespace pivotlab {
namespace {

using Complex = std::complex<double>;

/// Converts the real matrix A to the type T and appends zero rows.
template <class T>
Matrix<T> bordered(const Matrix<double>& A, Index m) {
  Matrix<T> result(m, A.cols());
  for (Index j = 0; j < A.cols(); ++j)
    for (Index i = 0; i < A.rows(); ++i) result(i, j) = T(A(i, j));
  return result;
}

template <class T>
Pair<T> make_hilbert_pair(const Problem& problem) {
  Matrix<double> H(problem.m_f, problem.n);
  for (Index j = 0; j < H.cols(); ++j)
    for (Index i = 0; i < H.rows(); ++i) H(i, j) = 1 / static_cast<double>(i + j + 1);
  const int order = static_cast<int>(problem.options.text("l")[0] - '0');
  return {bordered<T>(H, problem.m_f), bordered<T>(difference_operator(problem.n, order), problem.m_g), {}, ""};
}

template <class T>
Pair<T> make_identity_pair(const Problem& problem) {
  const Matrix<double> I = Matrix<double>::identity(problem.n);
  return {bordered<T>(I, problem.m_f), bordered<T>(I, problem.m_g), std::vector<Quad>(problem.n, Quad(1)), ""};
}

/// Makes columns of a random pair.
template <class T>
Pair<T> make_random_pair(const Problem& problem) {
  std::vector<Index> all(problem.n);
  std::iota(all.begin(), all.end(), Index(0));
  return make_random_columns<T>(problem, all);
}

}  // namespace

Matrix<double> difference_operator(Index n, int order) {
  if (n < 1 || order < 0 || order > 2)
    throw InputError("difference operator: the order is 0, 1 or 2 and n ≥ 1; choose such ones");
  Matrix<double> L = Matrix<double>::identity(n);
  for (Index i = 0; order == 1 && i + 1 < n; ++i) L(i, i) = -1, L(i, i + 1) = 1;
  for (Index i = 1; order == 2 && i + 1 < n; ++i) L(i, i - 1) = L(i, i + 1) = 1, L(i, i) = -2;
  return L;
}

template <class T>
Pair<T> make_random_columns(const Problem& problem, const std::vector<Index>& columns) {
  const std::string& name = problem.options.text("entries");
  const Distribution entries = name == "normal"    ? Distribution::normal
                               : name == "uniform" ? Distribution::uniform
                                                   : Distribution::symmetric;
  const auto make = [&](Index m, int which) {
    return random_columns<T>(m, columns, entries, RandomStream(problem.seed, which), problem.threads);
  };
  return {make(problem.m_f, 0), make(problem.m_g, 1), {}, ""};
}

template Pair<double> make_random_columns(const Problem&, const std::vector<Index>&);
template Pair<Complex> make_random_columns(const Problem&, const std::vector<Index>&);

std::vector<PairKind> classic_pair_kinds() {
  const GeneratorOption& truth = sigma_option();
  return {{"hilbert",
           "Hilbert matrix F with a difference operator G, as in regularization",
           Truth::of_the_doubles,
           {{"l", "1", "order of the differences; 0: G = I", {"0", "1", "2"}}, truth},
           make_hilbert_pair<double>,
           make_hilbert_pair<Complex>},
          {"identity", "F = G = I", Truth::as_built, {truth}, make_identity_pair<double>, make_identity_pair<Complex>},
          {"random",
           "independent random entries",
           Truth::of_the_doubles,
           {{"entries",
             "normal",
             "distribution: normal (0,1), uniform (0,1), symmetric (-1,1)",
             {"normal", "uniform", "symmetric"}},
            truth},
           make_random_pair<double>,
           make_random_pair<Complex>,
           true}};
}

}  // namespace pivotlab
