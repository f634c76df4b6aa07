// Text from outside in messages and tables: it cannot steer the terminal, nor the shell into which it is pasted.
#pragma once

#include <string>
#include <string_view>

namespace pivotlab {

/// A line of text as a terminal may get it: control characters (line ends included), characters without width or that
/// turn the direction of writing, and bytes that are not UTF-8 become escapes: \n, \x1b, \u202e, \xff.
std::string on_terminal(std::string_view text);

/// Returns whether the text is valid UTF-8.
bool is_utf8(std::string_view text);

/// A word in single quotes, which every POSIX shell reads as `text`.
std::string in_quotes(std::string_view text);

/// A word that a shell reads as `text`: as it is where that is plain, else in quotes, and where on_terminal() would
/// change it in $'…', which bash, zsh, ksh and POSIX of 2024 know.
std::string shell_word(std::string_view text);

}  // namespace pivotlab
