// SPDX-License-Identifier: BSD-3-Clause
// The instruction sets that this program was compiled for, and whether this machine has them.
#pragma once

#include <string>

namespace pivotlab::cli {

struct InstructionSets {
  std::string required;  ///< "SSE4.2 AVX AVX2 FMA …"
  std::string missing;   ///< those that the machine lacks; empty if it has all
};

InstructionSets instruction_sets();

}  // namespace pivotlab::cli
