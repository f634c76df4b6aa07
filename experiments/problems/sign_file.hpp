// SPDX-License-Identifier: BSD-3-Clause
// Signs ±1, the diagonal of J, in files.
#pragma once

#include <pivotlab/matrix.hpp>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Reads `count` signs from a vector of 1 and −1; without a file all are 1. `of_what` names what has signs, such as
/// "F has 5 rows". Throws InputError "--signs: …".
std::vector<int> read_signs(const std::string& file, Index count, const std::string& of_what);

/// Writes signs to a Matrix Market file.
void write_signs(const std::string& file, const std::vector<int>& signs);

}  // namespace pivotlab::experiments
