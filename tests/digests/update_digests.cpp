// SPDX-License-Identifier: BSD-3-Clause
// update_digests FILE: computes every case of the file anew, emulated, and writes the digests into it.
#include "tests/digests/digests.hpp"

#include <fmt/format.h>
#include <fstream>
#include <iterator>

int main(int count, char** arguments) {
  using namespace pivotlab;
  std::string text;
  if (count != 2) {
    fmt::print(stderr, "usage: update_digests FILE\n");
    return 2;
  }
  {
    std::ifstream file(arguments[1]);
    text.assign(std::istreambuf_iterator<char>(file), {});
  }
  auto cases = test::read_digests(text);
  int changed = 0;
  for (test::DigestCase& c : cases) {
    const std::uint64_t digest = test::compute_digest(c.name, Backend::emulation);
    changed += digest != c.digest;
    c.digest = digest;
  }
  std::ofstream(arguments[1]) << test::write_digests(text, cases);
  fmt::print("{}: {} of {} digests changed\n", arguments[1], changed, cases.size());
}
