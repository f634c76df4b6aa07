// SPDX-License-Identifier: BSD-3-Clause
#include <support/text/terminal.hpp>

#include <array>
#include <cstdio>

namespace pivotlab {
namespace {

struct Character {
  char32_t code;
  std::size_t bytes;
  bool valid;  ///< otherwise: one byte that begins no UTF-8 character
};

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const Character invalid{lead, 1, false};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return invalid;
  char32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return invalid;
    code = code << 6 | (byte(i) & 0x3FU);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  if (code < smallest[bytes] || code > 0x10FFFF || (0xD800 <= code && code <= 0xDFFF)) return invalid;
  return {code, bytes, true};
}

struct Range {
  char32_t first, last;
};
/// C0, C1, and other invisible characters of Unicode's category Cf that change the display.
constexpr std::array<Range, 9> not_shown{{{0, 0x1F},
                                          {0x7F, 0x9F},
                                          {0x61C, 0x61C},
                                          {0x200B, 0x200F},
                                          {0x2028, 0x202E},
                                          {0x2060, 0x206F},
                                          {0xFEFF, 0xFEFF},
                                          {0xFFF9, 0xFFFB},
                                          {0xE0000, 0xE007F}}};

bool is_shown(const Character& character) {
  if (!character.valid) return false;
  for (const Range& range : not_shown)
    if (range.first <= character.code && character.code <= range.last) return false;
  return true;
}

std::string printed(const char* format, unsigned value) {
  std::array<char, 16> buffer{};
  std::snprintf(buffer.data(), buffer.size(), format, value);
  return buffer.data();
}

std::string escape(const Character& character) {
  switch (character.code) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      return printed(character.code < 0x100     ? "\\x%02x"
                     : character.code < 0x10000 ? "\\u%04x"
                                                : "\\U%08x",
                     static_cast<unsigned>(character.code));
  }
}

/// Calls shown(bytes) or hidden(character, bytes) for the characters, one after the other.
template <class Shown, class Hidden>
void for_each_character(std::string_view text, Shown shown, Hidden hidden) {
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    is_shown(character) ? shown(bytes) : hidden(character, bytes);
    text.remove_prefix(character.bytes);
  }
}

}  // namespace

std::string on_terminal(std::string_view text) {
  std::string result;
  for_each_character(
      text, [&](std::string_view bytes) { result += bytes; },
      [&](const Character& character, std::string_view) { result += escape(character); });
  return result;
}

bool is_utf8(std::string_view text) {
  for (; !text.empty() && first_character(text).valid; text.remove_prefix(first_character(text).bytes)) {
  }
  return text.empty();
}

std::string in_quotes(std::string_view text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789@%+=:,./_-";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) return std::string(text);
  if (on_terminal(text) == text) return in_quotes(text);
  std::string result = "$'";
  for_each_character(
      text,
      [&](std::string_view bytes) {
        if (bytes == "'" || bytes == "\\") result += '\\';
        result += bytes;
      },
      [&](const Character&, std::string_view bytes) {
        for (const char byte : bytes) result += printed("\\%03o", static_cast<unsigned char>(byte));
      });
  return result + "'";
}

}  // namespace pivotlab
