// The symmetric indefinite factorization with 1×1 and 2×2 pivots, and what it is good for:
//
//   P·A·Pᵀ = M·D·Mᵀ   (real or complex symmetric A),     P·A·Pᵀ = M·D·Mᴴ   (Hermitian A),
//
// P a permutation, M unit lower triangular, D block diagonal; where D has a 2×2 block, M has the identity. In what
// follows * is ᴴ of a Hermitian matrix and ᵀ of a complex symmetric one.
// With equilibration it is B = S·A·S that is factored, S = diag(2^s) with rows of one size in B: a congruence, so that
// A has the inertia of B, and S rounds nothing (but elements that underflow). The operations below are those of A.
// Source: the thesis on the symmetric indefinite factorization on a GPU, chapters 1–3; Algorithm, equation and section
// numbers are its own.
#pragma once

#include <pivotlab/ldlt_variant.hpp>
#include <pivotlab/matrix.hpp>
#include <pivotlab/packed_triangle.hpp>
#include <pivotlab/scalar.hpp>
#include <pivotlab/status.hpp>
#include <pivotlab/symmetric.hpp>
#include <pivotlab/variant.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pivotlab {

/// What is read of the input. Of the whole matrix, both triangles, which must agree.
enum class InputTriangle { whole, lower, upper };
/// Where complete pivoting works; the same bits either way. Partial and rook pivoting of larger matrices always use
/// full storage.
enum class LdltStorage { packed, full };

struct LdltOptions {
  LdltVariant variant = {};
  Backend backend = Backend::host;
  Symmetry symmetry = Symmetry::hermitian;
  InputTriangle triangle = InputTriangle::whole;
  LdltStorage storage = LdltStorage::packed;  ///< of the host
  /// What counts as zero, relative to max|A|; by default the ε of the scalar, as in section 3.3. Complete pivoting
  /// ends when the reduced matrix has no larger element; partial and rook pivoting run to the end, and then
  /// singular values of D no larger than this do not count in the rank. Of a singular matrix, rank and inertia are to
  /// be trusted with complete and rook pivoting only: without a bound on M, the noise in D has none either.
  std::optional<double> rank_tolerance = {};
  int threads = 0;  ///< of the host, 0: what OpenMP chooses; never changes a bit of the result
};

/// One stage of the factorization (Algorithm 1).
template <class R>
struct LdltStage {
  Index first = 0;  ///< its first row in D
  int size = 1;     ///< order of the pivot, 1 or 2
  /// max|A^[n−first]| / max|A|, of the reduced matrix in which the pivot was sought. Blocked versions (partial and rook
  /// pivoting of double and its complex numbers, on the host from order 128, or 64 complex, and on all other backends)
  /// form a reduced matrix only when a panel of up to 64 columns begins: each stage of the panel has the growth of that
  /// one, which is the last one that exists.
  R growth{};
  R condition{1};  ///< κ₂ of a 2×2 pivot; 1 of a 1×1 one
};

/// mantissa·2^exponent with |mantissa| in [½, 1), or 0.
template <class T>
struct Determinant {
  T mantissa{0.5};
  std::int64_t exponent = 1;
};

/// X with A·X ≈ B, and how good it is.
template <class T>
struct LdltSolution {
  /// passed; incorrect if A is singular and A·X = B has no solution; not_converged if the backward error stays large
  Status status = Status::failed;
  std::string message;  ///< what a user should know, one line; also where A is singular but X solves
  Matrix<T> X;          ///< n × (columns of B)
  int refinements = 0;  ///< steps of iterative refinement done
  /// max over columns of ‖d‖∞/‖x‖∞ of the last step, x := x + d; 1 without one. Corrections halve at least, so that
  /// this bounds the relative error that was left before it.
  RealOf<T> correction{1};
  RealOf<T> backward_error{};  ///< max over columns of ‖b − A·x‖∞ / (‖A‖∞·‖x‖∞ + ‖b‖∞)
};

/// P·A·Pᵀ = G·J·Gᴴ, J = diag(±1, 0); with equilibration G is (P·S·Pᵀ)⁻¹ times that of S·A·S.
template <class T>
struct GjgFactorization {
  Matrix<T> G;         ///< n × n, nonsingular; lower block triangular unless J was sorted
  std::vector<int> J;  ///< length n: the inertia of A
};

/// P·(A + E)·Pᵀ = L·Lᴴ, positive definite (Cheng & Higham, SIAM J. Matrix Anal. Appl. 19 (1998), section 3). With
/// equilibration S·E·S and (P·S·Pᵀ)·L are those of S·A·S.
template <class T>
struct ModifiedCholesky {
  Matrix<T> L;                   ///< n × n, lower triangular
  RealOf<T> delta{};             ///< the eigenvalues of D below δ became δ
  RealOf<T> largest_shift{};     ///< by how much an eigenvalue of D was raised at most; 0 means E = 0
  Index raised_eigenvalues = 0;  ///< how many were
};

/// The factors, what the stages did, and the operations on them. Of an equilibrated matrix, all data members are those
/// of B = S·A·S, P·B·Pᵀ = M·D·M*; all functions but dense_d() and those that count are those of A.
template <class T>
struct LdltFactorization {
  using Real = RealOf<T>;

  LdltVariant variant;
  Symmetry symmetry = Symmetry::hermitian;

