// Baselines of the Hermitian eigensolver and of the singular value decompositions, and their tables: lapack_jacobi.cpp
// and lapack_ghsvd.cpp have LAPACK's, no_lapack.cpp replaces them in a build without LAPACK; cusolver_jacobi.hpp has
// cuSOLVER's.
#pragma once

#include <pivotlab/baselines.hpp>
#include <span>

namespace pivotlab::baselines {

template <class T>
struct EighBaseline {
  std::string_view name, summary;
  /// Decomposes a finite A of order n ≥ 1: fills eigenvalues, ascending, U unless it computes none, and
  /// compute_seconds. Returns false if the routine does not converge.
  bool (*solve)(MatrixView<const T> A, EighResult<T>& result);
};

template <class T>
struct SvdBaseline {
  std::string_view name, summary;
  /// Decomposes a finite G with m ≥ n ≥ 1: fills U, sigma (descending), V and compute_seconds. Returns false if the
  /// routine does not converge.
  bool (*solve)(MatrixView<const T> G, HsvdResult<T>& result);
};

template <class T>
struct GhsvdBaseline {
  std::string_view name, summary;
  /// Decomposes a finite (F, G; J) with a sign for each row of F, m_G ≥ n ≥ 1: fills all of the result but estimates,
  /// rank, sweeps and status, λ descending. Throws DecompositionFailed if the routine cannot.
  void (*solve)(MatrixView<const T> F, MatrixView<const T> G, const std::vector<int>& J, GhsvdResult<T>& result);
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
template <class T>
std::span<const GhsvdBaseline<T>> lapack_ghsvd_baselines();
template <>
std::span<const GhsvdBaseline<double>> lapack_ghsvd_baselines();
template <>
std::span<const GhsvdBaseline<std::complex<double>>> lapack_ghsvd_baselines();

}  // namespace pivotlab::baselines
