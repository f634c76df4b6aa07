// Matrices from files: generators "file:A" and "permuted:A" (matrix_sources()). A result that a permutation changes was
// decided by ties and rounding. A path may begin with $NAME, the value of an environment variable. A file MANIFEST.csv
// beside the matrix may state its inertia: in the columns name (of the file, without extensions), npos, nneg and nzero.
#pragma once

#include <cstdint>
#include <experiments/common/file_source.hpp>
#include <pivotlab/symmetric.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The kinds of generators that read matrices from files.
std::span<const FileSource> matrix_sources();

bool is_matrix_file(std::string_view generator);
/// Returns whether the generator permutes a file, so that the matrix depends on the seed, too.
bool is_permuted_file(std::string_view generator);

/// Identity of a matrix in a file: type, symmetry, order and digest, without its elements.
struct MatrixIdentity {
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;
  Index n = 0;
  std::string digest;  ///< digest of the file's bytes, so that other content is another case
};

/// Returns the identity of the matrix, and caches it. `symmetry` is that of a complex matrix whose file does not state
/// it. Throws InputError as read_symmetric_shape() does and for a variable that is not set. Not thread-safe.
const MatrixIdentity& identify_matrix(const std::string& generator, Symmetry symmetry);

/// Reads the matrix; its inertia is that of the file or of the manifest, if either states it. Throws InputError as
/// read_symmetric() does.
AnySymmetric load_matrix(const std::string& generator, Symmetry symmetry, std::uint64_t seed);

}  // namespace pivotlab::experiments
