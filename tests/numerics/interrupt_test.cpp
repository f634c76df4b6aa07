// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <pivotlab/eig.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/gsvd.hpp>
#include <pivotlab/interrupt.hpp>
#include <pivotlab/ldlt.hpp>

#include <algorithm>
#include <functional>
#include <kernels/numerics/lu_complete.hpp>
#include <string>
#include <utility>
#include <vector>

namespace pivotlab::interrupt_test {
namespace {

int asked = 0, last = 0;

/// Asks for an interrupt at the question of the number `last`.
bool at_last() {
  return ++asked == last;
}

Matrix<double> random(Index n) {
  return std::get<GeneralMatrix<double>>(
             generate_general({.generator = "random;truth=none", .type = ScalarType::d, .n = n}))
      .A;
}

Matrix<double> symmetric(Index n) {
  Matrix<double> A = random(n);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < j; ++i) A(i, j) = A(j, i);
  return A;
}

struct LongCall {
  std::string name;
  std::function<Matrix<double>()> run;
};

std::vector<LongCall> long_calls() {
  const auto on = [](Backend backend, Pivoting pivoting) {
    return [=] { return ldlt<double>(symmetric(150), {.variant = {.pivoting = pivoting}, .backend = backend}).M; };
  };
  return {{"gsvd", [] { return gsvd<double>(random(40), random(40)).U; }},
          {"gsvd emulated",
           [] { return gsvd<double>(random(32), random(32), {.variant = {}, .backend = Backend::emulation}).U; }},
          {"complete", on(Backend::host, Pivoting::complete)},
          {"panels", on(Backend::host, Pivoting::rook)},
          {"complete emulated", on(Backend::emulation, Pivoting::complete)},
          {"eig", [] { return Matrix<double>(0, eig<double>(random(20)).sweeps()); }},
          {"eig emulated",
           [] { return Matrix<double>(0, eig<double>(random(8), {.backend = Backend::emulation}).sweeps()); }},
          {"LU", [] { return inverse(lu_complete(random(60), 1), 1); }}};  // threads share the questions
}

bool are_equal(const Matrix<double>& A, const Matrix<double>& B) {
  return A.cols() == B.cols() && std::equal(A.data(), A.data() + A.size(), B.data(), B.data() + B.size());
}

TEST(Interrupt, EndsLongCallsAndElseChangesNoBit) {
  for (const auto& [name, run] : long_calls()) {
    const Matrix<double> expected = run();
    asked = last = 0;
    {
      const InterruptScope scope(&at_last);
      EXPECT_TRUE(are_equal(run(), expected)) << name;
    }
    const int questions = asked;
    EXPECT_GT(questions, 1) << name;
    for (const int question : {1, questions}) {
      const InterruptScope scope(&at_last);
      asked = 0, last = question;
      EXPECT_THROW(run(), Interrupted) << name;
      EXPECT_EQ(asked, question) << name;
    }
    EXPECT_TRUE(are_equal(run(), expected)) << name;
  }
}

TEST(Interrupt, BelongsToTheInnermostScopeOfTheThread) {
  const InterruptScope outer([] { return true; });
  {
    const InterruptScope inner([] { return false; });
    EXPECT_NO_THROW(throw_if_interrupted());
  }
  EXPECT_THROW(throw_if_interrupted(), Interrupted);
}

TEST(Interrupt, LeavesParallelRegionsAlone) {
  const InterruptScope scope([] { return true; });
  for (const int threads : {1, 2}) {
#pragma omp parallel num_threads(threads)
    {
      throw_if_interrupted();
      ParallelInterrupt within;
      EXPECT_FALSE(within.seen());
    }
    ParallelInterrupt interrupt;
    int left_out = 0;
#pragma omp parallel num_threads(threads) reduction(+ : left_out)
    {
#pragma omp for
      for (int k = 0; k < 100; ++k) left_out += interrupt.seen() ? 1 : 0;
    }
    EXPECT_GE(left_out, 100 / threads);
    EXPECT_THROW(interrupt.throw_if_seen(), Interrupted);
  }
}

}  // namespace
}  // namespace pivotlab::interrupt_test
