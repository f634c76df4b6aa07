// SPDX-License-Identifier: BSD-3-Clause
// Opening of regular files only.
#pragma once

#include <filesystem>

namespace pivotlab {

/// Opens a file for reading and returns its descriptor, which the caller closes. Throws InputError if it cannot be
/// opened or is not regular. Never waits, as opening a FIFO would.
int open_regular(const std::filesystem::path& file);

}  // namespace pivotlab
