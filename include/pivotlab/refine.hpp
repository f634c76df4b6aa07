// SPDX-License-Identifier: BSD-3-Clause
// Refines decompositions of Hermitian matrices, matrices and pairs: from approximate vectors, values in two limbs with
// bounds of their errors, and vectors that are orthonormal up to their rounding.
//
// Steps of Newton's method on vectors in two limbs, with products in double-double; bounds follow from the refined
// forms alone, whatever the vectors that were given. They hold up to rounding errors of norms, for which they have
// room. A value is determined if its bound is at most 2⁻⁵³ of it: rounded to double it has an error of at most 2 ulp.
// This takes about 104 − log₂(n) − log₂(c) ≥ 54 bits, where c is what its computation from exact vectors cancels:
// ‖A‖/|λ|, ‖G‖/σ, for graded matrices with graded vectors much less. Multiple and clustered values are like others.
// Source: Ogita & Aishima, "Iterative refinement for symmetric eigenvalue decomposition" (2018, part II 2019), with own
// forms for singular values and pairs (docs/notebook/refinement.md).
#pragma once

#include <pivotlab/matrix.hpp>
#include <pivotlab/variant.hpp>

#include <vector>

namespace pivotlab {

struct RefineOptions {
  Backend backend = Backend::host;  ///< host, or cuda, with exact products (pivotlab/exact.hpp)
  int max_steps = 12;               ///< ≥ 0; two or three are usual, more for clusters
  int threads = 0;                  ///< of the host, 0: OpenMP's choice; does not change a bit of the result
  bool vectors = true;              ///< false: values with their bounds alone, which takes less memory and time;
                                    ///< clusters of more than 512 values are not separated
};

/// Values descend. T is double or std::complex<double>.
template <class T>
struct Refined {
  std::vector<double> values;     ///< length n, rounded to double
  std::vector<double> values_lo;  ///< length n: what `values` leave, rounded to double
  std::vector<double> bound;  ///< length n: |truth − values − values_lo| is at most this; infinite if nothing is known
  std::vector<bool> determined;          ///< length n: whether bound ≤ 2⁻⁵³·|value|
  std::vector<double> sigma_f, sigma_g;  ///< of a pair: length n, sigma_f² + sigma_g² = 1; otherwise empty
  Matrix<T> vectors;                     ///< n × n, in the order of the values: of a matrix V, of a pair Z
  Matrix<T> U, V;  ///< left vectors, as many as values: of a matrix U, of a pair U and V. Those of σ that have not even
                   ///< six digits are arbitrary orthonormal ones
  int steps = 0;               ///< how often vectors were corrected
  double compute_seconds = 0;  ///< of all steps, without copies between host and GPU
};

/// Refines A·U = U·Λ for a Hermitian A (n × n, both triangles) and approximate eigenvectors U (n × n, regular). Takes
/// O(n³) operations and about 300·n² bytes. Throws InputError for A that is not Hermitian to the last bit, shapes that
/// do not fit, NaN or Inf, and options out of range; NotSupported for a backend that is missing here; std::bad_alloc if
/// the memory does not suffice.
template <class T>
Refined<T> refine_eigh(MatrixView<const T> A, MatrixView<const T> U, const RefineOptions& options = {});

/// Refines G = U·Σ·Vᴴ (m × n) with approximate U (m × k) and V (n × k), k = min(m, n). Values come from G·V for m ≥ n,
/// from Gᴴ·U otherwise; of square matrices from the second where that determines more of them. Throws as refine_eigh().
template <class T>
Refined<T> refine_svd(MatrixView<const T> G, MatrixView<const T> U, MatrixView<const T> V,
                      const RefineOptions& options = {});

/// Refines F·Z = U·Σ_F, G·Z = V·Σ_G for F (m_F × n) and G (m_G × n), of which the one above the other has full rank,
/// and an approximate, regular Z (n × n). Values are σ_F/σ_G, which may be infinite; U is empty for m_F < n, V for m_G
/// < n. Throws as refine_eigh().
template <class T>
Refined<T> refine_gsvd(MatrixView<const T> F, MatrixView<const T> G, MatrixView<const T> Z,
                       const RefineOptions& options = {});

}  // namespace pivotlab
