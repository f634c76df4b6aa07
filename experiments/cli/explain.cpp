// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <experiments/cli/command.hpp>
#include <experiments/engine/method.hpp>
#include <support/text/nearest.hpp>

namespace pivotlab::cli {
namespace {

/// Returns the innermost subcommand that the command line names, or the root.
const CLI::App& innermost(const CLI::App& root) {
  const CLI::App* app = &root;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

std::vector<std::string> names_of_subcommands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* one : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(one->get_name());
  return names;
}

}  // namespace

std::string explain(const CLI::App& root, const CLI::ParseError& error) {
  const std::vector<std::string> rest = root.remaining(true);
  const CLI::App& app = innermost(root);
  const std::string name = name_of(app);
  if (const auto choices = names_of_subcommands(app); !choices.empty()) {
    const bool of_methods = std::ranges::any_of(experiments::all_methods(),
                                                [&](const auto* method) { return method->name() == choices.front(); });
    const char* kind = of_methods ? "method" : "command";
    if (rest.empty() || rest.front().starts_with('-')) return fmt::format("no {} given; see {} --help", kind, name);
    const std::string advice =
        of_methods ? experiments::method_advice(rest.front(), choices) : nearest_text(rest.front(), choices);
    return fmt::format("unknown {} '{}'; {} (see {} --help)", kind, rest.front(), advice, name);
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !rest.empty()) {
    if (!rest.front().starts_with('-'))
      return fmt::format("'{}' is one argument too many; see {} --help", rest.front(), name);
    std::vector<std::string> options;
    for (const CLI::Option* option : app.get_options())
      for (const std::string& one : option->get_lnames()) options.push_back("--" + one);
    return fmt::format("unknown option '{}'; {} (see {} --help)", rest.front(), nearest_text(rest.front(), options),
                       name);
  }
  std::string what = error.what();
  if (const auto found = what.find(": At Most 1 required"); found != std::string::npos)
    what = what.substr(0, found) + ": is given more than once";
  std::replace(what.begin(), what.end(), '\n', ' ');
  return fmt::format("{}; see {} --help", what, name);
}

}  // namespace pivotlab::cli
