// Matrices that are symmetric but for rounding, as products B·D·Bᵀ computed by a library are. ldlt() and
// read_symmetric() refuse them: they compare both triangles to the last bit.
#pragma once

#include <pivotlab/io.hpp>

namespace pivotlab {

/// How many ulps two elements across the diagonal may be apart to be averaged by symmetrize().
inline constexpr double symmetrizable_ulps = 8;

/// The changes that symmetrize() made.
struct Symmetrization {
  Index elements = 0;         ///< pairs (i, j), (j, i) with i ≥ j that were not equal
  double ulps = 0;            ///< how far they were apart at most
  Index row = 0, column = 0;  ///< where: row ≥ column
};

/// Replaces A (n × n, finite) by (A + A*)/2, * being ᵀ or ᴴ, if A is symmetric (Hermitian) but for rounding: if for all
/// i ≥ j
///
///   |a_ij − conj(a_ji)| ≤ symmetrizable_ulps·2⁻⁵²·min(r_i, r_j),   r_i = the largest |Re| or |Im| in row i and column
///   i.
///
/// So an element may have the rounding errors of a sum of larger terms, but nothing that is small in its own row and
/// column is averaged because other rows are large. The average is the nearest symmetric (Hermitian) matrix in the
/// Frobenius norm. Otherwise A stays as it is. Returns what was changed; elements = 0: nothing. O(n²).
/// T is double or std::complex<double>.
template <class T>
Symmetrization symmetrize(Matrix<T>& A, Symmetry symmetry = Symmetry::hermitian);

/// read_symmetric() with symmetrize() of a matrix that write_symmetric() has not written; `changed` is what that
/// changed. Throws InputError like it if the matrix is not symmetric but for rounding.
AnySymmetric read_symmetric_but_for_rounding(const std::filesystem::path& file, Symmetry symmetry,
                                             Symmetrization& changed);

}  // namespace pivotlab
