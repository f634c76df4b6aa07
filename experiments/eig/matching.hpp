// Which computed eigenvalue stands for which true one.
#pragma once

#include <pivotlab/matrix.hpp>
#include <vector>

namespace pivotlab::experiments {

/// The permutation with the least Σ cost(i, columns[i]): row i belongs to column columns[i]. `cost` is n × n, finite
/// and not negative. The Hungarian method by shortest augmenting paths, O(n³); ties are broken by index, so that the
/// result is always the same.
std::vector<Index> cheapest_matching(const Matrix<double>& cost);

}  // namespace pivotlab::experiments
