// A pair and its decomposition by columns, in HDF5 files and from a generator: for ranks, of which none has a whole
// matrix. Ranks that are threads have to read one after the other.
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

/// What a file tells of a pair without its elements.
struct PairHead {
  ScalarType type = ScalarType::d;
  Index m_f = 0, m_g = 0, n = 0;
  std::vector<Quad> sigma;  ///< as in Pair
  std::string provenance;
};
/// Of a file that read_pair() reads. The matrices need not fit into memory.
PairHead read_pair_head(const std::filesystem::path& file);

/// Columns of F and G in this order, with the bits of read_pair(), whose other columns are not read as far as the
/// file's chunks allow; there is no truth. T is the file's type. Throws InputError as read_pair() does, and for a pair
/// of which one triangle is stored; whether the elements are finite is left to the solver.
template <class T>
Pair<T> read_pair_columns(const std::filesystem::path& file, const std::vector<Index>& columns);

/// Columns of generate_pair(request), in this order; there is no truth. Throws NotSupported for kinds whose columns are
/// not made one by one: all but random.
template <class T>
Pair<T> generate_pair_columns(const PairRequest& request, const std::vector<Index>& columns);

/// Gives rank 0 the columns of U, V and Z, in no order, by take(which of the three, column, elements); not more than a
/// column of each rank is on its way at a time. Called by all ranks.
template <class T, class Take>
void for_columns_on_first_rank(Transport& transport, const GsvdStripes<T>& part, Take&& take) {
  const std::vector<std::size_t> counts = gather_values(transport, part.columns.size());
  for (std::size_t k = 0; k < *std::ranges::max_element(counts); ++k) {  // the k-th of each rank that has one
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

/// One file of what write_gsvd() writes of a whole decomposition, not compressed and each column a chunk of its own.
/// Called by all ranks: rank 0 writes what comes to it as above. Throws SharedInputError if the file cannot be written.
template <class T>
void write_gsvd(Transport& transport, const std::filesystem::path& file, const GsvdStripes<T>& part,
                const std::map<std::string, std::string>& attributes = {});

}  // namespace pivotlab
