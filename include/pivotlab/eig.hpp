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
  EigVariant variant = {};
  Backend backend = Backend::host;
  bool right_vectors = true;
  bool left_vectors = false;
  bool condition_numbers = false;  ///< of the eigenvalues
  bool triangular_form = false;    ///< T and E
  int max_sweeps = 100;            ///< ≥ 0; then not converged, or the variant's finish
  int threads = 0;                 ///< of the host, 0: what OpenMP chooses; never changes a bit of the result
};

/// The iterate after some number of sweeps.
template <class R>
struct EigSweep {
  R norm{};   ///< ‖A_k‖_F
  R lower{};  ///< ‖strictly lower part of A_k‖_F
  R departure{};  ///< from normality, Henrici's √(‖A_k‖_F² − Σ|λ|²) with the λ found, 0 where rounding makes it
                  ///< negative
  R largest_tau{};   ///< of the shears of the last sweep; tanh y of the poster
  double seconds{};  ///< that the last sweep took
};

template <class R>
struct EigResult {
  using Complex = std::complex<R>;

  /// passed, or not_converged: then eigenvalues and vectors are those of diag and triu of the last iterate
  Status status = Status::failed;
  std::string message;  ///< why, if not passed

  /// Length n, by descending modulus; equal moduli by descending real, then imaginary part. Of a real matrix they are
  /// conjugate pairs but for rounding.
  std::vector<Complex> eigenvalues;
  Matrix<Complex> V;          ///< n × n, right eigenvectors in that order, of unit 2-norm; empty if not asked for
  Matrix<Complex> W;          ///< n × n, left eigenvectors likewise
  std::vector<R> conditions;  ///< length n, 1/|wᴴv| ≥ 1 of each eigenvalue; Inf where wᴴv = 0; empty if not asked for
  Matrix<Complex> T;          ///< n × n, upper triangular (the last iterate if not converged); empty if not asked for
  Matrix<Complex> E;          ///< n × n, E·T = A·E; empty if not asked for
  std::vector<Index> positions;  ///< eigenvalue k is element positions[k] of the diagonal of T

  std::vector<EigSweep<R>> history;  ///< element k after k sweeps, element 0 after balancing
  Index refined = 0;                 ///< eigenpairs that the refinement made better
  bool finished = false;             ///< whether a Schur form replaced the iterate (variants with finish)
  double compute_seconds = 0;        ///< the algorithm alone, without copies and checks of the input

  int sweeps() const { return history.empty() ? 0 : static_cast<int>(history.size()) - 1; }
};

/// Eigendecomposition of A (n × n, n ≥ 0). T is double, long double, Quad or std::complex of these; a real matrix is
/// taken as a complex one. Converged means ‖strictly lower part‖_F ≤ n·ε·‖A_k‖_F. Elements of any size work: A is
/// scaled by powers of two. The result has the same bits in every run and for any number of threads; emulation and
/// cuda give the same bits as each other, not as host. On the host the blocked form makes its first sweeps in single
/// precision, unless left vectors or condition numbers are wanted, too. Refinement touches eigenvalues, V and W, not T
/// and E. Variants with `finish` put a Schur form in place of an iterate whose lower part has stagnated or whose pairs
/// are not accurate (A·V − V·Λ, Wᴴ·A − Λ·Wᴴ, tr A): E is then unitary but for the balancing. One thread of the host
/// finds it in about the time of ten sweeps there, also for emulation and cuda.
/// Throws InputError for a matrix that is not square, NaN or Inf in it, and options out of range; NotSupported where
/// the backend cannot serve: cuda without a GPU, emulation and cuda for other scalars than double and
/// std::complex<double>; std::bad_alloc if the memory of the host or the GPU does not suffice.
template <class T>
EigResult<RealOf<T>> eig(MatrixView<const T> A, const EigOptions& options = {});

/// The same in place: A is overwritten with T, and result.T stays empty. R is double, long double or Quad.
template <class R>
EigResult<R> eig_in_place(MatrixView<std::complex<R>> A, const EigOptions& options = {});

/// The same of many matrices of order n, side by side in A (n × n·count): result k is that of columns kn to kn + n − 1.
/// On the host each has one thread and the bits of eig(). By emulation and cuda all matrices of order n ≤ 64 are
/// decomposed at once by the fused form, whatever the variant's. Throws InputError also if A.cols is no multiple of
/// A.rows.
template <class T>
std::vector<EigResult<RealOf<T>>> eig_batched(MatrixView<const T> A, const EigOptions& options = {});

}  // namespace pivotlab
