// Commands of the command line from methods' descriptions.
#pragma once

#include <experiments/cli/command.hpp>
#include <experiments/commands/command_description.hpp>
#include <functional>
#include <memory>
#include <string>

namespace pivotlab::cli {

/// Runs a function, for several processes on all of them: each of them throws what one throws.
using Agreement = std::function<void(const std::function<void()>&)>;

/// Adds the command of the method to `parent`, with the options of tables if it prints facts, which it checks in
/// agreement.
Command add_method_command(
    CLI::App& parent, const std::string& method, std::shared_ptr<const experiments::CommandDescription> description,
    bool prints_facts, const Agreement& in_agreement = [](const std::function<void()>& check) { check(); });

/// Makes `app` a command that runs the selected one of `methods`.
Command one_of(CLI::App* app, std::vector<Command> methods);

/// Returns "Examples:" and the command lines, each one prefixed by `command`.
std::string examples_text(const std::string& command, const std::vector<std::string>& examples);

}  // namespace pivotlab::cli
