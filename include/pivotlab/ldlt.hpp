// SPDX-License-Identifier: BSD-3-Clause
// The symmetric indefinite factorization with 1×1 and 2×2 pivots, and operations on its factors:
//
//   P·A·Pᵀ = M·D·Mᵀ   (real or complex symmetric A),     P·A·Pᵀ = M·D·Mᴴ   (Hermitian A),
//
// where P is a permutation, M is unit lower triangular, and D is block diagonal; where D has a 2×2 block, M has the
// identity. Below, * means ᴴ for a Hermitian matrix and ᵀ for a complex symmetric one.
// With equilibration the matrix B = S·A·S is factored, where S = diag(2^s) gives the rows of B one size. This is a
// congruence, so A has the inertia of B, and S rounds nothing except elements that underflow. The operations below are
// those of A.
// Without a search B = Uᵀ·A·U (or Uᵀ·S·A·S·U) is factored, where U is orthogonal: a random butterfly of rotations (D.
// S. Parker, UCLA CSD-950023, 1995; M. Baboulin, J. Dongarra, J. Herrmann, S. Tomov, ACM Trans. Math. Softw. 39 (2013);
// with rotations: T. Trogdon, Appl. Math. Lett. 96 (2019)). Pivots are of order 1 and in their order, P = I. If one is
// zero or so small that rounding errors may have made its sign, or if the elements have grown too much, A is factored
// with rook pivoting instead.
// Source: the thesis on the symmetric indefinite factorization on a GPU, chapters 1–3; Algorithm, equation and section
// numbers refer to it.
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

/// The part of the input that is read. `whole` reads both triangles, which must agree.
enum class InputTriangle { whole, lower, upper };
/// Storage in which complete pivoting works; both give the same bits. Partial and rook pivoting of larger matrices
/// always use full storage.
enum class LdltStorage { packed, full };

struct LdltOptions {
  LdltVariant variant = {};
  Backend backend = Backend::host;
  Symmetry symmetry = Symmetry::hermitian;
  InputTriangle triangle = InputTriangle::whole;
  LdltStorage storage = LdltStorage::packed;  ///< storage on the host
  /// What counts as zero. Without a value it is rounding noise: an element x of D in row p and column q becomes zero if
  /// its contribution m_ip·x·m_jq to every element of A is at most n·ε·ρ_i·ρ_j, where ρ_i² = (|M|·|D|·|M|*)_ii for the
  /// pivots before it, up to a factor: the error of the factorization is of that size. The test does not depend on the
  /// scaling of rows, and keeps small pivots of graded matrices.
  /// With a value, numbers up to rank_tolerance·max|A| count as zero (section 3.3 takes ε). Complete pivoting ends when
  /// the reduced matrix has no larger element. Partial and rook pivoting run to the end, and then singular values of D
  /// up to this size do not count in the rank. Rank and inertia of a singular matrix are reliable with complete and
  /// rook pivoting only: without a bound on M, the noise in D has no bound either.
  std::optional<double> rank_tolerance = {};
  int threads = 0;  ///< threads of the host, 0: OpenMP's choice; does not change a bit of the result
};

/// One stage of the factorization (Algorithm 1).
template <class R>
struct LdltStage {
  Index first = 0;  ///< first row of the pivot in D
  int size = 1;     ///< order of the pivot, 1 or 2
  /// max|A^[n−first]| / max|A|, where A^[n−first] is the reduced matrix in which the pivot was searched. Blocked
  /// versions (all but complete pivoting of double and complex double, on the host from order 128, complex 64, and on
  /// all other backends) compute a reduced matrix only when a panel of up to 128 columns begins: all stages of the
  /// panel have the growth of that reduced matrix, until LdltFactorization::measure_growth().
  R growth{};
  R condition{1};  ///< κ₂ of a 2×2 pivot; 1 of a 1×1 one
};

