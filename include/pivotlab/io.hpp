// Matrices and pairs in files: HDF5, Matrix Market (plain and gzip), and the raw column-major .Y/.W files of the
// published implementation. Every reader rejects what it cannot use with an InputError that names file, place and
// remedy.
#pragma once

#include <pivotlab/gsvd.hpp>
#include <pivotlab/pair.hpp>

#include <filesystem>
#include <map>
#include <string>
#include <variant>

namespace pivotlab {

using AnyMatrix = std::variant<Matrix<double>, Matrix<std::complex<double>>>;

/// Reads a dense matrix by what the file is: HDF5 ("file.h5" or "file.h5:/dataset"), Matrix Market (.mtx, .mtx.gz).
AnyMatrix read_matrix(const std::filesystem::path& file);
void write_matrix_market(const std::filesystem::path& file, const AnyMatrix& matrix);

/// A pair in one HDF5 file: datasets F, G (one triangle only where `hermitian`), truth, provenance attributes.
AnyPair read_pair(const std::filesystem::path& file);
struct PairFileOptions {
  int compression = 4;        ///< deflate level 0…9
  bool one_triangle = false;  ///< store only the lower triangle of Hermitian F and G
};
void write_pair(const std::filesystem::path& file, const AnyPair& pair, const PairFileOptions& options = {});

/// A decomposition in one HDF5 file: U, V, Z, (X), sigma, sigma_f, sigma_g, counters, attributes.
template <class T>
void write_gsvd(const std::filesystem::path& file, const GsvdResult<T>& result,
                const std::map<std::string, std::string>& attributes = {});

/// The raw files of the published implementation: <stem>.Y holds F, <stem>.W holds G, column-major, no header,
/// complex numbers as (re, im) pairs. The shape is not in the file and must be given.
AnyPair read_raw_pair(const std::filesystem::path& stem, ScalarType type, Index m_f, Index m_g, Index n);
void write_raw_pair(const std::filesystem::path& stem, const AnyPair& pair);

}  // namespace pivotlab
