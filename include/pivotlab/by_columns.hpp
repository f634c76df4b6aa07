// A pair and its decomposition by columns, in HDF5 files and from a generator: for ranks, of which none has a whole
// matrix. Ranks that are threads have to read one after the other.
#pragma once

#include <pivotlab/distributed_gsvd.hpp>
#include <pivotlab/generate.hpp>
#include <pivotlab/pair.hpp>

#include <filesystem>
#include <map>
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

/// One file of what write_gsvd() writes of a whole decomposition, not compressed and each column a chunk of its own.
/// Called by all ranks: rank 0 writes, and not more than a column of each rank is on its way at a time. Throws
/// SharedInputError if the file cannot be written.
template <class T>
void write_gsvd(Transport& transport, const std::filesystem::path& file, const GsvdStripes<T>& part,
                const std::map<std::string, std::string>& attributes = {});

}  // namespace pivotlab
