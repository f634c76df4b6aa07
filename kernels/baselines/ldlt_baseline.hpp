// A baseline of the symmetric indefinite factorization, and tables of baselines: lapack_ldlt.cpp has LAPACK's table,
// no_lapack.cpp replaces it in a build without LAPACK; cuSOLVER's is in ldlt_baselines.cpp.
#pragma once

#include <pivotlab/baselines.hpp>
#include <span>

namespace pivotlab::baselines {

template <class T>
struct LdltBaseline {
  std::string_view name, summary;
  Symmetry symmetry;  ///< symmetry that it factors; symmetric for real matrices
  /// Factors a valid A of order n ≥ 1, given by its lower triangle with zeros above, and solves A·X = B. Fills all of
  /// the result except its status; leaves X empty if D is singular.
  void (*factor)(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result);
};

/// Returns LAPACK's table; empty in a build without LAPACK.
template <class T>
std::span<const LdltBaseline<T>> lapack_ldlt_baselines();
template <>
std::span<const LdltBaseline<double>> lapack_ldlt_baselines();
template <>
std::span<const LdltBaseline<std::complex<double>>> lapack_ldlt_baselines();

}  // namespace pivotlab::baselines
