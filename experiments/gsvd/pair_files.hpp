// Pairs (F, G) that come from the user's files.
#pragma once

#include <pivotlab/pair.hpp>
#include <string>

namespace pivotlab::experiments {

/// F and G from two files, or both from one HDF5 file when `g` is empty. A real matrix beside a complex one becomes
/// complex. Throws InputError for files that cannot be used and for matrices that make no pair.
AnyPair read_input_pair(const std::string& f, const std::string& g);

/// The raw files <stem>.Y and <stem>.W, whose shape is "m_F,m_G,n,type".
AnyPair read_input_raw_pair(const std::string& stem, const std::string& shape);

/// "F 128 x 64, G 96 x 64, real: paper, seed 1", one line.
std::string describe(const AnyPair& pair);

}  // namespace pivotlab::experiments
