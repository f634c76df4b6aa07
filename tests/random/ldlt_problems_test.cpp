// SPDX-License-Identifier: BSD-3-Clause
// Random symmetric, Hermitian and complex symmetric matrices of many kinds: what the judge of the factorization says is
// compared with errors in 100 digits and with the exact inertia.
#include "long_arithmetic.hpp"
#include "random_problems.hpp"

#include <gtest/gtest.h>
#include <experiments/ldlt/ldlt_factors.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/ldlt.hpp>
#include <tests/ldlt/exact_inertia.hpp>

#include <array>
#include <cmath>
#include <sstream>

namespace pivotlab::test::ldlt_problems_test {
namespace {

using experiments::LdltMetrics;

// ---- Matrices ----

template <class T>
struct RandomSymmetric {
  std::string kind;
  SymmetricMatrix<T> matrix;
};

template <class T>
T across(const T& x, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? conjugate(x) : x;
}

/// element(i, j) below the diagonal and on it, where a Hermitian matrix keeps the real part.
template <class T, class Element>
Matrix<T> symmetric_matrix(Index n, Symmetry symmetry, const Element& element) {
  Matrix<T> A(n, n);
  for (Index j = 0; j < n; ++j)
    for (Index i = j; i < n; ++i) {
      const T x = element(i, j);
      A(i, j) = i == j && symmetry == Symmetry::hermitian ? T(real_part(x)) : x;
      if (i != j) A(j, i) = across(x, symmetry);
    }
  return A;
}

/// Σ_k ±v_k·v_k* of `rank` vectors of small integers.
template <class T>
Matrix<T> of_rank(RandomNumbers& random, Index n, Index rank, Symmetry symmetry) {
  const Matrix<T> V = random.integers<T>(n, rank, 3);
  std::vector<double> signs;
  for (Index k = 0; k < rank; ++k) signs.push_back(random.one_of(2) ? 1 : -1);
  return symmetric_matrix<T>(n, symmetry, [&](Index i, Index j) {
    T sum(0);
    for (Index k = 0; k < rank; ++k) sum += signs[static_cast<std::size_t>(k)] * V(i, k) * across(V(j, k), symmetry);
    return sum;
  });
}

template <class T>
void scale_both_sides(Matrix<T>& A, RandomNumbers& random, int largest) {
  for (Index i = 0; i < A.rows(); ++i) {
    const double factor = random.power_of_two(largest);
    scale_row(A, i, factor);
    scale_column(A, i, factor);
  }
}

template <class T>
RandomSymmetric<T> random_symmetric(std::uint64_t seed, Symmetry symmetry) {
  RandomNumbers random(seed);
  const Index n = random.integer(1, 10);
  const auto make = [&](const auto& element) { return symmetric_matrix<T>(n, symmetry, element); };
  const auto number = [&](Index, Index) { return random.number<T>(); };
  const auto integer = [&](Index, Index) { return random.small_integer<T>(2); };
  RandomSymmetric<T> result{"", {.A = make(number), .symmetry = symmetry}};
  Matrix<T>& A = result.matrix.A;
  switch (seed % 12) {
    case 0:
      result.kind = "random";
      break;
    case 1:
      result.kind = "small integers", A = make(integer);
      break;
    case 2:
      result.kind = "rank one", A = of_rank<T>(random, n, 1, symmetry);
      break;
    case 3:
      result.kind = "rank two", A = of_rank<T>(random, n, 2, symmetry);
      break;
    case 4:
      result.kind = "saddle point";
      A = make([&](Index i, Index j) {
        return 2 * j >= n ? T(0) : i == j ? T(random.integer(1, 3)) : 2 * i >= n ? integer(i, j) : T(0);
      });
      break;
    case 5:
      result.kind = "scaled on both sides by 2^±200";
      scale_both_sides(A, random, 200);
      break;
    case 6:
      result.kind = "zero diagonal", A = make([&](Index i, Index j) { return i == j ? T(0) : integer(i, j); });
      break;
    case 7:
      result.kind = "graph", A = make([&](Index i, Index j) { return T(i != j && random.one_of(3) ? 1 : 0); });
      break;
    case 8:
      result.kind = "zero", A = Matrix<T>(n, n);
      break;
    case 9:
      result.kind = "near the largest number";
      for (Index i = 0; i < A.size(); ++i) A.data()[i] *= 0x1p1018;
      break;
    case 10:
      result.kind = "almost real 2x2 pivots";
      A = make([&](Index i, Index j) {
        if (i != j + 1 || j % 2 == 1) return T(0);
        if constexpr (is_complex<T>)
          return T(random.uniform() * 1e9, random.uniform());
        else
          return random.uniform();
      });
      break;
    default:
      result.kind = "graded";
      scale_both_sides(A, random, 15);
  }
  return result;
}

// ---- Errors in 100 digits ----

LongMatrix across_diagonal(const LongMatrix& A, Symmetry symmetry) {
  return symmetry == Symmetry::hermitian ? adjoint(A) : transposed(A);
}

template <class T>
LongMatrix long_d(const LdltFactorization<T>& f) {
  LongMatrix D(f.order(), f.order());
  for (Index k = 0; k < f.order(); ++k) {
    D(k, k) = to_long(f.diagonal[k]);
    if (k + 1 == f.order()) continue;
    D(k + 1, k) = to_long(f.subdiagonal[k]);
    D(k, k + 1) = to_long(across(f.subdiagonal[k], f.symmetry));
  }
  return D;
}

/// ‖P·A·Pᵀ − M·D·M*‖₁
template <class T>
Long reconstruction_error(const Matrix<T>& A, const LdltFactorization<T>& f) {
  const LongMatrix M = to_long(f.M), a = to_long(A);
  LongMatrix permuted(f.order(), f.order());
  for (Index j = 0; j < f.order(); ++j)
    for (Index i = 0; i < f.order(); ++i) permuted(i, j) = a(f.permutation[i], f.permutation[j]);
  return norm_1(permuted - M * long_d(f) * across_diagonal(M, f.symmetry));
}

/// The largest over the bound of it: of the error, of multipliers, of conditions of 2×2 pivots.
template <class T>
Long worst_of(const Matrix<T>& A, const LdltFactorization<T>& f) {
  const Index n = f.order();
  const Long norm = norm_1(to_long(A)), error = reconstruction_error(A, f);
  Long worst = error == 0 ? Long(0) : Long(error / norm / n * ldexp(Long(1), 53) / 30);
  if (f.variant.pivoting == Pivoting::partial) return worst;
  const LongMatrix M = to_long(f.M), D = long_d(f);
  for (Index j = 0; j < n; ++j)
    for (Index i = j + 1; i < n; ++i)
      worst = std::max(worst, Long(modulus(M(i, j)) / (f.variant.multiplier_bound() * (1 + 1e-13))));
  for (const auto& stage : f.stages) {
    if (stage.size == 1) continue;
    LongMatrix block(2, 2);
    for (Index j = 0; j < 2; ++j)
      for (Index i = 0; i < 2; ++i) block(i, j) = D(stage.first + i, stage.first + j);
    const std::vector<Long> sigma = singular_values(block);
    worst = std::max(worst, Long(sigma[0] / sigma[1] / (f.variant.condition_bound() * (1 + 1e-13))));
  }
  return worst;
}

/// The inertia of D, of which eigenvalues up to the tolerance count as zero (with complete pivoting none).
template <class T>
Inertia inertia_of_d(const LdltFactorization<T>& f) {
  const Long zero = f.variant.pivoting == Pivoting::complete ? 0 : f.tolerance;
  Inertia inertia{0, 0, f.order()};
  const auto count = [&](const Long& eigenvalue) {
    if (abs(eigenvalue) <= zero) return;
    ++(eigenvalue > 0 ? inertia.positive : inertia.negative);
    --inertia.zero;
  };
  for (const auto& stage : f.stages) {
    const Long a(real_part(f.diagonal[stage.first]));
    if (stage.size == 1) {
      count(a);
      continue;
    }
    const Long c(real_part(f.diagonal[stage.first + 1])), half_trace = (a + c) / 2, half_difference = (a - c) / 2;
    const Long root = sqrt(half_difference * half_difference + squared(to_long(f.subdiagonal[stage.first])));
    count(half_trace + root);
    count(half_trace - root);
  }
  return inertia;
}

// ---- Both ----

struct InertiaTally {
  int known = 0, right = 0;
};

template <class T>
void try_matrix(std::uint64_t seed, Symmetry symmetry, Pivoting pivoting, Backend backend, Tally& tally,
                InertiaTally& inertias) {
  RandomSymmetric<T> random = random_symmetric<T>(seed, symmetry);
  SymmetricMatrix<T>& matrix = random.matrix;
  const bool has_inertia = symmetry == Symmetry::hermitian || !is_complex<T>;
  std::ostringstream text;
  text << "seed " << seed
       << (is_complex<T> ? symmetry == Symmetry::hermitian ? " Hermitian " : " complex symmetric " : " real ")
       << to_string(pivoting) << ' ' << to_string(backend) << ", " << random.kind << ", n = " << matrix.A.rows();
  const auto note = [&](std::vector<std::string>& list, const std::string& why) {
    list.push_back(text.str() + ": " + why);
  };
  ++tally.problems;

  LdltFactorization<T> f;
  try {
    f = ldlt<T>(matrix.A, {.variant = {.pivoting = pivoting}, .backend = backend, .symmetry = symmetry, .threads = 1});
  } catch (const std::exception& error) {
    return note(tally.failed, error.what());
  }
  const auto is_finite = [](const std::vector<T>& x) {
    return std::ranges::all_of(x, [](const T& element) { return std::isfinite(std::abs(element)); });
  };
  if (!is_finite(f.diagonal) || !is_finite(f.subdiagonal)) return note(tally.failed, "D is not finite");
  if (has_inertia) matrix.inertia = exact_inertia(matrix.A);
  const LdltMetrics metrics = experiments::judge_ldlt<T>(matrix, experiments::factors_of(f), experiments::claims_of(f),
                                                         nullptr, {.precision = {}, .threads = 1});
  const bool passed = metrics.verdict == Status::passed;
  const Long worst = worst_of(matrix.A, f), slack = 1e-6;
  const bool d_has_it = !has_inertia || inertia_of_d(f) == f.inertia;
  if (passed && worst > 1 + slack) note(tally.wrongly_passed, worst.str(3) + " of the bounds");
  if (passed && !d_has_it) note(tally.wrongly_passed, "the inertia is not that of D");
  if (!passed && worst < 1 - slack && d_has_it) note(tally.wrongly_incorrect, metrics.message);
  if (metrics.message.find("nan") != std::string::npos) note(tally.wrongly_incorrect, metrics.message);
  passed ? ++tally.passed : (note(tally.failed, metrics.message), 0);
  if (!matrix.inertia) return;
  ++inertias.known;
  inertias.right += f.inertia == *matrix.inertia;
  if (metrics.inertia_agrees != (f.inertia == *matrix.inertia)) note(tally.wrongly_passed, "inertia_agrees is wrong");
}

TEST(RandomSymmetricMatrices, AreJudgedAsIn100Digits) {
  Tally tally;
  InertiaTally inertias;
  using Complex = std::complex<double>;
  for (int k = 0; k < random_problem_count(); ++k) {
    const auto seed = static_cast<std::uint64_t>(k);
    RandomNumbers random(seed + 1'000'000);
    const Pivoting pivoting = std::array{Pivoting::complete, Pivoting::rook, Pivoting::partial}[random.integer(0, 2)];
    const Backend backend = random.one_of(4) ? Backend::emulation : Backend::host;
    switch (random.integer(0, 2)) {
      case 0:
        try_matrix<double>(seed, Symmetry::hermitian, pivoting, backend, tally, inertias);
        break;
      case 1:
        try_matrix<Complex>(seed, Symmetry::hermitian, pivoting, backend, tally, inertias);
        break;
      default:
        try_matrix<Complex>(seed, Symmetry::symmetric, pivoting, backend, tally, inertias);
    }
  }
  tally.print("LDLT");
  std::cout << "  inertia at the default tolerance: exact for " << inertias.right << " of " << inertias.known << '\n';
  EXPECT_TRUE(tally.wrongly_passed.empty());
  EXPECT_TRUE(tally.wrongly_incorrect.empty());
  EXPECT_TRUE(tally.failed.empty());
}

}  // namespace
}  // namespace pivotlab::test::ldlt_problems_test
