// SPDX-License-Identifier: BSD-3-Clause
// Clusters of values that are too close for first-order corrections: found as connected components, decomposed as small
// Hermitian matrices in double precision. A cluster of relative width δ becomes one, or several, of width δ·2⁻⁵³.
#pragma once

#include "kernels/refine/elements.hpp"

#include <vector>

namespace pivotlab::refine {

/// Returns for every index the least one of its component.
std::vector<int> components(MatrixView<const unsigned char> linked);

/// Returns the indices of every component of more than one index.
std::vector<std::vector<Index>> clusters_of(const std::vector<int>& component);

/// Returns a unitary W, c × c, that makes m̄·S − s̄·M diagonal up to rounding errors of double precision, for the means
/// s̄ and m̄ of a cluster: S − λ·M without what all values have in common. Values descend.
template <class T>
Matrix<Extended<T>> cluster_vectors(const std::vector<Index>& cluster, MatrixView<const Extended<T>> S,
                                    MatrixView<const Extended<T>> M, MatrixView<const Extended<T>> K);

}  // namespace pivotlab::refine
