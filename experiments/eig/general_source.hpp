// General square matrices from files: generators of the form
//
//   file:<matrix>      Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5, a.h5:/dataset)
//
// A path may begin with $NAME, the value of an environment variable.
#pragma once

#include <pivotlab/general.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

bool is_general_file(std::string_view generator);

/// What identifies a matrix from a file, without its elements.
struct GeneralIdentity {
  ScalarType type = ScalarType::d;
  Index n = 0;
  std::string digest;  ///< of the file's bytes: other content is another case
};

/// Remembers what it has seen. Throws InputError as read_general_shape() does and for a variable that is not set. Not
/// for several threads at a time.
const GeneralIdentity& identify_general(const std::string& generator);

/// Reads the matrix; where the file does not state its eigenvalues they are computed up to this order. Throws
/// InputError as read_general() does.
inline constexpr Index file_truth_order = 512;
AnyGeneral load_general(const std::string& generator);

}  // namespace pivotlab::experiments
