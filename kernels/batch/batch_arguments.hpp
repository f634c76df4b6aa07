// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the kernels: plain types only, because both compilers read them.
#pragma once

#include "kernels/exec/caller_stream.hpp"
#include "kernels/exec/lane_order.hpp"
#include "kernels/ldlt/shared/pivot_decision.hpp"

#include <complex>
#include <cstdint>
#include <optional>

namespace pivotlab::batch {

/// Element (i, j) of matrix k is data[i + j·stride + k·distance].
template <class T>
struct Strided {
  T* data = nullptr;
  std::int64_t stride = 0, distance = 0;

  PIVOTLAB_DEVICE T* matrix(int k) const { return data + k * distance; }
};

enum class Triangle : int { whole, lower, upper };

/// Numbers of pivotlab::Status.
enum Outcome : int { passed = 0, incorrect = 1, not_converged = 2, failed = 3, not_supported = 6 };

template <class T>
struct FactorArguments {
  Strided<const T> A;
  int n = 0;
  Triangle triangle = Triangle::whole;
  ldlt_detail::PivotRule<double> rule = {};
  Strided<T> M;                                   ///< unit lower triangular, zeros above
  T *diagonal = nullptr, *subdiagonal = nullptr;  ///< [matrix][n]
  int* permutation = nullptr;                     ///< [matrix][n]
  int* inertia = nullptr;                         ///< [matrix][3]
  int* status = nullptr;                          ///< [matrix]
  int* doubtful = nullptr;                        ///< [matrix], doubtful pivots; null if not requested
  double* zeros = nullptr;  ///< [matrix], how large eigenvalues may be that count as zero; null if not requested
};

/// Solves with what FactorArguments names; B becomes X.
template <class T>
struct SolveArguments {
  Strided<const T> M;
  const T *diagonal = nullptr, *subdiagonal = nullptr;
  const int *permutation = nullptr, *inertia = nullptr;
  int n = 0, columns = 0;
  Strided<T> X;
  int* status = nullptr;
};

/// G = Pᵀ·M·(square root of |D|) and J from factors.
template <class T>
struct SignedFactorArguments {
  Strided<const T> M;
  const T *diagonal = nullptr, *subdiagonal = nullptr;
  const int *permutation = nullptr, *status = nullptr;
  int n = 0;
  T* G = nullptr;    ///< [matrix][n × n]
  int* J = nullptr;  ///< [matrix][n], −1, 0, 1
};

template <class T>
struct JacobiArguments {
  Strided<const T> G;
  int m = 0, n = 0;               ///< m ≥ n ≥ 1
  const int* J = nullptr;         ///< [matrix][n], null: all 1; the column of a 0 counts as zero
  const int* given = nullptr;     ///< [matrix], null: all passed; what has not passed is not decomposed
  bool eigenvalues = false;       ///< values are J'·σ² and have the errors of a factorization G·J·G*
  const double* zeros = nullptr;  ///< [matrix], the sizes below which the places of eigenvalues are not known, or null
  int max_sweeps = 60;
  double *values = nullptr, *estimate = nullptr;  ///< [matrix][n]; estimate may be null
  int* signs = nullptr;                           ///< [matrix][n], J'; null if not requested
  Strided<T> U, V;                                ///< null if not requested
  int *status = nullptr, *sweeps = nullptr;       ///< [matrix]; sweeps may be null
};

template <class T>
struct GsvdArguments {
  Strided<const T> F, G;
  int m_f = 0, m_g = 0, n = 0;  ///< m_F, m_G ≥ n ≥ 1
  int max_sweeps = 30;
  double *sigma = nullptr, *sigma_f = nullptr, *sigma_g = nullptr;  ///< [matrix][n]
  Strided<T> U, V, Z;
  int* status = nullptr;  ///< [matrix]
};

/// Eigenvalues and vectors of Hermitian matrices, accurate relative to the norm.
template <class T>
struct EighArguments {
  Strided<const T> A;  ///< both triangles
  int n = 0;
  double *values = nullptr, *estimate = nullptr;  ///< [matrix][n], descending; estimate may be null
  Strided<T> U;                                   ///< null if not requested
  int* status = nullptr;                          ///< [matrix]
  void* workspace = nullptr;                      ///< EighSmall::workspace_bytes
};

/// Eigenvalues and vectors of general matrices.
struct EigArguments {
  const double* A = nullptr;              ///< numbers of `parts` doubles
  int parts = 1;                          ///< 2: complex
  std::int64_t stride = 0, distance = 0;  ///< in numbers
  int n = 0;
  std::complex<double>* values = nullptr;  ///< [matrix][n]
  Strided<std::complex<double>> V;         ///< null if not requested
  std::complex<double>* work = nullptr;    ///< [matrix][n²] for orders above 64
  int* status = nullptr;                   ///< [matrix]
};

}  // namespace pivotlab::batch
