// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/process.hpp>
#include <experiments/engine/resources.hpp>
#include <experiments/own/own_name.hpp>
#include <pivotlab/error.hpp>
#include <pivotlab/variant.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pivotlab::experiments {
namespace {
namespace fs = std::filesystem;

constexpr std::string_view command_mark = "cmd:", python_mark = ".py:";

bool is_word(std::string_view text) {
  const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0 || c == '_'; };
  return !text.empty() && is_letter(static_cast<unsigned char>(text.front())) &&
         std::ranges::all_of(text, [&](unsigned char c) { return is_letter(c) || std::isdigit(c) != 0; });
}

void add_option(OwnName& name, std::string_view item, std::string_view whole) {
  const std::size_t equals = item.find('=');
  const std::string option(item.substr(0, equals));
  if (equals == std::string_view::npos || equals + 1 == item.size())
    throw InputError(fmt::format("solver: '{}': option '{}' has no value; write {}=VALUE", whole, option, option));
  if (!is_word(option))
    throw InputError(fmt::format("solver: '{}': '{}' cannot name an option; use letters, digits and _", whole, option));
  if (!name.options.emplace(option, parse_value(item.substr(equals + 1))).second)
    throw InputError(fmt::format("solver: '{}': option '{}' is given twice; keep one", whole, option));
}

bool is_file(const fs::path& file) {
  std::error_code error;
  return fs::is_regular_file(file, error);
}

/// Returns the files that a command line names: its program, and every other word that is the name of a file.
std::vector<std::string> files_of_command(const std::string& line) {
  std::istringstream words(line);
  std::vector<std::string> files;
  for (std::string word; words >> word;) {
    const bool is_program = files.empty();
    const std::string file = is_program && word.find('/') == std::string::npos ? find_on_path(word) : word;
    if (is_program && !is_file(file))
      throw InputError(fmt::format("solver: cmd:{}: there is no program '{}'; give its path", line, word));
    if (is_file(file)) files.push_back(file);
  }
  if (files.empty()) throw InputError("solver: cmd: names no program; write for example cmd:./mine {input} {output}");
  return files;
}

std::string digest_of_file(const std::string& file) {
  try {
    return digest(read_text(file));
  } catch (const InputError& error) {
    throw InputError(fmt::format("solver: {}", error.what()));
  }
}

}  // namespace

bool is_own_command(std::string_view solver) {
  return solver.starts_with(command_mark);
}

bool is_own_solver(std::string_view solver) {
  return is_own_command(solver) || solver.substr(0, solver.find(';')).find(python_mark) != std::string_view::npos;
}

std::vector<std::string> expand_solver(std::string_view text) {
  if (!is_own_command(text)) return expand_pattern(text);
  const std::size_t options = std::min(text.find(';'), text.size());
  std::vector<std::string> names = expand_pattern(text.substr(options));
  for (std::string& name : names) name.insert(0, text.substr(0, options));
  return names;
}

OwnName parse_own_solver(std::string_view solver) {
  const std::size_t end = std::min(solver.find(';'), solver.size());
  const std::string_view head = solver.substr(0, end);
  OwnName name{.is_command = is_own_command(solver)};
  if (name.is_command) {
    name.source = head.substr(command_mark.size());
    for (const std::string_view place : {"{input}", "{output}"})
      if (name.source.find(place) == std::string::npos)
        throw InputError(
            fmt::format("solver: '{}': lacks {}, in whose place the name of a file is put", solver, place));
  } else {
    const std::size_t colon = head.rfind(':');
    name.source = head.substr(0, colon), name.function = head.substr(colon + 1);
    if (!name.source.ends_with(".py") || name.function.empty())
      throw InputError(fmt::format("solver: '{}': names no function; write FILE.py:FUNCTION", solver));
  }
  for (std::size_t at = end; at < solver.size();) {
    const std::size_t next = std::min(solver.find(';', at + 1), solver.size());
    add_option(name, solver.substr(at + 1, next - at - 1), solver);
    at = next;
  }
  return name;
}

std::string to_string(const OwnName& name) {
  std::string text = name.is_command ? std::string(command_mark) + name.source : name.source + ':' + name.function;
  for (const auto& [option, value] : name.options) text += ';' + option + '=' + to_string(value);
  return text;
}

std::string digest_of(const OwnName& name) {
  if (!name.is_command) return digest_of_file(name.source);
  std::string digests;
  for (const std::string& file : files_of_command(name.source)) digests += digest_of_file(file);
  return digest(digests);
}

nlohmann::json identity_of(const OwnName& name, const std::string& digest) {
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [option, value] : name.options) std::visit([&](const auto& x) { options[option] = x; }, value);
  const std::string file = name.is_command ? files_of_command(name.source).back() : name.source;
  const std::string folder = fs::absolute(file).parent_path().string();
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder});
    return capture_process(words);
  };
  const std::optional<std::string> commit = git({"rev-parse", "HEAD"});
  const std::optional<std::string> changes = commit ? git({"status", "--porcelain", "--", "."}) : std::nullopt;
  return {{"kind", name.is_command ? "command" : "python"},
          {"source", name.source},
          {"function", name.function},
          {"options", std::move(options)},
          {"digest", digest},
          {"commit", last_line(commit.value_or(""))},
          {"clean", changes ? nlohmann::json(changes->empty()) : nlohmann::json()},
          {"versions", nlohmann::json::object()},
          {"start_s", nullptr},
          {"values", nlohmann::json::object()},
          {"output", ""},
          {"traceback", ""}};
}

std::string last_line(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == std::string_view::npos) return "";
  text = text.substr(0, end + 1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

}  // namespace pivotlab::experiments
