// Files that a command writes: none of the user's is lost by mistake.
#pragma once

#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Throws InputError unless the outputs can be written and nothing is lost by it: no output is an input or another
/// output, by whatever name or link; none exists, unless `force`. An input may be a dataset, as file.h5:/dataset; an
/// empty name stands for an option that is not given. To be called before anything is computed.
void require_outputs(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs, bool force);

/// Throws InputError naming -o unless the name of the file, if one is given, ends as that of an HDF5 file.
void require_hdf5_name(const std::string& file);

/// Returns whether the name of an output ends as that of a Matrix Market file; else it is HDF5. Throws InputError
/// naming -o for other ends.
bool is_matrix_market(const std::string& file);

}  // namespace pivotlab::experiments
