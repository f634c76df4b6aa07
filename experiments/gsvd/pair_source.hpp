// Pairs from files: generators "file:pair.h5", "files:F,G" and others (pair_sources()). A path may begin with $NAME,
// the value of an environment variable, so that a case does not depend on where the data are.
#pragma once

#include <experiments/common/file_source.hpp>
#include <pivotlab/io.hpp>
#include <pivotlab/pair.hpp>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// The kinds of generators that read pairs from files.
std::span<const FileSource> pair_sources();

/// Returns whether the generator is one of them.
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
