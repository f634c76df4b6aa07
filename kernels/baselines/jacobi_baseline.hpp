// Baselines of the Hermitian eigensolver and of the singular value decomposition, and their tables: lapack_jacobi.cpp
// has LAPACK's, no_lapack.cpp replaces it in a build without LAPACK; cusolver_jacobi.hpp has cuSOLVER's.
#pragma once

#include <pivotlab/baselines.hpp>
#include <span>

namespace pivotlab::baselines {

template <class T>
struct EighBaseline {
  std::string_view name, summary;
  /// Decomposes a finite A of order n ≥ 1: fills eigenvalues, ascending, U unless it computes none, and
  /// compute_seconds. Returns false if the routine does not converge.
  bool (*solve)(Matrix<T> A, EighResult<T>& result);
};

template <class T>
struct SvdBaseline {
  std::string_view name, summary;
  /// Decomposes a finite G with m ≥ n ≥ 1: fills U, sigma (descending), V and compute_seconds. Returns false if the
  /// routine does not converge.
  bool (*solve)(Matrix<T> G, HsvdResult<T>& result);
};

/// Return LAPACK's tables; empty in a build without LAPACK.
template <class T>
std::span<const EighBaseline<T>> lapack_eigh_baselines();
template <>
std::span<const EighBaseline<double>> lapack_eigh_baselines();
template <>
std::span<const EighBaseline<std::complex<double>>> lapack_eigh_baselines();
template <class T>
std::span<const SvdBaseline<T>> lapack_svd_baselines();
template <>
std::span<const SvdBaseline<double>> lapack_svd_baselines();
template <>
std::span<const SvdBaseline<std::complex<double>>> lapack_svd_baselines();

}  // namespace pivotlab::baselines
