// Checks of output files, so that a command never overwrites a file by mistake.
#pragma once

#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Throws InputError unless the outputs can be written without loss: no output is the same file as an input or another
/// output, also under another name or through a link; none exists, unless `force`. An input may be a dataset
/// (file.h5:/dataset); an empty name stands for an option that is not given. Call this before any computation.
void require_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, bool force);

/// Throws InputError naming -o if a file is given and its extension is not one of HDF5.
void require_hdf5_name(const std::string& file);

/// Returns whether the extension of an output is one of Matrix Market; else it is HDF5. Throws InputError naming -o for
/// other extensions.
bool is_matrix_market(const std::string& file);

}  // namespace pivotlab::experiments
