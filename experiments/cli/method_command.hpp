// Commands of the command line from methods' descriptions.
#pragma once

#include <experiments/cli/command.hpp>
#include <experiments/commands/command_description.hpp>
#include <memory>
#include <string>

namespace pivotlab::cli {

/// Adds the command of the method to `parent`, with the options of tables if it prints facts.
Command add_method_command(CLI::App& parent, const std::string& method,
                           std::shared_ptr<const experiments::CommandDescription> description, bool prints_facts);

/// Makes `app` a command that runs the selected one of `methods`.
Command one_of(CLI::App* app, std::vector<Command> methods);

/// Returns "Examples:" and the command lines, each one prefixed by `command`.
std::string examples_text(const std::string& command, const std::vector<std::string>& examples);

}  // namespace pivotlab::cli
