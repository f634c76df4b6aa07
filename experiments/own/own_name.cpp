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
#include <optional>
#include <sstream>

namespace pivotlab::experiments {
namespace {
namespace fs = std::filesystem;

struct Form {
  std::string_view name, start, extension, usage;
};
/// The forms of names, in the order of OwnKind: how a name starts, and what its file ends in.
constexpr Form forms[] = {{"python", "", ".py", "FILE.py:FUNCTION"},
                          {"library", "", ".so", "LIBRARY.so:NAME"},
                          {"pivotlab", "pivotlab@", "", "pivotlab@DIR:NAME"},
                          {"command", "cmd:", "", "cmd:COMMAND"}};

const Form& form_of(OwnKind kind) {
  return forms[static_cast<std::size_t>(kind)];
}

/// Returns the kind by what stands before the options.
std::optional<OwnKind> kind_of(std::string_view head) {
  for (const OwnKind kind : {OwnKind::command, OwnKind::pivotlab, OwnKind::python, OwnKind::library}) {
    const Form& form = form_of(kind);
    if (form.start.empty() ? head.find(std::string(form.extension) + ':') != std::string_view::npos
                           : head.starts_with(form.start))
      return kind;
  }
  return std::nullopt;
}

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
  return solver.starts_with(form_of(OwnKind::command).start);
}

bool is_own_solver(std::string_view solver) {
  return kind_of(solver.substr(0, solver.find(';'))).has_value();
}

std::string_view to_string(OwnKind kind) {
  return form_of(kind).name;
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
  OwnName name{.kind = kind_of(head).value_or(OwnKind::python)};
  const Form& form = form_of(name.kind);
  if (name.kind == OwnKind::command) {
    name.source = head.substr(form.start.size());
    for (const std::string_view place : {"{input}", "{output}"})
      if (name.source.find(place) == std::string::npos)
        throw InputError(
            fmt::format("solver: '{}': lacks {}, in whose place the name of a file is put", solver, place));
  } else {
    // The name of a variant has its own options, and that of a baseline a colon.
    const bool is_version = name.kind == OwnKind::pivotlab;
    const std::string_view rest = is_version ? solver.substr(form.start.size()) : head;
    const std::size_t colon = std::min(is_version ? rest.find(':') : rest.rfind(':'), rest.size());
    name.source = rest.substr(0, colon), name.function = rest.substr(std::min(colon + 1, rest.size()));
    if (!name.source.ends_with(form.extension) || name.source.empty() || name.function.empty())
      throw InputError(fmt::format("solver: '{}': names no function; write {}", solver, form.usage));
    if (is_version) return name;
  }
  for (std::size_t at = end; at < solver.size();) {
    const std::size_t next = std::min(solver.find(';', at + 1), solver.size());
    add_option(name, solver.substr(at + 1, next - at - 1), solver);
    at = next;
  }
  return name;
}

std::string to_string(const OwnName& name) {
  std::string text = std::string(form_of(name.kind).start) + name.source;
  if (name.kind != OwnKind::command) text += ':' + name.function;
  for (const auto& [option, value] : name.options) text += ';' + option + '=' + to_string(value);
  return text;
}

std::string loaded_file(const OwnName& name) {
  if (name.kind != OwnKind::pivotlab) return name.source;
  std::error_code ignored;
  std::vector<fs::path> places = {name.source, fs::path(name.source) / "python"};  // of an installation, of a build
  for (const auto& entry : fs::directory_iterator(fs::path(name.source) / "lib", ignored))
    places.push_back(entry.path() / "site-packages");  // of a virtual environment
  for (const fs::path& place : places)
    for (const auto& entry : fs::directory_iterator(place / "pivotlab", ignored))
      if (entry.path().extension() == ".so" && entry.path().filename().string().starts_with("_core."))
        return entry.path().string();
  throw InputError(fmt::format(
      "solver: pivotlab@{}: has no Python package of pivotlab; give a build's folder with Python or that of "
      "an installation",
      name.source));
}

std::string digest_of(const OwnName& name) {
  if (name.kind != OwnKind::command) return digest_of_file(loaded_file(name));
  std::string digests;
  for (const std::string& file : files_of_command(name.source)) digests += digest_of_file(file);
  return digest(digests);
}

nlohmann::json identity_of(const OwnName& name, const std::string& digest) {
  nlohmann::json options = nlohmann::json::object();
  for (const auto& [option, value] : name.options) std::visit([&](const auto& x) { options[option] = x; }, value);
  const std::string file = name.kind == OwnKind::command ? files_of_command(name.source).back() : name.source;
  const std::string folder = fs::absolute(file).parent_path().string();
  const bool is_theirs = name.kind != OwnKind::pivotlab;
  const auto git = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"git", "-C", folder});
    return capture_process(words);
  };
  const std::optional<std::string> commit = is_theirs ? git({"rev-parse", "HEAD"}) : std::nullopt;
  const std::optional<std::string> changes = commit ? git({"status", "--porcelain", "--", "."}) : std::nullopt;
  return {{"kind", to_string(name.kind)},
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