/// mantissa·2^exponent with |mantissa| in [½, 1), or 0.
template <class T>
struct Determinant {
  T mantissa{0.5};
  std::int64_t exponent = 1;
};

/// X with A·X ≈ B, and estimates of its error.
template <class T>
struct LdltSolution {
  /// passed; incorrect if A is singular and A·X = B has no solution; not_converged if X is not known to a few ulp
  /// because A is singular to working precision, or if the backward error stays large
  Status status = Status::failed;
  std::string message;  ///< one line: the reason, or a remark if A is singular but X solves the system
  Matrix<T> X;          ///< n × (columns of B)
  int refinements = 0;  ///< steps of iterative refinement done
  /// max over columns of ‖d‖∞/‖x‖∞ in the last step, x := x + d; 1 without a step. Every correction is at most half of
  /// the previous one, so this bounds the relative error before the last step.
  RealOf<T> correction{1};
  RealOf<T> backward_error{};  ///< max over columns of ‖b − A·x‖∞ / (‖A‖∞·‖x‖∞ + ‖b‖∞)
  /// Estimated bound of max over columns of ‖x − A⁻¹·b‖∞/‖A⁻¹·b‖∞: ‖|A⁻¹|·|b − A·x|‖∞/‖x‖∞ with the rounding errors of
  /// the residual, and of storing x, included; |A⁻¹| is exact up to order 64 and estimated as in LAPACK's xGERFSX
  /// above. Infinity if A is singular, at least to working precision, and without refinement.
  RealOf<T> forward_error = std::numeric_limits<RealOf<T>>::infinity();
};

/// P·A·Pᵀ = G·J·Gᴴ, J = diag(±1, 0); with equilibration G is (P·S·Pᵀ)⁻¹ times that of S·A·S, with a butterfly U times
/// that of Uᵀ·A·U.
template <class T>
struct GjgFactorization {
  Matrix<T> G;  ///< n × n, nonsingular; lower block triangular unless J was sorted or A was mixed by a butterfly
  std::vector<int> J;  ///< length n: the inertia of A
};

/// P·(A + E)·Pᵀ = L·Lᴴ, positive definite (Cheng & Higham, SIAM J. Matrix Anal. Appl. 19 (1998), section 3). With
/// equilibration S·E·S and (P·S·Pᵀ)·L are those of S·A·S.
template <class T>
struct ModifiedCholesky {
  Matrix<T> L;                   ///< n × n, lower triangular
  RealOf<T> delta{};             ///< eigenvalues of D below δ were replaced by δ
  RealOf<T> largest_shift{};     ///< largest increase of an eigenvalue of D; 0 means E = 0
  Index raised_eigenvalues = 0;  ///< number of replaced eigenvalues
};

/// The factors, the history of the stages, and operations on the factors. Data members of an equilibrated matrix are
/// those of B = S·A·S, P·B·Pᵀ = M·D·M*, and with a butterfly M·D·M* is Uᵀ·B·U; all functions except dense_d() and
/// those that count are those of A.
template <class T>
struct LdltFactorization {
  using Real = RealOf<T>;

  LdltVariant variant;
  Symmetry symmetry = Symmetry::hermitian;

