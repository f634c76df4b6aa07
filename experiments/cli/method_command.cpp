// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <experiments/cli/facts.hpp>
#include <experiments/cli/method_command.hpp>
#include <experiments/engine/method.hpp>
#include <limits>
#include <pivotlab/status.hpp>
#include <support/text/nearest.hpp>
#include <support/text/terminal.hpp>

namespace pivotlab::cli {
namespace {

using experiments::CommandDescription;
using experiments::CommandOption;

/// Describes the numbers that the option accepts; empty without bounds.
std::string bounds_text(const CommandOption& option) {
  if (option.minimum && option.maximum) return fmt::format("a number from {} to {}", *option.minimum, *option.maximum);
  if (option.minimum && *option.minimum == 0) return "a number >= 0";
  if (option.minimum) return "a positive number";
  return "";
}

CLI::Validator validator(const CommandOption& option) {
  return {[option](std::string& text) -> std::string {
            if (!option.choices.empty()) {
              if (std::ranges::find(option.choices, text) != option.choices.end()) return "";
              return fmt::format("there is no '{}'; choose from {}", text, fmt::join(option.choices, ", "));
            }
            double value = 0;
            const bool is_number = CLI::detail::lexical_cast(text, value) && std::isfinite(value);
            if (is_number && value >= option.minimum.value_or(value) && value <= option.maximum.value_or(value))
              return "";
            return fmt::format("'{}' is not {}", text, bounds_text(option));
          },
          ""};
}

/// Accepts the integers of a type. CLI11 takes the largest 64-bit integer for those beyond it, and for -1 without a
/// sign.
template <class Integer>
CLI::Validator whole() {
  return {[](std::string& text) {
            Integer value{};
            const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
            if (error == std::errc() && end == text.data() + text.size()) return std::string();
            using Limits = std::numeric_limits<Integer>;
            return fmt::format("'{}' is not an integer from {} to {}", text, Limits::min(), Limits::max());
          },
          ""};
}

/// Returns whether help states the default: a text that is not empty, a number that is not 0.
template <class Target>
bool has_default(const Target& target) {
  if constexpr (std::is_same_v<Target, std::string>)
    return !target.empty();
  else if constexpr (std::is_arithmetic_v<Target>)
    return target != 0;
  else
    return false;
}

void add_option(CLI::App& app, const CommandOption& option) {
  if (auto* const* flag = std::get_if<bool*>(&option.target)) {
    app.add_flag(option.name, **flag, option.help);
    return;
  }
  CLI::Option* added = std::visit(
      [&](auto* target) -> CLI::Option* {
        using Target = std::remove_pointer_t<decltype(target)>;
        if constexpr (std::is_same_v<Target, bool>) return nullptr;
        CLI::Option* one = app.add_option(option.name, *target, option.help);
        if constexpr (std::is_integral_v<Target> && !std::is_same_v<Target, bool>) one->check(whole<Target>());
        return has_default(*target) ? one->capture_default_str() : one;
      },
      option.target);
  added->type_name(option.value_name)->required(option.required);
  if (!option.choices.empty() || option.minimum) added->check(validator(option));
  if (!option.needs.empty()) added->needs(app.get_option(option.needs));
}

/// Throws InputError for options that exclude one another. CLI11's own check would list them all in the help.
void check_exclusions(const CLI::App& app, const CommandDescription& description) {
  for (const CommandOption& option : description.options)
    for (const std::string& other : option.excludes)
      if (app.get_option(option.name)->count() > 0 && app.get_option(other)->count() > 0)
        throw InputError(fmt::format("{0} excludes {1}; leave out {1}", option.name, other));
}

int run_method(const CLI::App& app, const CommandDescription& description, const TableOptions& table,
               const Agreement& in_agreement) {
  in_agreement([&] {
    (void)table.style();
    check_exclusions(app, description);
  });
  const experiments::CommandResult result = description.run();
  for (const std::string& file : result.files) std::cout << on_terminal(file) << '\n';
  if (!result.content.empty()) std::cerr << on_terminal(result.content) << '\n';
  if (!result.facts.empty()) print_facts(table, result.facts);
  return result.status == Status::passed ? exit_fine : exit_cases_failed;
}

/// Adds the command of the method to `parent`, with the options of tables if it prints facts.
Command add_method(CLI::App& parent, const std::string& method, std::shared_ptr<const CommandDescription> description,
                   bool prints_facts, const Agreement& in_agreement) {
  CLI::App* app = parent.add_subcommand(method, description->title);
  const auto table = std::make_shared<TableOptions>();
  for (const CommandOption& option : description->options) add_option(*app, option);
  if (prints_facts) add_table_options(*app, *table);
  app->footer(description->notes + "\n\n" + examples_text(name_of(*app), description->examples));
  return {app,
          [app, description, table, in_agreement] { return run_method(*app, *description, *table, in_agreement); }};
}

}  // namespace

std::string examples_text(const std::string& command, const std::vector<std::string>& examples) {
  std::string text = "Examples:";
  for (const std::string& example : examples) text += fmt::format("\n  {} {}", command, example);
  return text;
}

Command one_of(CLI::App* app, std::vector<Command> methods) {
  app->require_subcommand(1);
  app->footer(name_of(*app) + " METHOD --help describes the options, with examples.");
  for (const Command& method : methods) method.app->group("Methods");
  return {app, [methods = std::move(methods)] {
            return std::ranges::find_if(methods, [](const Command& method) { return method.app->parsed(); })->run();
          }};
}

Command add_methods(CLI::App* app, bool prints_facts, const DescriptionOf& description_of,
                    const Agreement& in_agreement) {
  std::vector<Command> commands;
  for (const experiments::Method* method : experiments::all_methods())
    if (auto description = description_of(*method))
      commands.push_back(
          add_method(*app, std::string(method->name()), std::move(description), prints_facts, in_agreement));
  return one_of(app, std::move(commands));
}

Command add_solve(CLI::App& root) {
  return add_methods(root.add_subcommand("solve", "Solve a problem from files"), true,
                     [](const experiments::Method& method) { return method.solve_command(); });
}

Command add_generate(CLI::App& root) {
  return add_methods(root.add_subcommand("generate", "Write a test problem to a file"), false,
                     [](const experiments::Method& method) { return method.generate_command(); });
}

}  // namespace pivotlab::cli
