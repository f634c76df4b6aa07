// Files that are read: regular ones, whatever lies in their place.
#pragma once

#include <filesystem>

namespace pivotlab {

/// Opens a file for reading and returns its descriptor, which the caller closes. Throws InputError where it cannot be
/// opened and where it is not regular. Never waits, as opening a FIFO would.
int open_regular(const std::filesystem::path& file);

}  // namespace pivotlab
