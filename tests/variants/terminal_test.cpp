// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>
#include <support/text/terminal.hpp>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

namespace pivotlab::terminal_test {
namespace {

TEST(OnTerminal, LeavesTextThatIsShownAsItIs) {
  for (const char* text : {"", "plain", "σ‖F‖ = 1·10⁻³ “±” …", "C:\\path", "𝔸", "日本", "e\u0301"})
    EXPECT_EQ(on_terminal(text), text);
}

TEST(OnTerminal, EscapesWhatSteers) {
  EXPECT_EQ(on_terminal("\033]0;title\a \033[2J"), "\\x1b]0;title\\x07 \\x1b[2J");
  EXPECT_EQ(on_terminal("a\nb\r\tc\x7f"), "a\\nb\\r\\tc\\x7f");
  EXPECT_EQ(on_terminal(std::string_view("\0x", 2)), "\\x00x");
  EXPECT_EQ(on_terminal("\u009b31m"), "\\x9b31m");
  EXPECT_EQ(on_terminal("\u202egnp.exe\u2066\u200b\ufeff\u2028"), "\\u202egnp.exe\\u2066\\u200b\\ufeff\\u2028");
  EXPECT_EQ(on_terminal("\U000e0041"), "\\U000e0041");
}

TEST(OnTerminal, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(on_terminal("\x9b"
                        "31m \xff\xfe"),
            "\\x9b31m \\xff\\xfe");
  EXPECT_EQ(on_terminal("\xc0\x9b \xe0\x80\x9b"), "\\xc0\\x9b \\xe0\\x80\\x9b");  // overlong sequences
  EXPECT_EQ(on_terminal("\xed\xa0\x80 \xf4\x90\x80\x80"), "\\xed\\xa0\\x80 \\xf4\\x90\\x80\\x80");
  EXPECT_EQ(on_terminal("\xe2\x80"), "\\xe2\\x80");  // a truncated sequence
}

TEST(ShellWord, LeavesPlainWordsAndQuotesOthersAsBefore) {
  EXPECT_EQ(shell_word("--threads=2"), "--threads=2");
  EXPECT_EQ(shell_word("n=64,type=d"), "n=64,type=d");
  EXPECT_EQ(shell_word("n={64,128}"), "'n={64,128}'");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("it's; rm"), "'it'\\''s; rm'");
  EXPECT_EQ(shell_word("a\nb"), "$'a\\012b'");
}

/// Returns the word as a shell reads it.
std::string read_back(const std::string& shell, const std::string& word) {
  FILE* pipe = popen((shell + " -c " + in_quotes("printf '<%s>' " + word)).c_str(), "r");
  std::array<char, 4096> buffer;
  const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe);
  pclose(pipe);
  return {buffer.data(), count};
}

TEST(ShellWord, IsReadBackAsItWas) {
  const std::vector<std::string> shown = {"",         "a b", "it's", "''", "$(touch x); `touch y` \"$HOME\" \\",
                                          "*?[a]~#!", "σ",   "\\'\\"};
  for (const std::string& text : shown) EXPECT_EQ(read_back("sh", shell_word(text)), "<" + text + ">");
  const std::vector<std::string> hidden = {"a\nb",
                                           "\n",
                                           "\033[31m'1\\n",
                                           "\t\r\x7f",
                                           "\xff'\x80"
                                           "0",
                                           "\u202e1 $(x)"};
  for (const std::string& text : hidden) {
    EXPECT_EQ(read_back("bash", shell_word(text)), "<" + text + ">");
    EXPECT_EQ(on_terminal(shell_word(text)), shell_word(text));
  }
}

}  // namespace
}  // namespace pivotlab::terminal_test
