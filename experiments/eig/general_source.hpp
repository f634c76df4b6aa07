// General square matrices from files: generators "file:A" (general_sources()). A path may begin with $NAME, the value
// of an environment variable.
#pragma once

#include <experiments/common/file_source.hpp>
#include <pivotlab/general.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The kinds of generators that read matrices from files.
std::span<const FileSource> general_sources();

bool is_general_file(std::string_view generator);

/// Identity of a matrix in a file: type, order and digest, without its elements.
struct GeneralIdentity {
  ScalarType type = ScalarType::d;
  Index n = 0;
  std::string digest;  ///< digest of the file's bytes, so that other content is another case
};

/// Returns the identity of the matrix, and caches it. Throws InputError as read_general_shape() does and for a variable
/// that is not set. Not thread-safe.
const GeneralIdentity& identify_general(const std::string& generator);

/// Reads the matrix; eigenvalues that the file does not state are computed up to this order. Throws InputError as
/// read_general() does.
inline constexpr Index file_truth_order = 512;
AnyGeneral load_general(const std::string& generator);

}  // namespace pivotlab::experiments
