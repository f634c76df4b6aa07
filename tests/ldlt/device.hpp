// SPDX-License-Identifier: BSD-3-Clause
// Problems for the tests of the kernels, and comparisons of two factorizations.
#pragma once

#include "matrices.hpp"

#include "kernels/numerics/power_of_two.hpp"

#include <pivotlab/ldlt.hpp>

#include <string>
#include <vector>

namespace pivotlab::test {

/// Returns the first difference of two factorizations; empty if they differ only in signs of zeros.
template <class T>
std::string difference(const LdltFactorization<T>& f, const LdltFactorization<T>& g) {
  if (f.interchanges != g.interchanges || f.permutation != g.permutation) return "interchanges";
  if (f.stages.size() != g.stages.size()) return "number of stages";
  for (std::size_t s = 0; s < f.stages.size(); ++s) {
    const auto &a = f.stages[s], &b = g.stages[s];
    if (a.first != b.first || a.size != b.size) return "pivot of stage " + std::to_string(s);
    if (a.growth != b.growth || a.condition != b.condition) return "growth or condition of stage " + std::to_string(s);
  }
  if (f.diagonal != g.diagonal || f.subdiagonal != g.subdiagonal) return "D";
  for (Index j = 0; j < f.order(); ++j)
    for (Index i = 0; i < f.order(); ++i)
      if (f.M(i, j) != g.M(i, j)) return "M(" + std::to_string(i) + ", " + std::to_string(j) + ")";
  if (f.rank != g.rank || f.inertia != g.inertia) return "rank or inertia";
  if (f.remainder != g.remainder || f.max_multiplier != g.max_multiplier) return "remainder or largest multiplier";
  if (f.swaps_1x1 != g.swaps_1x1 || f.swaps_2x2 != g.swaps_2x2) return "swaps";
  if (f.tolerance != g.tolerance || f.largest_element != g.largest_element || f.norm_inf != g.norm_inf) return "norms";
  if (f.scaling != g.scaling || f.scaling_error != g.scaling_error) return "scaling";
  return "";
}

template <class T>
struct DeviceProblem {
  std::string name;
  Matrix<T> A;
  Symmetry symmetry = Symmetry::hermitian;
  bool noisy = false;  ///< of low numerical rank: later pivots are chosen among rounding errors
};

/// Orders around those of warps, units and strips; every structure; ties; singular and zero matrices; extreme scales.
template <class T>
std::vector<DeviceProblem<T>> device_problems() {
  std::vector<DeviceProblem<T>> problems;
  for (const Symmetry symmetry : {Symmetry::hermitian, Symmetry::symmetric}) {
    if (!is_complex<T> && symmetry == Symmetry::symmetric) continue;
    const std::string kind = symmetry == Symmetry::hermitian ? "" : "symmetric ";
    for (const Index n : {0, 1, 2, 3, 31, 33, 64, 65, 100, 129})
      problems.push_back(
          {kind + "dense " + std::to_string(n), structured<T>(Structure::dense, n, 5, symmetry), symmetry});
    for (int s = 1; s < static_cast<int>(Structure::count); ++s)
      problems.push_back({kind + "structure " + std::to_string(s),
                          structured<T>(static_cast<Structure>(s), 70, 7, symmetry), symmetry,
                          static_cast<Structure>(s) == Structure::low_rank});
    for (const int exponent : {-1000, 990}) {
      Matrix<T> A = structured<T>(Structure::dense, 40, 9, symmetry);
      for (Index i = 0; i < A.size(); ++i) A.data()[i] = times_power_of_two(A.data()[i], exponent);
      problems.push_back({kind + "scaled by 2^" + std::to_string(exponent), A, symmetry});
    }
  }
  const auto same = [](Index n, double x) { return from_lower<T>(n, [=](Index, Index) { return T(x); }); };
  const auto converted = [](const Matrix<double>& A) {
    return from_lower<T>(A.rows(), [&](Index i, Index j) { return T(A(i, j)); });
  };
  problems.push_back({"zero", same(40, 0)});
  problems.push_back({"ones", same(70, 1)});
  problems.push_back({"Hadamard 128", converted(hadamard(128))});
  problems.push_back({"Clement 97", converted(clement(97))});
  problems.push_back({"Hilbert 80", converted(hilbert(80)), Symmetry::hermitian, true});
  return problems;
}

/// The same, and matrices without a need for pivoting of orders around those of chunks, panels and strips.
template <class T>
std::vector<DeviceProblem<T>> unsearched_problems() {
  auto problems = device_problems<T>();
  for (const Index n : {63, 64, 65, 127, 128, 129, 160, 191, 192, 193, 257, 321})
    problems.push_back({"definite " + std::to_string(n), structured<T>(Structure::definite, n, 3)});
  for (const Index n : {97, 200})
    problems.push_back({"Fiedler " + std::to_string(n),
                        from_lower<T>(n, [](Index i, Index j) { return T(static_cast<double>(i - j)); })});
  return problems;
}

/// Compares a factorization in panels with the host's, whose sums are rounded differently. Returns the first error;
/// empty if there is none.
template <class T>
std::string panel_fault(const DeviceProblem<T>& problem, const LdltFactorization<T>& f,
                        const LdltFactorization<T>& by_host) {
  if (const std::string fault = shape_fault(f); !fault.empty()) return fault;
  // LAPACK's own limit for this measure is 30; the smallest of the α let the elements grow by more.
  if (const double ratio = residual_ratio(problem.A, f);
      !(ratio < std::max(3.0, 3 * residual_ratio(problem.A, by_host))))
    return "residual ratio " + std::to_string(ratio);
  if (problem.noisy) return "";
  if (f.interchanges != by_host.interchanges) return "interchanges";
  if (f.rank != by_host.rank || f.inertia != by_host.inertia) return "rank or inertia";
  return "";
}

}  // namespace pivotlab::test
