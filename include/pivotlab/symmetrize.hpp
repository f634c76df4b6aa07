// SPDX-License-Identifier: BSD-3-Clause
// Matrices that are symmetric up to rounding errors, such as products B·D·Bᵀ computed by a library. ldlt() and
// read_symmetric() reject them, because they compare both triangles to the last bit.
#pragma once

#include <pivotlab/io.hpp>

namespace pivotlab {

/// Returns whether A (n × n) equals Aᵀ, or Aᴴ for Symmetry::hermitian, to the last bit; false with NaN. 0 threads:
/// all. T is double or std::complex<double>.
template <class T>
bool is_symmetric(MatrixView<const T> A, Symmetry symmetry = Symmetry::hermitian, int threads = 0);

/// Largest difference in ulps between two elements across the diagonal that symmetrize() averages.
inline constexpr double symmetrizable_ulps = 8;

/// The changes that symmetrize() made.
struct Symmetrization {
  Index elements = 0;         ///< number of unequal pairs (i, j), (j, i) with i ≥ j
  double ulps = 0;            ///< largest difference of a pair
  Index row = 0, column = 0;  ///< position of the largest difference, row ≥ column
};

/// Replaces A (n × n, finite) by (A + A*)/2, where * is ᵀ or ᴴ, if A is symmetric (Hermitian) up to rounding: if for
/// all i ≥ j
///
///   |a_ij − conj(a_ji)| ≤ symmetrizable_ulps·2⁻⁵²·min(r_i, r_j),   r_i = max |Re|, |Im| in row i and column i.
///
/// So an element may have the rounding errors of a sum of larger terms, but no element that is small in its own row and
/// column is averaged because other rows are large. The average is the nearest symmetric (Hermitian) matrix in the
/// Frobenius norm. Otherwise A is left unchanged. Returns the changes; elements = 0 means none. Takes O(n²) operations.
/// T is double or std::complex<double>.
template <class T>
Symmetrization symmetrize(Matrix<T>& A, Symmetry symmetry = Symmetry::hermitian);

/// Reads a matrix as read_symmetric() does and applies symmetrize() unless write_symmetric() has written it. `changed`
/// receives the changes. Throws InputError as read_symmetric() does if the matrix is not symmetric up to rounding.
AnySymmetric read_symmetric_but_for_rounding(const std::filesystem::path& file, Symmetry symmetry,
                                             Symmetrization& changed);

}  // namespace pivotlab
