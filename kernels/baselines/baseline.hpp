// SPDX-License-Identifier: BSD-3-Clause
// Baselines: decompositions by LAPACK and cuSOLVER, as rows of tables.
#pragma once

#include <pivotlab/baselines.hpp>
#include <support/timer.hpp>

#include <stdexcept>
#include <vector>

namespace pivotlab::baselines {

/// The routine cannot decompose this problem. The error becomes a status and never leaves the library.
class DecompositionFailed : public std::runtime_error {
 public:
  explicit DecompositionFailed(const std::string& reason, Status becomes = Status::failed)
      : std::runtime_error(reason), status(becomes) {}

  const Status status;
};

/// Runs a routine of the host, sets the seconds that it takes, and returns its info.
template <class Routine>
auto timed(double& seconds, Routine routine) {
  const ScopeTimer timer(seconds);
  return routine();
}

inline void require_convergence(bool converged, const char* otherwise = "the routine does not converge") {
  if (!converged) throw DecompositionFailed(otherwise, Status::not_converged);
}

/// The failure of normal equations whose matrices have elements that are not finite.
inline DecompositionFailed normal_equations_overflow() {
  return DecompositionFailed("the normal equations overflow: the entries of FᴴF or GᴴG are not finite");
}

/// Throws DecompositionFailed for an info > 0 of xSYGVD or xHEGVD on matrices of order n.
void check_hegvd(Index info, Index n);

/// Appends σ_F = √λ·σ_G and σ_G = 1/√(1+λ), and returns 1/σ_G. σ = √λ is the routine's value: if rounding gives λ ≤ 0,
/// then σ_F = 0 and U has a zero column.
std::vector<double> store_sigmas(const std::vector<double>& lambda, std::vector<double>& sigma_f,
                                 std::vector<double>& sigma_g);

/// `solve` decomposes a valid problem, n ≥ 1, and fills the result, compute_seconds and no status; it throws
/// DecompositionFailed if the routine fails. Those of cuSOLVER throw NotSupported without a GPU, cuBLAS, cuSOLVER, or
/// the algorithm in this version of it, and std::bad_alloc if the GPU's memory does not suffice.
template <class Result, class... Problem>
struct Baseline {
  std::string_view name, summary;
  void (*solve)(Problem... problem, Result& result);
};

/// F, G: fills U, V, Z, σ_F, σ_G in any order of the columns.
template <class T>
using GsvdBaseline = Baseline<GsvdResult<T>, MatrixView<const T>, MatrixView<const T>>;
/// F, G, a sign for each row of F: fills all of the result but estimates, rank and sweeps; λ descends.
template <class T>
using GhsvdBaseline = Baseline<GhsvdResult<T>, MatrixView<const T>, MatrixView<const T>, const std::vector<int>&>;
/// A and whether left vectors are requested: fills eigenvalues, V and W in any order.
template <class T>
using EigBaseline = Baseline<EigResult<double>, MatrixView<const T>, bool>;
/// A: fills eigenvalues, ascending, and U unless it computes none.
template <class T>
using EighBaseline = Baseline<EighResult<T>, MatrixView<const T>>;
/// G with m ≥ n: fills U, σ, descending, and V.
template <class T>
using SvdBaseline = Baseline<HsvdResult<T>, MatrixView<const T>>;
/// A by its lower triangle with zeros above, and B: fills all of the result; leaves X empty if D is singular.
template <class T>
using LdltBaseline = Baseline<LdltBaselineResult<T>, Matrix<T>, MatrixView<const T>>;

/// Return LAPACK's baselines; none in a build without LAPACK.
template <class T>
std::vector<GsvdBaseline<T>> lapack_gsvd_baselines();
template <class T>
std::vector<GhsvdBaseline<T>> lapack_ghsvd_baselines();
template <class T>
std::vector<EigBaseline<T>> lapack_eig_baselines();
template <class T>
std::vector<EighBaseline<T>> lapack_eigh_baselines();
template <class T>
std::vector<SvdBaseline<T>> lapack_svd_baselines();
template <class T>
std::vector<LdltBaseline<T>> lapack_ldlt_baselines(Symmetry symmetry);

// Functions of cuSOLVER's baselines, in a build with CUDA.

template <class T>
void cusolver_hegvd(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
template <class T>
void cusolver_qr_and_gesvdp(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
template <class T>
void cusolver_qr_and_gesvdj(MatrixView<const T> F, MatrixView<const T> G, GsvdResult<T>& result);
/// In double precision, and in mixed precision with refinement. Throw NotSupported for left eigenvectors.
template <class T>
void cusolver_geev(MatrixView<const T> A, bool left, EigResult<double>& result);
template <class T>
void cusolver_geev_mixed(MatrixView<const T> A, bool left, EigResult<double>& result);
template <class T>
void cusolver_heevd(MatrixView<const T> A, EighResult<T>& result);
/// In two stages, over a band matrix.
template <class T>
void cusolver_heevd_two_stage(MatrixView<const T> A, EighResult<T>& result);
/// By our own reduction in two stages.
template <class T>
void cusolver_stedc(MatrixView<const T> A, EighResult<T>& result);
/// To tolerance 1e-15, in at most 100 sweeps.
template <class T>
void cusolver_heevj(MatrixView<const T> A, EighResult<T>& result);
template <class T>
void cusolver_gesvdj(MatrixView<const T> G, HsvdResult<T>& result);
template <class T>
void cusolver_gesvdp(MatrixView<const T> G, HsvdResult<T>& result);
template <class T>
void cusolver_sytrf(Matrix<T> A, MatrixView<const T> B, LdltBaselineResult<T>& result);

/// Converts the eigenvectors of a real matrix from the form of xGEEV: for a conjugate pair, real and imaginary part as
/// two columns.
inline Matrix<std::complex<double>> unpacked_vectors(const Matrix<double>& X,
                                                     const std::vector<std::complex<double>>& eigenvalues) {
  Matrix<std::complex<double>> V(X.rows(), X.cols());
  for (Index j = 0; j < X.cols(); ++j) {
    const bool pair = eigenvalues[j].imag() != 0 && j + 1 < X.cols();
    for (Index i = 0; i < X.rows(); ++i) {
      V(i, j) = {X(i, j), pair ? X(i, j + 1) : 0.0};
      if (pair) V(i, j + 1) = std::conj(V(i, j));
    }
    j += pair;
  }
  return V;
}
inline Matrix<std::complex<double>> unpacked_vectors(Matrix<std::complex<double>> X,
                                                     const std::vector<std::complex<double>>&) {
  return X;
}

}  // namespace pivotlab::baselines
