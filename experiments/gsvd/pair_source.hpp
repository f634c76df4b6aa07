// Pairs from files: generators whose name begins with one of
//
//   file:<pair.h5>      F and G of one HDF5 file
//   files:<F>,<G>       two matrix files (HDF5, Matrix Market)
//   cholesky:<A>,<B>    F and G are the Cholesky factors of the Hermitian A = FᴴF and B = GᴴG, so that the generalized
//                       eigenvalues of (A, B) are σ²; without ",<B>" B is the identity
//   difference:<F>      G is difference_operator(n, 1), bordered to full column rank (Tikhonov's penalty)
//
// A path may begin with $NAME, the value of an environment variable, so that a case does not depend on where the data
// are.
#pragma once

#include <pivotlab/io.hpp>
#include <pivotlab/pair.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// Returns whether the generator is one of those above.
bool is_file_source(std::string_view generator);

/// Identity of a pair in files: type, shape and digest, without its elements.
struct PairIdentity {
  ScalarType type = ScalarType::d;
  Index n = 0, m_f = 0, m_g = 0;
  std::string digest;  ///< digest of the files' bytes, so that other content is another case
};

/// Returns the identity of the pair, and caches it. Throws InputError as read_pair() does, for a variable that is not
/// set, and for shapes that do not match. Not thread-safe.
const PairIdentity& identify_pair(const std::string& generator);

/// F and G of any types as a pair: complex if one of them is.
AnyPair pair_of(AnyMatrix F, AnyMatrix G);

/// Reads (and factors) the pair. Throws InputError as identify_pair() and definite_pair() do.
AnyPair load_pair(const std::string& generator);

}  // namespace pivotlab::experiments
