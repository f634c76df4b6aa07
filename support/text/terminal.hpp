// SPDX-License-Identifier: BSD-3-Clause
// Text from outside in messages and tables: it must not control the terminal, nor the shell into which it is pasted.
#pragma once

#include <string>
#include <string_view>

namespace pivotlab {

/// Returns a line of text that is safe on a terminal: control characters (line ends included), characters without width
/// or that change the direction of writing, and bytes that are not UTF-8 become escapes:
/// , \x1b, \u202e, \xff.
std::string on_terminal(std::string_view text);

/// Returns whether the text is valid UTF-8.
bool is_utf8(std::string_view text);

/// Returns a word in single quotes, which every POSIX shell reads as `text`.
std::string in_quotes(std::string_view text);

/// Returns a word that a shell reads as `text`: unchanged if it is plain, otherwise in quotes, and in $'…' if
/// on_terminal() would change it, which bash, zsh, ksh and POSIX of 2024 support.
std::string shell_word(std::string_view text);

}  // namespace pivotlab
