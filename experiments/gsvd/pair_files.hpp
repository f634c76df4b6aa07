// SPDX-License-Identifier: BSD-3-Clause
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

}  // namespace pivotlab::experiments