  Matrix<T> M;                 ///< n × n, unit lower triangular, zeros above
  std::vector<T> diagonal;     ///< of D, length n
  std::vector<T> subdiagonal;  ///< of D, length n; element i is D(i+1, i), zero but at the first row of a 2×2 block
  std::vector<Index> permutation;  ///< row i of P·A·Pᵀ is row permutation[i] of A
  std::vector<int> scaling;        ///< s, by the rows of A: S = diag(2^s); empty without equilibration
  Real scaling_error{};            ///< bounds ‖S·A·S − B‖₂: of the elements that underflowed
  /// The vector of interchanges (section 3.2), counted from 1: of the stage with first row k, its element k names the
  /// row exchanged with k; after a 2×2 pivot, element k+1 names the row exchanged with k+1, with a minus sign.
  std::vector<Index> interchanges;
  std::vector<LdltStage<Real>> stages;  ///< in order; with complete pivoting they end at the rank

  Index rank = 0;
  Inertia inertia;  ///< within the tolerance, of a real or Hermitian matrix; all zero of a complex symmetric one, which
                    ///< has none
  Real tolerance{};        ///< what counted as zero, absolute
  Real largest_element{};  ///< max|A|
  Real norm_inf{};         ///< ‖A‖∞
  Real remainder{};        ///< largest element of the reduced matrix that complete pivoting left as zero
  Real max_multiplier{};   ///< max|M| off the diagonal
  Index swaps_1x1 = 0;     ///< interchanges of two different rows for a 1×1 pivot
  Index swaps_2x2 = 0;     ///< the same for 2×2 pivots, up to two for each
  double compute_seconds = 0;

  Index order() const { return M.rows(); }
  Index pivots(int size) const;  ///< how many stages had a pivot of that order
  Real max_growth() const;       ///< largest growth of any stage, of reduced matrices that existed
  Real max_condition() const;    ///< largest κ₂ of a 2×2 pivot

  /// A⁻¹·B. Throws InputError if A is singular or B has not n rows.
  Matrix<T> solve(MatrixView<const T> B) const;
  /// The same with iterative refinement: residuals with the same A (and the triangle of it), in the next longer
  /// precision, until the correction is at the unit roundoff or does not halve. Unless A is singular to working
  /// precision, X is right to a few ulp of its largest element. For a singular A, a solution with zeros where D has
  /// them, if there is one. Throws InputError for shapes that do not fit.
  LdltSolution<T> solve_refined(MatrixView<const T> A, MatrixView<const T> B,
                                InputTriangle triangle = InputTriangle::whole, int max_refinements = 10) const;
  /// A⁻¹, symmetric or Hermitian to the last bit. Throws InputError if A is singular.
  Matrix<T> inverse() const;
  /// det A = det D. Zero if complete pivoting found A singular; otherwise also of noise.
  Determinant<T> determinant() const;
  /// Pᵀ·M·D·M*·P, which is A but for rounding errors.
  Matrix<T> reconstruct() const;
  /// D as a dense matrix.
  Matrix<T> dense_d() const;
  /// G·J·Gᴴ by diagonalizing the blocks of D (section 3.3); sorted: J with all +1 first, then −1, then 0.
  /// Throws NotSupported for complex symmetric matrices.
  GjgFactorization<T> gjg(bool sorted = false) const;
  /// Raises the eigenvalues of D below δ, by default √u·‖A‖∞ (√u of A = 0), with equilibration √u·‖S·A·S‖∞. Throws
  /// InputError for partial pivoting, whose M is not bounded, and for δ ≤ 0; NotSupported for complex symmetric
  /// matrices.
  ModifiedCholesky<T> modified_cholesky(std::optional<Real> delta = {}) const;
};

/// Factors A (n × n, n ≥ 0). T is double, long double, Quad or std::complex of these. Ties of pivots go to the least
/// row, then the least column. The result has the same bits in every run, for any number of threads and either storage;
/// with complete pivoting also on every backend, but for the signs of zeros.
/// Throws InputError for a matrix that is not square, has NaN or Inf, is not symmetric (Hermitian) where the whole is
/// given, has a diagonal that is not real where Hermitian; for α outside (0, 1) and a tolerance outside [0, 1).
/// NotSupported where the backend cannot serve: cuda without a GPU, emulation and cuda for other scalars than double
/// and std::complex<double>; std::bad_alloc if the memory of the host or the GPU does not suffice.
template <class T>
LdltFactorization<T> ldlt(MatrixView<const T> A, const LdltOptions& options = {});

/// The same of a packed lower triangle, which is used up. Ignores options.triangle and options.storage.
template <class T>
LdltFactorization<T> ldlt(PackedTriangle<T> A, const LdltOptions& options = {});

/// One triangle of A, packed. Of the upper one, the (conjugate) transpose.
template <class T>
PackedTriangle<T> pack(MatrixView<const T> A, InputTriangle triangle, Symmetry symmetry = Symmetry::hermitian);

/// The matrix with both triangles, the other way round.
template <class T>
Matrix<T> unpack(const PackedTriangle<T>& A, Symmetry symmetry = Symmetry::hermitian);

/// The permutation that a vector of interchanges stands for (Figure 3.2, but as used here: row i of P·A·Pᵀ is row
/// permutation[i] of A, counted from 0). Throws InputError if it is no such vector.
std::vector<Index> permutation_of(const std::vector<Index>& interchanges);

/// Two conventions of LAPACK for ipiv: xSYTRF exchanges only the second row of a 2×2 pivot, xSYTRF_ROOK both.
enum class LapackConvention { sytrf, sytrf_rook };

/// The vector of interchanges as LAPACK's ipiv. With `upper` it is that of U·D·Uᵀ, factored from the last row to the
/// first, of the matrix with rows and columns reversed. Throws InputError if a 2×2 pivot exchanges its first row, too,
/// and the convention is xSYTRF's.
std::vector<Index> to_lapack(const std::vector<Index>& interchanges, LapackConvention convention, bool upper = false);
/// The inverse of to_lapack(). Throws InputError if ipiv is not of that convention.
std::vector<Index> from_lapack(const std::vector<Index>& ipiv, LapackConvention convention, bool upper = false);

}  // namespace pivotlab
