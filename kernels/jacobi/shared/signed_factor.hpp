// A = G·J·G* from the symmetric indefinite factorization P·A·Pᵀ = M·D·M*.
#pragma once

#include <pivotlab/eigh.hpp>
#include <pivotlab/ldlt.hpp>
#include <vector>

namespace pivotlab::jacobi {

/// G and J without the columns with J = 0; rows in the order of A.
template <class T>
struct SignedFactor {
  Matrix<T> G;
  std::vector<int> J;
};

inline LdltOptions factorization_options(const EighOptions& options) {
  return {.variant = {.pivoting = options.variant.pivoting},
          .backend = options.backend,
          .rank_test = RankTest::scaled,
          .threads = options.threads};
}

template <class T>
SignedFactor<T> nonzero_columns(const LdltFactorization<T>& f) {
  const GjgFactorization<T> gjg = f.gjg();
  const Index n = f.order();
  SignedFactor<T> result;
  for (const int sign : gjg.J)
    if (sign != 0) result.J.push_back(sign);
  result.G = Matrix<T>(n, std::ssize(result.J));
  for (Index from = 0, to = 0; from < n; ++from) {
    if (gjg.J[static_cast<std::size_t>(from)] == 0) continue;
    for (Index i = 0; i < n; ++i) result.G(f.permutation[static_cast<std::size_t>(i)], to) = gjg.G(i, from);
    ++to;
  }
  return result;
}

}  // namespace pivotlab::jacobi
