// SPDX-License-Identifier: BSD-3-Clause
// The eigendecomposition of a general complex matrix by a Jacobi-like iteration of similarity transformations:
//
//   A·V = V·Λ,   WᴴA = Λ·Wᴴ,   E⁻¹·A·E = T upper triangular, Λ = diag T.
//
// Shears reduce the departure from normality, unitary transformations the lower triangle, diagonal ones the norm.
// Source: a poster on a parallel Jacobi method for general complex matrices on a GPU, after G. M. Shroff, "A parallel
// algorithm for the eigenvalues and eigenvectors of a general complex matrix", Numer. Math. 58 (1990).
#pragma once

#include <pivotlab/eig_variant.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/variant.hpp>

#include <complex>
#include <string>
#include <vector>

namespace pivotlab {

struct EigOptions {
  EigVariant variant = {.finish = true};  ///< "ZEIG-(RR);b=16;finish", also the default of the command and Python
  Backend backend = Backend::host;
  bool right_vectors = true;
  bool left_vectors = false;
  bool condition_numbers = false;  ///< condition numbers of the eigenvalues
  bool triangular_form = false;    ///< T and E
  int max_sweeps = 100;  ///< ≥ 0; limit of sweeps before not_converged, or before the Schur form of variants
                         ///< with finish
  int threads = 0;       ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// The iterate after some number of sweeps.
template <class R>
struct EigSweep {
  R norm{};   ///< ‖A_k‖_F
  R lower{};  ///< ‖strictly lower part of A_k‖_F
  R departure{};  ///< departure from normality by Henrici, √(‖A_k‖_F² − Σ|λ|²) with the computed λ; 0 if rounding makes
                  ///< the radicand negative
  R largest_tau{};   ///< largest |τ| of the shears of the last sweep; tanh y in the poster
  double seconds{};  ///< duration of the last sweep
};

template <class R>
struct EigResult {
  using Complex = std::complex<R>;

  /// passed, or not_converged: then eigenvalues and vectors are those of diag and triu of the last iterate
  Status status = Status::failed;
  std::string message;  ///< reason if not passed

  /// Length n, in order of descending modulus; equal moduli in order of descending real, then imaginary part.
  /// Eigenvalues of a real matrix are conjugate pairs only up to rounding.
  std::vector<Complex> eigenvalues;
  Matrix<Complex> V;          ///< n × n, right eigenvectors in this order, with unit 2-norm; empty unless requested
  Matrix<Complex> W;          ///< n × n, left eigenvectors in the same form
  std::vector<R> conditions;  ///< length n, 1/|wᴴv| ≥ 1 of each eigenvalue; Inf if wᴴv = 0; empty unless requested
  Matrix<Complex> T;          ///< n × n, upper triangular (the last iterate if not converged); empty unless requested
  Matrix<Complex> E;          ///< n × n, E·T = A·E; empty unless requested
  std::vector<Index> positions;  ///< eigenvalue k is element positions[k] of the diagonal of T

  std::vector<EigSweep<R>> history;  ///< element k after k sweeps, element 0 after balancing
  Index refined = 0;                 ///< eigenpairs that the refinement improved
  bool finished = false;             ///< whether a Schur form replaced the iterate (variants with finish)
  double compute_seconds = 0;        ///< the algorithm alone, without copies and checks of the input

  int sweeps() const { return history.empty() ? 0 : static_cast<int>(history.size()) - 1; }
};

/// Computes the eigendecomposition of A (n × n, n ≥ 0). T is double, long double, Quad or std::complex of these; a real
/// matrix is treated as a complex one. The iteration has converged if ‖strictly lower part‖_F ≤ n·ε·‖A_k‖_F. A is
/// scaled and balanced by powers of two, so elements may have any size. Where rows and columns of the balanced matrix
/// differ in size by 2¹⁰ or more, and the variant balances, large and small eigenvalues are separated by a block
/// diagonal form near the balanced matrix before the iteration, on every backend: the errors of small ones are then
/// relative to their own block, and T is block diagonal. Condition numbers are those of the given matrix, not of the
/// balanced one.
/// The result has the same bits in every run and for any number of threads; emulation and cuda give the same bits as
/// each other, but not as host. The blocked form runs its first sweeps in single precision, on emulation and cuda
/// only with the variant's `mixed`, unless left vectors or condition numbers are requested. Refinement changes
/// eigenvalues, V and W, but not T and E. Variants with `finish` replace the iterate by a Schur form if its lower part
/// has stagnated or if its pairs are not accurate (A·V − V·Λ, Wᴴ·A − Λ·Wᴴ, tr A); E is then unitary up to the
/// balancing. One thread of the host computes the Schur form in about the time of ten sweeps on the host, also for
/// emulation and cuda. Throws InputError for a matrix that is not square or contains NaN or Inf, and for options out of
/// range; NotSupported if the backend cannot run it: cuda without a GPU, emulation, cuda and variants with `extended`
/// for scalars other than double and std::complex<double>; std::bad_alloc if the memory of the host or the GPU does not
/// suffice.
template <class T>
EigResult<RealOf<T>> eig(MatrixView<const T> A, const EigOptions& options = {});

/// Computes the same in place: A is overwritten with T, and result.T stays empty. R is double, long double or Quad.
template <class R>
EigResult<R> eig_in_place(MatrixView<std::complex<R>> A, const EigOptions& options = {});

/// Decomposes many matrices of order n that are stored side by side in A (n × n·count); result k belongs to columns kn
/// to kn + n − 1. On the host each matrix is computed by one thread, with the bits of eig(). Emulation and cuda
/// decompose all matrices of order n ≤ 64 at once by the fused form, whatever the variant's form is. Throws as eig()
/// does, and InputError if A.cols is not a multiple of A.rows.
template <class T>
std::vector<EigResult<RealOf<T>>> eig_batched(MatrixView<const T> A, const EigOptions& options = {});

}  // namespace pivotlab
