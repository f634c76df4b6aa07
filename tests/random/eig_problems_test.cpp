// SPDX-License-Identifier: BSD-3-Clause
// Random general matrices of many kinds: what the judge of the eigendecomposition says is compared with errors in 100
// digits and with eigenvalues that are known, by construction or in 100 digits.
#include "long_arithmetic.hpp"
#include "random_problems.hpp"

#include <gtest/gtest.h>
#include <experiments/eig/eig_metrics.hpp>
#include <pivotlab/eig.hpp>
#include <pivotlab/generate.hpp>

#include <cmath>
#include <functional>
#include <sstream>

namespace pivotlab::test::eig_problems_test {
namespace {

using experiments::EigMetrics;
using Complex = std::complex<double>;

// ---- Matrices ----

struct RandomGeneral {
  std::string kind;
  GeneralMatrix<Complex> matrix;
};

/// S⁻¹·A·S for a product S of a few elementary matrices of integers of determinant 1: no entry is rounded.
void transform_by_integers(Matrix<Complex>& A, RandomNumbers& random) {
  const int n = static_cast<int>(A.cols());
  for (int step = 0; n > 1 && step < 2 * n; ++step) {
    const Index i = random.integer(0, n - 1), j = (i + random.integer(1, n - 1)) % n;
    const double factor = random.one_of(2) ? 1 : -1;
    for (Index k = 0; k < n; ++k) A(k, j) += factor * A(k, i);
    for (Index k = 0; k < n; ++k) A(i, k) -= factor * A(j, k);
  }
}

/// Coefficients of Π(x − root), the leading one left out.
std::vector<double> coefficients(const std::vector<int>& roots) {
  std::vector<double> c{1};
  for (const int root : roots) {
    c.push_back(0);
    for (std::size_t k = c.size() - 1; k > 0; --k) c[k] -= root * c[k - 1];
  }
  return {c.begin() + 1, c.end()};
}

void set_eigenvalues(GeneralMatrix<Complex>& matrix, const std::vector<Complex>& values) {
  for (const Complex& x : values) matrix.eigenvalues.emplace_back(Quad(x.real()), Quad(x.imag()));
}

RandomGeneral random_general(std::uint64_t seed) {
  RandomNumbers random(seed);
  const Index n = random.integer(1, 8);
  RandomGeneral result{"", {.A = random.matrix<Complex>(n, n)}};
  Matrix<Complex>& A = result.matrix.A;
  std::vector<Complex> values;
  const auto triangular = [&](const auto& above) {
    A = Matrix<Complex>(n, n);
    for (Index i = 0; i < n; ++i) {
      A(i, i) = values[static_cast<std::size_t>(i)];
      for (Index j = i + 1; j < n; ++j) A(i, j) = above(i, j);
    }
  };
  switch (seed % 12) {
    case 0:
      result.kind = "random";
      break;
    case 1:
      result.kind = "similar to a diagonal of integers";
      for (Index i = 0; i < n; ++i) values.push_back(random.small_integer<Complex>(9));
      triangular([](Index, Index) { return 0.0; });
      transform_by_integers(A, random);
      break;
    case 2:
      result.kind = "similar to a triangle of integers";
      for (Index i = 0; i < n; ++i) values.emplace_back(random.integer(-3, 3));
      triangular([&](Index, Index) { return random.integer(-1, 1); });
      transform_by_integers(A, random);
      break;
    case 3: {
      result.kind = "rank one";
      const Matrix<Complex> u = random.integers<Complex>(n, 1, 4), v = random.integers<Complex>(n, 1, 4);
      values.resize(static_cast<std::size_t>(n));
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i < n; ++i) A(i, j) = u(i, 0) * v(j, 0);
      for (Index i = 0; i < n; ++i) values[0] += u(i, 0) * v(i, 0);
      break;
    }
    case 4: {
      result.kind = "companion";
      std::vector<int> roots;
      for (Index i = 0; i < n; ++i) roots.push_back(random.integer(-6, 6));
      const std::vector<double> c = coefficients(roots);
      A = Matrix<Complex>(n, n);
      for (Index i = 0; i < n; ++i) {
        values.emplace_back(roots[static_cast<std::size_t>(i)]);
        A(0, i) = -c[static_cast<std::size_t>(i)];
        if (i > 0) A(i, i - 1) = 1;
      }
      break;
    }
    case 5:
      result.kind = "small integers";
      A = random.integers<Complex>(n, n, 2);
      break;
    case 6: {
      result.kind = "scaled by 2^±500";
      const double factor = random.one_of(2) ? 0x1p500 : 0x1p-500;
      for (Index i = 0; i < n; ++i) scale_row(A, i, factor);
      break;
    }
    case 7:
      result.kind = "scaled by a similarity with 2^±20";
      for (Index i = 0; i < n; ++i) {
        const double factor = random.power_of_two(20);
        scale_row(A, i, factor), scale_column(A, i, 1 / factor);
      }
      break;
    case 8:
      result.kind = "zero";
      A = Matrix<Complex>(n, n), values.resize(static_cast<std::size_t>(n));
      break;
    case 9:
      result.kind = "nilpotent";
      values.resize(static_cast<std::size_t>(n));
      triangular([&](Index, Index) { return random.integer(-2, 2); });
      transform_by_integers(A, random);
      break;
    case 10:
      result.kind = "Hermitian";
      for (Index j = 0; j < n; ++j)
        for (Index i = 0; i <= j; ++i) A(j, i) = std::conj(A(i, j)), A(i, i) = A(i, i).real();
      break;
    default:
      result.kind = "real";
      for (Index i = 0; i < A.size(); ++i) A.data()[i] = A.data()[i].real();
  }
  if (values.empty())
    result.matrix.eigenvalues = extended_eigenvalues<Complex>(A, 1);
  else
    set_eigenvalues(result.matrix, values);
  return result;
}

// ---- In 100 digits ----

struct LongVerdict {
  Long worst = 0;       ///< residuals, normalization, trace over their bounds
  bool matched = true;  ///< every true eigenvalue has one of the computed within the theorem's bound
};

/// Whether each i has a j of its own with is_near(i, j), by augmenting paths.
template <class IsNear>
bool is_matched(Index n, const IsNear& is_near) {
  std::vector<Index> partner(static_cast<std::size_t>(n), -1);
  std::vector<bool> visited;
  const std::function<bool(Index)> find = [&](Index i) {
    for (Index j = 0; j < n; ++j) {
      if (visited[j] || !is_near(i, j)) continue;
      visited[j] = true;
      if (partner[j] < 0 || find(partner[j])) return partner[j] = i, true;
    }
    return false;
  };
  for (Index i = 0; i < n; ++i) {
    visited.assign(static_cast<std::size_t>(n), false);
    if (!find(i)) return false;
  }
  return true;
}

LongMatrix diagonal(const std::vector<Complex>& values) {
  LongMatrix D(std::ssize(values), std::ssize(values));
  for (Index i = 0; i < D.cols(); ++i) D(i, i) = to_long(values[i]);
  return D;
}

LongVerdict long_verdict(const GeneralMatrix<Complex>& matrix, const EigResult<double>& r) {
  const LongMatrix A = to_long(matrix.A), V = to_long(r.V), D = diagonal(r.eigenvalues);
  const Index n = A.cols();
  const Long ulp = ldexp(Long(1), -52), size = frobenius_norm(A), error = frobenius_norm(A * V - V * D);
  LongVerdict verdict;
  const auto judge = [&](const Long& value, const Long& bound) {
    if (value != 0) verdict.worst = std::max(verdict.worst, Long(value / bound));
  };
  judge(error, 30 * n * ulp * size);
  for (Index j = 0; j < n; ++j) judge(abs(norm(V.col(j)) - 1), 30 * ulp);
  if (r.W.size() > 0) {
    const LongMatrix W = to_long(r.W);
    judge(frobenius_norm(adjoint(W) * A - D * adjoint(W)), 30 * n * ulp * size);
    for (Index j = 0; j < n; ++j) judge(abs(norm(W.col(j)) - 1), 30 * ulp);
  }
  LongComplex trace;
  for (Index i = 0; i < n; ++i) trace += D(i, i) - A(i, i);
  const LongMatrix inverse = inverted(V);
  const Long condition = inverse.size() == 0 ? Long(1e300) : Long(frobenius_norm(V) * frobenius_norm(inverse) / n);
  Long bound_of_trace = 30 * n * ulp * sqrt(Long(n)) * size;
  if (condition <= 1e14) {
    const Long of_inverse = frobenius_norm(inverse);
    bound_of_trace = std::max(bound_of_trace, Long(of_inverse * error));
    const Long reach = (2 * n - 1) * of_inverse * (error + frobenius_norm(V) * ulp / 2 * size);
    verdict.matched = is_matched(n, [&](Index i, Index j) {
      const std::complex<Quad>& truth = matrix.eigenvalues[static_cast<std::size_t>(i)];
      return modulus(LongComplex(pivotlab::to_long<Long>(truth.real()), pivotlab::to_long<Long>(truth.imag())) -
                     D(j, j)) <= reach * (1 + Long(1e-6));
    });
  }
  judge(modulus(trace), bound_of_trace);
  return verdict;
}

// ---- Both ----

void try_matrix(std::uint64_t seed, Backend backend, Tally& tally) {
  const RandomGeneral random = random_general(seed);
  std::ostringstream text;
  text << "seed " << seed << ' ' << to_string(backend) << ", " << random.kind << ", n = " << random.matrix.A.cols();
  const auto note = [&](std::vector<std::string>& list, const std::string& why) {
    list.push_back(text.str() + ": " + why);
  };
  ++tally.problems;

  EigOptions options;
  options.backend = backend;
  options.threads = 1;
  options.left_vectors = RandomNumbers(seed + 2'000'000).one_of(2);
  if (options.left_vectors) text << ", left vectors";
  const EigResult<double> result = eig<Complex>(random.matrix.A, options);
  const EigMetrics metrics = experiments::judge_eig(
      random.matrix,
      {.eigenvalues = result.eigenvalues, .V = result.V, .W = options.left_vectors ? &result.W : nullptr},
      {.precision = {}, .threads = 1});
  const bool passed = metrics.verdict == Status::passed;
  const LongVerdict verdict = long_verdict(random.matrix, result);
  const Long slack = 1e-6;
  if (passed && (verdict.worst > 1 + slack || !verdict.matched))
    note(tally.wrongly_passed, verdict.matched ? verdict.worst.str(3) + " of the bounds" : "an eigenvalue is missing");
  if (!passed && verdict.worst < 1 - slack && verdict.matched) note(tally.wrongly_incorrect, metrics.message);
  if (metrics.message.find("nan") != std::string::npos) note(tally.wrongly_incorrect, metrics.message);
  if (passed && result.status == Status::passed)
    ++tally.passed;
  else
    note(tally.failed, result.message + (result.message.empty() ? "" : "; ") + metrics.message);
}

TEST(RandomGeneralMatrices, AreJudgedAsIn100Digits) {
  Tally tally;
  for (int k = 0; k < random_problem_count(); ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    try_matrix(seed, RandomNumbers(seed + 1'000'000).one_of(3) ? Backend::emulation : Backend::host, tally);
  }
  tally.print("eig");
  EXPECT_TRUE(tally.wrongly_passed.empty());
  EXPECT_TRUE(tally.wrongly_incorrect.empty());
}

}  // namespace
}  // namespace pivotlab::test::eig_problems_test
