// libhdf5 in a process of its own. It crashes on some damaged files, or never ends; there that costs one line.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "generators/io/hdf5_map.hpp"

namespace pivotlab::io::hdf5 {

/// The program `pivotlab` that examines files for this process; empty: this process does it itself. It is what
/// set_examiner() was given, else the environment variable PIVOTLAB_EXAMINER.
std::filesystem::path examiner();
void set_examiner(std::filesystem::path program);

/// As examine(), by `<program> examine-hdf5 …`, which has the file as its standard input and writes the map to its
/// standard output. It is spawned, not forked, so that this process may have threads. Throws InputError also if it
/// crashes or needs more time or memory than any sound file.
FileMap examine_by(const std::filesystem::path& program, int descriptor, std::uint64_t size,
                   const std::filesystem::path& file, const Wanted& wanted);

/// What main() of that program calls first; ends the process if this is what the program was started for.
void examine_if_asked(std::span<char*> arguments);

}  // namespace pivotlab::io::hdf5
