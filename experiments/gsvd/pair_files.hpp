// Reads pairs (F, G) from the user's files.
#pragma once

#include <pivotlab/pair.hpp>
#include <string>

namespace pivotlab::experiments {

/// Reads F and G from two files, or both from one HDF5 file if `g` is empty. A real matrix beside a complex one becomes
/// complex. Throws InputError for files that cannot be used and for matrices that make no pair.
AnyPair read_input_pair(const std::string& f, const std::string& g);

/// Reads the raw files <stem>.Y and <stem>.W with the shape "m_F,m_G,n,type".
AnyPair read_input_raw_pair(const std::string& stem, const std::string& shape);

/// Describes a pair in one line: "F 128 x 64, G 96 x 64, real: paper, seed 1".
std::string describe(const AnyPair& pair);

}  // namespace pivotlab::experiments
