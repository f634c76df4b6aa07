// SPDX-License-Identifier: BSD-3-Clause
// Commands of the command line from methods' descriptions.
#pragma once

#include <experiments/cli/command.hpp>
#include <experiments/commands/command_description.hpp>
#include <experiments/engine/method.hpp>
#include <functional>
#include <memory>
#include <string>

namespace pivotlab::cli {

/// Runs a function, for several processes on all of them: each of them throws what one throws.
using Agreement = std::function<void(const std::function<void()>&)>;

using DescriptionOf = std::function<std::shared_ptr<const experiments::CommandDescription>(const experiments::Method&)>;

/// Adds to `app` the command of every method that description_of(method) gives, with the options of tables if they
/// print facts, which are checked in agreement.
Command add_methods(
    CLI::App* app, bool prints_facts, const DescriptionOf& description_of,
    const Agreement& in_agreement = [](const std::function<void()>& check) { check(); });

/// Makes `app` a command that runs the selected one of `methods`.
Command one_of(CLI::App* app, std::vector<Command> methods);

/// Returns "Examples:" and the command lines, each one prefixed by `command`.
std::string examples_text(const std::string& command, const std::vector<std::string>& examples);

}  // namespace pivotlab::cli
