// Matrices with m ≥ n rows from files: generators "file:G" (rectangular_sources()). A path may begin with $NAME, the
// value of an environment variable.
#pragma once

#include <experiments/common/file_source.hpp>
#include <pivotlab/any_matrix.hpp>
#include <pivotlab/scalar_traits.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The kinds of generators that read matrices from files.
std::span<const FileSource> rectangular_sources();

bool is_rectangular_file(std::string_view generator);

/// Identity of a matrix in a file: type, shape and digest, without its elements.
struct RectangularIdentity {
  ScalarType type = ScalarType::d;
  Index m = 0, n = 0;
  std::string digest;  ///< digest of the file's bytes, so that other content is another case
};

/// Returns the identity of the matrix, and caches it. Throws InputError as read_matrix_shape() does, for m < n or
/// n = 0, and for a variable that is not set. Not thread-safe.
const RectangularIdentity& identify_rectangular(const std::string& generator);

/// Reads the matrix. Throws InputError as read_matrix() does.
AnyMatrix load_rectangular(const std::string& generator);

}  // namespace pivotlab::experiments
