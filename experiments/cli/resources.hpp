// Where the files are that belong to pivotlab and are not part of the program: specs, published numbers, the schema of
// the records, the analysis package.
#pragma once

#include <filesystem>
#include <string_view>

namespace pivotlab::experiments {

/// The root under which resources have the paths of the source tree ("experiments/specs/table2.json"): $PIVOTLAB_HOME,
/// else <program>/../share/pivotlab of an installation, else the source directory that the program was built from.
std::filesystem::path home_directory();

/// The absolute path of a resource; throws InputError, telling how to set PIVOTLAB_HOME, if there is no such file.
std::filesystem::path resource(std::string_view relative);

}  // namespace pivotlab::experiments
