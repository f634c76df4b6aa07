// SPDX-License-Identifier: BSD-3-Clause
// Checks of output files, so that a command never overwrites a file by mistake.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Throws InputError unless the outputs can be written without loss: no output is the same file as an input or another
/// output, also under another name or through a link; none exists, unless `force`. An input may be a dataset
/// (file.h5:/dataset); an empty name stands for an option that is not given. Call this before any computation.
void require_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, bool force);

/// Throws InputError naming -o if a file is given and its extension is not one of HDF5.
void require_hdf5_name(const std::string& file);

/// Returns attributes of a generated problem: version and command line of this program, without --output and --force,
/// so that the bytes of a problem's file, and the keys of cases that read it, depend neither on its name nor on the
/// commit.
std::map<std::string, std::string> problem_attributes();
/// Returns attributes of a result: those of a problem, the commit and, if all inputs are regular files, their digest
/// (digest_of_files()). Empty names stand for files that are not given; without an output there are no attributes. Call
/// this before any computation, while the inputs are those that are read.
std::map<std::string, std::string> result_attributes(const std::string& output, const std::vector<std::string>& inputs);

/// Returns whether the extension of an output is one of Matrix Market; else it is HDF5. Throws InputError naming -o for
/// other extensions.
bool is_matrix_market(const std::string& file);

/// Returns the name of an output. Throws InputError naming the option unless its extension is one of Matrix Market.
std::string matrix_market_output(const char* option, const std::string& file);

}  // namespace pivotlab::experiments
