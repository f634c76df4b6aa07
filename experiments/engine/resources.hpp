// SPDX-License-Identifier: BSD-3-Clause
// Finds the files of pivotlab outside the program (specs, published numbers, the schema of records, the analysis
// package, the process of Python solvers), and other programs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace pivotlab::experiments {

/// Returns the root of the resources, which have the paths of the source tree ("experiments/specs/table2.json"):
/// $PIVOTLAB_HOME, else <program>/../share/pivotlab of an installation, else the source directory that the program was
/// built from.
std::filesystem::path home_directory();

/// Returns the absolute path of a resource; throws InputError with advice on PIVOTLAB_HOME if there is no such file.
std::filesystem::path resource(std::string_view relative);

/// Returns the path of a program on PATH; empty if there is none.
std::string find_on_path(const std::string& program);

/// Returns the interpreter of the analysis and of Python solvers: $PIVOTLAB_PYTHON, else .venv of the project, else
/// python3 on PATH; empty if none.
std::string find_python();

}  // namespace pivotlab::experiments
