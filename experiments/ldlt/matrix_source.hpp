// Matrices from files: generators of the form
//
//   file:<matrix>      Matrix Market (.mtx, .mtx.gz) or HDF5 (a.h5, a.h5:/dataset)
//   permuted:<matrix>  the same with its rows and columns in an order that the seed gives: what depends on it was
//                      decided by ties and rounding
//
// A path may begin with $NAME, the value of an environment variable. A file MANIFEST.csv beside the matrix may state
// its inertia: in the columns name (of the file, without extensions), npos, nneg and nzero.
#pragma once

#include <cstdint>
#include <pivotlab/symmetric.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

bool is_matrix_file(std::string_view generator);
/// Then the matrix depends on the seed, too.
bool is_permuted_file(std::string_view generator);

/// What identifies a matrix from a file, without its elements.
struct MatrixIdentity {
  ScalarType type = ScalarType::d;
  Symmetry symmetry = Symmetry::hermitian;
  Index n = 0;
  std::string digest;  ///< of the file's bytes: other content is another case
};

/// Remembers what it has seen. `symmetry`: what a complex matrix claims to be where its file does not tell. Throws
/// InputError as read_symmetric_shape() does and for a variable that is not set. Not for several threads at a time.
const MatrixIdentity& identify_matrix(const std::string& generator, Symmetry symmetry);

/// Reads the matrix; its inertia is the one of the file or of the manifest, if either has it. Throws InputError as
/// read_symmetric() does.
AnySymmetric load_matrix(const std::string& generator, Symmetry symmetry, std::uint64_t seed);

}  // namespace pivotlab::experiments
