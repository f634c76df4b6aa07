// SPDX-License-Identifier: BSD-3-Clause
// Random pairs of many kinds: what the judge of the GSVD says is compared with errors and generalized singular values
// in 100 digits.
#include "long_arithmetic.hpp"
#include "random_problems.hpp"

#include <gtest/gtest.h>
#include <experiments/gsvd/gsvd_metrics.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/gsvd.hpp>

#include <cmath>
#include <sstream>

namespace pivotlab::test::gsvd_problems_test {
namespace {

using experiments::GsvdMetrics;

// ---- Pairs ----

template <class T>
struct RandomPair {
  std::string kind;
  Matrix<T> F, G;
};

/// Columns of F and of G times the same powers of two.
template <class T>
void scale_in_common(RandomPair<T>& pair, RandomNumbers& random, int largest) {
  for (Index j = 0; j < pair.F.cols(); ++j) {
    const double factor = random.power_of_two(largest);
    scale_column(pair.F, j, factor);
    scale_column(pair.G, j, factor);
  }
}

/// Q of A = Q·R in double, m ≥ n.
template <class T>
Matrix<T> orthonormalized(Matrix<T> A) {
  for (Index j = 0; j < A.cols(); ++j)
    for (int pass = 0; pass < 2; ++pass) {
      for (Index k = 0; k < j; ++k) {
        T dot(0);
        for (Index i = 0; i < A.rows(); ++i) dot += conjugate(A(i, k)) * A(i, j);
        for (Index i = 0; i < A.rows(); ++i) A(i, j) -= dot * A(i, k);
      }
      double squares = 0;
      for (const T& x : A.col(j)) squares += std::norm(x);
      scale_column(A, j, 1 / std::sqrt(squares));
    }
  return A;
}

template <class T>
Matrix<T> rank_one(RandomNumbers& random, Index rows, Index cols, bool integers) {
  const auto vector = [&](Index size) { return integers ? random.integers<T>(size, 1, 4) : random.matrix<T>(size, 1); };
  const Matrix<T> u = vector(rows), v = vector(cols);
  Matrix<T> A(rows, cols);
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) A(i, j) = u(i, 0) * v(j, 0);
  return A;
}

template <class T>
RandomPair<T> random_pair(std::uint64_t seed) {
  RandomNumbers random(seed);
  const Index n = random.integer(1, 8), m_f = n + random.integer(0, 4), m_g = n + random.integer(0, 4);
  RandomPair<T> pair{"", random.matrix<T>(m_f, n), random.matrix<T>(m_g, n)};
  switch (seed % 14) {
    case 0:
      pair.kind = "random";
      break;
    case 1:
      pair.kind = "small integers";
      pair.F = random.integers<T>(m_f, n, 2), pair.G = random.integers<T>(m_g, n, 2);
      break;
    case 2:
      pair.kind = "F of rank one";
      pair.F = rank_one<T>(random, m_f, n, random.one_of(2));
      break;
    case 3:
      pair.kind = "common scaling 2^±200";
      scale_in_common(pair, random, 200);
      break;
    case 4:
      pair.kind = "F = 0";
      pair.F = Matrix<T>(m_f, n);
      if (random.one_of(2)) scale_in_common(pair, random, 200);
      break;
    case 5:
      pair.kind = "F = G";
      pair.F = pair.G;
      if (random.one_of(2)) pair.F(random.integer(0, static_cast<int>(m_g) - 1), n - 1) = 1e308;
      pair.G = pair.F;
      break;
    case 6:
      pair.kind = "columns of F graded";
      for (Index j = 0; j < n; ++j) scale_column(pair.F, j, random.power_of_two(40));
      break;
    case 7:
      pair.kind = "rows graded";
      for (Index i = 0; i < m_f; ++i) scale_row(pair.F, i, random.power_of_two(25));
      for (Index i = 0; i < m_g; ++i) scale_row(pair.G, i, random.power_of_two(25));
      break;
    case 8:
      pair.kind = "orthonormal";
      pair.F = orthonormalized(pair.F), pair.G = orthonormalized(pair.G);
      break;
    case 9: {
      pair.kind = "2^±900 times a pair";
      const double factor = random.one_of(2) ? 0x1p900 : 0x1p-900;
      for (Index j = 0; j < n; ++j) scale_column(pair.F, j, factor), scale_column(pair.G, j, factor);
      break;
    }
    case 10:
      pair.kind = "small integers, common scaling 2^±200";
      pair.F = random.integers<T>(m_f, n, 2), pair.G = random.integers<T>(m_g, n, 2);
      scale_in_common(pair, random, 200);
      break;
    case 11:
      pair.kind = "G of deficient rank";
      pair.G = random.integers<T>(m_g, n, 3);
      for (Index j = random.integer(0, static_cast<int>(n) - 1); j < n; ++j)
        for (Index i = 0; i < m_g; ++i) pair.G(i, j) = j > 0 ? pair.G(i, 0) - 2.0 * pair.G(i, j - 1) : T(0);
      break;
    case 12:
      pair.kind = "zero columns of F";
      for (Index j = 0; j < n; j += 2) scale_column(pair.F, j, 0.0);
      scale_in_common(pair, random, 30);
      break;
    default:
      pair.kind = "F of rank one, common scaling 2^±200";
      pair.F = rank_one<T>(random, m_f, n, false);
      scale_in_common(pair, random, 200);
  }
  return pair;
}

// ---- Truth ----

/// R of A = Q·R by Gram and Schmidt's method, twice; columns of Q that are rounding noise are zero.
LongMatrix upper_factor(LongMatrix A) {
  const Index n = A.cols();
  LongMatrix R(n, n);
  for (Index j = 0; j < n; ++j) {
    const Long before = norm(A.col(j));
    for (int pass = 0; pass < 2; ++pass)
      for (Index k = 0; k < j; ++k) {
        LongComplex dot;
        for (Index i = 0; i < A.rows(); ++i) dot += times(std::conj(A(i, k)), A(i, j));
        for (Index i = 0; i < A.rows(); ++i) A(i, j) -= times(dot, A(i, k));
        R(k, j) += dot;
      }
    const Long after = norm(A.col(j));
    const bool is_noise = after <= long_noise() * before;
    R(j, j) = is_noise ? LongComplex() : LongComplex(after);
    for (LongComplex& x : A.col(j)) x = is_noise ? LongComplex() : LongComplex(x.real() / after, x.imag() / after);
  }
  return R;
}

Index rank_of(const LongMatrix& R) {
  Index rank = 0;
  for (Index j = 0; j < R.cols(); ++j) rank += squared(R(j, j)) != 0;
  return rank;
}

// ---- Errors in 100 digits ----

Long relative(const Long& error, const Long& norm) {
  return error == 0 ? Long(0) : Long(error / norm);
}

/// Σ_i ‖a_i‖|z_ij| and |u_j|ᵀ|A||z_j|, or ‖|A||z_j|‖ where u_j = 0.
struct Reach {
  Long by_norms = 0, by_entries = 0;
};
Reach reach_of(const LongMatrix& A, const LongMatrix& U, const LongMatrix& Z, Index j) {
  Reach reach;
  for (Index k = 0; k < A.cols(); ++k) reach.by_norms += norm(A.col(k)) * modulus(Z(k, j));
  Long squares = 0;
  for (Index i = 0; i < A.rows(); ++i) {
    Long sum = 0;
    for (Index k = 0; k < A.cols(); ++k) sum += modulus(A(i, k)) * modulus(Z(k, j));
    reach.by_entries += modulus(U(i, j)) * sum, squares += sum * sum;
  }
  if (reach.by_entries == 0) reach.by_entries = sqrt(squares);
  return reach;
}

Long orthogonality_error(const LongMatrix& U, const std::vector<double>& sigma) {
  LongMatrix error = adjoint(U) * U - long_identity(U.cols());
  for (Index j = 0; j < U.cols(); ++j)
    if (sigma[static_cast<std::size_t>(j)] == 0 && norm(U.col(j)) == 0) error(j, j) = LongComplex();
  return frobenius_norm(error);
}

/// Errors over the bounds that the judge has for them: 1 is as much as may be.
struct LongVerdict {
  Long worst = 0;        ///< of the metrics that need no Z⁻¹ and no truth
  Long worst_sigma = 0;  ///< |σ − truth| over the tolerance times its condition with relative changes of entries
  Long beyond = 0;       ///< the same with relative changes of columns
};

template <class T>
LongVerdict long_verdict(const RandomPair<T>& pair, const GsvdResult<T>& r, const std::vector<Long>& truth) {
  const LongMatrix F = to_long(pair.F), G = to_long(pair.G), U = to_long(r.U), V = to_long(r.V), Z = to_long(r.Z);
  const LongMatrix FZ = F * Z, GZ = G * Z;
  const auto tolerance = [&](Index m) { return Long(20) * std::max(m, F.cols()) * ldexp(Long(1), -52); };
  const Long of_f = tolerance(F.rows()), of_g = tolerance(G.rows()), of_sigma = std::max(of_f, of_g);
  LongVerdict verdict;
  const auto judge = [&](const Long& error, const Long& bound) {
    verdict.worst = std::max(verdict.worst, Long(error / bound));
  };
  judge(orthogonality_error(U, r.sigma_f), of_f);
  judge(orthogonality_error(V, r.sigma_g), of_g);
  for (Index j = 0; j < F.cols(); ++j) {
    const auto place = static_cast<std::size_t>(j);
    const Long f(r.sigma_f[place]), g(r.sigma_g[place]), sigma(r.sigma[place]);
    const auto error = [&](const LongMatrix& AZ, const LongMatrix& Q, const Long& value) {
      std::vector<LongComplex> difference;
      for (Index i = 0; i < AZ.rows(); ++i) difference.push_back(AZ(i, j) - times(Q(i, j), LongComplex(value)));
      return norm(difference);
    };
    const Reach reach_f = reach_of(F, U, Z, j), reach_g = reach_of(G, V, Z, j);
    judge(relative(error(FZ, U, f), reach_f.by_norms), of_f);
    judge(relative(error(GZ, V, g), reach_g.by_norms), of_g);
    judge(abs(f * f + g * g - 1), of_sigma);
    judge(relative(abs(sigma - f / g), f / g), of_sigma);
    const Long wrong = abs(sigma - truth[place]);  // both descend
    verdict.worst_sigma = std::max(verdict.worst_sigma,
                                   relative(wrong, of_sigma * (reach_f.by_entries + sigma * reach_g.by_entries) / g));
    verdict.beyond =
        std::max(verdict.beyond, relative(wrong, of_sigma * (reach_f.by_norms + sigma * reach_g.by_norms) / g));
  }
  return verdict;
}

// ---- Both ----

std::string refusal_of_rank(Index rank, Index n) {
  return "(" + std::to_string(rank) + " of " + std::to_string(n) + ")";
}

template <class T>
void try_pair(std::uint64_t seed, Backend backend, Tally& tally) {
  const RandomPair<T> random = random_pair<T>(seed);
  const Index n = random.F.cols();
  const LongMatrix R = upper_factor(to_long(random.G));
  const Index rank = rank_of(R);
  std::ostringstream text;
  text << "seed " << seed << (is_complex<T> ? " complex " : " real ") << to_string(backend) << ", " << random.kind
       << ", " << random.F.rows() << " and " << random.G.rows() << " x " << n;
  const auto note = [&](std::vector<std::string>& list, const std::string& why) {
    list.push_back(text.str() + ": " + why);
  };
  ++tally.problems;

  GsvdOptions options;
  options.backend = backend;
  options.threads = 1;
  options.variant =
      parse_gsvd_variant(std::string(1, static_cast<char>(std::toupper(static_cast<char>(scalar_type<T>)))) +
                         (seed % 3 == 0 ? "HZ3-(MM-BO-ME);w=16" : "HZ0-(ME-FB-ME);w=16"))
          .variant;
  GsvdResult<T> result;
  try {
    result = gsvd<T>(random.F, random.G, options);
  } catch (const InputError& error) {
    ++tally.refused;
    const std::string message = error.what();
    if (rank == n)
      note(tally.failed, "refused: " + message);
    else if (message.find(" of ") != std::string::npos && message.find(refusal_of_rank(rank, n)) == std::string::npos)
      note(tally.failed, "the rank is " + std::to_string(rank) + ", but: " + message);
    return;
  }
  if (rank < n) return note(tally.failed, "G has rank " + std::to_string(rank) + ", and was accepted");

  std::vector<Long> truth = singular_values(to_long(random.F) * inverted(R));
  for (Long& sigma : truth)
    if (sigma <= ldexp(truth[0], -200)) sigma = 0;  // rounding of 100 digits where F has not full rank
  const LongVerdict verdict = long_verdict(random, result, truth);
  Pair<T> pair{random.F, random.G, {}, ""};
  const GsvdMetrics without_truth = experiments::judge_gsvd(pair, result, {.precision = {}, .threads = 1});
  for (const Long& sigma : truth) pair.sigma.push_back(to_quad(sigma));
  const GsvdMetrics with_truth = experiments::judge_gsvd(pair, result, {.precision = {}, .threads = 1});

  const Long slack = 1e-6;
  const auto compare = [&](const GsvdMetrics& metrics, const Long& worst) {
    const bool passed = metrics.verdict == Status::passed;
    if (passed && (worst > 1 + slack || verdict.beyond > 4))
      note(tally.wrongly_passed, worst.str(3) + " of the bounds, sigma " + verdict.beyond.str(3));
    if (!passed && worst < 1 - slack) note(tally.wrongly_incorrect, metrics.message);
    if (metrics.message.find("nan") != std::string::npos) note(tally.wrongly_incorrect, metrics.message);
  };
  compare(without_truth, verdict.worst);
  compare(with_truth, std::max(verdict.worst, verdict.worst_sigma));
  if (result.status == Status::passed && with_truth.verdict == Status::passed)
    ++tally.passed;
  else
    note(tally.failed, result.message + with_truth.message);
}

TEST(RandomPairs, AreJudgedAsIn100Digits) {
  Tally tally;
  for (int k = 0; k < random_problem_count(); ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    RandomNumbers random(seed + 1'000'000);
    // A G of deficient rank, refused after 900 sweeps of NaNs, takes the emulation too long.
    const Backend backend = random.one_of(3) && k % 14 != 11 ? Backend::emulation : Backend::host;
    if (random.one_of(2))
      try_pair<double>(seed, backend, tally);
    else
      try_pair<std::complex<double>>(seed, backend, tally);
  }
  tally.print("GSVD");
  EXPECT_TRUE(tally.wrongly_passed.empty());
  EXPECT_TRUE(tally.wrongly_incorrect.empty());
  EXPECT_TRUE(tally.failed.empty());
}

}  // namespace
}  // namespace pivotlab::test::gsvd_problems_test