  Matrix<T> M;                     ///< n × n, unit lower triangular, zeros above
  std::vector<T> diagonal;         ///< diagonal of D, length n
  std::vector<T> subdiagonal;      ///< D(i+1, i), length n; zero except at the first row of a 2×2 block
  std::vector<Index> permutation;  ///< row i of P·A·Pᵀ is row permutation[i] of A
  /// s in the order of A's rows, S = diag(2^s). Without equilibration it is empty, unless D would exceed the range of
  /// the scalar: then all s are equal.
  std::vector<int> scaling;
  Real scaling_error{};  ///< bound of ‖S·A·S − B‖₂, due to elements that underflowed
  /// U of a factorization without a search, n × 2·(levels); empty for the identity, also with rook pivoting instead.
  /// Level l halves every block of rows of level l − 1, the larger half first. Row i of the first half of a block and
  /// the row as far in the second half, if there is one, are x and y of a rotation with the cosine c in column 2·l and
  /// the sine s in column 2·l + 1 of row i: Uᵀ replaces (x, y) by (c·x + s·y, c·y − s·x), from the last level to the
  /// first.
  Matrix<Real> butterfly;
  /// Why rook pivoting was taken after an elimination without a search, one line; otherwise empty
  std::string refusal;
  /// The vector of interchanges (section 3.2), counted from 1. For the stage with first row k, element k is the row
  /// exchanged with k; after a 2×2 pivot, element k+1 is the row exchanged with k+1, with a minus sign.
  std::vector<Index> interchanges;
  std::vector<LdltStage<Real>> stages;  ///< in order; with complete pivoting and a tolerance they end at the rank

  /// Whether all stages of a panel have the growth of the reduced matrix with which it began
  bool growth_of_panels = false;

  Index rank = 0;
  Inertia inertia;  ///< within the tolerance; all zero for a complex symmetric matrix, which has no inertia
  /// Pivots that count in rank and inertia although rounding errors may have made their signs: those of at most 1000
  /// times the size of errors, by the noise test. The inertia is determined if there is none; certify_inertia() tells
  /// more. 0 with a rank_tolerance.
  Index doubtful = 0;
  Real tolerance{};        ///< the absolute tolerance for zero; 0 with the noise test
  Real largest_element{};  ///< max|S·A·S| with the scaling S, as all that follows
  Real norm_inf{};         ///< ‖S·A·S‖∞
  /// Largest element of the reduced matrix that complete pivoting treated as zero; a bound of the elements of M·D·M*
  /// that the noise test set to zero
  Real remainder{};
  Real max_multiplier{};  ///< largest off-diagonal |m_ij|
  Index swaps_1x1 = 0;    ///< interchanges of two different rows for a 1×1 pivot
  Index swaps_2x2 = 0;    ///< the same for 2×2 pivots, up to two for each
  double compute_seconds = 0;

  Index order() const { return M.rows(); }
  /// Returns the pivoting that gave these factors: rook after a refusal, otherwise that of the variant.
  Pivoting pivoting() const { return refusal.empty() ? variant.pivoting : Pivoting::rook; }
  Index pivots(int size) const;  ///< number of stages with a pivot of this order
  Real max_growth() const;       ///< largest growth of a stage, as far as it was measured: growth_of_panels
  /// Replaces the growth of blocked versions by that of every stage. Takes n³/3 products and maxima, a few times as
  /// long as a factorization by panels.
  void measure_growth(int threads = 0);
  Real max_condition() const;  ///< largest κ₂ of a 2×2 pivot

