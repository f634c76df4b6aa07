// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <experiments/engine/json_text.hpp>
#include <experiments/engine/posix.hpp>
#include <pivotlab/error.hpp>
#include <support/files/regular_file.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

namespace pivotlab::experiments {
namespace {

/// "<line>:<column>" of a place in a text whose first line has a number.
std::string position(std::string_view text, std::size_t offset, std::size_t first_line) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  const std::size_t line_start = before.rfind('\n') + 1;  // npos + 1 == 0
  return fmt::format("{}:{}", line, before.size() - line_start + 1);
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

/// Shortens a long text to its beginning; UTF-8 sequences stay whole.
std::string shortened(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && is_continuation(text[end])) --end;
  return std::string(text.substr(0, end)) + "…";
}

/// nlohmann's "[json.exception.parse_error.101] parse error at line 3, column 5: <what>" without the parts that our
/// message has; the token in it may be long and need not be UTF-8.
std::string explanation(std::string_view what, const std::string& token) {
  for (const std::string_view lead : {"] ", ": "})
    if (const std::size_t at = what.find(lead); at != std::string_view::npos) what.remove_prefix(at + lead.size());
  std::string shown = token;
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return (c & 0x80) != 0; }, '?');
  std::string text(what);
  if (const std::size_t at = text.find(fmt::format("'{}'", token)); at != std::string::npos)
    text.replace(at + 1, token.size(), shortened(shown));
  return text;
}

/// Throws InputError for a text with too many levels.
void refuse_deep_nesting(std::string_view text, std::string_view origin, std::size_t line) {
  std::size_t depth = 0;
  bool in_text = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') in_text = !in_text;
    if (in_text) {
      at += c == '\\' ? 1 : 0;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest_json)
        throw InputError(fmt::format("{}:{}: more than {} objects and lists inside one another; simplify the JSON",
                                     origin, position(text, at, line), deepest_json));
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
}

/// Iterator over a text. Its type belongs to this file, so that the linker takes the instances of the parser that are
/// optimized here (CMakeLists.txt) and not those of files that parse texts of their own.
struct Byte {
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  const char* at;
  reference operator*() const { return *at; }
  Byte& operator++() { return ++at, *this; }
  bool operator==(const Byte&) const = default;
};

/// Builds the document, and refuses errors that the parser of the library accepts. The library calls the members.
template <class Json>
class Builder {
 public:
  Builder(Json& document, std::string_view text, std::string_view origin, std::size_t line)
      : document_(document), text_(text), origin_(origin), line_(line) {}

  bool null() { return add(nullptr); }
  bool boolean(bool value) { return add(value); }
  bool number_integer(std::int64_t value) { return add(value); }
  bool number_unsigned(std::uint64_t value) {
    const bool is_small = value <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    return is_small ? add(value) : add(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) { return add(value); }
  bool string(std::string& value) { return add(std::move(value)); }
  bool binary(typename Json::binary_t&) { return false; }  // is not in texts
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool key(const std::string& name) {
    Json& object = *open_.back();
    const std::size_t before = object.size();
    element_ = &object[name];
    if (object.size() == before)
      throw InputError(fmt::format("{}: key {} occurs twice in one object; keep one", origin_, quoted(Json(name))));
    return true;
  }
  template <class Error>
  [[noreturn]] bool parse_error(std::size_t byte, const std::string& token, const Error& error) {
    throw InputError(fmt::format("{}:{}: {}; correct the JSON there", origin_,
                                 position(text_, byte > 0 ? byte - 1 : 0, line_), explanation(error.what(), token)));
  }

 private:
  bool add(Json value) {
    if (open_.empty()) element_ = &document_;
    if (!open_.empty() && open_.back()->is_array()) element_ = &open_.back()->emplace_back();
    *element_ = std::move(value);
    return true;
  }
  bool open(Json value) {
    if (open_.size() == deepest_json) refuse_deep_nesting(text_, origin_, line_);
    add(std::move(value));
    open_.push_back(element_);
    return true;
  }
  bool close() {
    open_.pop_back();
    return true;
  }

  Json& document_;
  std::string_view text_, origin_;
  std::size_t line_;
  std::vector<Json*> open_;  ///< objects and lists around the next value
  Json* element_ = nullptr;  ///< the last value, or the place of the next one in an object
};

}  // namespace

std::string read_text(const std::filesystem::path& file) {
  const FileDescriptor opened(open_regular(file));
  std::string text;
  if (!read_all(opened.get(), text))
    throw InputError(
        fmt::format("{}: cannot be read ({}); check the file system", file.string(), std::strerror(errno)));
  return text;
}

template <class Json>
Json parse_json(std::string_view text, std::string_view origin, std::size_t line) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw InputError(fmt::format("{}:{}:1: is empty; JSON is expected", origin, line));
  if (text.starts_with("\xEF\xBB\xBF"))
    throw InputError(fmt::format("{}:{}:1: begins with a byte order mark; save it as UTF-8 without one", origin, line));
  Json document;
  Builder<Json> builder(document, text, origin, line);
  Json::sax_parse(Byte{text.data()}, Byte{text.data() + text.size()}, &builder);
  return document;
}

template <class Json>
std::string quoted(const Json& value) {
  return shortened(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

template nlohmann::json parse_json(std::string_view, std::string_view, std::size_t);
template nlohmann::ordered_json parse_json(std::string_view, std::string_view, std::size_t);
template std::string quoted(const nlohmann::json&);
template std::string quoted(const nlohmann::ordered_json&);

namespace {

/// Returns the number of levels of objects and lists, 0 for a scalar.
int depth_of(const nlohmann::ordered_json& json) {
  if (!json.is_structured()) return 0;
  int deepest = 0;
  for (const auto& element : json) deepest = std::max(deepest, depth_of(element));
  return deepest + 1;
}

void append_lines(const nlohmann::ordered_json& json, const std::string& indent, std::string& text) {
  constexpr std::size_t short_line = 160;
  const int depth = depth_of(json);
  if (const std::string line = json.dump(); depth <= 1 || (depth == 2 && line.size() < short_line)) {
    text += line;
    return;
  }
  const std::string inner = indent + " ";
  text += json.is_object() ? "{" : "[";
  const char* separator = "\n";
  for (const auto& [key, value] : json.items()) {
    text += separator + inner;
    if (json.is_object()) text += nlohmann::ordered_json(key).dump() + ": ";
    append_lines(value, inner, text);
    separator = ",\n";
  }
  text += "\n" + indent + (json.is_object() ? "}" : "]");
}

}  // namespace

std::string to_lines(const nlohmann::ordered_json& document) {
  std::string text;
  append_lines(document, "", text);
  return text;
}

}  // namespace pivotlab::experiments
