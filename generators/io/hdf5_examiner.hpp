// SPDX-License-Identifier: BSD-3-Clause
// libhdf5 in a process of its own. It crashes on some damaged files, or never ends; in another process that only causes
// an error message.
#pragma once

#include <filesystem>
#include <span>

#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

/// Returns the program `pivotlab` that examines files for this process, from set_examiner() or the environment variable
/// PIVOTLAB_EXAMINER; empty: this process examines them itself.
std::filesystem::path examiner();
void set_examiner(std::filesystem::path program);

/// Does the same as examine() by `<program> examine-hdf5 …`, which has the file as its standard input and writes the
/// map to its standard output. It is spawned, not forked, so that this process may have threads. Throws InputError also
/// if it crashes or needs more time or memory than any undamaged file.
FileMap examine_by(const std::filesystem::path& program, int descriptor, std::uint64_t size,
                   const std::filesystem::path& file, const Wanted& wanted);

/// First call of main() of that program; ends the process if it was started to examine a file.
void examine_if_asked(std::span<char*> arguments);

}  // namespace pivotlab::io::hdf5