  /// Computes A⁻¹·B, B being n × any. Throws InputError if A is singular, B does not have n rows or is not finite, or
  /// the solution overflows.
  Matrix<T> solve(MatrixView<const T> B) const;
  /// Computes A⁻¹·B with iterative refinement from the same A (of which `triangle` is read). X is kept as the sum of
  /// two numbers, and residuals are computed in double-double for double, in Quad for longer types, until the
  /// correction is far below the unit roundoff or does not halve. With status passed, X of double is accurate to a few
  /// ulp of its largest element (forward_error). Where the factors of double do not suffice for that, a matrix up to
  /// order 256 is factored in Quad; a larger one is not_converged. For a singular A it returns a solution with zeros
  /// where D is zero, if there is a solution. Throws InputError for shapes that do not fit, numbers that are not
  /// finite, and a solution that overflows.
  LdltSolution<T> solve_refined(MatrixView<const T> A, MatrixView<const T> B,
                                InputTriangle triangle = InputTriangle::whole, int max_refinements = 10) const;
  /// Computes A⁻¹, symmetric or Hermitian to the last bit. Throws InputError if A is singular.
  Matrix<T> inverse() const;
  /// Computes det A = det D. It is zero if complete pivoting found A singular; with other pivotings the determinant of
  /// a singular matrix may be noise.
  Determinant<T> determinant() const;
  /// Computes Pᵀ·M·D·M*·P, with a butterfly U·M·D·M*·Uᵀ, which is A up to rounding errors.
  Matrix<T> reconstruct() const;
  /// Computes U·X, X being n × any; X without a butterfly.
  Matrix<T> times_butterfly(Matrix<T> X) const;
  /// Returns D as a dense n × n matrix.
  Matrix<T> dense_d() const;
  /// Computes P·A·Pᵀ = G·J·Gᴴ by diagonalizing the blocks of D (section 3.3). `sorted`: J has all +1 first, then −1,
  /// then 0. Throws NotSupported for complex symmetric matrices.
  GjgFactorization<T> gjg(bool sorted = false) const;
  /// Replaces eigenvalues of D below δ by δ. The default of δ is √u·‖A‖∞ (√u if A = 0), with equilibration √u·‖S·A·S‖∞.
  /// Throws InputError for partial pivoting and without a search, where M is not bounded, and for δ ≤ 0; NotSupported
  /// for complex symmetric matrices.
  ModifiedCholesky<T> modified_cholesky(std::optional<Real> delta = {}) const;
};

/// Factors A (n × n, n ≥ 0). T is double, long double, Quad or std::complex of these. Among equal candidates for a
/// pivot the one in the least row, then in the least column, is chosen. The result has the same bits in every run, for
/// any number of threads and either storage; with complete pivoting also on every backend, except for the signs of
/// zeros.
/// Throws InputError for a matrix that is not square, contains NaN or Inf, is not symmetric (Hermitian) although both
/// triangles are read, or is Hermitian with a diagonal that is not real; also for α outside (0, 1) and a tolerance
/// outside [0, 1). Throws NotSupported if the backend cannot run it: cuda without a GPU, emulation and cuda for scalars
/// other than double and std::complex<double>; std::bad_alloc if the memory of the host or the GPU does not suffice.
template <class T>
LdltFactorization<T> ldlt(MatrixView<const T> A, const LdltOptions& options = {});

/// Factors a packed lower triangle, which is overwritten. Ignores options.triangle and options.storage.
template <class T>
LdltFactorization<T> ldlt(PackedTriangle<T> A, const LdltOptions& options = {});

/// Packs one triangle of A; from the upper one, its (conjugate) transpose.
template <class T>
PackedTriangle<T> pack(MatrixView<const T> A, InputTriangle triangle, Symmetry symmetry = Symmetry::hermitian);

/// Returns the matrix with both triangles (inverse of pack()).
template <class T>
Matrix<T> unpack(const PackedTriangle<T>& A, Symmetry symmetry = Symmetry::hermitian);

/// Converts a vector of interchanges to a permutation (Figure 3.2, but as used here: row i of P·A·Pᵀ is row
/// permutation[i] of A, counted from 0). Throws InputError if the vector is invalid.
std::vector<Index> permutation_of(const std::vector<Index>& interchanges);

/// Two conventions of LAPACK for ipiv: xSYTRF exchanges only the second row of a 2×2 pivot, xSYTRF_ROOK both.
enum class LapackConvention { sytrf, sytrf_rook };

/// Converts a vector of interchanges to LAPACK's ipiv. With `upper` the result is that of U·D·Uᵀ, factored from the
/// last row to the first, of the matrix with rows and columns reversed. Throws InputError if a 2×2 pivot also exchanges
/// its first row and the convention is xSYTRF's.
std::vector<Index> to_lapack(const std::vector<Index>& interchanges, LapackConvention convention, bool upper = false);
/// The inverse of to_lapack(). Throws InputError if ipiv is not of that convention.
std::vector<Index> from_lapack(const std::vector<Index>& ipiv, LapackConvention convention, bool upper = false);

}  // namespace pivotlab
