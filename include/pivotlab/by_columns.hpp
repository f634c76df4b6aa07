// SPDX-License-Identifier: BSD-3-Clause
// Reading, generating and writing a pair and its decomposition by columns, for ranks of which none has a whole matrix.
// Ranks that are threads must read one after the other.
#pragma once

#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/pair.hpp>

#include <algorithm>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace pivotlab {

/// Properties of a pair that a file gives without its elements.
struct PairHead {
  ScalarType type = ScalarType::d;
  Index m_f = 0, m_g = 0, n = 0;
  std::vector<Quad> sigma;  ///< see Pair
  std::string provenance;
};
/// Reads the head of a file that read_pair() reads. The matrices need not fit into memory. Throws InputError as
/// read_pair() does.
PairHead read_pair_head(const std::filesystem::path& file);

/// Reads the given columns of F and G, in this order, with the bits of read_pair(). Other columns are not read, as far
/// as the file's chunks allow; sigma stays empty. T must be the file's type. Throws InputError as read_pair() does, and
/// for a pair of which one triangle is stored. Does not check that the elements are finite; the solver does.
template <class T>
Pair<T> read_pair_columns(const std::filesystem::path& file, const std::vector<Index>& columns);

/// Generates the given columns of generate_pair(request), in this order; sigma stays empty. Throws NotSupported for all
/// kinds but random, whose columns are made one by one.
template <class T>
Pair<T> generate_pair_columns(const PairRequest& request, const std::vector<Index>& columns);

/// Passes the columns of U, V and Z on rank 0 to take(matrix, column, elements), matrix being 0, 1, 2 for U, V, Z, in
/// unspecified order. At most one column of each rank is in memory at a time. All ranks must call it.
template <class T, class Take>
void for_columns_on_first_rank(Transport& transport, const GsvdStripes<T>& part, Take&& take) {
  const std::vector<std::size_t> counts = gather_values(transport, part.columns.size());
  for (std::size_t k = 0; k < *std::ranges::max_element(counts); ++k) {  // the k-th column of each rank that has one
    const bool mine = k < part.columns.size();
    const std::vector<Index> columns = gather_values(transport, mine ? part.columns[k] : Index(-1));
    std::size_t matrix = 0;
    for (const Matrix<T>* A : {&part.U, &part.V, &part.Z}) {
      const auto rows = static_cast<std::size_t>(A->rows());
      std::vector<T> column(rows), all(rows * columns.size());
      if (mine) std::ranges::copy(A->col(static_cast<Index>(k)), column.begin());
      transport.all_gather(column.data(), rows * sizeof(T), all.data());
      for (std::size_t r = 0; transport.rank() == 0 && r < columns.size(); ++r)
        if (columns[r] >= 0) take(matrix, columns[r], std::span<const T>(all).subspan(r * rows, rows));
      ++matrix;
    }
  }
}

/// Writes the file that write_gsvd() writes of a whole decomposition, without compression and with one chunk per
/// column. All ranks must call it; rank 0 writes the columns, which it receives as in for_columns_on_first_rank().
/// Throws SharedInputError if the file cannot be written.
template <class T>
void write_gsvd(Transport& transport, const std::filesystem::path& file, const GsvdStripes<T>& part,
                const std::map<std::string, std::string>& attributes = {});

}  // namespace pivotlab
