// SPDX-License-Identifier: BSD-3-Clause
// Names of solvers of the user's, which stand on the axis `solver` beside variants and baselines:
//
//   study.py:mine;alpha=0.3                      a function or class of a Python file, with keyword arguments
//   libmine.so:mine;alpha=0.3                    a solver of a shared library (pivotlab/plugin.h), with its options
//   pivotlab@DIR:LDLT-RK;alpha=0.5               a variant or baseline of another build or installation of pivotlab
//   cmd:./mine {input} {output};format=npy       a command for the shell
//
// A name has a colon, so that no variant has it, and a file, "pivotlab@" or "cmd" before the colon, so that no baseline
// has it.
#pragma once

#include <experiments/engine/value.hpp>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace pivotlab::experiments {

enum class OwnKind { python, library, pivotlab, command };

struct OwnName {
  OwnKind kind = OwnKind::python;
  std::string source = {};    ///< the file, the folder DIR, or the command line
  std::string function = {};  ///< its name in the file; the whole name of a variant; empty for a command
  std::map<std::string, Value> options = {};
};

/// Returns "python", "library", "pivotlab" or "command".
std::string_view to_string(OwnKind kind);

/// Returns whether the text names a solver of the user's.
bool is_own_solver(std::string_view solver);
/// Returns whether it names a command, which may contain commas.
bool is_own_command(std::string_view solver);

/// Returns the names that a text with lists and ranges in braces stands for; the braces of a command line stay.
std::vector<std::string> expand_solver(std::string_view text);

/// Parses a name; throws InputError "solver: …" for a wrong one. to_string() returns its canonical form, with sorted
/// options.
OwnName parse_own_solver(std::string_view solver);
std::string to_string(const OwnName& name);

/// Returns the file that the process of a solver loads: the source, or the compiled module of pivotlab's Python package
/// in the folder. Throws InputError "solver: …" if the folder has none.
std::string loaded_file(const OwnName& name);

/// Returns the XXH3-128 digest of the loaded file, or of all files that the words of a command line name. Throws
/// InputError "solver: …" if the file, or the command's program, is not there.
std::string digest_of(const OwnName& name);

/// Returns kind, source, function, options, digest, and the git commit of the folder: part of the section `own`. The
/// process of another version of pivotlab states its commit itself.
nlohmann::json identity_of(const OwnName& name, const std::string& digest);

/// Returns the last line of a text that is not empty.
std::string last_line(std::string_view text);

}  // namespace pivotlab::experiments
