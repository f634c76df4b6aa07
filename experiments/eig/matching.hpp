// SPDX-License-Identifier: BSD-3-Clause
// Matching of computed with true eigenvalues.
#pragma once

#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

/// Returns the permutation with the least Σ cost(i, columns[i]): row i belongs to column columns[i]. `cost` is n × n,
/// finite and not negative. It uses the Hungarian method by shortest augmenting paths, O(n³); ties are broken by index,
/// so that the result is always the same. No library of Debian 12 replaces it: LEMON 1.3 does not compile as C++20 and
/// took 2.1 s for n = 1000, Boost 1.74's maximum_weighted_matching did not end for n = 10 with weights of double.
std::vector<Index> cheapest_matching(const Matrix<double>& cost);

}  // namespace pivotlab::experiments
