// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <unistd.h>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <cmath>
#include <experiments/cli/command.hpp>

namespace pivotlab::cli {

experiments::TableWriter::Style TableOptions::style() const {
  return {experiments::table_format_from_string(format), experiments::colour_allowed(STDOUT_FILENO)};
}

void add_table_options(CLI::App& command, TableOptions& options) {
  command.add_option("--format", options.format, "table, csv or json")->type_name("NAME")->capture_default_str();
  command
      .add_option_function<std::string>(
          "--columns", [&options](const std::string& text) { options.columns = split_option("--columns", text); },
          "Only these columns, in this order (names as in --format csv)")
      ->type_name("LIST");
}

CLI::Validator positive() {
  return {[](std::string& text) {
            const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
            const bool good = digits && text.size() < 10 && text.find_first_not_of('0') != std::string::npos;
            return good ? std::string() : fmt::format("'{}' is not a positive integer", text);
          },
          ""};
}

CLI::Validator not_negative() {
  return {[](std::string& text) {
            double value = -1;
            const bool good = CLI::detail::lexical_cast(text, value) && value >= 0 && std::isfinite(value);
            return good ? std::string() : fmt::format("'{}' is not a number >= 0", text);
          },
          ""};
}

std::string name_of(const CLI::App& app) {
  return app.get_parent() == nullptr ? app.get_name() : name_of(*app.get_parent()) + " " + app.get_name();
}

std::vector<std::string> split_option(const std::string& option, const std::string& text) {
  return with_option_context(option, [&] { return split_list(text); });
}

namespace {

/// Refuses empty values, such as those of unset variables of a shell: no option has a meaning for them.
void require_values(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options())
    if (std::ranges::count(option->results(), std::string()) > 0)
      throw CLI::ValidationError(option->get_name(), "is empty; give a value, or leave it out");
  for (const CLI::App* chosen : app.get_subcommands()) require_values(*chosen);
}

}  // namespace

void add_root_options(CLI::App& root) {
  root.set_version_flag("--version", version_text, "Print version, commit, build and libraries, and exit");
  root.set_help_flag("-h,--help", "Print this help and exit");
  root.get_formatter()->column_width(30);
  root.get_formatter()->label("SUBCOMMAND", "COMMAND");
  root.require_subcommand(1);
  root.callback([&root] { require_values(root); });
}

}  // namespace pivotlab::cli
