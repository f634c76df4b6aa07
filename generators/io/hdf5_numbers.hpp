// SPDX-License-Identifier: BSD-3-Clause
// Conversion of stored numbers to doubles.
#pragma once

#include <pivotlab/matrix.hpp>

#include <string>

#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

/// Converts `count` numbers. Returns the position of the first one that no double represents, or count.
Index to_doubles(const NumberType& type, const char* stored, Index count, double* values);

/// Returns an integer in decimal digits.
std::string in_digits(const NumberType& type, const char* stored);

/// Returns whether elements are stored like doubles in memory.
bool is_double(const NumberType& type);

}  // namespace pivotlab::io::hdf5
