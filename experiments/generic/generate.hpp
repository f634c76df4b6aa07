// SPDX-License-Identifier: BSD-3-Clause
// The command `generate` of a kind of problems: writes a test problem to files.
#pragma once

#include <experiments/commands/command_description.hpp>
#include <experiments/problems/kind.hpp>
#include <memory>
#include <string>
#include <vector>

namespace pivotlab::experiments {

/// Holds the texts and defaults in which commands of methods with the same kind of problems differ.
struct GenerateTexts {
  std::string title;
  std::string generator;    ///< the default
  std::string signs = {};   ///< the default pattern of J; empty: the problems have no signs
  std::string type = "d";   ///< the default
  bool symmetries = false;  ///< whether a complex matrix may be symmetric
  std::string notes = {};
  std::vector<std::string> examples = {};
};

/// Returns the command that generates a problem and writes it, and the signs J if a file for them is named.
template <class P>
std::shared_ptr<const CommandDescription> generate_command(const Kind<P>& kind, const GenerateTexts& texts);

}  // namespace pivotlab::experiments
